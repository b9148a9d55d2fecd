"""Whatever happens in whatever order, no more than its units is ever spent and held of a standing approval, and nothing is given back that
may have happened."""

from contextlib import suppress
from decimal import Decimal
from itertools import count
from typing import Any
from uuid import UUID

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from approvals.granting.covering import amount_of
from approvals.models import Grant, GrantUse
from console.database import rows
from console.exact import canonical, decode
from console.http.refusals import Refusal
from runs.models import Effect, Resolution
from tests.cast import inside
from tests.grants import grant, let_stand_in, revoked, standing
from tests.invariants import broken
from tests.shop import Shop, draft
from tests.unsure import find
from tests.work import WORKER, Row, claim, end_leases, follow, settle, sweep

MOST, SUM = 3, Decimal(1000)
AMOUNTS = st.sampled_from(["101", "250.5", "400", "700", "999.999999"])
ANSWERS = st.sampled_from(["succeeded", "rejected", "partial", "overload", "unknown", "unknown", "accepted"])
STEPS = st.one_of(
    st.tuples(st.just("accept"), AMOUNTS), st.tuples(st.just("accept"), AMOUNTS), st.tuples(st.just("begin"), st.integers(1, 3)),
    st.tuples(st.just("begin"), st.integers(1, 3)), st.tuples(st.just("answer"), ANSWERS, st.booleans()),
    st.tuples(st.just("answer"), ANSWERS, st.booleans()), st.tuples(st.just("crash"), st.booleans()), st.tuples(st.just("late")),
    st.tuples(st.just("find"), st.sampled_from(["retry", "give_up"])), st.tuples(st.just("find"), st.just("give_up")),
    st.tuples(st.just("people approve")),
    st.tuples(st.just("sweep")), st.tuples(st.just("sweep")), st.tuples(st.just("revoke")),
)  # fmt: skip
_examples = count(1)


class World:
    """One grant, the effects that it covers, and the truth about each, which only the other side knows."""

    def __init__(self, shop: Shop) -> None:
        self.shop, self.name = shop, f"g{next(_examples)}-"
        self.grant = standing(shop, target_pattern=f"payee:{self.name}*", uses_most=MOST, amount_most=SUM)
        self.in_flight: list[Row] = []
        self.lost: list[Row] = []
        self.happened: dict[UUID, bool] = {}

    def step(self, verb: str, *how: Any) -> None:
        """Do one thing; what is refused by name changes nothing."""
        with suppress(Refusal):
            getattr(self, verb.replace(" ", "_"))(*how)

    def accept(self, amount: str) -> None:
        self.shop.accept(draft("pay", amount, to=f"{self.name}{next(_examples)}"))

    def begin(self, most: int) -> None:
        follow()
        self.in_flight += claim(most)

    def answer(self, outcome: str, truth: bool) -> None:
        if not self.in_flight:
            return
        row = self.in_flight.pop(0)
        self.note(row, outcome in {"succeeded", "partial"} or (outcome in {"unknown", "accepted"} and truth))
        settle(
            row,
            outcome,
            delay={"overload": 0.0}.get(outcome, 3600.0)
            if outcome not in {"succeeded", "rejected", "partial"}
            else None,
        )

    def crash(self, truth: bool) -> None:
        for row in self.in_flight:
            self.note(row, truth)
        self.lost += self.in_flight
        self.in_flight = []
        end_leases(WORKER)

    def late(self) -> None:
        if self.lost:
            row = self.lost.pop(0)
            settle(row, "succeeded" if self.happened[row["effect_id"]] else "rejected")

    def find(self, then: str) -> None:
        """Let a person look at the other side's own book, which is right."""
        with inside():
            effect = (
                Effect.objects.filter(state="unknown", target__startswith=f"payee:{self.name}")
                .order_by("number", "pk")
                .first()
            )
        if effect is not None:
            happened = self.happened[effect.pk]
            find(self.shop, effect, "happened" if happened else "did_not_happen", "" if happened else then)

    def people_approve(self) -> None:
        with inside():
            effects = Effect.objects.filter(state="awaiting_approval", target__startswith=f"payee:{self.name}")
            requests = [effect.request for effect in effects.select_related("request")]
        for request in requests:
            if request is not None:
                self.shop.approve(request)

    def sweep(self) -> None:
        sweep()

    def revoke(self) -> None:
        revoked(self.shop, self.grant)

    def note(self, row: Row, happened: bool) -> None:
        """What happened once has happened, whatever a later attempt meets: the key is the same."""
        self.happened[row["effect_id"]] = self.happened.get(row["effect_id"], False) or happened

    def check(self) -> None:
        """Demand that no more is taken than there is, and that whatever may have happened under the grant has its unit."""
        with inside():
            effects = {each.pk: each for each in Effect.objects.filter(target__startswith=f"payee:{self.name}")}
            uses = {each.subject: each for each in GrantUse.objects.filter(grant=self.grant).exclude(state="returned")}
            begun = set(GrantUse.objects.filter(grant=self.grant).values_list("subject", flat=True))
            stored = Grant.objects.get(pk=self.grant.pk)
        total = sum((use.amount or Decimal(0) for use in uses.values()), Decimal(0))
        assert (stored.uses_taken, stored.amount_taken) == (len(uses), total)
        assert len(uses) <= MOST
        assert total <= SUM
        for subject in begun:
            if effects[subject].state in {
                "dispatched",
                "unknown",
                "accepted",
                "succeeded",
                "partial",
            } or self.happened.get(subject):
                assert subject in uses, (effects[subject].state, self.happened.get(subject))
        assert all(subject in begun for subject, effect in effects.items() if effect.grant_id and effect.attempts_count)

    def come_to_rest(self) -> None:
        """Let everything that is open come to its end; then nothing is held any more, and what is taken is what happened."""
        while self.in_flight:
            self.answer("rejected", False)
        with inside():
            unknown = Effect.objects.filter(state="unknown", target__startswith=f"payee:{self.name}").count()
        for _ in range(unknown):
            self.step("find", "give_up")
        with inside():
            mine = Effect.objects.filter(target__startswith=f"payee:{self.name}", run__state="running")
            runs = list(mine.values_list("run_id", flat=True))
        for run in runs:
            self.shop.fail(run)
        sweep()
        with inside():
            open_ones = set(Effect.objects.filter(ended_at=None).values_list("pk", flat=True))
            held = set(GrantUse.objects.filter(grant=self.grant, state="reserved").values_list("subject", flat=True))
            spent = set(GrantUse.objects.filter(grant=self.grant, state="spent").values_list("subject", flat=True))
            begun = set(GrantUse.objects.filter(grant=self.grant).values_list("subject", flat=True))
        assert held <= open_ones
        assert spent == {subject for subject in begun - held if self.happened.get(subject)}


@settings(
    max_examples=6, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)  # fmt: skip
@given(steps=st.lists(STEPS, min_size=10, max_size=18))
def whatever_happens(shop: Shop, steps: list[tuple[Any, ...]]) -> None:
    """Do it, and look after each step."""
    world = World(shop)
    for verb, *how in [("accept", "101"), ("accept", "250.5"), ("accept", "400"), ("begin", 3), *steps]:
        world.step(verb, *how)
        world.check()
    world.come_to_rest()
    world.check()


def test_never_more_than_its_units_and_nothing_is_given_back_that_may_have_happened(shop: Shop) -> None:
    let_stand_in(shop)
    whatever_happens(shop)
    with inside():
        assert Resolution.objects.exists(), "nobody ever found out"
        assert {"reserved", "spent", "returned"} & set(GrantUse.objects.values_list("state", flat=True)) >= {
            "spent",
            "returned",
        }
    assert broken() == []


def test_the_database_and_the_judge_agree_on_amounts(shop: Shop) -> None:
    """A sum is added up by the database; what is covered is judged before, in Python."""
    let_stand_in(shop)
    found = grant(standing(shop).pk)
    for text in (
        '{"amount": "1.5"}', '{"amount": 2}', '{"amount": 2.50}', '{"amount": "-1"}', '{"amount": -1}', '{"amount": "1.1234567"}',
        '{"amount": "1.1234560"}', '{"amount": "1e3"}', '{"amount": 1e3}', '{"amount": "x"}', '{"amount": null}', '{"amount": true}',
        '{"amount": "01"}', '{"amount": "5."}', '{"amount": ""}', '{"amount": {"a": 1}}', '{}',
        '{"amount": "99999999999999999999999999999999"}',
        '{"amount": 100000000000000000000000000000000}', '{"amount": "0"}', '{"amount": 0.000001}', '{"amount": 0.0000001}',
    ):  # fmt: skip
        arguments: Any = decode(text.encode())
        with inside():
            said = rows("select approvals_amount(%s, 'arguments.amount') as amount", [canonical(arguments)])[0][
                "amount"
            ]
        assert said == amount_of(found, arguments), text
