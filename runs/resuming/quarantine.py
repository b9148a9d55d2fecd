"""What people decide about a run that does not go on: set aside, released, changed versions accepted. Each with a reason."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http import reasons
from console.http.refusals import Forbidden, NotFound, Refusal
from console.identity.groups import belongs
from console.identity.models import Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import catalogue, driver, record
from runs.contracts.run_type import RunTypeDocument
from runs.models import Resumption, Run
from runs.ownership.acquiring import CALM
from runs.resuming import notices
from runs.resuming.steps import ESCALATE, QUARANTINE
from runs.states import QUARANTINED, RUN_GOING, RUNNING
from runs.waits import standing

DECISION = "decision"  # the attention of a run about which a person has to decide


class NotAnOperatorOfRuns(Forbidden):
    """Operators, and the members of the group that takes such runs, decide how they go on."""

    code = "not_an_operator"


class NotGoing(Refusal):
    """Only a run that goes on, or waits, can be set aside."""

    code = "not_going"


class NotQuarantined(Refusal):
    """This run is not set aside; there is nothing to release."""

    code = "not_quarantined"


class NothingToAccept(Refusal):
    """No resume of this run waits for somebody who accepts changed versions."""

    code = "nothing_to_accept"


RECEIPTS = {"run.quarantined": "set_aside", "quarantine.released": "released", "versions.accepted": "accepted"}


@dataclass(frozen=True, slots=True)
class Held:
    """A run, locked for a member who may decide how it goes on, and its contract."""

    run: Run
    contract: RunTypeDocument
    reason: str
    now: datetime

    @property
    def standing(self) -> dict[str, Any]:
        """Say how it stands: state and version."""
        return {"state": self.run.state, "version": self.run.ledger_seq}


@move("quarantine")
def set_aside(by: Actor, run_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Set a run aside: nothing of it begins until it is released. Raises NotFound, NotAnOperatorOfRuns, NotGoing, ReasonMissing."""
    return _once(by, "quarantine", run_id, reason, key, _set_aside)


@move("release quarantine")
def release(by: Actor, run_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Let a run that was set aside go on, once it has been resumed. Raises NotFound, NotAnOperatorOfRuns, NotQuarantined, ReasonMissing.

    One that waited waits on, unless what it waited for has come meanwhile; then its other parked waits are over.
    The checkpoints that it has are left aside by the resumes that follow: the record alone counts, until a new one is written."""
    return _once(by, "release_quarantine", run_id, reason, key, _release)


@move("accept versions")
def accept_versions(by: Actor, run_id: UUID, *, resumption: UUID, reason: str, key: str) -> dict[str, Any]:
    """Accept the versions of the last resume, which is the one that was looked at; a resume with them goes on.

    Raises NotFound, NotAnOperatorOfRuns, NothingToAccept, ReasonMissing."""
    return _once(
        by, "accept_versions", run_id, reason, key, lambda by, held: _accept(by, held, resumption), resumption=str(resumption)
    )  # fmt: skip


def set_aside_now(reason: str, now: datetime) -> dict[str, Any]:
    """Give what makes a run a quarantined one: nothing of it begins, and nobody drives it."""
    return {
        "state": QUARANTINED, "resume_due": True, "lease_expires_at": None, "watch_at": None, "attention": "quarantined",
        "attention_since": now, "attention_reason": reason,
    }  # fmt: skip


def may_decide(member: Member, contract: RunTypeDocument) -> bool:
    """Tell whether a member may decide how a run of this type goes on."""
    return member.active and ("operator" in member.roles or belongs(member, contract.quarantine_to))


def to_accept(run: Run, last: Resumption | None) -> bool:
    """Tell whether the last resume of a run stopped at something that a person may accept."""
    stopped = last is not None and last.decision in (ESCALATE, QUARANTINE) and last.versions != run.versions
    return stopped and run.state in (RUNNING, QUARANTINED)


def _once(
    by: Actor, verb: str, run_id: UUID, reason: str, key: str, act: Callable[[Actor, Held], dict[str, Any]], **more: str
) -> dict[str, Any]:
    why = reasons.given(reason.strip())
    asked: Object = {"run": str(run_id), "reason": why, **more}
    return once(by, key, verb, asked, lambda: act(by, _hold(by, run_id, why)), about=run_id)


def _hold(by: Actor, run_id: UUID, reason: str) -> Held:
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    contract = catalogue.run_type(run.run_type_id).document
    member = Member.objects.filter(pk=by.principal, tenant_id=by.tenant).first() if by.kind == "member" else None
    if member is None or not may_decide(member, contract):
        raise NotAnOperatorOfRuns(group=contract.quarantine_to)
    return Held(run, contract, reason, clock.now())


def _set_aside(by: Actor, held: Held) -> dict[str, Any]:
    if held.run.state not in RUN_GOING:
        raise NotGoing(**held.standing)
    changes = set_aside_now(held.reason, held.now)
    notices.quarantined(held.run, held.contract, held.reason, f"run:{held.run.pk}:set_aside:{instant(held.now)}")
    return _changed(by, held, "run.quarantined", {"reason": held.reason}, changes)


def _release(by: Actor, held: Held) -> dict[str, Any]:
    if held.run.state != QUARANTINED:
        raise NotQuarantined(**held.standing)
    to = standing.goes_on_as(held.run)
    again = held.now + timedelta(seconds=driver.lease_seconds(held.run)) if to == RUNNING else None
    changes = {"state": to, "resume_due": True, "watch_at": again, **CALM}
    return _changed(by, held, "quarantine.released", {"reason": held.reason, "to": to}, changes)


def _accept(by: Actor, held: Held, resumption: UUID) -> dict[str, Any]:
    run = held.run
    last = Resumption.objects.filter(run=run).order_by("-number").first()
    if last is None or last.pk != resumption or not to_accept(run, last):
        raise NothingToAccept(**held.standing)
    calm = run.attention == DECISION
    facts: Object = {"reason": held.reason, "resumption": str(last.pk), "versions": last.versions, "calm": calm}
    # Whoever is to resume it has a lease's time, before it is looked at whether anybody does.
    again = held.now + timedelta(seconds=driver.lease_seconds(run))
    watched = {"watch_at": again} if run.state == RUNNING else {}
    return _changed(
        by, held, "versions.accepted", facts, {"versions": last.versions, **watched, **(CALM if calm else {})}
    )


def _changed(by: Actor, held: Held, kind: str, facts: Object, changes: dict[str, Any]) -> dict[str, Any]:
    Run.objects.filter(pk=held.run.pk).update(**changes)
    record.write([(held.run.pk, kind, facts)], by, held.now)
    if changes.get("state") == RUNNING and held.run.open_waits:
        standing.end_others(by, held.run, held.now)
    ring_after_commit(held.run.pk, work=False)
    run = Run.objects.get(pk=held.run.pk)
    return {
        "run": str(run.pk),
        "state": run.state,
        "version": run.ledger_seq,
        "receipt": RECEIPTS[kind],
        "at": instant(held.now),
    }
