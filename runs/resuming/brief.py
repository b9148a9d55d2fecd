"""The resume brief: what whoever goes on must know, from records alone, bounded in size. Pure.

What agents, users and the other side wrote stands in it as quoted values, never as a sentence of ours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from console.clock import instant
from console.exact import Object, Value, canonical, decode
from runs.models import Effect, Wait
from runs.resuming import made_good, pins
from runs.resuming.facts import Facts, Step, Taken
from runs.resuming.moves import legal
from runs.states import (
    AWAITING_APPROVAL,
    CLOSING,
    IN_FLIGHT,
    IN_VAIN,
    PARTIAL,
    SUCCEEDED,
    UNKNOWN,
    WAIT_OPEN,
)

LARGEST: Final = 16 * 1024
# How many of each list, and how many characters of each text; the first that fits is taken, and the last fits always.
SIZES: Final = ((40, 600), (25, 400), (15, 250), (10, 160), (6, 100), (3, 60), (1, 24))


@dataclass(frozen=True, slots=True)
class Size:
    """How much is told: so many of each list, so long a text. Counts what it leaves out."""

    items: int
    characters: int
    left_out: list[int]

    def text(self, text: str | None) -> str | None:
        """Give a text, cut where it is too long."""
        if text is None or len(text) <= self.characters:
            return text
        return text[: self.characters - 1] + "…"

    def value(self, kept: str | None) -> Value:
        """Give a kept value; a long one as the beginning of its text."""
        if kept is None:
            return None
        return decode(kept, 128) if len(kept) <= self.characters else self.text(kept)

    def some(self, rows: Sequence[Any], show: Callable[[Any, "Size"], Value], *, of: int | None = None) -> Object:
        """Give the first of a list, and how many there are."""
        total = max(of or 0, len(rows))
        shown = [show(row, self) for row in rows[: self.items]]
        self.left_out[0] += total - len(shown)
        return {"count": total, "first": shown}


@dataclass(frozen=True, slots=True)
class Brief:
    """A brief, its canonical text, and how much it leaves out."""

    value: Object
    text: str
    left_out: int


def brief(facts: Facts, taken: Taken, steps: Sequence[Step], decision: str, reason: str) -> Brief:
    """Make the brief, at most 16 KiB of canonical JSON, however much there is to tell."""
    for items, characters in SIZES:
        size = Size(items, characters, [0])
        value = _brief(facts, taken, steps, decision, reason, size)
        text = canonical(value)
        if len(text.encode()) <= LARGEST:
            break
    return Brief(value, text, size.left_out[0])


def _brief(facts: Facts, taken: Taken, steps: Sequence[Step], decision: str, reason: str, size: Size) -> Object:
    return {
        "as_of": {"at": instant(facts.now), "entry": facts.stream_seq},
        "decision": decision,
        "reason": size.text(reason),
        "run": _run(facts, taken, size),
        "known": _known(facts, size),
        "uncertain": _uncertain(facts, size),
        "authorised": _authorised(facts, size),
        "compensation": _compensation(facts, size),
        "changed": _changed(facts, steps, size),
        "limits": _limits(facts),
        "waits": size.some([wait for wait in facts.waits if wait.state == WAIT_OPEN], _wait),
        "checkpoint": _checkpoint(facts, size),
        "next": [size.text(each) for each in legal(facts, decision)],
    }


def _run(facts: Facts, taken: Taken, size: Size) -> Object:
    run, contract = facts.run, facts.contract
    criteria = contract.success_criteria
    return {
        "id": str(run.pk), "key": size.text(run.key), "goal": size.text(run.goal), "run_type": contract.name,
        "run_type_version": contract.version, "state": run.state, "agent": run.agent.name, "token": taken.epoch,
        "success_criteria": [size.text(each) for each in criteria[: size.items]], "created_at": instant(run.created_at),
        "parent": str(run.parent_id) if run.parent_id else None, "completes_itself": run.completes_itself,
        "closing_toward": run.closing_toward if run.state == CLOSING else None, "result": size.value(run.result),
    }  # fmt: skip


def _known(facts: Facts, size: Size) -> Object:
    """What is over, and how; the newest first."""
    gone = {effect.pk for effect in made_good.gone(facts.making_good)}
    done = [effect for effect in facts.ended if effect.state == SUCCEEDED and effect.pk not in gone]
    vain = [effect for effect in facts.ended if effect.state in IN_VAIN]
    number = facts.counts.get
    return {
        "effects_by_state": {state: facts.counts[state] for state in sorted(facts.counts)},
        "done": size.some(done, _ended, of=number(SUCCEEDED, 0) - len(gone)),
        "not_done": size.some(vain, _ended, of=sum(number(state, 0) for state in IN_VAIN)),
        "children_by_state": {state: facts.children[state] for state in sorted(facts.children)},
    }


def _uncertain(facts: Facts, size: Size) -> Object:
    """What may have happened or not, and what is under way: never to be done again by whoever goes on."""
    unknown = [effect for effect in facts.unresolved if effect.state == UNKNOWN]
    flying = [effect for effect in facts.unresolved if effect.state in IN_FLIGHT]
    partial = [effect for effect in facts.unresolved if effect.state == PARTIAL]
    number = facts.counts.get
    return {
        "unknown": size.some(unknown, lambda effect, size: _unknown(facts, effect, size), of=number(UNKNOWN, 0)),
        "in_flight": size.some(
            flying, lambda effect, size: _flying(facts, effect, size), of=sum(number(state, 0) for state in IN_FLIGHT)
        ),
        "partial": size.some(partial, _ended),
        "to_undo": size.some(facts.to_undo, _ended),
    }


def _compensation(facts: Facts, size: Size) -> Object:
    """What is being made good for, what was and is not there any more, and what remains of that."""
    return {
        **made_good.told(facts.run),
        "under_way": size.some(made_good.under_way(facts.making_good), _effect),
        "made_good": size.some(made_good.gone(facts.making_good), _effect),
        "remains": size.some(made_good.remains(facts.run), lambda each, size: size.text(each)),
    }


def _authorised(facts: Facts, size: Size) -> Object:
    """What may still begin, and what is asked: an approval counts for exactly these arguments."""
    asked = [effect for effect in facts.unstarted if effect.state == AWAITING_APPROVAL]
    rest = [effect for effect in facts.unstarted if effect.state != AWAITING_APPROVAL]
    return {
        "awaiting_approval": size.some(asked, _asked, of=facts.counts.get(AWAITING_APPROVAL, 0)),
        "not_begun": size.some(rest, _asked),
        "judged_again_when_begun": True,
    }


def _changed(facts: Facts, steps: Sequence[Step], size: Size) -> Object:
    told = facts.asked.versions if facts.asked else None
    differences = pins.differences(facts.contract, facts.before, told, facts.ours)
    counts = facts.news.counts
    return {
        "since": {"at": instant(facts.news.since_at), "entry": facts.news.since_seq},
        "corrections": size.some(
            facts.corrections, lambda each, size: {"number": each.number, "at": instant(each.made_at), "text": size.text(each.text)}
        ),
        "versions": size.some(
            differences,
            lambda each, size: {"name": size.text(each.name), "was": size.text(each.was), "now": size.text(each.now), "pin": each.pin},
        ),
        "cancellations": size.some(
            facts.cancellations, lambda each, size: {"scope": each.scope, "state": each.state, "reason": size.text(each.reason)}
        ),
        "paused": size.some(facts.pauses, lambda each, size: size.text(each)),
        "waits_ended": size.some([wait for wait in facts.waits if wait.state != WAIT_OPEN], _wait),
        "entries_by_kind": {kind: counts[kind] for kind in sorted(counts)[: size.items]},
        "entries": size.some(
            [*reversed(facts.news.lines)],
            lambda line, size: {"entry": line[0], "at": instant(line[1]), "says": size.text(line[2])}, of=sum(counts.values()),
        ),
        "steps": {each.step: each.result for each in steps if each.result != "passed"},
    }  # fmt: skip


def _limits(facts: Facts) -> Object:
    """Budgets and deadlines: what is allowed, what is used, what is left."""
    return {
        "deadline_at": instant(facts.run.deadline_at), "seconds_left": _seconds(facts.run.deadline_at, facts.now),
        "budgets": [budget.shown() for budget in facts.budgets],
    }  # fmt: skip


def _checkpoint(facts: Facts, size: Size) -> Object | None:
    """The last checkpoint: what the agent wrote there is its own word, derived, and counts for less than the record."""
    kept = facts.kept
    if kept is None or facts.left_aside:
        return None
    row = kept.checkpoint
    artifacts = decode(row.artifacts) if row.artifacts else []
    return {
        "number": row.number, "written_at": instant(row.written_at), "entry": row.seq, "boundary": row.boundary,
        "schema_version": kept.schema_version, "migrated_from": kept.migrated_from, "has_state": kept.has_state,
        "note": size.text(row.note) or None, "derived": True,
        "contradicted": len(facts.contradictions),
        "artifacts": size.some(artifacts if isinstance(artifacts, list) else [], _artifact),
    }  # fmt: skip


def _artifact(artifact: Any, size: Size) -> Value:
    if not isinstance(artifact, dict):
        return None
    return {
        name: size.text(str(artifact[name]))
        for name in ("name", "reference", "digest")
        if artifact.get(name) is not None
    }


def _effect(effect: Effect, size: Size) -> Object:
    return {
        "number": effect.number, "id": str(effect.pk), "key": size.text(effect.key), "operation": effect.operation_name,
        "summary": size.text(effect.summary), "target": size.text(effect.target), "state": effect.state, "required": effect.required,
    }  # fmt: skip


def _ended(effect: Effect, size: Size) -> Object:
    return {
        **_effect(effect, size), "why": size.text(effect.state_reason) or None, "result": size.value(effect.result),
        "reference": size.text(effect.operation_reference) or None, "ended_at": instant(effect.ended_at),
    }  # fmt: skip


def _unknown(facts: Facts, effect: Effect, size: Size) -> Object:
    return {
        **_effect(effect, size), "unknown_since": instant(effect.unknown_since), "looked_at_next": instant(effect.next_attempt_at),
        "replaced": effect.pk in facts.replaced, "why": size.text(effect.state_reason) or None,
    }  # fmt: skip


def _flying(facts: Facts, effect: Effect, size: Size) -> Object:
    attempt = facts.attempts.get(effect.pk)
    return {
        **_effect(effect, size),
        "since": instant(attempt.started_at) if attempt else None,
        "attempt": effect.attempts_count,
    }


def _asked(effect: Effect, size: Size) -> Object:
    request = effect.request
    return {
        **_effect(effect, size), "arguments": size.value(effect.arguments), "verdict": effect.verdict,
        "deadline_at": instant(effect.deadline_at), "decide_by": instant(request.decide_by) if request else None,
        "use_by": instant(request.use_by) if request else None,
    }  # fmt: skip


def _wait(wait: Wait, size: Size) -> Object:
    return {
        "name": wait.name, "kind": wait.kind, "state": wait.state, "due_at": instant(wait.due_at), "expires_at": instant(wait.expires_at),
        "overdue_at": instant(wait.overdue_at),
        "parks": wait.parks, "result": size.value(wait.result), "ended_at": instant(wait.ended_at),
    }  # fmt: skip


def _seconds(until: datetime | None, now: datetime) -> int | None:
    return None if until is None else max(0, int((until - now).total_seconds()))
