"""A walk through everything that agents, people, workers and the clock can do, in an order that a seed draws."""

import random
from collections.abc import Callable
from typing import Any
from uuid import UUID

from approvals.models import Request
from console.database import rows
from console.http.refusals import Refusal
from runs.drafts import EffectDraft
from runs.models import Effect
from tests import clock, permits
from tests.cast import inside
from tests.permits import label
from tests.shop import Shop, draft, money
from tests.work import Row, claim, end_leases, follow, settle, sweep

OPERATIONS = [
    "pay",
    "pay",
    "pay",
    "look",
    "wire",
    "announce",
    "grind",
    "weigh",
    "weigh",
]  # the agent weighs things itself
AMOUNTS = ["5", "13", "250", "2000"]
ANSWERS = ["succeeded"] * 4 + [
    "rejected",
    "unknown",
    "unknown",
    "accepted",
    "overload",
    "not_sent",
    "partial",
    "invalid",
]
REPORTED = ["succeeded", "succeeded", "partial", "rejected", "transient", "not_sent"]
FOUND = ["succeeded", "absent", "pending", "rejected", "partial"]
ENDS = {"succeeded", "rejected", "partial", "invalid"}
UNDONE = {"rejected", "failed", "partial", "denied", "lapsed", "expired", "withdrawn"}
WORKERS = ["worker:a", "worker:b", "worker:c"]


class Walk:
    """Draws what happens next; whatever is refused is refused by name."""

    def __init__(self, shop: Shop, seed: int) -> None:
        self.shop, self.draw = shop, random.Random(seed)
        self.runs: list[UUID] = []
        self.held: list[Row] = []
        self.permits: list[dict[str, Any]] = []
        shop.apply(label("weigh", access="read"))
        self.made, self.version, self.late = 0, 1, 0.0
        self.refused: list[str] = []
        self.weighted: list[tuple[Callable[[], Any], int]] = [
            (self.accept, 16), (self.propose, 10), (self.decide, 14), (self.withdraw, 4), (self.give_up, 3), (self.complete, 6),
            (self.claim, 15), (self.settle, 18), (self.lose, 3), (self.publish, 3), (self.change, 1),
            (self.begin, 10), (self.report, 9), (self.beat, 3), (sweep, 4), (follow, 3),
        ]  # fmt: skip

    def step(self) -> None:
        """Do something."""
        deeds, weights = zip(*self.weighted, strict=True)
        deed = self.draw.choices(deeds, weights)[0] if self.runs else self.accept
        try:
            deed()
        except Refusal as refusal:
            self.refused.append(refusal.code)

    def steps(self, number: int) -> None:
        """Do so many things, while time goes on in leaps."""
        for _ in range(number):
            if self.draw.random() < 0.05:
                self.late += self.draw.choice([10, 40, 300, 1000])
            with clock.at(self.late):
                self.step()

    def effect(self, others: list[str]) -> EffectDraft:
        """Draft an effect that waits for some of the others."""
        self.made += 1
        operation = self.draw.choice(OPERATIONS)
        amount = self.draw.choice(AMOUNTS) if operation in {"pay", "wire"} else "5"
        after = self.draw.sample(others, min(len(others), self.draw.choice([0, 0, 1, 2])))
        return draft(
            f"e{self.made}-{self.draw.random()}",
            amount,
            operation,
            after=after,
            required=self.draw.choice([None, None, False]),
        )

    def accept(self) -> None:
        effects: list[EffectDraft] = []
        for _ in range(self.draw.randint(0, 4)):
            effects.append(self.effect([effect.key for effect in effects]))
        by_itself, kind = bool(effects) and self.draw.random() < 0.5, self.draw.choice(["errand", "lenient"])
        seconds = self.draw.choice([None, 900])
        self.runs.append(
            self.shop.accept(*effects, completes_itself=by_itself, run_type=kind, deadline_seconds=seconds)
        )

    def propose(self) -> None:
        run = self.draw.choice(self.runs)
        states = self.shop.states(run)
        undone = [key for key, state in states.items() if state in UNDONE]
        effect = self.effect(list(states))
        if undone and self.draw.random() < 0.4:
            replaced = self.shop.effect(run, self.draw.choice(undone)).pk
            effect = draft(effect.key, after=effect.after, supersedes=replaced)
        self.shop.propose(run, effect)

    def decide(self) -> None:
        with inside():
            pending = list(Request.objects.filter(state="pending"))
        if pending:
            verdict = self.draw.choice([self.shop.approve, self.shop.approve, self.shop.deny])
            verdict(self.draw.choice(pending), self.draw.choice(["ann", "amir", "ben"]))

    def withdraw(self) -> None:
        run = self.draw.choice(self.runs)
        keys = list(self.shop.states(run))
        if keys:
            self.shop.withdraw(run, self.draw.choice(keys))

    def give_up(self) -> None:
        self.shop.fail(self.draw.choice(self.runs))

    def complete(self) -> None:
        run = self.draw.choice(self.runs)
        with inside():
            open_ones = list(
                Effect.objects.filter(run=run, state__in=["unknown", "partial"]).values_list("pk", flat=True)
            )
        self.shop.complete(run, accepting=self.draw.choice([open_ones, []]))

    def claim(self) -> None:
        self.held += claim(self.draw.choice([1, 4, 16]), worker=self.draw.choice(WORKERS))

    def settle(self) -> None:
        if not self.held:
            return
        row = self.held.pop(self.draw.randrange(len(self.held)))
        outcome = self.draw.choice(ANSWERS if row["kind"] == "act" else FOUND)
        for _ in range(self.draw.choice([1, 1, 1, 2])):
            settle(row, outcome, delay=None if outcome in ENDS else self.draw.choice([0, 5, 60]))

    def begin(self) -> None:
        with inside():
            found = list(Effect.objects.filter(operation_name="weigh", state__in=["ready", "dispatched", "blocked"]))
        if found:
            self.permits.append(permits.begin(self.shop.bot, self.draw.choice(found)))

    def report(self) -> None:
        if not self.permits:
            return
        permit = self.permits[self.draw.randrange(len(self.permits))]  # some of them again, and some too late
        outcome = self.draw.choice(REPORTED)
        permits.report(self.shop.bot, permit, outcome, result=permits.DONE if outcome == "succeeded" else None)

    def beat(self) -> None:
        if self.permits:
            permits.beat(self.shop.bot, self.draw.choice(self.permits))

    def lose(self) -> None:
        end_leases(self.draw.choice(WORKERS))

    def publish(self) -> None:
        self.version += 1
        small = self.draw.choice(["allow", "allow", "deny"])
        self.shop.apply(money(self.version, middling=self.draw.choice(["3", "100", "500"]), small=small))

    def change(self) -> None:
        self.shop.change("amir", active=self.draw.random() < 0.7)

    def come_to_rest(self) -> None:
        """Let time pass and every question be answered, until nothing can happen any more."""
        for leap in [400] * 5 + [8000] * 3:
            self.late += leap
            with clock.at(self.late):
                sweep()
                settle(claim(64), "succeeded")
                sweep()


def left_open() -> dict[str, int]:
    """Count what has not come to its end."""
    with inside():
        counted = rows(
            """select (select count(*) from runs_run where ended_at is null) as runs,
                      (select count(*) from runs_effect where ended_at is null) as effects,
                      (select count(*) from runs_attempt where state = 'running') as attempts,
                      (select count(*) from approvals_request where state in ('pending', 'approved')) as requests"""
        )
    return {what: number for what, number in counted[0].items() if number}


def done_twice() -> list[UUID]:
    """Give the effects of which two attempts were answered as done."""
    with inside():
        found = rows(
            """select effect_id from runs_attempt where kind = 'act' and outcome = 'succeeded' group by effect_id having count(*) > 1"""
        )
    return [row["effect_id"] for row in found]
