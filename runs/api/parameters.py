"""The filters of the lists, described."""

from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from console.http.describing import HEADER, QUERY
from runs.api.queries import STATES

RUN_STATE: Final = OpenApiParameter("state", str, QUERY, description=f"One of {', '.join(STATES)}.")
MINE: Final = OpenApiParameter("mine", bool, QUERY, description="`true`: only the runs of the agent that asks.")
FENCE: Final = OpenApiParameter(
    "Fencing-Token", OpenApiTypes.INT64, HEADER, required=True,
    description="The attempt's `fence`, from its permit. When its lease has ended this is refused (409 `lease_lost`).",
    examples=[OpenApiExample("the first attempt", value=1)],
)  # fmt: skip
