"""Cancellation on a run's page, in three parts: requested, being resolved, proven; and what came after it, beside them."""

from dataclasses import dataclass
from typing import Any

from console.exact import decode
from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs.cancelling import queries
from runs.cancelling.reopening import REOPENED
from runs.cancelling.rule import rule_of_run
from runs.cancelling.standing import may
from runs.cancelling.stopping import OPEN
from runs.history import actor_names, process_name
from runs.models import Cancellation, Run
from runs.states import CANCELLED, CLOSING, OVERTAKEN, PROVEN, REQUESTED, RUN_ENDED, RUN_OPEN

MODES = {"graceful": "in order", "immediate": "at once"}
SCOPES = {"effect": "effect", "run": "the run alone", "tree": "the run with all that it started"}
ARRIVED = {
    "answer": "The answer to it came", "late": "A late answer came", "message": "The other side told by itself",
    "signal": "A signal came", "resume": "A resume was tried",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One cancellation as people read it; `part` is how far it has come: 1 requested, 2 being resolved, 3 proven."""

    row: Cancellation
    what: str
    how: str
    by: str
    part: int
    waits: list[queries.Awaited]
    proof: list[str]


def cancelling(request: MemberRequest, run: Run) -> Panel | None:
    """Tell what was cancelled in the run, or offer it; a run that ended otherwise has nothing to tell."""
    found = queries.of_run(run.pk)
    ended, closing = run.state in RUN_ENDED, run.state == CLOSING and run.closing_toward == CANCELLED
    may_cancel = (run.state in RUN_OPEN or closing) and may(request.member, rule_of_run(run))
    operator = "operator" in request.member.roles
    may_reopen = operator and run.state in REOPENED and run.erased_at is None
    left = ended and run.attention != ""
    if not (found or may_cancel or may_reopen or left):
        return None
    names = actor_names(run.tenant_id, {each.asked_by for each in found})
    lines = [_line(request, each, names) for each in found]
    since = min((each.asked_at for each in found), default=None)
    says: dict[str, Any] = {
        "run": run, "lines": lines, "arrivals": _arrivals(run, since), "may_cancel": may_cancel, "closing": closing,
        "may_reopen": may_reopen, "left": left, "may_see_to": left and operator,
    }  # fmt: skip
    going = any(each.state in OPEN for each in found)
    title = "Cancellation" if found or left else "Stopping it" if may_cancel else "Going on after all"
    tone = "wait" if going or left else "plain"
    return Panel(
        "cancellation", title, "runs/cancellation.html", says, icon="withdrawn", tone=tone, count=len(lines) or None, urgent=going or left,
        only_a_move=not (found or left),
    )  # fmt: skip


def _line(request: MemberRequest, row: Cancellation, names: dict[str, str]) -> Line:
    what = f"effect {row.effect.number}" if row.effect else SCOPES.get(row.scope, row.scope)
    part = 1 if row.state == REQUESTED else 3 if row.state in (PROVEN, OVERTAKEN) else 2
    return Line(
        row,
        what,
        MODES.get(row.mode, row.mode),
        names.get(row.asked_by, process_name(row.asked_by)),
        part,
        queries.awaited(row, request.now),
        _proof(row),
    )


def _proof(row: Cancellation) -> list[str]:
    """Say what proves it, line by line."""
    found: Any = {} if row.evidence is None else decode(row.evidence)
    if not found:
        return []
    lines = [
        f"{found['in_flight'] or 'nothing'} in flight, {found['unknown'] or 'nothing'} unknown.",
    ]
    for name, title in (("effects", "Effects"), ("children", "Runs that it started")):
        if told := found.get(name):
            lines.append(
                f"{title}: " + ", ".join(f"{number} {state.replace('_', ' ')}" for state, number in told.items()) + "."
            )
    if cleanup := found.get("cleanup"):
        lines.append("Clean-up: " + ", ".join(each["state"].replace("_", " ") for each in cleanup) + ".")
    if made_good := found.get("compensation"):
        lines.append("Compensation: " + ", ".join(each["state"].replace("_", " ") for each in made_good) + ".")
    return lines


def _arrivals(run: Run, since: Any) -> list[dict[str, Any]]:
    if since is None:
        return []
    return [
        {"at": each.at, "what": ARRIVED.get(each.kind, each.kind), "about": each.about, "effect": each.effect,
         "says": each.says.replace("_", " ")}
        for each in queries.arrivals(run, since)
    ]  # fmt: skip
