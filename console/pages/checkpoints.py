"""One checkpoint of a run by itself, or one place in its record, and the difference between two of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from console.exact import Value, decode
from console.http.refusals import BadRequest, NotFound
from console.pages.answers import whole
from console.pages.room import MemberRequest, page
from runs import queries
from runs.checkpoints import differing, places, reading
from runs.checkpoints.authoritative import GROUPS
from runs.checkpoints.reading import Corrupted, Gone
from runs.history import actor_names, process_name
from runs.models import Checkpoint, Run

READERS: Final = frozenset({"operator", "admin", "auditor"})  # who sees what an agent kept
OTHER: Final = re.compile(r"(at-)?([0-9]{1,9})\Z")
WORDS: Final = {
    "driver": "where its driver saw fit", "transition": "after a step", "before_effect": "before an effect",
    "after_effect": "after an effect", "wait": "before a wait", "approval": "after an approval", "hand_over": "when it was handed on",
}  # fmt: skip
HELD: Final = {
    "pending": "not begun", "in_flight": "in flight", "unknown": "not confirmed", "partial": "done in part", "committed": "done",
    "not_done": "over, and not done",
}  # fmt: skip


class BadComparison(BadRequest):
    """The address asks for a checkpoint to compare with that cannot be read: a number, or at- and the number of an entry."""

    code = "bad_filter"


@dataclass(frozen=True, slots=True)
class Shown:
    """A checkpoint or a place in the record, as its page shows it."""

    name: str
    title: str
    boundary: str
    at: datetime
    seq: int
    said: Any
    fault: str = ""  # why what the record said is not given
    checkpoint: Checkpoint | None = None

    def held(self) -> list[tuple[str, int, list[Any]]]:
        """Give the effects in groups: what they are, how many, which."""
        effects: Mapping[str, list[Any]] = self.said.get("effects", {}) if isinstance(self.said, dict) else {}
        return [(HELD[group], len(effects[group]), effects[group]) for group in GROUPS if effects.get(group)]


@page("compare")
def checkpoint(request: MemberRequest, subject: UUID, number: int) -> HttpResponse:
    """Show one checkpoint that a driver wrote."""
    run = _run(request, subject)
    return whole(request, "runs/checkpoint.html", _context(request, run, _kept(run, number)))


@page("compare")
def place(request: MemberRequest, subject: UUID, seq: int) -> HttpResponse:
    """Show what a checkpoint would have held at a place in the record."""
    run = _run(request, subject)
    return whole(request, "runs/checkpoint.html", _context(request, run, _place(run, seq)))


@page()
def checkpoints(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Lead to where a run's page lists them."""
    return HttpResponseRedirect(reverse("run", args=[_run(request, subject).pk]) + "#checkpoints")


def _run(request: MemberRequest, run_id: UUID) -> Run:
    found = queries.run(request.member.tenant_id, run_id)
    if found is None:
        raise NotFound
    return found


def _context(request: MemberRequest, run: Run, shown: Shown) -> dict[str, Any]:
    other = _other(run, request.GET.get("compare", ""))
    others = _others(run, shown)
    may_read = bool(READERS & set(request.by.roles))
    kept = shown.checkpoint
    context: dict[str, Any] = {
        "run": run, "shown": shown, "held": shown.held(), "other": other, "may_read": may_read, "others": others,
        "beside": other.name if other else _before(shown, others),
        "changes": None, "state_changes": None, "state": None, "state_fault": "",
    }  # fmt: skip
    if kept is not None:
        by = actor_names(run.tenant_id, [kept.written_by])
        context |= {
            "by": by.get(kept.written_by, process_name(kept.written_by)), "versions": _value(kept.versions) or {},
            "artifacts": _value(kept.artifacts) or [], "contradictions": _contradictions(kept, shown.said),
        }  # fmt: skip
        if may_read:
            context["state"], context["state_fault"] = _state(kept)
    if other is not None:
        context["changes"] = differing.of_record(other.said, shown.said)
        if may_read and kept is not None and other.checkpoint is not None:
            before, fault = _state(other.checkpoint)
            if not (fault or context["state_fault"]):
                context["state_changes"] = differing.differences(before, context["state"])
    return context


def _contradictions(kept: Checkpoint, said: Any) -> list[Any]:
    """Give what the state claims and is not so, each effect by its key."""
    groups = said.get("effects", {}) if isinstance(said, dict) else {}
    keys = {each["id"]: each["key"] for group in groups.values() for each in group}
    return [{**each, "key": keys.get(each["effect"], each["effect"])} for each in _value(kept.contradictions) or []]


def _kept(run: Run, number: int) -> Shown:
    found = reading.numbered(run.pk, number)
    said, fault = None, ""
    try:
        said = reading.said(found)
    except Corrupted as wrong:
        fault = str(wrong)
    return Shown(
        str(number), f"Checkpoint {number}", WORDS.get(found.boundary, found.boundary), found.written_at, found.seq, said, fault, found
    )  # fmt: skip


def _place(run: Run, seq: int) -> Shown:
    entry = places.place(run, seq)
    boundary = places.OF[entry.kind]
    return Shown(f"at-{seq}", f"The record at entry {seq}", WORDS[boundary], entry.at, seq, places.said(run, entry))


def _other(run: Run, text: str) -> Shown | None:
    if not text:
        return None
    found = OTHER.match(text)
    if found is None:
        raise BadComparison
    return _place(run, int(found[2])) if found[1] else _kept(run, int(found[2]))


def _others(run: Run, shown: Shown) -> list[tuple[str, str]]:
    """Give what it can be compared with: the checkpoints and places nearest before it, and the newest."""
    kept = [
        (each.written_at, str(each.number), f"Checkpoint {each.number}") for each in reading.listed(run.pk, None, 20)
    ]
    at = [(each.at, f"at-{each.seq}", f"Entry {each.seq}") for each in places.last_places(run, shown.seq, 10)]
    return [(name, title) for _, name, title in sorted([*kept, *at]) if name != shown.name]


def _before(shown: Shown, others: list[tuple[str, str]]) -> str:
    """Choose what it is compared with where nobody asked yet: the checkpoint before it."""
    if shown.checkpoint is None:
        return ""
    before = str(shown.checkpoint.number - 1)
    return before if any(name == before for name, _ in others) else ""


def _state(kept: Checkpoint) -> tuple[Value, str]:
    """Give what the agent kept, or why it is not given."""
    try:
        return reading.value(kept), ""
    except Corrupted as wrong:
        return None, str(wrong)
    except Gone:
        return None, "It was let go."


def _value(text: str) -> Any:
    return decode(text.encode(), levels=128) if text else None
