"""What a value can be here: JSON's six kinds, with numbers that are exact. Lists and objects hold values again."""

from decimal import Decimal
from typing import Any, TypeAlias

Number: TypeAlias = int | Decimal
Object: TypeAlias = dict[str, Any]
Value: TypeAlias = bool | int | Decimal | str | list[Any] | Object | None
