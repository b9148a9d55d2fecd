"""What was spent in a window is summed exactly over what may happen or did, and nobody passes under a limit beside another."""

from functools import partial
from uuid import UUID

import pytest

from approvals.policy_facts import LONGEST_WINDOW
from runs.states import IN_VAIN
from tests import clock
from tests.cast import inside
from tests.races.at_once import at_once, refusals
from tests.shop import Shop, draft
from tests.superuser import hand
from tests.work import claimed, follow, settle, sweep

CAPPED = """
apiVersion: counterfoil/v1
kind: Policy
name: money
version: {version}
operations: [pay, wire]
spend: [{{name: today, path: arguments.amount, within_seconds: {within}, per: {per}}}]
rules:
  - name: over
    when: {{path: spent.today, op: gt, value: "{limit}"}}
    then: ask
    ask: {{groups: [finance], quorum: 1, decide_within_seconds: 1800, use_within_seconds: 900}}
  - {{name: under, then: allow}}
"""


def capped(version: int = 2, limit: str = "100", per: str = "agent", within: int = 86400) -> str:
    """Write a policy that asks once a sum is passed."""
    return CAPPED.format(version=version, limit=limit, per=per, within=within)


@pytest.fixture
def thrifty(shop: Shop) -> Shop:
    """The shop, with a limit of 100 a day for each agent."""
    (applied,) = shop.apply(capped())
    assert applied.outcome == "new", applied
    return shop


def pay(shop: Shop, amount: str, **more: str) -> UUID:
    """Have one payment proposed in a run of its own."""
    return shop.accept(draft("it", amount, **more))


def state(shop: Shop, run: UUID) -> str:
    return shop.states(run)["it"]


def test_up_to_the_limit_is_allowed_and_what_passes_it_asks(thrifty: Shop) -> None:
    assert [state(thrifty, pay(thrifty, amount)) for amount in ("60", "40", "0.000001")] == [
        "ready",
        "ready",
        "awaiting_approval",
    ]


def test_what_one_request_sends_at_once_counts_in_its_order(thrifty: Shop) -> None:
    run = thrifty.accept(draft("a", "60"), draft("b", "41"), draft("c", "10"))
    assert thrifty.states(run) == {"a": "ready", "b": "awaiting_approval", "c": "awaiting_approval"}


def test_what_waits_for_people_counts_because_they_may_still_approve_it(thrifty: Shop) -> None:
    asked = pay(thrifty, "150")
    assert (state(thrifty, asked), state(thrifty, pay(thrifty, "1"))) == ("awaiting_approval", "awaiting_approval")
    thrifty.deny(thrifty.request(asked, "it"))
    follow()
    assert state(thrifty, pay(thrifty, "50")) == "ready"


@pytest.mark.parametrize(("outcome", "after"), [("succeeded", "awaiting_approval"), ("rejected", "ready")])
def test_what_did_not_happen_is_given_back_and_what_did_is_not(thrifty: Shop, outcome: str, after: str) -> None:
    pay(thrifty, "100")
    settle(claimed(), outcome, http=200 if outcome == "succeeded" else 422)
    assert state(thrifty, pay(thrifty, "1")) == after


def test_what_is_unknown_counts(thrifty: Shop) -> None:
    pay(thrifty, "100")
    settle(claimed(), "unknown", http=None)
    assert state(thrifty, pay(thrifty, "1")) == "awaiting_approval"


def test_what_is_withdrawn_is_given_back(thrifty: Shop) -> None:
    run = pay(thrifty, "100")
    thrifty.withdraw(run, "it")
    assert state(thrifty, pay(thrifty, "100")) == "ready"


def test_every_end_in_vain_gives_back() -> None:
    """The trigger names the states by itself; they are those of the table."""
    (definition,) = hand().execute(
        "select pg_get_triggerdef(oid) from pg_trigger where tgname = 'runs_effect_gives_back'"
    ).fetchone() or ("",)
    named = {word for word in definition.split("'")[1::2] if word.isalpha()}
    assert named == IN_VAIN


def test_a_window_lets_go_of_what_is_older(thrifty: Shop) -> None:
    thrifty.apply(capped(version=3, within=60))
    pay(thrifty, "100")
    with clock.at(45):
        assert state(thrifty, pay(thrifty, "0.01")) == "awaiting_approval"
    with clock.at(61):
        assert state(thrifty, pay(thrifty, "99")) == "ready"


def test_each_target_has_a_sum_of_its_own_where_the_policy_says_so(shop: Shop) -> None:
    shop.apply(capped(per="target"))
    assert [state(shop, pay(shop, "100", to=name)) for name in ("bob", "eve", "bob")] == [
        "ready",
        "ready",
        "awaiting_approval",
    ]


def test_a_new_version_goes_on_counting_what_was_spent_under_the_one_before(thrifty: Shop) -> None:
    pay(thrifty, "100")
    thrifty.apply(capped(version=3, limit="150"))
    assert [state(thrifty, pay(thrifty, amount)) for amount in ("50", "1")] == ["ready", "awaiting_approval"]


def test_what_is_judged_again_does_not_count_beside_itself(thrifty: Shop) -> None:
    run = pay(thrifty, "100")
    thrifty.apply(capped(version=3))
    sweep()
    assert state(thrifty, run) == "ready"


def test_what_an_emergency_stop_denies_counts_for_nothing(thrifty: Shop) -> None:
    run = pay(thrifty, "150")
    thrifty.fail(run)
    with inside():
        (open_ones,) = hand().execute("select count(*) from approvals_spend where returned_at is null").fetchone() or (
            None,
        )
    assert open_ones == 0


def test_two_at_once_do_not_both_pass_under_the_limit(thrifty: Shop) -> None:
    """Fifty times: whoever comes second is judged by what the first would spend."""
    for version in range(3, 53):
        thrifty.apply(capped(version=version, limit=str(100 + (version - 3) * 160)))
        became = at_once(partial(pay, thrifty, "60"), partial(pay, thrifty, "100"))
        assert refusals(became) == []
        assert sorted(state(thrifty, run) for run in became) == ["awaiting_approval", "ready"]


def test_what_no_window_reaches_any_more_is_let_go_and_what_one_may_reach_stays(shop: Shop) -> None:
    shop.apply(capped(within=LONGEST_WINDOW))
    pay(shop, "60")
    settle(claimed())
    with clock.at(LONGEST_WINDOW - 60):
        assert "sums let go" not in sweep()
        assert state(shop, pay(shop, "41")) == "awaiting_approval"
    with clock.at(LONGEST_WINDOW + 60):
        assert sweep()["sums let go"] == 1
        assert state(shop, pay(shop, "59")) == "ready"


def test_no_policy_may_look_further_back_than_sums_are_kept(shop: Shop) -> None:
    (applied,) = shop.apply(capped(within=LONGEST_WINDOW + 1))
    assert [fault.path for fault in applied.faults] == ["/spend/0/within_seconds"]
