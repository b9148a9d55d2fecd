"""The filters of the lists, described."""

from typing import Final

from drf_spectacular.utils import OpenApiParameter

from console.http.describing import QUERY
from runs.api.queries import STATES

RUN_STATE: Final = OpenApiParameter("state", str, QUERY, description=f"One of {', '.join(STATES)}.")
MINE: Final = OpenApiParameter("mine", bool, QUERY, description="`true`: only the runs of the agent that asks.")
