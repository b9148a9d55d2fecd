"""What an agent may send about waits, and the drafts that it becomes."""

from typing import Any

from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Document, Text, Whole, YesNo
from runs.api.content import LONGEST_DEADLINE
from runs.states import ON_EXPIRY, WAIT_KINDS
from runs.waits.conditions import LONGEST_NAME
from runs.waits.drafts import WaitDraft
from runs.waits.opening import MOST_TOGETHER

CONDITION = (
    "The fields of its kind. timer: `at` or `after_seconds`. clock_time: `local` and `zone`, or `time`, `zone` and `days`; with `repeated` "
    "and `skipped`, what a change of the clocks does. signal: `name`, `correlation` (else the run's id). children: `runs` (else all), "
    "`mode` (all, any), `failed`, `cancelled`, `unknown` (wake, ignore, fail). effects: `effects`, `mode`. dependency: `name`. "
    "rate_window: `dependency`, `resets_at`."
)


class AWait(Content):
    """One condition."""

    kind = serializers.ChoiceField(choices=WAIT_KINDS)
    condition = Document(required=False, default=dict, help_text=CONDITION)
    name = Text(
        required=False, default="", allow_blank=True, max_length=LONGEST_NAME,
        help_text="Names it among the run's open waits; else its kind and its number.",
    )  # fmt: skip
    parks = YesNo(
        required=False, default=True,
        help_text="Whether the run waits as a whole, with nobody driving it. Else only effects `after_waits` are held back.",
    )  # fmt: skip
    expires_seconds = Whole(
        required=False, allow_null=True, default=None, min_value=1, max_value=LONGEST_DEADLINE,
        help_text="After how long it expires; else as the contract says. Times come by themselves and expire only where this is given.",
    )  # fmt: skip
    on_expiry = serializers.ChoiceField(
        choices=ON_EXPIRY, required=False, allow_null=True, default=None,
        help_text="What follows then: the run wakes, a person is called, it is given up or cancelled. Else as the contract says.",
    )  # fmt: skip


class NewWait(AWait):
    """What a run waits for: one condition, or several of which the first that comes wakes it."""

    together_with = AWait(  # type: ignore[call-arg]
        many=True, required=False, default=list, max_length=MOST_TOGETHER - 1,
        help_text="Further waits, opened in the same step; when the run wakes by one, the other parked ones are over.",
    )  # fmt: skip


class TakingBack(Content):
    """Why a wait is not wanted any more."""

    reason = Text(required=False, default="", allow_blank=True, max_length=2000)


def wait_drafts(sent: dict[str, Any]) -> list[WaitDraft]:
    """Make the drafts of waits."""
    return [_draft(each) for each in (sent, *sent["together_with"])]


def _draft(sent: dict[str, Any]) -> WaitDraft:
    return WaitDraft(
        sent["kind"], sent["condition"], name=sent["name"], parks=sent["parks"], expires_seconds=sent["expires_seconds"],
        on_expiry=sent["on_expiry"],
    )  # fmt: skip
