"""APR-13: an approval is not used up by a bell that nobody hears: what was decided stands, and the clock begins it, once."""

from typing import Any

import pytest
from redis.exceptions import ConnectionError as NobodyThere

from approvals.models import Request
from console import doorbell
from tests import clock
from tests.cast import inside
from tests.shop import Shop, draft
from tests.work import claim, settle, sweep


class Silent:
    """A Redis that is stopped."""

    def publish(self, *_: Any) -> int:
        raise NobodyThere("Connection refused.")


def test_apr_13_a_decision_is_kept_while_redis_is_away(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The approval is consumed where the effect is begun, and nowhere before it."""
    run = shop.accept(draft("dear", "250"))
    request = shop.request(run, "dear")
    with monkeypatch.context() as away:
        away.setattr(doorbell, "line", Silent)
        missed = doorbell.missed
        assert shop.approve(request)["state"] == "approved"
        assert doorbell.missed > missed
        kept = shop.request(run, "dear")
        assert (kept.state, kept.consumed_at) == ("approved", None)  # approved, and not begun yet
    with clock.at(120):
        sweep()
        assert shop.states(run) == {"dear": "ready"}
        begun = claim()
        assert [row["key"] for row in begun] == ["dear"]
        assert claim() == []
        settle(begun)
        sweep()
    with inside():
        asked = list(Request.objects.filter(subject=request.subject).values_list("state", flat=True))
    assert asked == ["consumed"]
    assert len(shop.attempts(run, "dear")) == 1
