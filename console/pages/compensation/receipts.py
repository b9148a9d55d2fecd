"""What a person is told became of a deed about a work item or a plan, and what follows from it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from compensation.queries import trail
from compensation.states import DECLINED, IN_FORCE, PROPOSED, WAIVE, WITHDRAWN
from console.http.refusals import Refusal, StaleVersion
from console.ledger.actors import Actor
from console.pages import sent
from console.pages.receipts import SAID, given
from console.pages.room import MemberRequest
from console.pages.templatetags.times import clock

CONFLICT: Final = 409
ENDS: Final = {
    PROPOSED: "It is written down and waits for a second person. Nothing changes before somebody else confirms it.",
    DECLINED: "You declined it. Everything stays as it was, and the reason is kept beside it.",
    WITHDRAWN: "You took it back. Everything stays as it was.",
}  # fmt: skip
PLANNED: Final = "It is planned, and what comes at once has begun."
PLANNED_WAITS: Final = "It is planned, and nothing of it begins before somebody approves the plan."
DECIDED: Final = {
    IN_FORCE: "The plan is approved, and what comes at once has begun.",
    DECLINED: "The plan is declined. Nothing of it begins by itself.",
}
RESOLVED: Final = "It is over as made good for by hand, and what waited for it goes on."
WAIVED: Final = "It is over as waived. What remains is named in the result of the run."
# Refusals whose own words are for programs, or say too little where a person reads them.
SENTENCES: Final = SAID | {
    "key_reused": "This form was already used to say something else; look at what stands.",
    "reason_missing": "Say why; see the field that is marked.",
    "bad_ending": "Some of it cannot be taken as it is written; see the field that is marked.",
    "stale_version": "Something about this is new since you opened it, so nothing was done. Look at it, and send it again.",
    "difference_changed": "What was found is not what you saw any more; look at it again below before you accept it.",
}


def kept(by: Actor, key: str, about: UUID) -> dict[str, Any] | None:
    """Give the receipt that this member got for this key about this work item or plan, if they did."""
    receipt = given(by, key)
    return receipt if receipt and str(about) in {str(receipt.get(name)) for name in ("item", "plan", "run")} else None


def told(became: dict[str, Any] | Refusal) -> dict[str, object]:
    """Say what became of a deed: code, done (bool), sentence."""
    if isinstance(became, Refusal):
        return {"code": became.code, "done": False, "sentence": _refused(became)}
    if "item" not in became and became.get("state") in DECIDED:
        return {"code": "recorded", "done": True, "sentence": DECIDED[became["state"]]}
    sentence = next((tell(became) for name, tell in FACTS.items() if name in became), "It goes on at once.")
    return {"code": "recorded", "done": True, "sentence": sentence}


def news(request: MemberRequest, plan_id: UUID, item_id: UUID | None = None) -> tuple[trail.Line, ...]:
    """Tell what is new since the form was shown: of a plan, or of one work item of it."""
    seen = sent.version(request)
    return () if seen is None else trail.news(request.member.tenant_id, plan_id, seen, item_id=item_id)


def status(became: dict[str, Any] | Refusal) -> int:
    """Give the status of the page that shows it; a form that was stale is a conflict, for it sent no condition."""
    if isinstance(became, Refusal):
        return CONFLICT if isinstance(became, StaleVersion) or became.status == 412 else became.status
    return 200


def of_desk(request: MemberRequest) -> dict[str, object] | None:
    """Say what became of a form that stood on the desk, when it was sent without a script."""
    receipt = given(request.by, request.GET.get("receipt", ""))
    if not receipt or "item" not in receipt:
        return None
    return {**told(receipt), "row": UUID(str(receipt["item"]))}


def _ended(said: dict[str, Any]) -> str:
    if said["stands"] == IN_FORCE:
        return WAIVED if said["is_a"] == WAIVE else RESOLVED
    return ENDS.get(str(said["stands"]), "It is written down.")


def _ticked(said: dict[str, Any]) -> str:
    still = f"{len(said['open'])} left" if said["open"] else "that was the last of them"
    return f"Ticked off: {still}." if said["done"] else "It is open again."


def _owned(said: dict[str, Any]) -> str:
    if said["owner"]:
        return "It has an owner now."
    return f"It has no owner now; members of {said['owner_group']} find it on the desk."


def _refused(refusal: Refusal) -> str:
    facts = refusal.facts
    sentence = SENTENCES.get(refusal.code, refusal.detail)
    if refusal.code == "already_claimed" and facts.get("by"):
        since = facts.get("since")
        at = f" since {clock(datetime.fromisoformat(since), datetime.fromisoformat(since))} UTC" if since else ""
        return f"{facts['by']} looks after it{at}."
    return sentence


# What is told, by the fact of a receipt that says which deed it was.
FACTS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "plan_state": lambda said: PLANNED_WAITS if said["plan_state"] == PROPOSED else PLANNED,
    "stands": _ended,
    "file": lambda said: f"The file {said['name']} stands beside it.",
    "open": _ticked,
    "tries": lambda said: (
        "It is tried again, by a new effect." if said["begun"] else "It could not be begun; see why below."
    ),
    "owner": _owned,
    "number": lambda said: "It is added, and stands on the desk.",
    "level": lambda said: f"Members of {said['to']} were told.",
}
