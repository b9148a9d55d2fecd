"""Runs as the pages show them: lines of the list, and the whole book of one."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from console.clock import instant
from console.exact import Value, decode
from console.pages import address, attention, effects
from console.pages.address import query
from console.pages.panel import ITEMS
from console.pages.room import MemberRequest
from console.pages.timeline import timeline
from runs import history, queries
from runs.models import Run, RunTypeContract
from runs.queries import Progress
from runs.states import QUARANTINED, WAITING
from runs.waits.queries import Awaited, awaited
from runs.waits.sentences import of_wait

EFFECTS = 200
ENTRIES = 100
TURNED = ("after", "before", ITEMS)  # words of the address that show another part of it
JSON = "json"
VIEWS = {"compact", JSON}
UNTOLD = Progress(0, 0, 0)


@dataclass(slots=True)
class ShownRun:
    """What a template is told about a run; see the tops of runs/_list.html and runs/_cover.html."""

    id: UUID
    key: str
    goal: str
    state: str
    closing_toward: str
    closing_reason: str
    agent: object
    run_type: RunTypeContract
    epoch: int
    created_at: datetime
    ended_at: datetime | None
    deadline_at: datetime | None
    result: Value
    unresolved: list[int]
    needs: str
    effects_done: int
    effects_total: int
    owner_name: str = ""
    attention: str = ""
    needs_since: datetime | None = None
    erased_at: datetime | None = None
    waits_for: str = ""


def lines(found: list[Run]) -> list[ShownRun]:
    """Show runs of a list, each with how far it has come, what it needs, and what it waits for."""
    progress = queries.progress([run.pk for run in found])
    waits = awaited([run.pk for run in found if run.state == WAITING])
    told = [shown(run, progress.get(run.pk, UNTOLD)) for run in found]
    for line in told:
        line.waits_for = _waits_for(waits.get(line.id))
    return told


def book(request: MemberRequest, run: Run) -> dict[str, object]:
    """Give all that the page of a run shows."""
    view = address.chosen(request, "history", VIEWS)
    numbers = queries.numbers(run.pk)
    found = queries.effects(run.pk, address.whole_number(request, "after"), EFFECTS + 1)
    story = history.story(run, address.place(request, "before"), ENTRIES)
    last = found[EFFECTS - 1] if len(found) > EFFECTS else None
    shown_effects = effects.of_run(found[:EFFECTS], numbers, run, request.member)
    progress = queries.progress([run.pk]).get(run.pk, UNTOLD)
    shown_run = shown(run, progress, numbers)
    if last is None and run.state != QUARANTINED and not run.attention and not progress.partial:
        shown_run.needs = ""  # the cover names each effect that waits, so it need not count them
    return {
        "run": shown_run,
        "effects": shown_effects,
        "timeline": timeline(shown_effects, run.created_at, run.ended_at, request.now, _told(story.lines)),
        "effects_more": query(after=last.number) if last else None,
        "newest": not any(request.GET.get(name) for name in TURNED),
        "history": story.lines if view == JSON else story.once(),
        "history_json": [as_value(line) for line in story.lines] if view == JSON else None,
        "history_view": view,
        "history_views": _views(request, view),
        "history_older": query(history=view, before=address.written(story.earlier)) if story.earlier else None,
        "chain": {
            "ok": story.chains.ok,
            "entries": story.chains.entries,
            "head": history.short(bytes(run.ledger_hash)),
            "checked_at": None if story.chains.ok is None else request.now,
        },
    }


def _told(lines: list[history.Line]) -> dict[str, str]:
    """Give the place on the page at which each attempt begins to be told."""
    places: dict[str, str] = {}
    for line in lines:
        attempt = line.detail.get("attempt") if isinstance(line.detail, dict) else None
        if attempt:
            places.setdefault(str(attempt), f"#entry-{line.seq}")
    return places


def as_value(line: history.Line) -> dict[str, Value]:
    """Give an entry as it stands in the record, for the JSON view."""
    return {
        "entry": line.seq, "kind": line.kind, "at": instant(line.at), "by": line.actor_name, "says": line.detail, "hash": line.hash_short,
    }  # fmt: skip


def _views(request: MemberRequest, view: str) -> list[dict[str, object]]:
    """Give the ways to read this part of the history."""
    place = {name: request.GET.get(name, "") for name in ("before", "after")}
    return [
        {"name": name or "feed", "words": query(history=name, **place), "chosen": name == view}
        for name in ("", "compact", JSON)
    ]


def shown(run: Run, progress: Progress, numbers: dict[UUID, int] | None = None) -> ShownRun:
    """Show one run."""
    return ShownRun(
        id=run.pk, key=run.key, goal=run.goal, state=run.state, closing_toward=run.closing_toward,
        closing_reason=run.closing_reason, agent=run.agent, run_type=run.run_type, epoch=run.epoch,
        created_at=run.created_at, ended_at=run.ended_at, deadline_at=run.deadline_at,
        result=None if run.result is None else decode(run.result),
        unresolved=[(numbers or {}).get(effect, 0) for effect in run.unresolved], needs=needs(run, progress),
        effects_done=progress.done, effects_total=progress.total, erased_at=run.erased_at,
        attention=run.attention, needs_since=run.attention_since, owner_name=_owner(run),
    )  # fmt: skip


def _waits_for(found: Awaited | None) -> str:
    """Say what a run waits for: what comes first of it, and how much there is beside."""
    if found is None:
        return ""
    what = of_wait(found.kind, found.subject_name, None if found.due_at is None else instant(found.due_at))
    beside = f", or one of {found.waits - 1} others" if found.waits > 2 else ", or another" if found.waits == 2 else ""
    return f"for {what}{beside}"


def _owner(run: Run) -> str:
    """Name the member who answers for the run's agent, where that was read along."""
    owner = run.agent._state.fields_cache.get("owner")
    user = owner._state.fields_cache.get("user") if owner is not None else None
    return user.name if user is not None else ""


def needs(run: Run, progress: Progress) -> str:
    """Say what a person has to do before the run can go on, or nothing."""
    if run.attention:
        return attention.sentence(run)
    if run.state == QUARANTINED:
        return attention.SENTENCES[QUARANTINED]
    if run.ended_at is None and progress.partial:
        effects = "effect was" if progress.partial == 1 else "effects were"
        return f"{progress.partial} required {effects} done only in part; it cannot end before that is settled."
    if run.ended_at is None and progress.unknown:
        return f"{counted(progress.unknown, 'effect')} may have happened; that is not confirmed."
    if run.ended_at is None and progress.asked:
        return f"Waits for a person to decide about {counted(progress.asked, 'effect')}."
    return ""


def counted(number: int, noun: str) -> str:
    """Write a number of things."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
