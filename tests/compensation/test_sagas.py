"""Sagas at the example bank, worked by a real shift: whatever fails of what makes good, the run ends once all of it is over, and what is
reserved, paid back and told at the bank is what the record says (R-J1, R-J2).

Of one to five steps every subset fails. Of one to eight, hypothesis picks the steps, how the bank treats each and what makes good for it,
and what people do about it. SAGA_EXAMPLES asks for more; without it they are the same every time."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, combinations, cycle, islice
from typing import Any
from uuid import UUID

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from compensation.models import WorkItem
from console.http.refusals import Refusal
from runs.effect_keys import effect_key
from tests.cancels import cancel
from tests.compensation import sales
from tests.compensation.sales import PLACES, left_by, see_to
from tests.invariants import at_the_bank, broken, here
from tests.processes import until
from tests.runs.banking import Bank, bank
from tests.runs.shifting import Working
from tests.shop import Shop
from tests.unsure import find

__all__ = ["bank"]
EXAMPLES = int(os.environ.get("SAGA_EXAMPLES", "0"))
STEPS = ("reserve", "charge", "tell")


@pytest.fixture
def seller(shop: Shop, bank: Bank) -> Iterator[Shop]:
    """The shop, with a worker that is there until the end."""
    sales.with_sales(shop)
    working = Working(idle_seconds=600, lasts_seconds=600)
    yield shop
    working.drain()
    working.ends()


def test_whatever_subset_of_what_makes_good_is_refused_the_run_ends_and_the_bank_says_what_the_record_says(
    seller: Shop, bank: Bank
) -> None:
    subsets = [(n, frozenset(each)) for n in range(1, 6) for each in subsets_of(range(n))]
    accounts = {sales.account(): each for each in subsets}
    runs = {of: sales.sale(seller, list(islice(cycle(STEPS), n)), of) for of, (n, _) in accounts.items()}
    assert until(lambda: all(each.state == "succeeded" for run in runs.values() for each in sales.effects(run)), 300)
    for of, (_, failing) in accounts.items():
        for number, effect in enumerate(sales.effects(runs[of])):
            if number in failing:
                bank.about(sales.undone_at(effect), {"do": "reject", "reason": "Not any more."})
    for run in runs.values():
        cancel(seller, run)
    ends = cycle(("resolve", "waive"))
    assert sales.worked_off(list(runs.values()), lambda item: see_to(seller, item, next(ends))), left(*runs.values())
    for of, run in runs.items():
        _, failing = accounts[of]
        found = sales.items(run)
        states = [item.state for item in sorted(found, key=lambda item: item.effect.number if item.effect else 0)]
        assert [number for number, state in enumerate(states) if state != "done"] == sorted(failing), (of, states)
        holds(seller, bank, of, run)
    nothing_twice(bank)


@dataclass(frozen=True)
class Step:
    """A step of a saga: what it does, how the bank treats it, how what makes good for it, and what people do about that."""

    operation: str
    goes: str
    undone: str
    then: str


GOES = ("commit_and_answer", "commit_and_answer", "reject", "commit_and_drop", "accept_202")
UNDONE = (
    "commit_and_answer",
    "reject",
    "commit_and_drop",
    "unavailable",
    "pretend",
    "partial",
    "accept_202",
    "somebody else",
)
step = st.builds(
    Step,
    st.sampled_from(STEPS),
    st.sampled_from(GOES),
    st.sampled_from(UNDONE),
    st.sampled_from(("resolve", "waive", "retry")),
)


def test_whatever_happens_to_a_saga_nothing_is_done_twice_and_what_is_left_is_named(seller: Shop, bank: Bank) -> None:
    @settings(
        max_examples=EXAMPLES or 12,
        derandomize=not EXAMPLES,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=[Phase.generate],  # to shrink one that lasts seconds takes longer than to read it
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(step, min_size=1, max_size=8), st.sampled_from(("cancelled", "failed")))
    def run(steps: list[Step], toward: str) -> None:
        saga(seller, bank, steps, toward)

    run()
    nothing_twice(bank)


def saga(seller: Shop, bank: Bank, steps: list[Step], toward: str) -> None:
    """Let it happen, and look at what came of it."""
    bank.be_well()
    of = sales.account()
    for number, each in enumerate(steps, 1):
        said = sales.said(each.operation, number, of)
        bank.match({"path": PLACES[each.operation], "field": said}, treated(each.goes))
    run = sales.sale(seller, [each.operation for each in steps], of)
    known = {"succeeded", "rejected"}
    assert until(lambda: all(each.state in known for each in sales.effects(run))), left(run)
    made = sales.effects(run)
    done = [(each, effect) for each, effect in zip(steps, made, strict=True) if effect.state == "succeeded"]
    others = [told for each, effect in done if (told := spoiled(bank, each, sales.undone_at(effect)))]
    if toward == "cancelled":
        cancel(seller, run)
    else:
        seller.fail(run)
    how = dict(zip([effect.pk for effect in made], [each.then for each in steps], strict=True))

    def person(item: WorkItem) -> None:
        then = how[item.effect_id] if item.effect_id else "resolve"
        if then == "retry":
            bank.be_well()
            kept = item.acting is not None and item.acting.state == "partial"  # what was done is not done again
            then = "resolve" if item.tries > 1 or item.difference or kept else then
        see_to(seller, item, then)

    def over() -> bool:
        find_out(seller, bank, run)
        return sales.worked_off([run], person, 0.2)

    assert until(over, 180), left(run)
    assert seller.state(run) == toward
    holds(seller, bank, of, run, others)


def treated(goes: str) -> Any:
    return {"do": goes, "seconds": 0.1} if goes == "accept_202" else goes


def spoiled(bank: Bank, step: Step, path: str) -> dict[str, Any] | None:
    """Have what makes good for a step go the way that it is to go; gives what somebody else did, if so."""
    if step.undone == "somebody else":
        return None if step.operation == "tell" else bank.somebody_else(path)  # of a notice nobody looks first
    bank.about(path, treated(step.undone), then="last" if step.undone in {"reject", "pretend"} else "pass")
    return None


def find_out(seller: Shop, bank: Bank, run: UUID) -> None:
    """Have somebody look at the bank for what is unknown, and say so where nothing is there: asking for it would go on."""
    there = {entry["key"] for entry in bank.entries()}
    for effect in sales.effects(run):
        if effect.state == "unknown" and effect.compensates_id and effect_key(effect.pk) not in there:
            with suppress(Refusal):  # it was looked at again meanwhile; whoever found it out sees what is so now
                find(seller, effect, "did_not_happen", "give_up")


def holds(seller: Shop, bank: Bank, of: str, run: UUID, others: Sequence[dict[str, Any]] = ()) -> None:
    """Demand of an account what the record says of it, and that what was not made good is named."""
    assert sales.what_the_bank_says(bank.account(of), others) == sales.what_the_record_says(run), left(run)
    residue = seller.run(run).residue
    for item in sales.items(run):
        if item.state in {"resolved", "waived"}:
            assert left_by(item).rstrip(".") in residue, (residue, item.summary)


def nothing_twice(bank: Bank) -> None:
    """Demand that the bank did nothing twice and nothing unmeant, and that the record is whole."""
    ours = [entry for entry in bank.entries() if not entry["key"].startswith("somebody-elses")]
    assert max(Counter(entry["key"] for entry in ours).values()) == 1
    assert at_the_bank(ours, here) == []
    assert broken() == []


def subsets_of(numbers: range) -> Iterator[tuple[int, ...]]:
    """Give every subset."""
    return chain.from_iterable(combinations(numbers, size) for size in range(len(numbers) + 1))


def left(*runs: UUID) -> list[str]:
    """Say how things stand, where they do not end."""
    said = [f"{each.key} {each.state} {each.state_reason}" for run in runs for each in sales.effects(run)]
    return said + [f"{item.summary}: {item.state} {item.waits_for} {item.state_reason}" for item in sales.items(*runs)]
