"""Ending a work item by hand: resolved with evidence, or waived with authority; at once, or once a second person says so too (R-J2).

Nobody ends an item beside an effect that is under way or may have happened. One that has not begun is taken back first, so that it is not
done as well."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.db.models import Max
from uuid_utils.compat import uuid7

from compensation.deeds import notices
from compensation.deeds.checklist import check_ticked
from compensation.deeds.filing import keep
from compensation.deeds.grounds import Grounds, checked
from compensation.deeds.standing import Held, check_at_rest, hold, receipt
from compensation.lists import listed, written
from compensation.models import Ending
from compensation.states import AT_WORK, FAILED, IN_FORCE, PROPOSED, RESOLVE, RESOLVED, WAIVE, WAIVED
from compensation.working import ending as of_runs
from compensation.working import starting
from compensation.working.mirroring import in_part
from compensation.writing import add, changed, write
from console.clock import instant
from console.exact import Object
from console.http.evidence import Upload
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driving
from runs.states import PARTIAL, UNSTARTED, WITHDRAWN

TAKEN_BACK: Final = "A person ended its work item by hand."
BECOMES: Final = {RESOLVE: (RESOLVED, "item.resolved"), WAIVE: (WAIVED, "item.waived")}
BECAUSE: Final = {
    RESOLVE: "A person made good for it in another way, and gave evidence.",
    WAIVE: "A person with the authority waived it.",
}


class EndingWaits(Refusal):
    """What somebody said of this work item waits for a second person: confirm, decline or withdraw it first."""

    code = "ending_waits"


@move("resolve item")
def resolve(
    by: Actor, item_id: UUID, *, evidence: str, link: str = "", reason: str = "", left: Sequence[str] = (),
    files: Sequence[Upload] = (), version: int | None = None, key: str,
) -> dict[str, Any]:  # fmt: skip
    """End a work item as resolved in another way, with evidence; or ask a second person to say so too.

    Raises NotFound, NotAnOperator, ItemOver, StaleVersion, ItemAtWork, EndingWaits, ChecklistOpen, BadEnding, BadEvidence,
    ReasonTooLong."""
    said = Grounds(ending=RESOLVE, evidence=evidence, link=link, reason=reason, left=left, files=files)
    return _end(by, item_id, said, version, "resolve_item", key)


@move("waive item")
def waive(
    by: Actor,
    item_id: UUID,
    *,
    reason: str,
    authority: str,
    left: Sequence[str] = (),
    version: int | None = None,
    key: str,
) -> dict[str, Any]:
    """End a work item as waived, with a reason and by an authority; or ask a second person to say so too.

    Raises NotFound, NotAnOperator, ItemOver, StaleVersion, ItemAtWork, EndingWaits, BadEnding, ReasonMissing, ReasonTooLong."""
    said = Grounds(ending=WAIVE, reason=reason, authority=authority, left=left)
    return _end(by, item_id, said, version, "waive_item", key)


def _end(by: Actor, item_id: UUID, grounds: Grounds, version: int | None, verb: str, key: str) -> dict[str, Any]:
    said = checked(grounds)
    asked: Object = {"item": str(item_id), **said.asked()}
    return once(by, key, verb, asked, lambda: _said(by, item_id, said, version), about=item_id)


def _said(by: Actor, item_id: UUID, grounds: Grounds, version: int | None) -> dict[str, Any]:
    held = hold(by, item_id, version)
    check_at_rest(held)
    check_nothing_waits(held)
    if grounds.ending == RESOLVE:
        check_ticked(held)
    ending = _written(by, held, grounds)
    keep(by, held, grounds.files)
    if ending.state == IN_FORCE:
        take_effect(by, held, ending)
    else:
        notices.ending_waits(by, held.item, ending)
    return told(held, ending)


def check_nothing_waits(held: Held) -> None:
    """Refuse what would go past an ending that waits for a second person. Raises EndingWaits."""
    found = Ending.objects.filter(item=held.item, state=PROPOSED).select_related("proposed_by__user").first()
    if found is not None:
        raise EndingWaits(
            ending=str(found.pk), by=found.proposed_by.user.name, since=instant(found.proposed_at), **held.standing
        )


def take_effect(by: Actor, held: Held, ending: Ending) -> None:
    """Let an ending that stands end its item, and whatever waited for that go on."""
    item, now = held.item, held.now
    if held.acting is not None and held.acting.state in UNSTARTED:
        driving.end_unstarted(by, [held.acting], WITHDRAWN, TAKEN_BACK, now)
    if item.state in AT_WORK:  # the clock has not told it yet what became of its effect
        write(by, [changed(item, "item.failed", state=FAILED, state_reason=TAKEN_BACK)], now)
    state, kind = BECOMES[ending.ending]
    verified: dict[str, Any] = {"verified_by": "person"} if ending.ending == RESOLVE else {}
    ended = changed(
        item, kind, state=state, waits_for="", state_reason=BECAUSE[ending.ending], left=_left(held, ending.left), ended_at=now,
        next_alert_at=None, **verified,
    )  # fmt: skip
    write(by, [ended], now)
    starting.begin_due(by, held.run, now)
    of_runs.look(by, [held.run], now)


def _left(held: Held, said: str) -> str:
    """Give what is left: what a try that was done in part left, and what somebody said, each once."""
    acting = held.acting
    before = listed(held.item.left) or (in_part(acting) if acting is not None and acting.state == PARTIAL else [])
    return written(dict.fromkeys([*before, *listed(said)]))


def told(held: Held, ending: Ending) -> dict[str, Any]:
    """Give the receipt of something said about an ending."""
    return receipt(
        held, ending=str(ending.pk), is_a=ending.ending, stands=ending.state, needs_second=ending.needs_second
    )


def _written(by: Actor, held: Held, grounds: Grounds) -> Ending:
    last = Ending.objects.filter(item=held.item).aggregate(last=Max("number"))["last"] or 0
    waits = held.item.needs_second
    ending = Ending(
        id=uuid7(), tenant_id=held.item.tenant_id, plan_id=held.plan.pk, item_id=held.item.pk, number=last + 1, ending=grounds.ending,
        evidence=grounds.evidence, link=grounds.link, reason=grounds.reason, authority=grounds.authority,
        left=written(grounds.left), needs_second=waits, state=PROPOSED if waits else IN_FORCE,
        proposed_by_id=by.principal, proposed_at=held.now, decided_at=None if waits else held.now,
    )  # fmt: skip
    add(by, [ending], "ending.proposed", held.now)
    return ending
