"""What agents asked and did by themselves belongs to no run, and goes by a span of its own once it is over."""

import pytest
from django.core.management.base import CommandError

from approvals.models import Request
from console.http.refusals import KeyExpired
from tests.approvals.test_alone import ask, stored, tell, use
from tests.cast import later
from tests.ledger.story import altered
from tests.record import findings, told
from tests.retention.test_retaining import YEAR, days, retain
from tests.shop import Shop

__all__ = ["days"]


def reported(shop: Shop, outcome: str = "succeeded") -> Request:
    """Have the agent ask something, do it by itself and say what became of it."""
    asked = ask(shop)
    shop.approve(asked)
    use(shop, asked, key=f"use-{asked.pk}")
    tell(shop, asked, outcome, "Receipt 77 for bob.")
    return asked


def gone(request: Request) -> bool:
    return stored(request).erased_at is not None


def test_what_an_agent_asked_and_did_by_itself_goes_by_a_span_of_its_own(shop: Shop, days: dict[str, int]) -> None:
    days |= {"alone": 300}
    done_alone, denied = reported(shop), ask(shop)
    shop.deny(denied)
    with later(**YEAR):
        said = retain("--apply")
    assert "shop alone: 2 gone." in said
    assert gone(done_alone)
    assert gone(denied)
    left = stored(done_alone)
    assert (left.summary, left.target, left.arguments, left.reason, left.outcome_detail) == (
        "[erased]", "[erased]", "{}", "", "",
    )  # fmt: skip
    assert (left.state, left.outcome, left.key) == ("consumed", "succeeded", done_alone.key)
    reasons = dict(told(done_alone.stream()))["request.erased"]["reason"]
    assert reasons == "kept for 300 days by the settings"
    with pytest.raises(KeyExpired):
        use(shop, done_alone, key=f"use-{done_alone.pk}")
    assert findings() == []


def test_what_is_open_unknown_or_not_reviewed_of_it_is_kept_back_and_counted(shop: Shop, days: dict[str, int]) -> None:
    days |= {"alone": 30}
    waiting, approved, unknown = ask(shop), ask(shop), reported(shop, "unknown")
    shop.approve(approved)
    with later(days=29):
        assert "0" in next(line for line in retain().splitlines() if line.startswith("shop"))
    with later(**YEAR):
        said = retain("--apply")
    assert "kept back: 1 used and unknown" in said
    assert not any(gone(request) for request in (waiting, approved, unknown))
    tell(shop, unknown, "succeeded", "Receipt 78.")
    with later(**YEAR):
        retain("--apply")
    assert gone(unknown)


def test_what_does_not_hold_of_it_is_passed_over_and_the_rest_goes(shop: Shop, days: dict[str, int]) -> None:
    days |= {"alone": 30}
    broken, whole = reported(shop), reported(shop)
    with (
        later(**YEAR),
        altered("approvals_request", broken.pk, "summary"),
        pytest.raises(CommandError, match="1 runs or requests were passed over"),
    ):
        retain("--apply")
    assert (gone(broken), gone(whole)) == (False, True)
