"""What a cancellation does at once, to a run that the caller has locked: what has not begun is withdrawn, what has is asked to stop."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Max
from uuid_utils.compat import uuid7

from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object
from console.ledger.actors import Actor
from runs import driving, record
from runs.cancelling import news
from runs.cancelling.rule import GRACEFUL, IMMEDIATE, TREE, rule_of_run
from runs.models import Cancellation, Effect, Run
from runs.states import CANCELLED, REQUESTED, RESOLVING, UNSTARTED, WITHDRAWN

OPEN = (REQUESTED, RESOLVING)
NEXT_EPOCH = "select cf_next_fence(%s) as epoch"
STOP_BEGUN = "select * from runs_stop_begun(%s::uuid[], %s)"
AFTER_ENDINGS = "select runs_after_endings(%s::uuid[], %s, %s)"


def stop(
    by: Actor, run: Run, *, scope: str, mode: str, reason: str, now: datetime, of: Cancellation | None = None
) -> Cancellation:
    """Cancel a locked run that is open, or closing toward cancelled: graceful leaves its driver the time that the contract gives to clean
    up, immediate takes its token. Gives the cancellation as it stands then: proven, where nothing is left to wait for."""
    rule = rule_of_run(run)
    grace = now + timedelta(seconds=rule.grace_seconds) if mode == GRACEFUL and rule.cleanup else None
    made = Cancellation(
        id=uuid7(), tenant_id=run.tenant_id, run=run, number=_next(run), scope=scope, mode=mode, reason=reason, asked_at=now,
        asked_by=of.asked_by if of else str(by), of=of, state=REQUESTED, grace_until=grace, due_at=now if scope == TREE else grace,
    )  # fmt: skip
    made.save(force_insert=True)
    facts = told(made)
    if mode == IMMEDIATE:
        run.epoch = int(rows(NEXT_EPOCH, [run.epoch])[0]["epoch"])
        Run.objects.filter(pk=run.pk).update(epoch=run.epoch, lease_holder="", lease_expires_at=None)
        facts["epoch"] = run.epoch
    record.write([(run.pk, "cancellation.requested", facts)], by, now)
    if mode == IMMEDIATE:
        cut_grace(by, run, now)
    driving.close(by, [run], toward=CANCELLED, reason=reason, now=now)
    rows(STOP_BEGUN, [[run.pk], now])
    ring_after_commit(run.pk)
    news.asked(run, made)
    return settled(by, made, now)


def stop_effect(by: Actor, run: Run, effect: Effect, *, mode: str, reason: str, now: datetime) -> Cancellation:
    """Cancel a locked effect that is open: withdrawn if it has not begun, else asked to stop where that can be asked, and found out."""
    made = Cancellation(
        id=uuid7(), tenant_id=run.tenant_id, run=run, effect=effect, number=_next(run), scope="effect", mode=mode, reason=reason,
        asked_at=now, asked_by=str(by), state=REQUESTED,
    )  # fmt: skip
    made.save(force_insert=True)
    record.write([(run.pk, "cancellation.requested", told(made))], by, now)
    if effect.state in UNSTARTED:
        driving.end_unstarted(by, [effect], WITHDRAWN, reason, now)
    rows(AFTER_ENDINGS, [[run.pk], str(by), now])
    ring_after_commit(effect.pk, run.pk)
    return settled(by, made, now)


def settled(by: Actor, made: Cancellation, now: datetime) -> Cancellation:
    """Give a cancellation as it stands, being resolved from the moment that nobody is left to be told."""
    stands = Cancellation.objects.get(pk=made.pk)
    if stands.state == REQUESTED and stands.due_at is None:
        resolve(by, [stands], now)
    return stands


def resolve(by: Actor, found: list[Cancellation], now: datetime) -> None:
    """Say of requested cancellations, whose runs are locked, that all who could be told were told."""
    for each in found:
        each.state = RESOLVING
    Cancellation.objects.filter(pk__in=[each.pk for each in found]).update(state=RESOLVING)
    record.write([(each.run_id, "cancellation.resolving", {"cancellation": str(each.pk)}) for each in found], by, now)


def cut_grace(by: Actor, run: Run, now: datetime) -> None:
    """End the time in which the driver of a locked run may clean up."""
    graced = Cancellation.objects.filter(run=run, effect=None, state__in=OPEN, grace_until__gt=now)
    entries: list[tuple[UUID, str, Object]] = [
        (run.pk, "cancellation.hurried", {"cancellation": str(each.pk), "grace_until": instant(now)})
        for each in graced.order_by("number").select_for_update()
    ]
    if entries:
        graced.update(grace_until=now, due_at=now)
        record.write(entries, by, now)


def told(made: Cancellation) -> Object:
    """Tell all of a cancellation's row, as it was asked for."""
    effect: Object = {"effect": str(made.effect_id)} if made.effect_id else {}
    return {
        "cancellation": str(made.pk), "number": made.number, "scope": made.scope, "mode": made.mode, "reason": made.reason,
        "asked_by": made.asked_by, "of": str(made.of_id) if made.of_id else None, "grace_until": instant(made.grace_until), **effect,
    }  # fmt: skip


def _next(run: Run) -> int:
    return (Cancellation.objects.filter(run=run).aggregate(highest=Max("number"))["highest"] or 0) + 1
