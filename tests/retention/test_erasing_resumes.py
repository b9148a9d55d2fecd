"""What a resume says goes with its run: versions, steps, reason and brief. That it was, and what it came to, stays (R-M1)."""

from console.database import crossing_tenants
from runs import erasing
from tests.cast import later
from tests.record import findings, told
from tests.resuming.again import again, last
from tests.shop import Shop, draft
from tests.work import claimed, settle


def test_what_a_resume_said_is_erased_with_its_run_and_the_record_holds(shop: Shop) -> None:
    run = shop.accept(draft("a", to="secret-payee"), goal="secret-goal")
    settle(claimed())
    again(shop, run, epoch=1, versions={"model": "secret-model"})
    shop.complete(run, {"paid": "a"})
    again(shop, run, holder="late")
    with later(days=366), crossing_tenants():
        erasing.erase(shop.actor("dora", via="command"), run, reason="kept for a year, and that is over")
    row = last(run)
    assert (row.number, row.decision, row.brief, row.reason, row.versions, row.steps) == (
        2,
        "terminate",
        None,
        "",
        "",
        "[]",
    )
    stored = shop.run(run)
    assert (stored.versions, stored.attention_reason) == ("", "")
    assert "secret" not in str(told(stored.stream()))
    assert findings() == []
