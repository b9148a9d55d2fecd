"""Retries, looks and repetitions as arithmetic alone (R-D1, R-D2, R-D4, R-F2), and the whole life of an effect, with a fake clock."""

from datetime import UTC, datetime, timedelta
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from runs.contracts.asking import Asking
from runs.contracts.retry import Retry
from runs.finding_out import FindingOut, Look
from runs.looked import after_look
from runs.outcome import RESERVED_SECONDS, SETTLES, Step, Tried, after_act, after_resend
from runs.states import ACCEPTED, EFFECT_MOVES, READY, RESEND, SETTLED, STATUS, UNKNOWN
from tests.model.bank import ACTS, LOOKS, ModelBank

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
spans = st.floats(0, 100_000, allow_nan=False)
rules = st.builds(
    Retry, retryable=st.frozensets(st.sampled_from(["overload", "not_sent", "transient"])), attempts=st.integers(1, 8), total_seconds=spans,
    base_seconds=st.floats(0.1, 60), factor=st.floats(1, 10), max_seconds=st.floats(0.1, 3600), honour_retry_after=st.booleans(),
)  # fmt: skip
trials = st.builds(
    Tried, attempts=st.integers(1, 12), first_at=st.builds(lambda s: NOW - timedelta(seconds=s), spans), now=st.just(NOW),
    deadline_at=st.builds(lambda s: NOW + timedelta(seconds=s), spans), granted=st.integers(0, 5),
    acted_at=st.none() | st.builds(lambda s: NOW - timedelta(seconds=s), spans),
)  # fmt: skip
askings = st.builds(
    Asking, absence_is_proof=st.booleans(), every_seconds=st.floats(1, 600), objective_seconds=st.floats(1, 86400),
    absence_after_seconds=st.floats(0, 3600), backoff_factor=st.floats(1, 10), max_seconds=st.floats(1, 3600),
)  # fmt: skip
findings = st.builds(
    FindingOut,
    look=st.none() | st.builds(Look, st.just(STATUS), askings),
    resends=st.booleans(),
    resends_unasked=st.booleans(),
)
wishes = st.none() | spans
# A machine that has much else to do draws slowly, and that proves nothing.
patiently = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
FOUND = st.sampled_from(["absent", "pending", "conflict", "transient", "unknown", "overload", "not_sent"])
SAID = st.sampled_from([*SETTLES, "accepted", "unknown", "overload", "not_sent", "transient"])


def sends(step: Step) -> bool:
    """Tell whether a step sends it once more, as an attempt or under its key."""
    return step.state == READY or step.next == RESEND


def check_it_may_be_sent(step: Step, rule: Retry, tried: Tried, wish: float | None) -> None:
    """Hold a step that sends it once more against the five conditions, and its wait against its bounds."""
    assert step.delay is not None
    due = NOW + timedelta(seconds=step.delay)
    assert tried.attempts < rule.attempts + tried.granted
    assert due < tried.deadline_at - timedelta(seconds=RESERVED_SECONDS)
    assert due <= tried.first_at + timedelta(seconds=rule.total_seconds) + timedelta(microseconds=1)
    heeded = wish if rule.honour_retry_after and wish is not None else 0.0
    assert heeded <= step.delay <= max(rule.ceiling(tried.attempts), heeded)


@patiently
@given(SAID, rules, trials, wishes, findings)
def test_nothing_is_sent_past_its_deadline_its_time_or_its_attempts(
    outcome: str, rule: Retry, tried: Tried, wish: float | None, finding: FindingOut
) -> None:
    for after in (after_act, after_resend):
        step = after(outcome, "", rule, tried, retry_after=wish, finding=finding)
        if sends(step):
            check_it_may_be_sent(step, rule, tried, wish)


@patiently
@given(SAID, rules, trials, wishes, findings)
def test_only_what_the_contract_lets_be_sent_again_is(
    outcome: str, rule: Retry, tried: Tried, wish: float | None, finding: FindingOut
) -> None:
    act = after_act(outcome, "", rule, tried, retry_after=wish, finding=finding)
    assert act.state != READY or outcome in rule.retryable
    assert act.next != RESEND or (outcome == "unknown" and finding.resends_unasked and finding.look is None)
    again = after_resend(outcome, "", rule, tried, retry_after=wish, finding=finding)
    assert again.state in {UNKNOWN, "succeeded", "partial"}  # whatever a repetition is told, it proves no failure


@patiently
@given(
    st.sampled_from(["absent", "pending", "conflict", "transient", "unknown", "overload", "not_sent"]),
    rules,
    trials,
    wishes,
    findings,
    st.integers(0, 50),
)
def test_an_unknown_is_left_by_a_look_only_where_absence_is_proof_and_late_enough(
    outcome: str, rule: Retry, tried: Tried, wish: float | None, finding: FindingOut, looks: int
) -> None:
    step = after_look(outcome, "", UNKNOWN, rule, tried, looks=looks, retry_after=wish, finding=finding)
    if step.state == UNKNOWN:
        return
    asking = finding.look.asking if finding.look else None
    assert outcome == "absent"
    assert asking is not None
    assert asking.absence_is_proof
    assert tried.acted_at is None or (NOW - tried.acted_at).total_seconds() >= asking.absence_after_seconds
    assert step.state in {READY, rule.exhausted}


@patiently
@given(rules, st.lists(st.just(0), min_size=30, max_size=30), findings)
def test_waits_are_spread_over_all_of_their_bounds(rule: Retry, draws: list[int], finding: FindingOut) -> None:
    """Full jitter: of many waits some are short and some are long, and none is beyond the ceiling (R-D2)."""
    tried = Tried(attempts=1, first_at=NOW, now=NOW, deadline_at=NOW + timedelta(days=30))
    patient = Retry(
        frozenset({"overload"}), 9, 30 * 86400.0, rule.base_seconds, rule.factor, rule.max_seconds, rule.honour_retry_after
    )  # fmt: skip
    waits = [after_act("overload", "", patient, tried, finding=finding).delay or 0.0 for _ in draws]
    ceiling = patient.ceiling(1)
    assert all(0 <= wait <= ceiling for wait in waits)
    assert min(waits) < ceiling * 0.9


class Life(RuleBasedStateMachine):
    """One effect with a fake clock and a model bank: the pure core alone says what follows each answer."""

    @initialize(rule_=rules, finding=findings)
    def begin(self, rule_: Retry, finding: FindingOut) -> None:
        self.rule, self.finding = rule_, finding
        # A contract may only say that a call is repeated where the other side keeps keys.
        self.bank = ModelBank(keeps_keys=frozenset({"it"} if self._repeats() else ()))
        self.state, self.step, self.attempts, self.looks, self.now = READY, Step(READY, 0.0, ""), 0, 0, NOW
        self.first_at, self.deadline_at = NOW, NOW + timedelta(hours=2)
        self.acted_at: datetime | None = None
        self.seen: list[tuple[str, str]] = []

    def _repeats(self) -> bool:
        proves = self.finding.look is not None and self.finding.look.asking.absence_is_proof
        return self.finding.resends or self.finding.resends_unasked or proves

    def _tried(self) -> Tried:
        return Tried(self.attempts, self.first_at, self.now, self.deadline_at, 0, self.acted_at)

    def _is_due(self) -> bool:
        return self.state in {READY, ACCEPTED, UNKNOWN} and self.step.delay is not None

    @precondition(lambda self: self._is_due())
    @rule(act=st.sampled_from(ACTS), look=st.sampled_from(LOOKS))
    def go_on(self, act: str, look: str) -> None:
        self.now += timedelta(seconds=self.step.delay or 0.0)
        if self.state == READY or self.step.next == RESEND:
            self._act("lost on the way" if act == "swallowed" and self._repeats() else act)
        else:
            self._look("answered" if look == "stale" and self._repeats() else look)

    def _act(self, how: str) -> None:
        after: Any = after_resend if self.state == UNKNOWN else after_act
        self.attempts, self.looks = self.attempts + 1, 0
        answer = self.bank.act("it", "it", self.attempts, how)
        self.acted_at = self.now
        step = after(
            answer.outcome, "", self.rule, self._tried(), retry_after=answer.retry_after_seconds, finding=self.finding
        )
        self._goes(step)

    def _look(self, how: str) -> None:
        answer = self.bank.look("it", how)
        step = after_look(
            answer.outcome, "", self.state, self.rule, self._tried(), looks=self.looks, finding=self.finding
        )
        self.looks += 1
        self._goes(step)

    def _goes(self, step: Step) -> None:
        self.seen.append((self.state, step.state))
        self.state, self.step = step.state, step

    @rule()
    def the_bank_catches_up(self) -> None:
        if not self._repeats() or self.state != READY:
            self.bank.catch_up()

    @rule(seconds=st.floats(0, 7200))
    def time_passes(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    @invariant()
    def nothing_happened_twice(self) -> None:
        if hasattr(self, "bank"):
            assert self.bank.twice() == []
            assert self.attempts <= self.rule.attempts

    @invariant()
    def what_is_said_is_true(self) -> None:
        if not hasattr(self, "bank"):
            return
        done = self.bank.done("it")
        assert done or self.state not in {"succeeded", "partial"}
        assert not done or self.state in {ACCEPTED, UNKNOWN, "succeeded" if done == "whole" else "partial"}, (
            done,
            self.state,
        )

    @invariant()
    def every_step_is_a_legal_move(self) -> None:
        legal = {
            (before, after) for sources, targets in EFFECT_MOVES.values() for before in sources for after in targets
        }
        for before, after in getattr(self, "seen", []):
            through = (READY, "dispatched") in legal and ("dispatched", after) in legal
            assert before == after or (before, after) in legal or (before == READY and through)
            assert before not in SETTLED


TestLife = Life.TestCase
TestLife.settings = settings(
    patiently, max_examples=200, stateful_step_count=25, derandomize=True,
)  # fmt: skip
