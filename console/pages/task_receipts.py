"""What a person is told became of a deed about a task."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from django.http import QueryDict

from console.http import keys
from console.http.refusals import BadRequest, InvalidContent, Refusal
from console.ledger.actors import Actor
from console.pages.receipts import given
from console.pages.task_card import SAID
from console.pages.templatetags.times import clock

DONE = frozenset({"succeeded", "partial", "accepted"})
FENCE_DIGITS = 18
KEPT_LATE = frozenset({"lease_lost", "already_reported"})
# Refusals whose own words are for programs.
SENTENCES = {
    "missing_key": "The form came without its key; send it again from here.",
    "bad_key": "The form came without its key; send it again from here.",
    "key_reused": "This form was already used to say something else; look at what stands.",
    "key_expired": "This form is too old; send it again from here.",
    "already_held": "Somebody has begun it in the meantime.",
    "not_ready": "It cannot be begun as it stands now.",
    "not_by_you": "This is for others to do.",
    "permit_over": "You began this before, and that has come to its end; look at how it stands now.",
    "stale_fence": "The form is of another attempt; open the task again.",
    "lease_lost": "It was no longer held for you. What you wrote is kept as evidence for those who settle it.",
    "already_reported": "What came of it was reported before. What you wrote is kept as evidence beside that.",
    "bad_result": "Some of it cannot be taken as it is written; see the fields that are marked.",
    "outcome_not_taken": "Say what came of it.",
}


class NoHold(BadRequest):
    """The form does not say which attempt it is about; open the task again."""

    code = "no_hold"


class OutcomeNeeded(InvalidContent):
    """Say what came of it."""

    code = "outcome_not_taken"


class ReasonNeeded(InvalidContent):
    """Say why: the agent is told it."""

    code = "reason_needed"


@dataclass(frozen=True, slots=True)
class HoldForm:
    """Which attempt a form is about."""

    attempt: UUID
    fence: int

    @classmethod
    def read(cls, sent: QueryDict) -> Self:
        """Read the hidden part of the form. Raises NoHold."""
        fence = sent.get("fence", "")
        if not (fence.isascii() and fence.isdigit() and len(fence) <= FENCE_DIGITS):
            raise NoHold
        try:
            return cls(UUID(sent.get("attempt", "")), int(fence))
        except ValueError:
            raise NoHold from None


@dataclass(frozen=True, slots=True)
class ReportForm:
    """What a person says came of it."""

    outcome: str
    reason: str
    evidence: str
    key: str

    @classmethod
    def read(cls, sent: QueryDict) -> Self:
        """Read the form. Raises MissingKey, BadKey, OutcomeNeeded, ReasonNeeded."""
        form = cls(
            sent.get("outcome", ""), _text(sent, "reason"), _text(sent, "evidence"), keys.checked(sent.get("idempotency_key"))
        )  # fmt: skip
        if form.outcome not in SAID:
            raise OutcomeNeeded
        if form.outcome not in DONE and not form.reason:
            raise ReasonNeeded
        return form

    @property
    def is_done(self) -> bool:
        """Whether something happened, so that the form counts."""
        return self.outcome in DONE


def kept(by: Actor, key: str, effect_id: UUID) -> dict[str, Any] | None:
    """Give the receipt that this member got for this key about this task, if they did."""
    receipt = given(by, key)
    return receipt if receipt and receipt.get("effect") == str(effect_id) else None


def receipt(became: dict[str, Any] | Refusal) -> dict[str, object]:
    """Say what became of a deed; see the top of tasks/_receipt.html."""
    if isinstance(became, Refusal):
        sentence = SENTENCES.get(became.code, became.detail)
        return {"code": became.code, "done": False, "kept": became.code in KEPT_LATE, "sentence": sentence}
    return {"code": "recorded", "done": True, "sentence": _recorded(became)}


def _recorded(receipt: dict[str, Any]) -> str:
    if "outcome" not in receipt:
        until = datetime.fromisoformat(receipt["lease_expires_at"])
        return f"It is yours until {clock(until, until)} UTC, and longer while this page is open."
    if receipt["outcome"] == "not_sent":
        return "You gave it back, and others can begin it."
    return (
        f"You reported: {SAID[receipt['outcome']][0].lower()}. The effect is {receipt['state'].replace('_', ' ')} now."
    )


def _text(sent: QueryDict, name: str) -> str:
    return sent.get(name, "").replace("\r\n", "\n").strip()
