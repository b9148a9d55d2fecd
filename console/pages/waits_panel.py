"""Why a run is waiting, on its page: what for, since when, until when, what follows then, and which effects stand back meanwhile."""

from dataclasses import dataclass
from typing import Any

from console.exact import decode
from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs import queries
from runs.models import Run, Wait
from runs.states import MET, OVERDUE_WAIT, WAIT_OPEN, WAITING
from runs.waits import sentences
from runs.waits.queries import held_back
from runs.waits.queries import waits as waits_of

SHOWN = 20
FOLLOWS = {
    "wake": "the run goes on without it",
    "escalate": "operators are told, and the run waits on",
    "fail": "the run is given up",
    "cancel": "the run is cancelled",
}
BECAME = {"met": "came", "expired": "did not come in its time", "withdrawn": "is not waited for any more"}


@dataclass(frozen=True, slots=True)
class Line:
    """One wait as people read it."""

    wait: Wait
    what: str
    detail: str
    follows: str
    became: str
    late: str
    holds: list[int]  # numbers of effects


def waits(request: MemberRequest, run: Run) -> Panel | None:
    """Tell what the run waits for, and what it has waited for; a run that never waited has nothing to tell."""
    found = waits_of(run.pk, None, SHOWN)
    if not found:
        return None
    held = held_back(run.pk, [wait for wait in found if wait.state == WAIT_OPEN])
    numbers = queries.numbers(run.pk) if held else {}
    lines = [
        _line(wait, [numbers[effect] for effect in held.get(wait.pk, ()) if effect in numbers], run) for wait in found
    ]
    opened = [line for line in lines if line.wait.state == WAIT_OPEN]
    waiting, overdue = run.state == WAITING, run.attention == OVERDUE_WAIT
    says = {
        "run": run, "open": opened, "over": [line for line in lines if line.wait.state != WAIT_OPEN], "waiting": waiting,
        "overdue": overdue, "may_wake": waiting and "operator" in request.by.roles,
    }  # fmt: skip
    title = "Why is this waiting?" if waiting else "What it waits for" if opened else "What it waited for"
    return Panel(
        "waits", title, "runs/waits.html", says, icon="warn" if overdue else "clock", tone="wait" if overdue else "plain",
        count=len(opened) or None, urgent=waiting,
    )  # fmt: skip


def _line(wait: Wait, holds: list[int], run: Run) -> Line:
    late = wait.ended_at - wait.due_at if wait.state == MET and wait.due_at and wait.ended_at else None
    return Line(
        wait=wait, what=sentences.of_wait(wait.kind, wait.subject_name, wait.due_at), detail="" if run.erased_at else _detail(wait),
        follows=FOLLOWS.get(wait.on_expiry, wait.on_expiry), became=BECAME.get(wait.state, wait.state),
        late="" if late is None else f"{max(late.total_seconds(), 0):.1f} s after its time", holds=sorted(holds),
    )  # fmt: skip


def _detail(wait: Wait) -> str:
    """Say what a condition says beyond its kind, in few words."""
    found: Any = decode(wait.condition)
    said = found if isinstance(found, dict) else {}
    if wait.correlation:
        return f"about {wait.correlation}"
    if "zone" in said:
        return f"{said.get('local') or said.get('time')} in {said['zone']}"
    if "mode" in said:
        return f"{said['mode']} of {len(wait.subjects)}"
    return ""
