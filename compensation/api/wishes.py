"""What may be sent to ask for compensation."""

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Id, Text, YesNo
from console.http.reasons import LONGEST_REASON

MOST_EFFECTS: Final = 500


class Wish(Content):
    """That one effect is made good for."""

    reason = Text(max_length=LONGEST_REASON, help_text="Why; compensating operations may be told it.")
    plan_first = YesNo(
        required=False, default=False, help_text="Whether somebody approves the plan before anything runs."
    )


class WishOfRun(Wish):
    """That effects of a run are made good for."""

    effects = serializers.ListField(
        child=Id(), required=False, allow_null=True, default=None, max_length=MOST_EFFECTS,
        help_text="Effects of this run, each once. Absent: all that happened in it.",
    )  # fmt: skip


def sent(called: str, /, **value: Any) -> list[OpenApiExample]:
    """Give the example of a body."""
    return [OpenApiExample(called, value=value, request_only=True)]
