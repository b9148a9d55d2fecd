"""What a value can be here: JSON's six kinds, with numbers that are exact."""

from decimal import Decimal
from typing import TypeAlias

Number: TypeAlias = int | Decimal
Value: TypeAlias = "bool | int | Decimal | str | list[Value] | dict[str, Value] | None"
Object: TypeAlias = dict[str, Value]
