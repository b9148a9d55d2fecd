"""The filters of the lists, described."""

from typing import Final

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from console.http.describing import HEADER, QUERY
from console.http.fields import TOKEN_SCHEMA
from runs.api.queries import STATES

RUN_STATE: Final = OpenApiParameter(
    "state", {"type": "string", "enum": list(STATES)}, QUERY, description="A state, or `open` or `ended`, which stand for several."
)  # fmt: skip
MINE: Final = OpenApiParameter("mine", bool, QUERY, description="`true`: only the runs of the agent that asks.")
FENCE: Final = OpenApiParameter(
    "Fencing-Token", TOKEN_SCHEMA, HEADER, required=True,
    description="The attempt's `fence`, from its permit. When its lease has ended this is refused (409 `lease_lost`).",
    examples=[OpenApiExample("the first attempt", value=1)],
)  # fmt: skip
