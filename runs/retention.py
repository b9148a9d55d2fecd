"""What is kept how long: found, told, and let go in small transactions. It may be stopped at any moment and begun again, by any number."""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings

from approvals.alone import retaining
from console import clock
from console.clock import instant
from console.database import rows, transaction
from console.http import keys
from console.identity.administration import hold
from console.identity.models import Tenant
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.forgetting import YOUNGEST, forget
from console.ledger.moves import move
from runs import erasing
from runs.erasing import AlreadyErased, DoesNotHold, NotToErase
from runs.states import OPEN, RUN_ENDED

RUNS, ALONE, RECEIPTS, REFUSALS, SESSIONS, MESSAGES = "runs", "alone", "receipts", "refusals", "sessions", "messages"
KINDS: Final = (RUNS, ALONE, RECEIPTS, REFUSALS, SESSIONS, MESSAGES)
WHAT: Final = {
    RUNS: "finished runs: goal, arguments, results, evidence, reasons, questions; ids, keys, digests, times and outcomes stay",
    ALONE: "what agents asked and did by themselves, once it is over: target, arguments, reasons, decisions' reasons, what was reported",
    RECEIPTS: "receipts whose key has expired; a stone stays for each, so that the key is refused for ever",
    REFUSALS: "refusals kept beside the record; how many were forgotten stays in it",
    SESSIONS: "sessions of browsers that have expired",
    MESSAGES: "bodies of signed messages that named nothing of ours, and of signals that nothing took; their ids, digests and times stay",
}  # fmt: skip
logger = logging.getLogger(__name__)
_broken: set[UUID] = (
    set()
)  # runs, and what was asked alone, that this process has looked at: those that do not hold are not looked at every time
LONGEST_SECONDS: Final = 2.0  # of the clock's pass: leases and deadlines wait meanwhile
BITE: Final = 500  # rows in one transaction; of runs, one
BITE_ALONE: Final = 50  # each with its record, which is checked first
RUNS_OVER = """
select r.id, r.ended_at, r.hold <> '' as held,
       r.compensation in ('due', 'open') or [above] or exists (select from runs_effect e where e.run_id = r.id
           and (e.state = any (%s) or (e.state = 'partial' and e.reconciled_at is null))) as is_open,
       r.key_expires_at > cf_now()
           or exists (select from runs_effect e where e.run_id = r.id and e.key_expires_at > cf_now()) as has_good_keys
from runs_run r where r.tenant_id = %s and r.erased_at is null and r.ended_at <= %s and r.state = any (%s)
"""
RUNS_DUE = f"""
select id from ({RUNS_OVER}) r where not (held or is_open or has_good_keys) and not (id = any (%s::uuid[])) order by ended_at limit 1
"""  # noqa: S608 - two texts of ours
COUNT_RUNS = f"""
select count(*) filter (where due) as due, min(ended_at) filter (where due) as oldest, max(ended_at) filter (where due) as newest,
       count(*) filter (where held) as held, count(*) filter (where is_open) as is_open, count(*) filter (where has_good_keys) as good
from (select *, not (held or is_open or has_good_keys) as due from ({RUNS_OVER}) r) r
"""  # noqa: S608
COUNT_RECEIPTS = """select count(*) as due, min(expires_at) as oldest, max(expires_at) as newest from http_idempotencyrecord
    where tenant_id = %s and expires_at <= %s and status <> 410"""
COUNT_REFUSALS = (
    "select count(*) as due, min(at) as oldest, max(at) as newest from ledger_refusal where tenant_id = %s and at < %s"
)
COUNT_SESSIONS = """select count(*) as due, min(expire_date) as oldest, max(expire_date) as newest from django_session
    where expire_date <= %s"""
NAMED_NOTHING = (
    "tenant_id = %s and state = 'unmatched' and effect_id is null and received_at <= %s and body is not null"
)
TAKEN_BY_NOTHING = "tenant_id = %s and state = 'expired' and run_id is null and received_at <= %s and body is not null"
COUNT_MESSAGES = f"""select count(*) as due, min(received_at) as oldest, max(received_at) as newest from (
    select received_at from runs_callback where {NAMED_NOTHING} union all select received_at from runs_signal where {TAKEN_BY_NOTHING}) m"""  # noqa: S608
EMPTY_CALLBACKS = f"""update runs_callback set body = null where id in (
    select id from runs_callback where {NAMED_NOTHING} order by received_at limit %s for no key update skip locked) returning 1"""  # noqa: S608
EMPTY_SIGNALS = f"""update runs_signal set body = null, correlation = '[erased]' where id in (
    select id from runs_signal where {TAKEN_BY_NOTHING} order by received_at limit %s for no key update skip locked) returning 1"""  # noqa: S608
FORGET_SESSIONS = """delete from django_session where session_key in (
    select session_key from django_session where expire_date <= %s order by expire_date limit %s for update skip locked) returning 1"""


@dataclass(frozen=True, slots=True)
class Due:
    """What of one kind would go: how many, from when to when; and what is kept back, with why."""

    kind: str
    tenant_id: UUID | None
    tenant: str
    count: int
    oldest: datetime | None
    newest: datetime | None
    kept_back: str = ""

    def __str__(self) -> str:
        span = f", {instant(self.oldest)} to {instant(self.newest)}" if self.count else ""
        kept = f"; kept back: {self.kept_back}" if self.kept_back else ""
        return f"{self.tenant:<20} {self.kind:<10} {self.count:>8}{span}{kept}"


def spans() -> dict[str, timedelta]:
    """Give how long each kind is kept by the settings; what is not named is kept for ever."""
    days = settings.RETAIN_DAYS
    return {kind: timedelta(days=days[kind]) for kind in KINDS if days[kind]}


def tenants(slug: str | None = None) -> list[Tenant]:
    """Give all tenants, or one."""
    with transaction(None):
        found = Tenant.objects.order_by("slug")
        return list(found if slug is None else found.filter(slug=slug))


def due(kept: dict[str, timedelta], among: list[Tenant]) -> Iterator[Due]:
    """Find what would go; nothing is changed."""
    with transaction(None):
        now = clock.now()
        for tenant in among:
            for kind, span in kept.items():
                if kind != SESSIONS:
                    yield _counted(kind, tenant, before(kind, span, now))
        if SESSIONS in kept:
            found = rows(COUNT_SESSIONS, [now - kept[SESSIONS]])[0]
            yield Due(SESSIONS, None, "(installation)", found["due"], found["oldest"], found["newest"])


def _counted(kind: str, tenant: Tenant, at: datetime) -> Due:
    back = ""
    if kind == RUNS:
        found = rows(_with_above(COUNT_RUNS), [sorted(OPEN), tenant.pk, at, sorted(RUN_ENDED)])[0]
        why = {
            "on hold": found["held"],
            "something open, unknown or half done": found["is_open"],
            "keys still good": found["good"],
        }
        back = _told(why)
    elif kind == ALONE:
        found = retaining.counted(tenant.pk, at)
        back = _told(
            {"used and unknown": found["is_open"], "released over its approvers and not reviewed": found["to_review"]}
        )
    else:
        count = {RECEIPTS: COUNT_RECEIPTS, REFUSALS: COUNT_REFUSALS, MESSAGES: COUNT_MESSAGES}[kind]
        found = rows(count, [tenant.pk, at] * (2 if kind == MESSAGES else 1))[0]
    return Due(kind, tenant.pk, tenant.slug, found["due"], found["oldest"], found["newest"], back)


def _told(why: dict[str, int]) -> str:
    return ", ".join(f"{number} {words}" for words, number in why.items() if number)


def before(kind: str, span: timedelta, now: datetime) -> datetime:
    """Give the instant before which a kind goes; refusals are kept for thirty days whatever is asked."""
    return now - (max(span, YOUNGEST) if kind == REFUSALS else span)


def let_go(by: Actor, kind: str, tenant_id: UUID | None, span: timedelta, reason: str, passed: set[UUID]) -> int:
    """Let one bite go, in a transaction of its own; gives how many, 0 at the end. What does not hold is `passed` over."""
    if kind == RUNS:
        return _erase_one(by, span, reason, passed)
    if kind == ALONE:
        return _erase_alone(by, span, reason, passed)
    steps: dict[str, Callable[[datetime], int]] = {
        RECEIPTS: lambda at: keys.bury(by.tenant, at, BITE),
        REFUSALS: lambda at: _forget(by, at, reason),
        MESSAGES: lambda at: sum(len(rows(empty, [by.tenant, at, BITE])) for empty in (EMPTY_CALLBACKS, EMPTY_SIGNALS)),
        SESSIONS: lambda at: len(rows(FORGET_SESSIONS, [at, BITE])),
    }
    with transaction(tenant_id):
        return steps[kind](before(kind, span, clock.now()))


def _erase_one(by: Actor, span: timedelta, reason: str, passed: set[UUID]) -> int:
    """Erase the run that ended first; one that somebody else was quicker with, or that changed in this moment, is passed over."""
    refused: set[UUID] = set()  # for this once: it may be to erase the next time
    while (run_id := _first_due(by, span, passed | refused)) is not None:
        try:
            erasing.erase(by, run_id, reason=reason)
        except (AlreadyErased, NotToErase):
            refused.add(run_id)
        except DoesNotHold:
            passed.add(run_id)
            raise
        else:
            return 1
    return 0


def _erase_alone(by: Actor, span: timedelta, reason: str, passed: set[UUID]) -> int:
    with transaction(by.tenant_id):
        at = clock.now() - span
    return erasing.erase_alone(by, at, passed, BITE_ALONE, reason=reason)


def _first_due(by: Actor, span: timedelta, passed: set[UUID]) -> UUID | None:
    with transaction(by.tenant_id):
        found = rows(
            _with_above(RUNS_DUE), [sorted(OPEN), by.tenant, clock.now() - span, sorted(RUN_ENDED), list(passed)]
        )
    return found[0]["id"] if found else None


def _with_above(statement: str) -> str:
    """Put in what rooms above say of when a run is still open to them."""
    return statement.replace("[above]", " or ".join(room.keeps for room in erasing.ABOVE) or "false")


def _forget(by: Actor, at: datetime, reason: str) -> int:
    tenant = hold(by.tenant)
    gone = forget(tenant.pk, at, BITE)
    if gone:
        facts = {"before": instant(at), "count": gone, "reason": reason}
        chains.append(tenant, tenant.pk, [("refusals.forgotten", facts)], by, clock.now())
    return gone


@move("retain")
def check_authority(by: Actor, reason: str) -> None:
    """Refuse whoever may not let anything go. Raises NotAnAdmin, ReasonMissing."""
    erasing.checked(by, reason)


def bite(most_runs: int = 20) -> int:
    """Let a little of what the settings name go, for the clock's pass; gives how much."""
    kept, until = spans(), time.monotonic() + LONGEST_SECONDS
    gone = _bite(SESSIONS, None, kept[SESSIONS], 1, until) if SESSIONS in kept else 0
    for tenant in tenants() if kept else []:
        for kind, span in kept.items():
            if kind != SESSIONS:
                gone += _bite(kind, tenant.pk, span, most_runs if kind == RUNS else 1, until)
    return gone


def _bite(kind: str, tenant_id: UUID | None, span: timedelta, most: int, until: float) -> int:
    by, gone = Actor("system", None, "clock", tenant_id, "clock"), 0
    for _ in range(most):
        if time.monotonic() >= until:
            break
        try:
            some = let_go(by, kind, tenant_id, span, policy_reason(kind), _broken)
        except DoesNotHold as refusal:
            logger.error("something is not erased, because its record does not hold: %s", refusal.facts["first"])
            continue
        gone += some
        if not some:
            break
    return gone


def policy_reason(kind: str) -> str:
    """Say by which policy something goes."""
    return f"kept for {settings.RETAIN_DAYS[kind]} days by the settings"
