"""What a run may use, on its page: each budget, and, where one ran out, what was done, what was not, and the way to give more."""

from dataclasses import dataclass
from decimal import Decimal

from console.exact import number_text
from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs.contracts.spans import in_words
from runs.limits.budgets import COST, TOKENS, WALL, Budget
from runs.limits.extending import may_extend
from runs.limits.remains import remains
from runs.models import Run
from runs.states import EXHAUSTED, RUN_GOING

NAMES = {COST: "cost", WALL: "time since it was made"}


@dataclass(frozen=True, slots=True)
class Line:
    """One budget."""

    name: str
    allowed: str
    used: str
    left: str
    is_used_up: bool


def limits(request: MemberRequest, run: Run) -> Panel | None:
    """Give what a run may use and has used; one without limits tells what was reported, if anything was."""
    if not run.limits and not run.used_tokens and not run.used_cost:
        return None
    left, out = remains(run), run.state == EXHAUSTED
    says = {
        "run": run, "out": out, "lines": [line(each) for each in left.budgets], "left": left, "fails": left.on_exhaustion == "fail",
        "may_extend": bool(left.budgets) and run.state in RUN_GOING | {EXHAUSTED} and may_extend(request.member),
        "reported": [] if run.limits else reported(run),
    }  # fmt: skip
    return Panel(
        "limits", "Ran out of what it may use" if out else "What it may use", "runs/limits.html", says, icon="warn" if out else "",
        tone="wait" if out else "plain", urgent=out,
    )  # fmt: skip


def line(budget: Budget) -> Line:
    """Show a budget; time in words, everything else exactly."""
    shown = (lambda number: in_words(int(number))) if budget.name == WALL else grouped
    return Line(
        NAMES.get(budget.name, budget.name), shown(budget.allowed), shown(budget.used), shown(budget.left),
        budget.used >= budget.allowed,
    )  # fmt: skip


def grouped(number: Decimal | int) -> str:
    """Write a number exactly, its thousands apart."""
    whole, point, rest = number_text(number).partition(".")
    return f"{int(whole):,}{point}{rest}"


def reported(run: Run) -> list[str]:
    """Say what its drivers reported, of a run without limits."""
    parts = [
        f"{grouped(run.used_tokens)} {TOKENS}" if run.used_tokens else "",
        f"a cost of {number_text(run.used_cost)}" if run.used_cost else "",
    ]
    return [part for part in parts if part]
