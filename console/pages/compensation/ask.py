"""Asking for effects of a run to be made good for: which, the plan that would come of it before anything is written, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from uuid_utils.compat import uuid7

from compensation.deeds.standing import operates
from compensation.lists import listed
from compensation.plans import asking, planner, reading
from compensation.plans.planner import Wish
from compensation.plans.planning import (
    COVERED,
    DID_NOT_HAPPEN,
    NOT_BY_ITSELF,
    OF_COMPENSATION,
    ONLY_READS,
    Known,
    Planned,
    Planning,
)
from compensation.plans.refusing import MOST
from compensation.states import ASKED
from console.exact import Object, Value, decode
from console.http.refusals import NotFound, Refusal
from console.pages import address, finding_form, sent
from console.pages.address import BadFilter
from console.pages.answers import whole
from console.pages.compensation import receipts
from console.pages.compensation.plan_table import depths, turn
from console.pages.finding_form import text
from console.pages.room import MemberRequest, Receipt, deed, page
from runs import queries
from runs.models import Run

DIGITS = 9
WHY_NOT = {
    DID_NOT_HAPPEN: "It has not happened.", COVERED: "It is being made good for, or was.",
    OF_COMPENSATION: "It makes good for something itself, and its contract does not let that be made good for.",
    ONLY_READS: "It only reads, and leaves nothing behind.", NOT_BY_ITSELF: "Its contract does not foresee it.",
}  # fmt: skip
NOT_YOURS = "Operators and admins ask for it."
ERASED = "What this run said was erased; nothing more is planned for it."


@dataclass(frozen=True, slots=True)
class Choice:
    """An effect that may be chosen, or why not; `item` is the work item that covers it."""

    effect: Known
    chosen: bool
    why_not: str
    item: UUID | None


@dataclass(frozen=True, slots=True)
class Preview:
    """A work item as it would be planned, with the effect that it makes good for."""

    effect: Known
    planned: Planned
    arguments: Value
    expects: tuple[Object, ...]
    turn: str
    residue: tuple[str, ...]
    id: UUID
    step: str
    after: tuple[UUID, ...]
    after_steps: tuple[str, ...]


@page("effect", "no", "all")
def compensate(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show which effects can be made good for, and the plan for those that are chosen: by number, by id, or all."""
    return whole(request, "runs/compensate.html", _context(request, subject, request.GET))


def _answered(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Lead to the plan that was made; show a refused form with the plan as it would be now."""
    if isinstance(became, Refusal):
        context = _context(request, subject, request.POST)
        context |= {
            "receipt": receipts.told(became), "faults": finding_form.faults(became), "typed": request.POST.get("why", ""),
        }  # fmt: skip
        return whole(request, "runs/compensate.html", context, receipts.status(became))
    words = address.query(receipt=request.POST["idempotency_key"])
    return HttpResponseRedirect(f"{reverse('compensation_plan', args=[became['plan']])}?{words}", status=303)


@deed(shown=_answered, on="compensate")
def compensate_run(request: MemberRequest, subject: UUID) -> Receipt:
    """Have the chosen effects made good for."""
    return asking.ask(
        request.by, subject, effects=None if _all(request.POST) else sorted(_ids(request.POST)), reason=text(request.POST, "why"),
        plan_first=request.POST.get("plan_first") == "yes", key=sent.key(request),
    )  # fmt: skip


def _context(request: MemberRequest, run_id: UUID, asked: QueryDict) -> dict[str, Any]:
    run = queries.run(request.member.tenant_id, run_id)
    if run is None:
        raise NotFound
    read = reading.read([run])
    known = read.effects.get(run.pk, [])
    chosen = None if _all(asked) else _ids(asked) | _numbered(asked, known)
    open_, making_good, closed = _choices(known, _look(request, run, read, {each.id for each in known}), chosen)
    planned = _look(request, run, read, chosen)
    lines, room = _lines(planned, known), max(MOST - len(open_), 0)
    return {
        "run": run, "choices": open_[:MOST], "openly": len(open_), "making_good": making_good[:room], "closed": closed[:MOST],
        "may_choose": bool(open_) or any(not each.why_not for each in making_good),
        "chosen_beside": any(each.chosen for each in making_good),
        "lines": lines[:MOST], "planned": len(lines), "all": chosen is None, "asked": chosen is None or bool(chosen),
        "approve_first": planned.approve_first, "may": _why_not(request, run), "form_key": str(uuid7()), "faults": {}, "typed": "",
        "receipt": None,
    }  # fmt: skip


def _choices(
    known: Sequence[Known], everything: Planning, chosen: set[UUID] | None
) -> tuple[list[Choice], list[Choice], list[Choice]]:
    """Give the effects that may be chosen; those that make good for others themselves; and those for which nothing would be planned."""
    left = {each.effect: each for each in everything.left}
    found: tuple[list[Choice], list[Choice], list[Choice]] = ([], [], [])
    for each in known:
        not_for = left.get(each.id)
        why = WHY_NOT.get(not_for.why, not_for.why) if not_for else ""
        ticked = not why and chosen is not None and each.id in chosen
        kind = 1 if each.compensates else 2 if why else 0
        found[kind].append(Choice(each, ticked, why, not_for.item if not_for else None))
    return found


def _look(request: MemberRequest, run: Run, read: reading.Read, named: set[UUID] | None) -> Planning:
    return planner.look(Wish(run, ASKED, "", None if named is None else frozenset(named)), read, request.now)


def _lines(planning: Planning, known: Sequence[Known]) -> list[Preview]:
    """Give what is planned in the order of the turns."""
    by_id = {each.id: each for each in known}
    lines = [
        Preview(
            by_id[each.effect], each, decode(each.arguments) if each.arguments else None, listed(each.expects),
            turn([by_id[pk].number for pk in each.turn.few], each.turn.count), listed(each.residue), each.effect, each.step, each.turn.few,
            each.turn.steps,
        )
        for each in planning.items
    ]  # fmt: skip
    depth = depths(lines)
    return sorted(lines, key=lambda line: (depth[line.id], line.effect.number))


def _why_not(request: MemberRequest, run: Run) -> str:
    if run.erased_at is not None:
        return ERASED
    return "" if operates(request.member) else NOT_YOURS


def _all(asked: QueryDict) -> bool:
    return asked.get("all") == "yes"


def _ids(asked: QueryDict) -> set[UUID]:
    """Read ids of effects. Raises BadFilter."""
    written = asked.getlist("effect")
    if len(written) > MOST:
        raise BadFilter
    try:
        return {UUID(each) for each in written}
    except ValueError:
        raise BadFilter from None


def _numbered(asked: QueryDict, known: Sequence[Known]) -> set[UUID]:
    """Read numbers of effects of the run. Raises BadFilter."""
    written = asked.getlist("no")
    if len(written) > MOST or not all(each.isascii() and each.isdigit() and len(each) <= DIGITS for each in written):
        raise BadFilter
    numbers = {int(each) for each in written}
    found = {each.number: each.id for each in known if each.number in numbers}
    if len(found) < len(numbers):
        raise BadFilter
    return set(found.values())
