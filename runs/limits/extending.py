"""Giving a run more of what it may use: a move of an operator, with a reason; one that had run out goes on."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, canonical, number_text
from console.http.reasons import LONGEST_REASON, ReasonMissing
from console.http.refusals import Forbidden, InvalidContent, NotFound, Refusal
from console.identity.models import Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driver, record
from runs.limits import budgets
from runs.limits.budgets import COST, LARGEST, BadLimit
from runs.models import Run
from runs.states import EXHAUSTED, RUN_GOING, RUNNING, WAITING
from runs.waits import standing

ROLES = {"operator", "admin"}


class NotYoursToExtend(Forbidden):
    """An operator or an administrator gives a run more of what it may use."""

    code = "not_yours_to_extend"


class NothingGiven(InvalidContent):
    """Say how much more of which budget that the run has."""

    code = "nothing_given"


class NotEnough(Refusal):
    """With this the run would still have nothing left of a budget that ran out; nothing was changed."""

    code = "not_enough"


@move("extend")
def extend(
    by: Actor, run_id: UUID, *, more: Mapping[str, Any], reason: str, key: str, version: int | None = None
) -> dict[str, Any]:
    """Add to the budgets of a run; one that had run out goes on with what it had begun.

    Raises NotFound, NotYoursToExtend, RunEnded, ReasonMissing, NothingGiven, BadLimit, NotEnough, StaleVersion."""
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise ReasonMissing(path="/reason")
    given = {name: amount for name, amount in budgets.amounts(more, "/more").items() if amount}
    if not given:
        raise NothingGiven(path="/more")
    asked: Object = {
        "run": str(run_id),
        "more": {name: number_text(each) for name, each in given.items()},
        "reason": reason,
    }
    return once(by, key, "extend", asked, lambda: _extend(by, run_id, given, reason.strip(), version), about=run_id)


def may_extend(member: Member) -> bool:
    """Tell whether a member may give a run more."""
    return member.active and bool(ROLES & set(member.roles))


def _extend(by: Actor, run_id: UUID, given: dict[str, Decimal], reason: str, version: int | None) -> dict[str, Any]:
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    member = Member.objects.filter(pk=by.principal, tenant_id=by.tenant).first() if by.kind == "member" else None
    if member is None or not may_extend(member):
        raise NotYoursToExtend
    driver.check_version(run, version)
    if run.state not in RUN_GOING | {EXHAUSTED}:
        raise driver.RunEnded(
            "This run does not go on, or is set aside for another reason.", state=run.state, version=run.ledger_seq
        )
    now, limits = clock.now(), _raised(run, given)
    to = standing.goes_on_as(run) if run.state == EXHAUSTED else run.state
    Run.objects.filter(pk=run.pk).update(limits=limits)
    if run.state == EXHAUSTED:
        _check_enough(run, limits)
        _go_on(run, to, now)
    says: Object = {
        "to": to, "was": run.state, "limits": limits, "more": {name: number_text(each) for name, each in given.items()}, "reason": reason,
    }  # fmt: skip
    record.write([(run.pk, "run.extended", says)], by, now)
    if run.state == EXHAUSTED and to == RUNNING:
        standing.end_others(by, run, now)
    ring_after_commit(run.pk)
    return {
        "run": str(run.pk), "state": to, "budgets": [each.shown() for each in budgets.of_run(run.pk, limits)], "at": instant(now),
    }  # fmt: skip


def _raised(run: Run, given: dict[str, Decimal]) -> str:
    """Give what the run may use from now on. Raises NothingGiven for a budget that it does not have."""
    terms = budgets.terms_of(run.limits)
    for name, amount in given.items():
        if name not in terms:
            raise NothingGiven(path=f"/more/{name}", budgets=[each for each in budgets.BUDGETS if each in terms])
        allowed = Decimal(str(terms[name])) + amount
        if allowed > LARGEST[name]:
            raise BadLimit(path=f"/more/{name}")
        terms[name] = number_text(allowed) if name == COST else int(allowed)
    return canonical(terms)


def _check_enough(run: Run, limits: str) -> None:
    gone = [budget for budget in budgets.of_run(run.pk, limits) if budget.is_used_up]
    if gone:
        raise NotEnough(budgets=[budget.shown() for budget in gone], state=run.state, version=run.ledger_seq)


def _go_on(run: Run, to: str, now: datetime) -> None:
    Run.objects.filter(pk=run.pk).update(
        state=to, attention="", attention_since=None, attention_reason="", watch_at=None if to == WAITING else now
    )
    rows("select runs_unpark(%s::uuid[], %s)", [[run.pk], now])
