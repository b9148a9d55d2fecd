"""Pausing and lifting: who may, on what, and how it is recorded: a run's in its own stream, everything wider in its tenant's."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Model
from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http import reasons
from console.http.refusals import Forbidden, InvalidContent, NotFound, Refusal
from console.identity import office
from console.identity.models import Member, Tenant
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.folding import plain
from console.ledger.moves import move, once
from runs import record
from runs.driver import RunEnded
from runs.models import OperationContract, Pause, Run, RunTypeContract
from runs.pausing import news
from runs.pausing.standing import SCOPE_OPERATION, SCOPE_RUN, SCOPE_RUN_TYPE, SCOPE_TENANT
from runs.states import PAUSE_SCOPES, RUN_ENDED

UNPARK = "select runs_unpark(%s::uuid[], %s)"
NARROW, WIDE = ("operator", "admin"), ("admin",)
NAMED: dict[str, type[Model]] = {SCOPE_OPERATION: OperationContract, SCOPE_RUN_TYPE: RunTypeContract}


class NotToPause(Forbidden):
    """Operators and administrators pause and lift; what stops the whole tenant, administrators alone."""

    code = "not_to_pause"


class AlreadyPaused(Refusal):
    """This is paused already."""

    code = "already_paused"


class AlreadyLifted(Refusal):
    """This pause was lifted already."""

    code = "already_lifted"


class BadPause(InvalidContent):
    """A pause is of one run, of one operation or run type by its name, or of the tenant; only the tenant's may be an emergency stop."""

    code = "bad_pause"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is paused: a scope, and the run or the name that it needs."""

    scope: str
    run: UUID | None = None
    name: str = ""
    emergency: bool = False

    def checked(self) -> "Subject":
        """Give the subject if it is whole. Raises BadPause."""
        if self.scope not in PAUSE_SCOPES:
            raise BadPause(path="/scope")
        if (self.run is not None) != (self.scope == SCOPE_RUN):
            raise BadPause("A run is named for a pause of a run, and for no other.", path="/run")
        if bool(self.name) != (self.scope in NAMED):
            raise BadPause("A name is given for a pause of an operation or a run type, and for no other.", path="/name")
        if self.emergency and self.scope != SCOPE_TENANT:
            raise BadPause("The emergency stop is of the whole tenant.", path="/emergency")
        return self

    def asked(self) -> Object:
        """Give what equality of keys compares."""
        return {
            "scope": self.scope,
            "run": str(self.run) if self.run else None,
            "name": self.name,
            "emergency": self.emergency,
        }


@move("pause")
def pause(by: Actor, subject: Subject, *, reason: str, key: str) -> dict[str, Any]:
    """Stop something at its next claim. Raises BadPause, NotToPause, NotFound, RunEnded, AlreadyPaused, ReasonMissing, ReasonTooLong."""
    why, subject = reasons.given(reason), subject.checked()
    asked: Object = {**subject.asked(), "reason": why}
    return once(by, key, "pause", asked, lambda: _pause(by, subject, why), about=subject.run)


@move("lift pause")
def lift(by: Actor, pause_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Let what was paused go on. Raises NotFound, NotToPause, AlreadyLifted, ReasonMissing, ReasonTooLong.

    What a run's pause had stopped is due again at once; what a wider one had, within the clock's next passes."""
    why = reasons.given(reason)
    found = Pause.objects.filter(pk=pause_id, tenant_id=by.tenant).values("run_id", "scope").first()
    about = found["run_id"] if found else None
    asked: Object = {"pause": str(pause_id), "reason": why}
    return once(by, key, "lift_pause", asked, lambda: _lift(by, pause_id, about, why), about=about)


def may_pause(roles: Collection[str], scope: str) -> bool:
    """Tell whether somebody with these roles may pause and lift in this scope."""
    return bool(set(WIDE if scope == SCOPE_TENANT else NARROW) & set(roles))


def _pause(by: Actor, subject: Subject, reason: str) -> dict[str, Any]:
    run = _held_run(by, subject.run) if subject.run is not None else None
    tenant = None if run else office.hold(by.tenant)
    _check_may(by, subject.scope)
    if run is not None and run.state in RUN_ENDED:
        raise RunEnded(state=run.state, version=run.ledger_seq)
    if subject.name and not _is_known(by.tenant, subject):
        raise NotFound
    now = clock.now()
    new = Pause(
        id=uuid7(), tenant_id=by.tenant, scope=subject.scope, run=run, name=subject.name, emergency=subject.emergency, reason=reason,
        paused_at=now, paused_by_id=by.principal, lifted_at=None, lifted_by_id=None, lift_reason="",
    )  # fmt: skip
    made = Pause.objects.bulk_create([new], ignore_conflicts=True)[0]
    standing = Pause.objects.select_related("paused_by__user").get(
        tenant_id=by.tenant,
        scope=subject.scope,
        run=run,
        name=subject.name,
        emergency=subject.emergency,
        lifted_at=None,
    )
    if standing.pk != made.pk:
        raise AlreadyPaused(pause=str(standing.pk), by=standing.paused_by.user.name, since=instant(standing.paused_at))
    _write(by, run, tenant, ("run.paused", "pause.begun"), _told(new), now)
    news.paused(by, new, run)
    return {"receipt": "paused", "pause": str(new.pk), **subject.asked(), "at": instant(now)}


def _lift(by: Actor, pause_id: UUID, run_id: UUID | None, reason: str) -> dict[str, Any]:
    run = _held_run(by, run_id) if run_id is not None else None
    tenant = None if run else office.hold(by.tenant)
    # Held against claims that park under it: each is counted among what is due again, or finds the pause lifted.
    found = Pause.objects.select_for_update(no_key=True).filter(pk=pause_id, tenant_id=by.tenant).first()
    if found is None:
        raise NotFound
    _check_may(by, found.scope)
    if found.lifted_at is not None:
        raise AlreadyLifted(pause=str(found.pk), at=instant(found.lifted_at))
    now = clock.now()
    found.lifted_at, found.lifted_by_id, found.lift_reason = now, by.principal, reason
    found.released_at = now if run else None
    found.save(update_fields=["lifted_at", "lifted_by", "lift_reason", "released_at"])
    _write(by, run, tenant, ("run.pause_lifted", "pause.lifted"), _told(found), now)
    news.lifted(by, found, run)
    if run is not None:
        rows(UNPARK, [[run.pk], now])
        ring_after_commit(run.pk)
    return {"receipt": "lifted", "pause": str(found.pk), "at": instant(now)}


def _write(
    by: Actor, run: Run | None, tenant: Tenant | None, kinds: tuple[str, str], facts: Object, now: datetime
) -> None:
    """Record it in the stream of the run, or of the tenant."""
    if run is not None:
        record.write([(run.pk, kinds[0], facts)], by, now)
        ring_after_commit(run.pk, work=False)
    elif tenant is not None:
        chains.append(tenant, tenant.pk, [(kinds[1], facts)], by, now)


def _told(pause: Pause) -> Object:
    return {"id": str(pause.pk), **{column: plain(getattr(pause, column)) for column in Pause.recorded}}


def _held_run(by: Actor, run_id: UUID) -> Run:
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    return run


def _check_may(by: Actor, scope: str) -> None:
    """Check the member's roles as they stand now. Raises NotToPause."""
    roles: list[str] = []
    if by.kind == "member":
        member = Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True).first()
        roles = member.roles if member is not None else []
    if not may_pause(roles, scope):
        raise NotToPause(scope=scope)


def _is_known(tenant_id: UUID, subject: Subject) -> bool:
    """Tell whether an operation or a run type of this name was ever put in force: what was accepted under it may go on still."""
    return NAMED[subject.scope]._default_manager.filter(tenant_id=tenant_id, name=subject.name).exists()
