"""In the demo the bank is kind: nearly everything is done, a second call is always served, and the luck never changes."""

from collections import Counter

from examples.bank.demo import gentle
from examples.bank.script import Asked
from examples.bank.wire import Request

POST = Request("POST", "/refunds", "", {}, b"{}")


def luck(key: str, nth: int = 1):
    return gentle(Asked(POST, key, {}, None, nth, 1))


def test_most_go_well_and_each_kind_of_trouble_is_seen():
    seen = Counter(luck(f"key-{number}").do for number in range(2000))
    assert seen["slow"] > 1650
    assert set(seen) == {"slow", "commit_and_drop", "rate_limit", "unavailable", "reject"}


def test_the_same_key_has_the_same_luck_and_a_second_call_is_served():
    for number in range(200):
        assert luck(f"key-{number}") == luck(f"key-{number}")
        again = luck(f"key-{number}", nth=2)
        assert again.do == "slow"
        assert again.seconds(9) < 0.6


def test_questions_are_answered():
    assert gentle(Asked(Request("GET", "/orders/A-1", "", {}, b""), "A-1", {}, None, 0, 0)) is None


def test_nothing_is_paid_back_to_an_account_that_is_closed():
    refund = Request("POST", "/charges/ch_000001/refund", "", {}, b"{}")
    reasons = ("It is off. The account is closed.", "It is off.")
    asked = [Asked(refund, "key-1", {"reason": reason}, None, 2, 1) for reason in reasons]
    assert [how.do for how in map(gentle, asked) if how] == ["reject", "slow"]
