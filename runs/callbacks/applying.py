"""What follows from messages that are on record: evidence settles what is accepted or unknown; the early wait, the late are kept.

Runs, effects and messages are locked in this order, so that an answer, a question and a message at once are taken one by one."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from console import clock
from console.clock import DatabaseNow, instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Value, canonical
from console.ledger.actors import Actor
from console.ledger.moves import move
from console.telemetry.counting import count
from runs import catalogue, record
from runs.callbacks import naming
from runs.callbacks.naming import Told
from runs.models import Attempt, Callback, Effect, Run
from runs.outcome import SETTLES
from runs.states import (
    ACCEPTED,
    ACTS,
    CALLBACK_RECORDED,
    IN_VAIN,
    LOST,
    OPEN,
    PARTIAL,
    READY,
    RUNNING,
    SETTLED,
    SUCCEEDED,
    UNKNOWN,
    VERIFY,
    WATCHED,
)
from runs.states import CHANGED as HEARD_OF

NAMED_WITHIN: Final = timedelta(
    minutes=15
)  # an answer that brings the other side's name for an operation comes sooner or never
SOONEST_SECONDS, LATEST_SECONDS = 1.0, 60.0
CONFLICT: Final = "conflict"
NO_EFFECT = "It names no effect of this operation."
NOT_OURS = "What the other side told of is not ours; a person decides."
NOT_ANY_MORE = "It does not name this effect any more."
TOLD_MEANWHILE: Final = "the other side told of it meanwhile"
ALREADY_DONE: Final = "it was done already"
AFTER_ENDINGS = "select runs_after_endings(%s::uuid[], %s, %s)"
NOTE_LATE = "select runs_note_late(%s::uuid[], %s::uuid[], %s, %s)"
DONE: Final = ("succeeded", "partial")
LAPSE = "select approvals_lapse(%s::uuid[], %s::text[], %s, %s)"
Entry = tuple[UUID, str, dict[str, Value]]


@dataclass(frozen=True, slots=True)
class Acts:
    """The acts of an effect: how many were begun, when the last was, and whether one is under way."""

    begun: int
    last_at: datetime
    under_way: bool


@move("apply callback")
def apply(by: Actor, ids: list[UUID]) -> int:
    """Apply messages that are on record; gives how many came to their end."""
    return _apply(by, ids)


def apply_due(by: Actor, limit: int) -> int:
    """Apply what is due, in the transaction in force; gives how many came to their end."""
    due = Callback.objects.filter(state=CALLBACK_RECORDED, next_try_at__lte=DatabaseNow()).order_by("next_try_at")
    return _apply(by, list(due.values_list("pk", flat=True)[:limit]))


def _apply(by: Actor, ids: list[UUID]) -> int:
    unlocked = list(Callback.objects.filter(pk__in=ids, state=CALLBACK_RECORDED))
    if not unlocked:
        return 0
    said = _told(unlocked)
    named = {told.effect_id for told in said.values() if told is not None}
    named |= {each.effect_id for each in unlocked if each.effect_id is not None}
    run_ids = sorted(set(Effect.objects.filter(pk__in=named).values_list("run_id", flat=True)))
    runs = {run.pk: run for run in Run.objects.filter(pk__in=run_ids).order_by("pk").select_for_update(no_key=True)}
    effects = {
        each.pk: each for each in Effect.objects.filter(pk__in=named).order_by("pk").select_for_update(no_key=True)
    }
    held = Callback.objects.filter(pk__in=[each.pk for each in unlocked], state=CALLBACK_RECORDED)
    step = _Step(by, runs, _acts(named))
    for callback in sorted(held.order_by("pk").select_for_update(), key=lambda each: (each.signed_at, each.pk)):
        told = said[callback.pk]
        if callback.effect_id is not None and (told is None or told.effect_id != callback.effect_id):
            step.named_no_more(callback, effects[callback.effect_id])
        elif told is None:
            step.unnamed(callback)
        else:
            step.take(callback, effects[told.effect_id], told)
    return step.finish()


def _told(callbacks: Iterable[Callback]) -> dict[UUID, Told | None]:
    """Give what each message says."""
    by_operation: dict[tuple[UUID, str], list[Callback]] = defaultdict(list)
    for callback in callbacks:
        by_operation[callback.tenant_id, callback.operation_name].append(callback)
    said: dict[UUID, Told | None] = {}
    for (tenant_id, operation_name), listed in by_operation.items():
        rules = naming.versions(tenant_id, operation_name)
        said |= {each.pk: naming.told(each, rules) for each in listed}
    return said


def _acts(effects: Iterable[UUID]) -> dict[UUID, Acts]:
    """Give the acts of those effects that were begun, first or again."""
    listed: dict[UUID, list[tuple[datetime, str]]] = defaultdict(list)
    begun = Attempt.objects.filter(effect_id__in=list(effects), kind__in=ACTS)
    for effect_id, at, state in begun.values_list("effect_id", "started_at", "state"):
        listed[effect_id].append((at, state))
    return {
        effect_id: Acts(len(acts), max(at for at, _ in acts), any(state == RUNNING for _, state in acts))
        for effect_id, acts in listed.items()
    }


class _Step:
    """One step over messages whose runs, effects and rows are locked: it changes rows, and records all of it at its end."""

    def __init__(self, by: Actor, runs: dict[UUID, Run], acts: dict[UUID, Acts]) -> None:
        self.by, self.runs, self.acts = by, runs, acts
        self.now = clock.now()
        self.entries: list[Entry] = []
        self.settled: set[UUID] = set()
        self.unneeded: set[UUID] = set()
        self.late: set[UUID] = set()
        self.done_after_all: list[tuple[UUID, UUID]] = []
        self.ended = 0

    def unnamed(self, callback: Callback) -> None:
        """Keep what names no effect; if an answer on its way may still bring the name, look again."""
        rules = naming.versions(callback.tenant_id, callback.operation_name)
        if self.now < callback.received_at + NAMED_WITHIN and naming.may_be_named_later(callback, rules):
            callback.next_try_at = self._again(callback)
            callback.save(update_fields=["next_try_at"])
            return
        callback.note = NO_EFFECT
        self._end(callback, "unmatched", "")

    def named_no_more(self, callback: Callback, effect: Effect) -> None:
        """End a message that waited for an effect and, as things are now, names another or none: it tells nothing of either."""
        callback.run, callback.effect = self.runs[effect.run_id], effect
        callback.note = "" if self.runs[effect.run_id].erased_at is not None else NOT_ANY_MORE
        if effect.state in OPEN:
            self._note(callback, "unclear", naming.NOT_LEARNT)
        else:
            self._late(callback, naming.NOT_LEARNT)

    def take(self, callback: Callback, effect: Effect, told: Told) -> None:
        """Take a message about an effect."""
        outcome, reason = told.verdict.outcome, told.verdict.reason or ""
        known = callback.effect_id is not None
        callback.run, callback.effect = self.runs[effect.run_id], effect
        if effect.state in OPEN and not self._can_be_told(effect):
            callback.next_try_at = self._again(callback)
            callback.save(update_fields=["run", "effect", "next_try_at"])
            if not known:
                self._record("callback.waits", callback, {})
            return
        callback.note = reason
        if self.runs[effect.run_id].erased_at is not None:
            callback.body, callback.note = None, ""
        if effect.state not in OPEN or self._is_of_before(callback, effect, outcome):
            self._late(callback, outcome)
        elif outcome in SETTLES and (effect.state != READY or outcome != CONFLICT):
            self._end(callback, "applied", outcome)
            self._settle(callback, effect, told)
        else:
            self._note(callback, "unclear" if outcome == naming.NOT_LEARNT else "applied", outcome)

    def _can_be_told(self, effect: Effect) -> bool:
        """Say whether a message about an open effect can be taken now: it went out, and no answer to it is waited for."""
        acts = self.acts.get(effect.pk)
        if effect.state == READY:
            return acts is not None and not acts.under_way
        return effect.state in {ACCEPTED, UNKNOWN} and (acts is None or not acts.under_way)

    def _is_of_before(self, callback: Callback, effect: Effect, outcome: str) -> bool:
        """Say whether a message was signed before the effect was done again: then only that it happened still holds."""
        acts = self.acts.get(effect.pk)
        began = acts.last_at.replace(microsecond=0) if acts is not None and acts.begun > 1 else None
        return began is not None and callback.signed_at < began and SETTLES.get(outcome) != SUCCEEDED

    def finish(self) -> int:
        """Write the entries, let follow what follows from what ended, and give how many messages came to their end."""
        if self.entries:
            record.write(self.entries, self.by, self.now)
        if self.unneeded:
            reasons = [ALREADY_DONE] * len(self.unneeded)
            rows(LAPSE, [sorted(self.unneeded), reasons, str(self.by), self.now])
        if self.late:  # whoever follows them hears of it, as of an answer that came late
            Effect.objects.filter(pk__in=self.late, watch=WATCHED).update(watch=HEARD_OF)
        if self.done_after_all:
            runs, effects = zip(*self.done_after_all, strict=True)
            rows(NOTE_LATE, [list(runs), list(effects), str(self.by), self.now])
        if self.settled:
            rows(AFTER_ENDINGS, [sorted(self.settled), str(self.by), self.now])
        return self.ended

    def _settle(self, callback: Callback, effect: Effect, told: Told) -> None:
        """Let an effect end as the message says; of what is not ours nothing ends, and a person decides."""
        outcome = told.verdict.outcome
        ours = outcome != CONFLICT
        was, effect.state = effect.state, SETTLES[outcome] if ours else UNKNOWN
        effect.outcome, effect.state_reason = outcome, callback.note or ("" if ours else NOT_OURS)
        effect.next_attempt_at, effect.next_step = None, ""
        if effect.state == SUCCEEDED and _is_verified(effect):
            effect.state, effect.next_step = (UNKNOWN if was == UNKNOWN else ACCEPTED), VERIFY
            effect.next_attempt_at = self.now
        result = None if told.verdict.result is None else canonical(told.verdict.result)
        if result is not None:
            effect.result = result
        if was == READY and effect.request_id is not None and effect.state != UNKNOWN:
            self.unneeded.add(effect.request_id)
        if effect.state in SETTLED:
            effect.ended_at, effect.objective_at, effect.next_alert_at = self.now, None, None
            self.settled.add(effect.run_id)
        if effect.state == UNKNOWN and was != UNKNOWN:
            effect.unknown_since = self.now
        if effect.state == PARTIAL or (effect.state == UNKNOWN and was != UNKNOWN):
            effect.next_alert_at = self.now
            effect.alerts, effect.escalated_at, effect.objective_at = 0, None, None
            effect.owner_group = effect.owner_group if was == UNKNOWN else ""
        effect.save(update_fields=list(CHANGED))
        facts: dict[str, Value] = {
            "outcome": outcome,
            "to": effect.state,
            "reason": effect.state_reason,
            "result": result,
        }
        self._record("callback.applied", callback, facts)
        if not ours:
            self._end_looks(effect)

    def _end_looks(self, effect: Effect) -> None:
        """End the looks that are under way: what comes of them is kept as late evidence, and does not decide in a person's place."""
        looks = Attempt.objects.filter(effect_id=effect.pk, state=RUNNING).exclude(kind__in=ACTS).order_by("pk")
        for look in looks.select_for_update():
            look.state, look.outcome, look.reason, look.ended_at = LOST, "not_sent", TOLD_MEANWHILE, self.now
            look.lease_expires_at = None
            look.save(update_fields=["state", "outcome", "reason", "ended_at", "lease_expires_at"])
            lost: dict[str, Value] = {
                "attempt": str(look.pk), "effect": str(effect.pk), "outcome": look.outcome, "to": effect.state, "sent": look.sent,
                "reason": look.reason,
            }  # fmt: skip
            self.entries.append((effect.run_id, "attempt.lost", lost))

    def _late(self, callback: Callback, outcome: str) -> None:
        self._end(callback, "late", outcome)
        self._record("callback.late", callback, {"outcome": outcome, "reason": callback.note})
        effect = callback.effect
        if effect is None:
            return
        self.late.add(effect.pk)
        if outcome in DONE and effect.state in IN_VAIN:
            self.done_after_all.append((effect.run_id, effect.pk))

    def _note(self, callback: Callback, state: str, outcome: str) -> None:
        self._end(callback, state, outcome)
        facts: dict[str, Value] = {"outcome": outcome, "reason": callback.note, "state": state}
        self._record("callback.noted", callback, facts)

    def _end(self, callback: Callback, state: str, outcome: str) -> None:
        callback.state, callback.outcome, callback.next_try_at, callback.settled_at = state, outcome, None, self.now
        callback.save(update_fields=list(ENDED))
        self.ended += 1
        count("callbacks", state=state)

    def _record(self, kind: str, callback: Callback, facts: dict[str, Value]) -> None:
        effect_id, run_id = callback.effect_id, callback.run_id
        if effect_id is None or run_id is None:
            raise TypeError("a message without an effect is in no run's record")
        told: dict[str, Value] = {
            "callback": str(callback.pk), "effect": str(effect_id), "operation": callback.operation_name,
            "message_id": callback.message_id, "signed_at": instant(callback.signed_at), "received_at": instant(callback.received_at),
            "secrets": list(callback.secrets), "body_digest": bytes(callback.body_digest).hex(), "note": callback.note,
        }  # fmt: skip
        self.entries.append((run_id, kind, {**told, **facts}))
        ring_after_commit(effect_id, run_id)

    def _again(self, callback: Callback) -> datetime:
        """Say when to look at a message again: ever more seldom, the longer it has waited."""
        waited = (self.now - callback.received_at).total_seconds()
        return self.now + timedelta(seconds=min(max(waited / 4, SOONEST_SECONDS), LATEST_SECONDS))


def _is_verified(effect: Effect) -> bool:
    """Tell whether the contract has the world read before it counts that it was done."""
    return catalogue.operations_by_id([effect.operation_id])[effect.operation_id].document.verify is not None


CHANGED: Final = (
    "state", "outcome", "state_reason", "result", "ended_at", "unknown_since", "next_attempt_at", "next_step", "alerts",
    "escalated_at", "objective_at", "next_alert_at", "owner_group",
)  # fmt: skip
ENDED: Final = ("run", "effect", "state", "outcome", "note", "body", "next_try_at", "settled_at")
