"""Limits at intake: nothing is taken on for which too little is left (R-D1, R-D5). The run is locked."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from console.exact import number_text
from console.http.refusals import Refusal
from runs.limits import budgets
from runs.limits.budgets import ATTEMPTS, CHILDREN, Budget
from runs.models import Effect, Run
from runs.states import UNSTARTED


class LimitReached(Refusal):
    """Less is left of a budget of this run than this would take; nothing was changed."""

    code = "limit_reached"


class RunExhausted(Refusal):
    """A budget of this run has run out: it is set aside until somebody gives more or ends it."""

    code = "run_exhausted"


def check_left(run: Run, found: Sequence[Budget]) -> None:
    """Refuse more of a run of which a budget is used up. Raises RunExhausted."""
    gone = [budget for budget in found if budget.is_used_up]
    if gone:
        raise RunExhausted(
            run=str(run.pk), budgets=[budget.shown() for budget in gone], state=run.state, version=run.ledger_seq
        )  # fmt: skip


class Room:
    """How many more effects a run may take on: each takes an attempt at least."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.found = budgets.of_run(run.pk, run.limits)
        attempts = [budget for budget in self.found if budget.name == ATTEMPTS]
        self.attempts = attempts[0] if attempts else None
        self.awaited = 0
        if self.attempts:
            self.awaited = Effect.objects.filter(run_id=run.pk, state__in=UNSTARTED).count()

    def check(self, more: int) -> None:
        """Refuse effects beyond what is left for them. Raises RunExhausted, LimitReached."""
        check_left(self.run, self.found)
        if self.attempts and self.attempts.left < self.awaited + more:
            raise _reached(self.run, self.attempts, awaited=self.awaited, asked=more)


def check_new(run: Run, effects: int) -> None:
    """Refuse a new run that comes with more effects than it may make attempts. Raises LimitReached."""
    allowed = budgets.terms_of(run.limits).get(ATTEMPTS)
    if isinstance(allowed, int) and effects > allowed:
        raise _reached(run, Budget(ATTEMPTS, Decimal(allowed), Decimal(0)), asked=effects)


def check_children(parent: Run, more: int = 1) -> None:
    """Refuse more child runs than the locked parent may start, or has a budget left for. Raises LimitReached, RunExhausted."""
    found = budgets.of_run(parent.pk, parent.limits)
    check_left(parent, found)
    for budget in found:
        if budget.name == CHILDREN and budget.left < more:
            raise _reached(parent, budget, asked=more)


def _reached(run: Run, budget: Budget, **more: Any) -> LimitReached:
    return LimitReached(
        budget=budget.name, allowed=number_text(budget.allowed), used=number_text(budget.used), state=run.state, version=run.ledger_seq,
        **more,
    )  # fmt: skip
