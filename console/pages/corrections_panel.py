"""What users put right, on a run's page: each correction, what was withdrawn for it, and whether it has been taken into account."""

from dataclasses import dataclass

from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs import queries as run_queries
from runs.corrections import queries
from runs.corrections.contradicts import in_words, said_by
from runs.corrections.making import member_may_correct
from runs.history import actor_names, process_name
from runs.models import Correction, Run
from runs.states import RUN_OPEN

SHOWN = 50


@dataclass(frozen=True, slots=True)
class Line:
    """One correction."""

    correction: Correction
    who: str
    only: str  # what is not begun any more, in words
    withdrawn: list[int]
    under_way: list[int]
    seen: bool


def corrections(request: MemberRequest, run: Run) -> Panel | None:
    """Give the corrections of a run, and the way to make one for whoever may."""
    may = run.state in RUN_OPEN and member_may_correct(request.member, run.agent)
    found = queries.of_run(run)
    if not found and not may:
        return None
    names = actor_names(run.tenant_id, {each.made_by for each in found})
    numbers = run_queries.numbers(run.pk) if found else {}
    lines = [
        Line(
            each, names.get(each.made_by, process_name(each.made_by)), in_words(said_by(each)),
            [numbers[effect] for effect in each.invalidated if effect in numbers],
            [numbers[effect] for effect in each.under_way if effect in numbers], each.number <= run.corrections_seen,
        )
        for each in found[-SHOWN:][::-1]
    ]  # fmt: skip
    waits = run.corrections_seen < run.corrections_count and run.state in RUN_OPEN
    says = {"run": run, "lines": lines, "more": len(found) > SHOWN, "may_correct": may, "waits": waits}
    return Panel(
        "corrections", "Corrections" if found else "Correct it", "runs/corrections.html", says,
        tone="wait" if waits else "plain", count=len(found) or None, urgent=waits, only_a_move=not found,
    )  # fmt: skip
