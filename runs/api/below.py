"""A run that is made below another: the parent's token goes along in a header of its own."""

from typing import Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from console.http import conditional
from console.http.describing import HEADER
from console.http.fields import TOKEN_SCHEMA

PARENT_TOKEN: Final = OpenApiParameter(
    "Parent-Token", TOKEN_SCHEMA, HEADER, required=False,
    description="The epoch of the run that is named as `parent`, where one is: only who drives it makes runs below it.",
)  # fmt: skip
OF_A_PARENT: Final = (
    "missing_token", "bad_token", "stale_token", "unknown_parent", "too_many_generations", "run_ended", "run_waits", "run_stopped",
    "resume_first", "run_out_of_time",
)  # fmt: skip


def parent_token(request: Request) -> int | None:
    """Give the request's Parent-Token, None without one. Raises BadToken."""
    sent = request.headers.get("Parent-Token")
    return None if sent is None else conditional.token(sent)
