"""What must hold of any history, whatever happened: a sentence and a query each, asked of a live database beside chains and folds.

That rows are what their facts amount to (the tenth) is console/ledger/verification.py. That the other side has at most one entry for each
effect, and none that nobody meant (the first two), can be told only with the other side's ledger: tests and drills ask it. Budgets over
time and drain rates (12, 14) are not there yet; how late a timer fires is measured (`counterfoil_timer_late_seconds`). Facts that were
erased are not asked; what remains of them is still folded."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from console.database import rows, snapshot
from console.identity.models import Tenant
from console.ledger.verification import Finding
from runs.states import (
    ACTS,
    CANCEL,
    CHECK,
    CLOCK_TIME,
    LOOKS,
    OPEN,
    RUN_ENDED,
    SETTLED,
    SUCCEEDED,
    SUCCEEDED_WITH_UNRESOLVED,
    TIMER,
    UNKNOWN,
)

# So many breaches of one sentence are named for each tenant: where more is wrong than that, nobody reads it line by line.
NAMED: Final = 200
CALLED_OFF: Final = ("denied", "lapsed", "expired", "withdrawn")
# What may follow when an effect has ended: evidence that came late, what remains of what was erased, and the end of a finding that waited.
AFTER_AN_EFFECT: Final = (
    "attempt.late", "callback.late", "effect.remains", "resolution.declined", "resolution.withdrawn", "resolution.overtaken", "run.late",
)  # fmt: skip
# What people do about what is not confirmed.
PEOPLE: Final = (
    "unknown.claimed", "unknown.released", "unknown.handed_over", "unknown.asked", "resolution.made", "resolution.confirmed",
    "effect.resolved",
)  # fmt: skip
# What may follow when a run has ended: the same, and whatever finds out about effects that were named as unresolved.
AFTER_A_RUN: Final = (
    *AFTER_AN_EFFECT, *PEOPLE, "run.held", "run.erased", "run.pauses_remain", "run.pause_lifted", "attempt.dispatched",
    "attempt.settled", "attempt.lost", "effect.alerted", "effect.escalated", "effect.not_resent", "run.resumed_late", "resumption.remains",
    "callback.waits", "callback.noted", "callback.applied",
    "cancellation.requested", "cancellation.resolving", "cancellation.overtaken", "cancellation.proven",
    "cancellation.remains", "run.reopened",
    "run.compensating",
    "run.late", "run.seen_to", "signal.late", "signal.remains", "checkpoint.dropped", "checkpoint.remains", "corrections.remain",
)  # fmt: skip
# What gives a run a new token: each is higher than all before it. What else names one was taken with the highest.
DRIVERS: Final = ("run.accepted", "run.acquired", "run.released", "run.reopened", "cancellation.requested")
# What a look may show of an unknown; that nothing is found shows something only where the contract says so.
PROOF: Final = ("succeeded", "partial", "rejected")
WORDS: Final[dict[str, list[str]]] = {
    "acts": list(ACTS), "looks": list(LOOKS), "questions": [*LOOKS, CHECK, CANCEL],
    "open": sorted(OPEN), "unsettled": sorted(OPEN - {UNKNOWN}), "settled": sorted(SETTLED),
    "called_off": list(CALLED_OFF), "ended": sorted(SETTLED.union(CALLED_OFF)), "run_ended": sorted(RUN_ENDED),
    "completed": [SUCCEEDED, SUCCEEDED_WITH_UNRESOLVED], "after_an_effect": list(AFTER_AN_EFFECT), "after_a_run": list(AFTER_A_RUN),
    "proof": list(PROOF), "people": list(PEOPLE), "drivers": list(DRIVERS), "times": [TIMER, CLOCK_TIME],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Invariant:
    """One sentence of the design's list, by its number; the file of that name gives (stream, entry, about, detail) of what breaks it."""

    number: int
    sentence: str
    name: str

    def broken(self, tenant_id: UUID) -> Iterator[Finding]:
        """Give what breaks it in a tenant's history, as of one moment."""
        asked: dict[str, Any] = {**WORDS, "tenant": tenant_id}
        with snapshot():
            found = rows(f"{query(self.name)} limit {NAMED}", asked)
        for row in found:
            detail = f"{row['detail']} ({self.number}. {self.sentence})"
            yield Finding(row["stream"], row["entry"], row["about"], detail)


INVARIANTS: Final = (
    Invariant(3, "Nothing follows a terminal entry but what came late, and audit.", "nothing_follows"),
    Invariant(4, "What was called off is not begun again.", "called_off"),
    Invariant(5, "Epochs and fences strictly increase, and what was taken carried the highest.", "fences"),
    Invariant(6, "What was begun had been recorded as an intent, and committed, before.", "intents"),
    Invariant(7, "A write that was sent and not answered is unknown, not failed.", "sent"),
    Invariant(8, "An unknown is left, and what is ready to be done again settled, only by evidence or by a person.", "unknowns"),
    Invariant(9, "A run that ended holds nothing in flight, and nothing unknown or partial that it does not name.", "completed"),
    Invariant(11, "A timer fires once, in its time.", "timers"),
    Invariant(13, "What was used of an approval is what was approved, and in its time.", "approved"),
    Invariant(15, "What was accepted is done, open, expired or refused: nothing else, and nothing less.", "accepted"),
    Invariant(16, "What is taken of a standing approval is what its uses say, and what is held is held for an effect.", "granted"),
    Invariant(17, "An effect is made good for once, and only if it happened.", "made_good"),
    Invariant(18, "A run that was called off or failed ends after what it did was made good for or answered for.", "answered_for"),
)  # fmt: skip


def broken() -> Iterator[Finding]:
    """Give what breaks any of them, tenant by tenant; under a role that crosses tenants."""
    with snapshot():
        tenants = list(Tenant.objects.order_by("pk").values_list("pk", flat=True))
    for tenant_id in tenants:
        for invariant in INVARIANTS:
            yield from invariant.broken(tenant_id)


@cache
def query(name: str) -> str:
    """Read a query; one that asks `facts` has them told before it."""
    folder = Path(__file__).parent
    text = (folder / f"{name}.sql").read_text(encoding="utf-8")
    return (folder / "facts.sql").read_text(encoding="utf-8") + text if "from facts" in text else text
