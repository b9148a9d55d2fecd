"""Two decide at once, or somebody decides while the question goes away: one stands, the other is told which."""

from functools import partial
from typing import Any
from uuid import UUID

from approvals.models import Decision, Request
from tests import clock
from tests.cast import inside
from tests.races.at_once import REPEATED, answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop, draft, money
from tests.work import claim, follow, sweep


def asked(shop: Shop, amount: str = "250") -> tuple[UUID, Request]:
    """Have something asked."""
    run = shop.accept(draft("dear", amount))
    return run, shop.request(run, "dear")


def stored(request: Request) -> tuple[str, list[str]]:
    """Give a request's state, and the verdicts on it."""
    with inside():
        verdicts = Decision.objects.filter(request=request).order_by("at").values_list("verdict", flat=True)
        return Request.objects.get(pk=request.pk).state, list(verdicts)


def sweep_often(times: int) -> None:
    """Let the clock pass several times."""
    for _ in range(times):
        sweep()


def test_approve_and_deny_at_once(shop: Shop) -> None:
    """APR-01: exactly one decision; the loser gets the standing one; released at most once; one refused attempt is kept."""
    for _ in range(REPEATED):
        run, request = asked(shop)
        became = at_once(partial(shop.approve, request, "ann"), partial(shop.deny, request, "amir"))
        (receipt,) = answers(became)
        assert refusals(became) == ["already_resolved"]
        state, verdicts = stored(request)
        assert verdicts == [receipt["verdict"]]
        assert state == {"approve": "approved", "deny": "denied"}[receipt["verdict"]]
        loser: Any = next(each for each in became if isinstance(each, Exception))
        assert loser.facts["verdict"] == receipt["verdict"]
        follow()
        assert len(claim()) == (receipt["verdict"] == "approve")
        assert kinds(request.stream()).count("request.decided") == 1
        assert shop.states(run)["dear"] in {"dispatched", "denied"}


def test_the_same_person_twice_at_once_is_counted_once(shop: Shop) -> None:
    """UI-06"""
    for _ in range(6):
        _, request = asked(shop, "2000")
        became = at_once(*[partial(shop.approve, request, "ann")] * 3)
        assert (len(answers(became)), refusals(became)) == (1, ["already_counted"] * 2)
        assert stored(request) == ("pending", ["approve"])


def test_the_same_request_twice_at_once_is_answered_alike(shop: Shop) -> None:
    for number in range(6):
        _, request = asked(shop)
        became = at_once(*[partial(shop.approve, request, "ann", key=f"once-{number}")] * 3)
        receipts = [
            {name: value for name, value in receipt.items() if name != "replayed"} for receipt in answers(became)
        ]
        assert receipts == [receipts[0]] * 3
        assert stored(request) == ("approved", ["approve"])


def test_two_that_make_the_quorum_at_once_make_it_once(shop: Shop) -> None:
    for _ in range(8):
        _, request = asked(shop, "2000")
        receipts = answers(at_once(partial(shop.approve, request, "ann"), partial(shop.approve, request, "amir")))
        assert sorted(receipt["receipt"] for receipt in receipts) == ["counted", "recorded"]
        assert stored(request) == ("approved", ["approve", "approve"])
        assert kinds(request.stream()).count("request.approved") == 1


def test_approve_and_withdraw_at_once(shop: Shop) -> None:
    """CAN-05: never begun after the withdrawal was answered."""
    for _ in range(12):
        run, request = asked(shop)
        became = at_once(partial(shop.approve, request, "ann"), partial(shop.withdraw, run, "dear"))
        assert refusals(became) in ([], ["withdrawn"])
        follow()
        assert claim() == []
        assert (shop.states(run), stored(request)[0]) == ({"dear": "withdrawn"}, "withdrawn")


def test_approve_and_the_end_of_the_time_at_once(shop: Shop) -> None:
    for _ in range(8):
        run, request = asked(shop)
        with clock.at(1799.99):
            became = at_once(partial(shop.approve, request, "ann"), sweep)
        assert refusals(became) in ([], ["expired"])
        with clock.at(1801):
            sweep()
        state, verdicts = stored(request)
        assert (state, verdicts) in [("approved", ["approve"]), ("expired", [])]
        assert shop.states(run)["dear"] == {"approved": "ready", "expired": "expired"}[state]


def test_approve_and_a_new_policy_at_once(shop: Shop) -> None:
    """Whatever comes first, what was approved under the old version is not begun under the new one."""
    for version in range(2, 9):
        run, request = asked(shop)
        became = at_once(partial(shop.approve, request, "ann"), partial(shop.apply, money(version=version)))
        assert refusals(became) in ([], ["policy_changed"])
        follow()
        assert claim() == []
        sweep()
        assert (stored(request)[0], shop.states(run)) == ("rerouted", {"dear": "awaiting_approval"})
        shop.fail(run)


def test_many_decide_many_things_in_opposite_orders(shop: Shop) -> None:
    """DB-03 in the small: no deadlock, each decided once."""
    run = shop.accept(*(draft(f"dear {number}", "250") for number in range(12)))
    requests = [shop.request(run, f"dear {number}") for number in range(12)]

    def decide(by: str, verdict: str, order: list[Request]) -> list[str]:
        became = []
        for request in order:
            try:
                became.append(getattr(shop, verdict)(request, by)["receipt"])
            except Exception as refusal:  # noqa: BLE001
                became.append(getattr(refusal, "code", repr(refusal)))
        return became

    ann, amir, _ = at_once(
        partial(decide, "ann", "approve", requests), partial(decide, "amir", "deny", requests[::-1]), partial(sweep_often, 4)
    )  # fmt: skip
    for one, other in zip(ann, amir[::-1], strict=True):
        assert sorted([one, other]) == ["already_resolved", "recorded"]
    assert all(len(stored(request)[1]) == 1 for request in requests)
