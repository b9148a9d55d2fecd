"""Taking waits back: by the run's driver, one at a time; and by a person, who has a run go on that waits in vain."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http import reasons
from console.http.refusals import Forbidden, NotFound, Refusal
from console.identity.models import Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driver, record
from runs.models import Run, Wait
from runs.states import OVERDUE_WAIT, RUN_OPEN, RUNNING, WAIT_OPEN, WAITING, WITHDRAWN
from runs.waits import waking


class WaitOver(Refusal):
    """This wait is over: it was met, has expired or was withdrawn."""

    code = "wait_over"


class NotWaiting(Refusal):
    """This run does not wait."""

    code = "not_waiting"


class OnlyOperators(Forbidden):
    """An operator has a run go on that waits."""

    code = "only_operators"


@move("withdraw wait")
def withdraw(
    by: Actor, wait_id: UUID, *, epoch: int, reason: str, key: str, version: int | None = None
) -> dict[str, Any]:
    """Take a wait back. What was held back for it is withdrawn; with the last parked one the run goes on. Raises StaleToken, WaitOver."""
    reasons.check_length(reason)
    asked: Object = {"wait": str(wait_id), "reason": reason}
    return once(by, key, "withdraw_wait", asked, lambda: _withdraw(by, wait_id, epoch, version, reason), about=wait_id)


def _withdraw(by: Actor, wait_id: UUID, epoch: int, version: int | None, reason: str) -> dict[str, Any]:
    run_id = Wait.objects.filter(pk=wait_id).values_list("run_id", flat=True).first()
    if run_id is None:
        raise NotFound
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    now = clock.now()
    wait = Wait.objects.get(pk=wait_id)
    if wait.state != WAIT_OPEN:
        raise WaitOver(
            name=wait.name, state=wait.state, ended_at=instant(wait.ended_at), run_state=run.state, version=run.ledger_seq
        )  # fmt: skip
    state = waking.take_back(by, wait_id, reason.strip() or "the agent withdrew it", now)
    return {
        "run": str(run.pk), "run_state": state or run.state, "wait": str(wait_id), "name": wait.name, "state": WITHDRAWN,
        "at": instant(now),
    }  # fmt: skip


@move("wake")
def wake(by: Actor, run_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Have a run go on that waits, on an operator's word; its parked waits are over. Raises OnlyOperators, NotWaiting, ReasonMissing."""
    why = reasons.given(reason)
    asked: Object = {"run": str(run_id), "reason": reason}
    return once(by, key, "wake", asked, lambda: _wake(by, run_id, why), about=run_id)


def _wake(by: Actor, run_id: UUID, reason: str) -> dict[str, Any]:
    operators = Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True, roles__contains=["operator"])
    if by.kind != "member" or not operators.exists():
        raise OnlyOperators
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    now = clock.now()
    if run.state != WAITING:
        ended = run.state not in RUN_OPEN
        raise NotWaiting(state=run.state, version=run.ledger_seq, ended_at=instant(run.ended_at) if ended else None)
    calm: dict[str, Any] = {}
    if run.attention == OVERDUE_WAIT:
        calm = {"attention": "", "attention_since": None, "attention_reason": ""}
    lease = timedelta(seconds=driver.lease_seconds(run))
    Run.objects.filter(pk=run.pk).update(state=RUNNING, watch_at=now + lease, **calm)
    record.write([(run.pk, "run.woken", {"reason": reason})], by, now)
    parked = Wait.objects.filter(run=run, state=WAIT_OPEN, parks=True).order_by("number").values_list("pk", flat=True)
    waking.end(by, [(wait, WITHDRAWN, "a person had the run go on", None) for wait in parked], now)
    ring_after_commit(run.pk)
    return {"run": str(run.pk), "state": RUNNING, "at": instant(now)}
