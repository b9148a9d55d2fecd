"""The decision form as it was sent, and what a person is told became of it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from django.http import QueryDict

from console.exact import decode
from console.http import keys
from console.http.models import IdempotencyRecord
from console.http.reasons import LONGEST_REASON
from console.http.refusals import BadRequest, InvalidContent, Refusal
from console.ledger.actors import Actor
from console.pages.templatetags.times import clock

VERDICTS = {"approve": "approved", "deny": "denied"}
BROKEN = {"break_glass": "released by breaking the glass"}
# Refusals whose own words are for programs.
SAID = {
    "missing_key": "The form came without its key; send it again from here.",
    "bad_key": "The form came without its key; send it again from here.",
    "key_reused": "This form was already used to decide otherwise; look at what stands.",
    "key_expired": "This form is too old; send it again from here.",
}


def _extended(receipt: dict[str, Any], at: datetime) -> str:
    return f"It is to be decided by {clock(datetime.fromisoformat(receipt['decide_by']), at)} UTC now."


def _revoked(receipt: dict[str, Any], at: datetime) -> str:
    begun = (
        "It had begun already, so it may happen still." if receipt["begun"] else "It had not begun, and is not done."
    )
    return f"The approval is taken back. {begun}"


# What became of a deed upon a request that is no verdict, by its receipt.
STEERED: dict[str, Callable[[dict[str, Any], datetime], str]] = {
    "withdrawn": lambda receipt, at: f"Your approval is taken back; {receipt['counted']} of {receipt['of']} are in.",
    "extended": _extended,
    "escalated": lambda receipt, at: f"Asked too: {', '.join(receipt['to'])}.",
    "revoked": _revoked,
}


class NoVerdict(BadRequest):
    """The form says neither approve nor deny."""

    code = "no_verdict"


class BadVoice(BadRequest):
    """The form names nobody in whose place one could decide."""

    code = "bad_voice"


class ReasonNeeded(InvalidContent):
    """A denial needs a reason: the agent is told it."""

    code = "reason_needed"


class ReasonTooLong(InvalidContent):
    """A reason has at most 2,000 characters."""

    code = "reason_needed"


class ReadNeeded(InvalidContent):
    """Say that you have read what will be sent: this is of the high tier."""

    code = "read_needed"


@dataclass(frozen=True, slots=True)
class DecisionForm:
    """What a member sent: the verdict on exactly what they were shown."""

    verdict: str
    reason: str
    shown_digest: str
    key: str
    has_read: bool
    shown_target: str
    voice: UUID | None

    @classmethod
    def read(cls, sent: QueryDict) -> Self:
        """Read the form. Raises NoVerdict, MissingKey, BadKey, ReasonNeeded, ReasonTooLong."""
        form = cls(
            verdict=sent.get("verdict", ""), reason=sent.get("reason", "").replace("\r\n", "\n").strip(),
            shown_digest=sent.get("shown_digest", ""), key=keys.checked(sent.get("idempotency_key")), has_read=sent.get("read") == "yes",
            shown_target=sent.get("shown_target", ""), voice=_voice(sent.get("voice", "")),
        )  # fmt: skip
        if form.verdict not in VERDICTS:
            raise NoVerdict
        if form.verdict == "deny" and not form.reason:
            raise ReasonNeeded
        if len(form.reason) > LONGEST_REASON:
            raise ReasonTooLong
        return form


def _voice(text: str) -> UUID | None:
    """Read in whose name somebody decides; nothing is their own. Raises BadVoice."""
    try:
        return UUID(text) if text else None
    except ValueError:
        raise BadVoice from None


def check_length(key: str, longest: int) -> None:
    """Refuse a form's key that leaves no room for what is added to it. Raises BadKey."""
    if len(key) > longest:
        raise keys.BadKey(length=len(key))


def kept(by: Actor, key: str, request_id: UUID) -> dict[str, Any] | None:
    """Give the receipt that this member got for this key about this request, if they did."""
    receipt = given(by, key)
    return receipt if receipt and receipt.get("request") == str(request_id) else None


def given(by: Actor, key: str) -> dict[str, Any] | None:
    """Give the receipt that this member got for this key, if there is one."""
    found = IdempotencyRecord.objects.filter(tenant_id=by.tenant, principal=str(by), key=key).first() if key else None
    receipt = decode(found.body) if found and found.body else None  # a stone has none
    return receipt if isinstance(receipt, dict) else None


def receipt(became: dict[str, Any] | Refusal) -> dict[str, object]:
    """Say what became of a decision; see the top of approvals/_receipt.html."""
    return _refused(became) if isinstance(became, Refusal) else _recorded(became)


def _recorded(receipt: dict[str, Any]) -> dict[str, object]:
    at = datetime.fromisoformat(receipt["at"])
    if receipt["receipt"] in STEERED:
        return {"code": "recorded", "sentence": STEERED[receipt["receipt"]](receipt, at), "at": at}
    if receipt["receipt"] == "counted":
        sentence = f"{receipt['counted']} of {receipt['of']} approvals are in; it is released when all are."
    elif receipt["verdict"] == "deny":
        sentence = "It will not be done, and the agent is told your reason."
    else:
        sentence = f"It is released, and lapses if it has not begun by {clock(datetime.fromisoformat(receipt['use_by']), at)} UTC."
    return {
        "code": receipt["receipt"],
        "sentence": sentence,
        "by_name": "You",
        "verdict": VERDICTS[receipt["verdict"]],
        "at": at,
    }


def _refused(refusal: Refusal) -> dict[str, object]:
    facts = refusal.facts
    told: dict[str, object] = {"code": refusal.code, "sentence": SAID.get(refusal.code, refusal.detail)}
    if refusal.code in {"already_resolved", "already_counted"} and facts.get("verdict"):
        told["by_name"] = facts.get("by") or "You"
        told["verdict"] = (VERDICTS | BROKEN).get(facts["verdict"], facts["verdict"])
        told["at"] = datetime.fromisoformat(facts["at"])
    if refusal.code == "stale_view":
        told["changes"] = facts.get("changes") or _digests(facts)
        told["instead"] = facts.get("request", "")
    return told


def _digests(facts: dict[str, Any]) -> list[dict[str, object]]:
    return [{"name": "digest", "was": facts["shown"], "now": facts["current"]}] if "shown" in facts else []
