"""The model: agents, people, workers, the clock and the bank in any order, each able to stop between any two steps.

Hypothesis picks the order and shrinks it. After every step the bank did nothing twice and the record does not contradict it; in the end the
record is whole and breaks none of its sentences. MODEL_EXAMPLES and MODEL_STEPS ask for more; without them it is the same every time."""

import os
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from approvals.models import Request
from console import clock
from console.http.refusals import Refusal
from runs import states
from runs.models import Effect, Resolution
from runs.unknowns import asking, resolving, seconding
from runs.unknowns.findings import Finding
from tests.cast import inside
from tests.cleaning import Cleaner
from tests.model.bank import ACTS, LOOKS
from tests.model.world import OPERATIONS, How, World
from tests.shop import draft, money
from tests.work import sweep

EXAMPLES = int(os.environ.get("MODEL_EXAMPLES", "0"))
STEPS = int(os.environ.get("MODEL_STEPS", "40"))
WORKERS = st.sampled_from(["worker:a", "worker:b", "worker:c"])
OPERATORS = st.sampled_from(["oscar", "ann"])
HOW = st.tuples(st.sampled_from(ACTS), st.sampled_from(LOOKS))


class Model(RuleBasedStateMachine):
    """What can happen. Whatever is refused by name changes nothing, and is no fault."""

    cleaner: Cleaner

    def __init__(self) -> None:
        super().__init__()
        self.world = World(self.cleaner)
        self.shop = self.world.shop
        self.runs: list[UUID] = []
        self.made, self.version = 0, 1
        self.refused: list[str] = []

    # Agents

    @initialize(operations=st.lists(st.sampled_from(OPERATIONS), min_size=2, max_size=5))
    def begin_with_something(self, operations: list[str]) -> None:
        for operation in operations:
            self._accept(operation, "5", second=False, by_itself=False)

    @rule(
        operation=st.sampled_from(OPERATIONS),
        amount=st.sampled_from(["5", "250"]),
        second=st.booleans(),
        by_itself=st.booleans(),
    )
    def accept(self, operation: str, amount: str, second: bool, by_itself: bool) -> None:
        self._accept(operation, amount, second=second, by_itself=by_itself)

    def _accept(self, operation: str, amount: str, *, second: bool, by_itself: bool) -> None:
        self.made += 1
        effects = [draft(f"first-{self.made}", amount, operation)]
        if second:
            effects.append(draft(f"second-{self.made}", "5", operation, after=[f"first-{self.made}"]))
        self.runs.append(self.shop.accept(*effects, completes_itself=by_itself, key=f"run-{self.made}"))

    @rule(which=st.integers(0, 9), verb=st.sampled_from(["complete", "complete", "fail"]))
    def end(self, which: int, verb: str) -> None:
        run = self.runs[which % len(self.runs)]
        self._try(lambda: getattr(self.shop, verb)(run))

    # People

    @rule(yes=st.sampled_from([True, True, False]), who=st.sampled_from(["ann", "amir"]))
    def decide(self, yes: bool, who: str) -> None:
        with inside():
            pending = Request.objects.filter(state="pending").order_by("pk").first()
        if pending is not None:
            self._try(lambda: (self.shop.approve if yes else self.shop.deny)(pending, who))

    @rule(middling=st.sampled_from(["3", "100"]))
    def publish(self, middling: str) -> None:
        self.version += 1
        self.shop.apply(money(self.version, middling=middling))

    @rule(which=st.integers(0, 4), who=OPERATORS, then=st.sampled_from(["retry", "give_up"]), extra=st.integers(0, 1))
    def find_out(self, which: int, who: str, then: str, extra: int) -> None:
        """Have somebody look at the bank's own ledger, and say what is true."""
        effect = self._unknown(which)
        if effect is None:
            return
        truth = self.world.truth(str(effect.pk))
        exit_ = {"whole": states.HAPPENED, "half": states.CANNOT_TELL, "nothing": states.DID_NOT_HAPPEN}.get(
            truth, states.STILL_PENDING
        )
        terms: dict[str, dict[str, Any]] = {
            states.DID_NOT_HAPPEN: {
                "then": then,
                "extra_attempts": extra * (then == "retry"),
                "reason": "It is urgent.",
            },
            states.STILL_PENDING: {"look_again_at": self._soon()},
            states.CANNOT_TELL: {"to_group": "finance", "reason": "Half of it."},
        }
        told = terms.get(exit_, {})
        finding = Finding(exit_, evidence="Seen in the bank's own ledger.", **told)
        version = self.shop.run(effect.run_id).ledger_seq
        self._try(lambda: resolving.resolve(self.shop.actor(who), effect.pk, finding, version=version, key=self._key()))

    @rule(who=OPERATORS, word=st.sampled_from(["confirm", "confirm", "decline", "withdraw"]))
    def say_so_too(self, who: str, word: str) -> None:
        with inside():
            found = Resolution.objects.filter(state="proposed").order_by("pk").first()
        if found is not None:
            say = getattr(seconding, word)
            self._try(lambda: say(self.shop.actor(who), found.pk, reason="So it is.", key=self._key()))

    @rule(which=st.integers(0, 4), who=OPERATORS)
    def ask_now(self, which: int, who: str) -> None:
        effect = self._unknown(which)
        if effect is not None:
            self._try(lambda: asking.ask_now(self.shop.actor(who), effect.pk, key=self._key()))

    # Workers, the clock, the bank

    @rule(steps=st.lists(st.tuples(WORKERS, HOW), min_size=1, max_size=6))
    def go_on(self, steps: list[tuple[str, How]]) -> None:
        """Let workers go on by a step each, in this order: so they overtake each other, and what is paused is paused."""
        for worker, how in steps:
            self.world.step(worker, how)
            self.world.check()

    @rule(worker=WORKERS, hows=st.lists(HOW, min_size=1, max_size=3))
    def go_on_to_the_end(self, worker: str, hows: list[How]) -> None:
        for how in hows:
            while self.world.step(worker, how):
                pass
            self.world.leap(6)  # a look is due by then

    @rule(worker=WORKERS, how=HOW, seen=st.booleans())
    def die_in_the_middle(self, worker: str, how: How, seen: bool) -> None:
        """Have a worker claim, call, and die before it writes anything down; its lease ends, seen or in its time."""
        self.world.crash(worker, seen=True)
        for _ in range(2):
            self.world.step(worker, how)
        self.world.crash(worker, seen=seen)
        if not seen:
            self.world.leap(31)
            sweep()

    @rule(worker=WORKERS, seen=st.booleans())
    def crash(self, worker: str, seen: bool) -> None:
        self.world.crash(worker, seen=seen)

    @rule(seconds=st.sampled_from([2.0, 6.0, 31.0, 35.0, 400.0, 4000.0]))
    def time_passes(self, seconds: float) -> None:
        self.world.leap(seconds)

    @rule()
    def the_clock_ticks(self) -> None:
        self.world.leap(0.01)
        sweep()

    @rule()
    def the_bank_catches_up(self) -> None:
        self.world.bank.catch_up()

    # What must hold

    @invariant()
    def nothing_happened_twice_and_the_record_does_not_contradict_the_bank(self) -> None:
        self.world.check()

    def teardown(self) -> None:
        try:
            self.world.check_record()
            self.world.come_to_rest()
            self.world.check()
            self.world.check_record()
            assert not {"dispatched", "ready", "proposed", "awaiting_approval"} & self.world.states().keys(), (
                self.world.states()
            )
        finally:
            self.world.close()

    def _unknown(self, which: int) -> Effect | None:
        with inside():
            found = list(Effect.objects.filter(state="unknown").order_by("run_id", "number"))
        return found[which % len(found)] if found else None

    def _soon(self) -> datetime:
        with inside():
            return clock.now() + timedelta(seconds=60)

    def _key(self) -> str:
        self.made += 1
        return f"key-{self.made}"

    def _try(self, deed: Any) -> None:
        try:
            deed()
        except Refusal as refusal:
            self.refused.append(refusal.code)


@pytest.mark.timeout(900 + 30 * EXAMPLES)
def test_whatever_happens_in_whatever_order(db: None, one_role: None, django_db_setup: Cleaner) -> None:
    Model.cleaner = django_db_setup
    chosen = settings(
        max_examples=EXAMPLES or 15, stateful_step_count=STEPS, derandomize=not EXAMPLES, deadline=None, database=None, print_blob=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    run_state_machine_as_test(Model, settings=chosen)
