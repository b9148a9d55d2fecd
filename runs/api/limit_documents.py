"""Limits, described for the readers of the API, with what is sent about them."""

from typing import Any, ClassVar, Final

from django.core.validators import RegexValidator
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Text, Whole
from console.http.reasons import LONGEST_REASON
from runs.api import shown
from runs.api.documents import Moment
from runs.limits.budgets import LARGEST
from runs.limits.usage import LONGEST_NOTE

COST: Final = r"^(0|[1-9][0-9]{0,9})(\.[0-9]{1,6})?$"
BUDGET: Final = {"budget": "cost", "allowed": "2.5", "used": "2.500001", "left": "0"}
LINE: Final = {
    "id": shown.EFFECT_ID, "number": 1, "key": "refund", "operation": "refund", "summary": "Refund 120.00 EUR for order 4711",
    "state": "ready",
}  # fmt: skip
LIMITS: Final[dict[str, Any]] = {
    "run": shown.RUN_ID, "state": "exhausted", "version": 12, "on_exhaustion": "hold", "used_tokens": 8120, "used_cost": "2.500001",
    "budgets": [BUDGET], "exhausted_at": shown.DECIDED, "reason": "cost: 2.500001 of 2.5", "done": {"count": 0, "first": []},
    "not_done": {"count": 1, "first": [LINE]}, "uncertain": {"count": 0, "first": []},
}  # fmt: skip
USED: Final[dict[str, Any]] = {
    "run": shown.RUN_ID, "state": "running", "used_tokens": 8120, "used_cost": "1.25",
    "budgets": [BUDGET | {"used": "1.25", "left": "1.25"}],
    "at": shown.DECIDED,
}  # fmt: skip
USAGE: Final = [
    OpenApiExample("a model call", value={"tokens": 812, "cost": "0.0125", "note": "reading the case"}, request_only=True)
]  # fmt: skip
MORE: Final = [
    OpenApiExample("more of it", value={"more": {"cost": "1.50"}, "reason": "The case is worth it."}, request_only=True)
]  # fmt: skip


def amount(**more: Any) -> Text:
    """Describe a cost: an exact decimal of at most six places, as text."""
    return Text(required=False, max_length=17, validators=[RegexValidator(COST)], **more)


def whole(name: str, help_text: str = "") -> Whole:
    """Describe an amount of a budget that is counted."""
    return Whole(
        required=False, allow_null=True, default=None, min_value=0, max_value=LARGEST[name], help_text=help_text
    )


class Amounts(Content):
    """Amounts of budgets; what is absent or null is not meant."""

    attempts = whole("attempts", "Attempts at effects; looks are not counted.")
    cost = amount(
        allow_null=True, default=None, help_text="In the unit in which costs are reported; a decimal, as text."
    )
    tokens = whole("tokens")
    children = whole("children", "Runs below it.")
    wall_seconds = whole("wall_seconds", "Since it was made, time spent waiting included.")


class Usage(Content):
    """What was used since the last report: tokens, cost, or both."""

    tokens = Whole(required=False, default=0, min_value=0, max_value=LARGEST["tokens"])
    cost = amount(default="0", help_text="A decimal of at most six places, as text.")
    note = Text(required=False, default="", allow_blank=True, max_length=LONGEST_NOTE, help_text="What for.")


class Extension(Content):
    """How much more a run may use, and why."""

    more = Amounts(help_text="What is added to each budget that the run has.")
    reason = Text(max_length=LONGEST_REASON)


class BudgetDocument(serializers.Serializer):
    """One budget of a run. Amounts are exact, as text."""

    budget = serializers.CharField(help_text="attempts, cost, tokens, children or wall_seconds. An open list.")
    allowed = serializers.CharField()
    used = serializers.CharField()
    left = serializers.CharField()


class LineDocument(serializers.Serializer):
    """An effect, as a line."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    key = serializers.CharField()
    operation = serializers.CharField()
    summary = serializers.CharField()
    state = serializers.CharField()


class PartDocument(serializers.Serializer):
    """Some of a run's effects: how many, and the first hundred."""

    count = serializers.IntegerField()
    first = LineDocument(many=True)


class LimitsDocument(serializers.Serializer):
    """How a run stands with what it may use; what was done and what was not."""

    example: ClassVar[Any] = LIMITS

    run = serializers.UUIDField()
    state = serializers.CharField()
    version = serializers.IntegerField()
    on_exhaustion = serializers.CharField(help_text="hold: it is set aside; fail: it ends as failed.")
    used_tokens = serializers.IntegerField()
    used_cost = serializers.CharField()
    budgets = BudgetDocument(many=True)
    exhausted_at = Moment(allow_null=True, help_text="When one ran out, while the run is set aside for it.")
    reason = serializers.CharField(allow_null=True)
    done = PartDocument()
    not_done = PartDocument()
    uncertain = PartDocument(help_text="Under way, unknown, or done in part.")


class UsageReceipt(serializers.Serializer):
    """What a run has used in all."""

    example: ClassVar[Any] = USED

    run = serializers.UUIDField()
    state = serializers.CharField()
    used_tokens = serializers.IntegerField()
    used_cost = serializers.CharField()
    budgets = BudgetDocument(many=True)
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class ExtensionReceipt(serializers.Serializer):
    """What a run may use from now on."""

    example: ClassVar[Any] = {
        "run": shown.RUN_ID, "state": "running", "budgets": [{"budget": "cost", "allowed": "4", "used": "2.500001", "left": "1.499999"}],
        "at": shown.DECIDED,
    }  # fmt: skip

    run = serializers.UUIDField()
    state = serializers.CharField()
    budgets = BudgetDocument(many=True)
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")
