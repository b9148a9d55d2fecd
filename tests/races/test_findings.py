"""People, answers and the clock at once, about one unknown: one of them settles it, the other is told, or kept as evidence (R-A6, R-F5)."""

from functools import partial
from typing import Any

import pytest

from tests.races.at_once import answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop, draft, operation
from tests.unsure import claim_it, confirm, find, findings_of, stored, take_back, unknown, with_careful
from tests.work import WORKER, claimed, end_leases, settle, sweep

ROUNDS = 6


@pytest.fixture
def two(shop: Shop) -> Shop:
    """The shop with two who operate, and an operation that takes both."""
    shop.change("amir", roles=["operator"], groups=[])
    return with_careful(shop)


def version(shop: Shop, effect: Any) -> int:
    """Give the version that everybody has seen."""
    return shop.run(effect.run_id).ledger_seq


def test_a_finding_and_the_answer_of_a_status_query(shop: Shop) -> None:
    for _ in range(ROUNDS):
        effect = unknown(shop, delay=0)
        look = claimed()
        seen = version(shop, effect)
        found, late = at_once(
            partial(find, shop, effect, "did_not_happen", "give_up", version=seen), partial(settle, look, "succeeded")
        )
        assert not isinstance(late, Exception), late
        if refusals([found]):
            assert (found.code, late, stored(effect).state) == ("not_unknown", [], "succeeded")
        else:
            assert (late, stored(effect).state) == ([look["attempt_id"]], "failed")
            assert shop.attempts(effect.run_id, "a")[-1].late_outcome == "succeeded"
        assert kinds(f"run:{effect.run_id}").count("effect.resolved") == (stored(effect).state == "failed")


def test_a_finding_and_an_answer_that_comes_late_to_the_act(shop: Shop) -> None:
    """The answer to an act whose worker was given up changes nothing, whoever is quicker, and is kept."""
    for _ in range(ROUNDS):
        run = shop.accept(draft("a"))
        act = claimed()
        end_leases(WORKER)
        effect = shop.effect(run, "a")
        seen = version(shop, effect)
        found, late = at_once(
            partial(find, shop, effect, "did_not_happen", "give_up", version=seen), partial(settle, act, "succeeded")
        )
        assert late == [act["attempt_id"]]
        assert set(refusals([found])) <= {"stale_version"}  # it came first, and whoever resolves has not seen it
        assert stored(effect).state == ("unknown" if refusals([found]) else "failed")
        assert shop.attempts(run, "a")[0].late_outcome == "succeeded"
        if refusals([found]):
            find(shop, effect)


def test_two_findings(two: Shop) -> None:
    for _ in range(ROUNDS):
        effect = unknown(two)
        seen = version(two, effect)
        became = at_once(
            partial(find, two, effect, "happened", version=seen),
            partial(find, two, effect, "did_not_happen", "give_up", by="amir", version=seen),
        )
        assert refusals(became) == ["not_unknown"]
        assert [each.state for each in findings_of(effect)] == ["in_force"]
        assert answers(became)[0]["state"] == stored(effect).state


def test_two_findings_that_wait_for_a_second_person(two: Shop) -> None:
    for _ in range(ROUNDS):
        effect = unknown(two, "move")
        seen = version(two, effect)
        became = at_once(*[partial(find, two, effect, by=name, version=seen) for name in ("oscar", "amir")])
        assert set(refusals(became)) <= {"finding_waits", "stale_version"}
        assert [each.state for each in findings_of(effect)] == ["proposed"]


def test_confirming_and_taking_back(two: Shop) -> None:
    for _ in range(ROUNDS):
        effect = unknown(two, "move")
        proposed = find(two, effect)
        became = at_once(partial(confirm, two, proposed, "amir"), partial(take_back, two, proposed))
        assert refusals(became) == ["finding_decided"]
        state = findings_of(effect)[0].state
        assert (state, stored(effect).state) in {("in_force", "succeeded"), ("withdrawn", "unknown")}
        assert answers(became)[0]["finding"] == state


def test_two_confirm(two: Shop) -> None:
    two.change("ann", roles=["operator"], groups=[])
    for _ in range(ROUNDS):
        effect = unknown(two, "move")
        proposed = find(two, effect)
        became = at_once(*[partial(confirm, two, proposed, name) for name in ("amir", "ann")])
        assert refusals(became) == ["finding_decided"]
        assert kinds(f"run:{effect.run_id}").count("effect.resolved") == 1


def test_confirming_and_the_answer_of_a_status_query(two: Shop) -> None:
    for _ in range(ROUNDS):
        effect = unknown(two, "move", delay=0)
        proposed = find(two, effect, "did_not_happen", "give_up")
        look = claimed()
        became, late = at_once(partial(confirm, two, proposed, "amir"), partial(settle, look, "succeeded"))
        assert not isinstance(late, Exception), late
        state = findings_of(effect)[0].state
        if refusals([became]):
            assert (became.code, late, stored(effect).state, state) == ("not_unknown", [], "succeeded", "overtaken")
        else:
            assert (late, stored(effect).state, state) == ([look["attempt_id"]], "failed", "in_force")


def test_confirming_and_the_clock_that_overtakes(two: Shop) -> None:
    for _ in range(ROUNDS):
        effect = unknown(two, "move", delay=0)
        proposed = find(two, effect)
        settle(claimed(), "succeeded")
        became = at_once(partial(confirm, two, proposed, "amir"), sweep)
        assert set(refusals(became[:1])) <= {"not_unknown", "finding_decided"}
        assert [each.state for each in findings_of(effect)] == ["overtaken"]
        assert kinds(f"run:{effect.run_id}").count("resolution.overtaken") == 1


def test_ret_05_five_presses_at_once_give_one_extra_attempt(shop: Shop) -> None:
    once = operation("once").replace("attempts: 3", "attempts: 1")
    assert not [applied for applied in shop.apply(once) if applied.faults]
    for _ in range(ROUNDS):
        effect = unknown(shop, "once")
        seen = version(shop, effect)
        more: dict[str, Any] = {"extra_attempts": 1, "reason": "The bank was down."}
        press = partial(find, shop, effect, "did_not_happen", "retry", version=seen, **more)
        assert refusals(at_once(*[press] * 5)) == ["not_unknown"] * 4
        assert (stored(effect).attempts_granted, stored(effect).state) == (1, "ready")
        settle(claimed())
        assert len(shop.attempts(effect.run_id, "a")) == 2


def test_two_claim_one_effect(two: Shop) -> None:
    for _ in range(ROUNDS):
        effect = unknown(two)
        became = at_once(*[partial(claim_it, two, effect, name) for name in ("oscar", "amir")])
        assert refusals(became) == ["already_claimed"]
        assert str(stored(effect).owner_id) == answers(became)[0]["owner"]
