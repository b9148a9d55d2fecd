"""What a person is told became of a deed about something that is not confirmed, and what follows from it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from console.http.refusals import Refusal, StaleVersion
from console.ledger.actors import Actor
from console.pages.receipts import SAID, given
from console.pages.templatetags.times import clock
from runs.states import (
    CANNOT_TELL,
    DECLINED,
    DID_NOT_HAPPEN,
    HAPPENED,
    IN_FORCE,
    MUST_BE_UNDONE,
    RESOLUTION_PROPOSED,
    REST_SETTLED,
    STILL_PENDING,
    WITHDRAWN,
)
from runs.unknowns.exits import GIVE_UP, RETRY

CONFLICT = 409
# What follows from a finding that is in force.
FOLLOWS = {
    (HAPPENED, ""): "It counts as done, and what waited for it comes to its turn.",
    (DID_NOT_HAPPEN, RETRY): "It is begun again with the same key, as soon as its permission has been judged again.",
    (DID_NOT_HAPPEN, GIVE_UP): "It counts as not done, and nothing more is attempted.",
    (STILL_PENDING, ""): "It stays in the queue, and is looked at again at the moment that you named.",
    (MUST_BE_UNDONE, ""): "It counts as done, and a work item is planned for what makes good for it.",
    (CANNOT_TELL, ""): "It stays in the queue, handed over; somebody of that group claims it.",
    (REST_SETTLED, ""): "It stays done in part, and holds up nothing any more.",
}
DECIDED = {
    DECLINED: "You declined the finding. Everything stays as it was, and the reason is kept beside it.",
    WITHDRAWN: "You took your finding back. Everything stays as it was.",
}
# Refusals whose own words are for programs, or say too little where a person reads them.
SENTENCES = SAID | {
    "key_reused": "This form was already used to say something else; look at what stands.",
    "stale_version": "Something about it is new since you opened the page. What you wrote is kept: read what stands, then send it again.",
    "not_an_operator": "This is for operators and the group that looks after it.",
    "not_unknown": "It was settled in the meantime; there is nothing to find out any more.",
    "exit_not_allowed": "That way out is not open as things stand now.",
    "second_person": "You found this yourself; somebody else confirms or declines it.",
    "finding_waits": "Somebody else's finding waits for a second person; look at it first.",
    "already_claimed": "Somebody looks after it already.",
    "bad_finding": "Some of it cannot be taken as it is written; see the field that is marked.",
    "bad_evidence": "Some of the evidence cannot be taken as it is; see the field that is marked.",
    "way_needed": "Say what you found; see the field that is marked.",
    "not_a_moment": "Say when it is looked at again; see the field that is marked.",
    "not_a_number": "Say how many more attempts there may be; see the field that is marked.",
    "reason_missing": "Say why; see the field that is marked.",
}


def kept(by: Actor, key: str, effect_id: UUID) -> dict[str, Any] | None:
    """Give the receipt that this member got for this key about this effect, if they did."""
    receipt = given(by, key)
    return receipt if receipt and receipt.get("effect") == str(effect_id) else None


def told(became: dict[str, Any] | Refusal) -> dict[str, object]:
    """Say what became of a deed. code, done (bool), sentence, at (optional), asked (bool: the other side is being asked)."""
    if isinstance(became, Refusal):
        return {"code": became.code, "done": False, "sentence": _refused(became)}
    at = datetime.fromisoformat(became["at"])
    return {
        "code": "recorded", "done": True, "sentence": _recorded(became), "at": at, "asked": "step" in became,
        "settled": became.get("finding") == IN_FORCE,
    }  # fmt: skip


def status(became: dict[str, Any] | Refusal) -> int:
    """Give the status of the page that shows it; a form that was stale is a conflict, for it sent no condition."""
    if isinstance(became, Refusal):
        return CONFLICT if isinstance(became, StaleVersion) else became.status
    return 200


def _recorded(receipt: dict[str, Any]) -> str:
    if "step" in receipt:
        what = "What is there is being read" if receipt["step"] == "read" else "The other side is being asked"
        return f"{what}. The answer stands below, as it came, once it has come."
    if "finding" in receipt:
        return _found(receipt)
    if receipt["owner"]:
        return "It has an owner now."
    return f"It has no owner now; members of {receipt['owner_group']} find it in the queue."


def _found(receipt: dict[str, Any]) -> str:
    if receipt["finding"] == RESOLUTION_PROPOSED:
        return "Your finding is written down and waits for a second person. Nothing changes before somebody else confirms it."
    if receipt["finding"] in DECIDED:
        return DECIDED[receipt["finding"]]
    return FOLLOWS.get((receipt["exit"], receipt["then"]), "Your finding is written down.")


def _refused(refusal: Refusal) -> str:
    facts = refusal.facts
    if refusal.code == "asked_just_now":
        return f"It was asked a moment ago. It can be asked again in {facts['retry_after']} s."
    if refusal.code == "exit_not_allowed" and facts.get("why"):
        return f"That way out is not open as things stand now. {facts['why']}"
    sentence = SENTENCES.get(refusal.code, refusal.detail)
    if refusal.code == "already_claimed" and facts.get("by"):
        since = facts.get("since")
        at = f" since {clock(datetime.fromisoformat(since), datetime.fromisoformat(since))} UTC" if since else ""
        return f"{facts['by']} looks after it{at}."
    return sentence
