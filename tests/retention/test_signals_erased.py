"""What signals said goes with their run, or by age where no run has them; that they came stays, and the record holds (R-M1)."""

from datetime import timedelta
from uuid import UUID

import pytest

from console.database import crossing_tenants
from runs.models import Signal
from runs.retention import MESSAGES, let_go
from tests import clock
from tests.cast import inside, later
from tests.record import findings, kinds, told
from tests.retention.test_erasing import YEAR, erase
from tests.shop import Shop
from tests.signalling import send, signals, wait_for
from tests.work import sweep


def heard(shop: Shop) -> UUID:
    """Have a finished run that took a signal, and for which another came too late."""
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "secret-order")
    send(shop, "paid", "secret-order", "secret-words")
    shop.complete(run)
    send(shop, "paid", "secret-order", "secret-words, again")
    return run


def everything(run: UUID) -> str:
    """Give all that is said of the run's signals, by their rows and by the record."""
    with inside():
        rows = [str(vars(row)) for row in Signal.objects.filter(run_id=run)]
    return "\n".join([*rows, *map(str, told(f"run:{run}"))])


def test_erasing_a_run_takes_what_its_signals_said_and_what_they_were_about(shop: Shop) -> None:
    run = heard(shop)
    assert "secret" in everything(run)
    with later(**YEAR):
        erase(shop, run)
    assert "secret" not in everything(run)
    assert [(signal.state, signal.correlation, signal.body) for signal in signals()] == [
        ("taken", "[erased]", None),
        ("late", "[erased]", None),
    ]
    assert kinds(f"run:{run}").count("signal.remains") == 2
    assert findings() == []


def test_an_alteration_after_the_erasure_is_still_found(shop: Shop) -> None:
    run = heard(shop)
    with later(**YEAR):
        erase(shop, run)
    with inside():
        Signal.objects.filter(run_id=run, state="late").update(note="Nobody said this.")
    assert [finding.where.split()[0] for finding in findings()] == ["signal"]
    shop.verified = False


def test_what_comes_for_an_erased_run_leaves_only_that_it_came(shop: Shop) -> None:
    run = heard(shop)
    with later(**YEAR):
        erase(shop, run)
        late = send(shop, "paid", str(run), "secret-afterwards")
    assert (late.state, late.run_id, late.body, late.correlation) == ("late", run, None, "[erased]")
    assert "secret-afterwards" not in everything(run)
    assert findings() == []


@pytest.mark.parametrize(("name", "gone"), [("paid", True), ("kept", False)])
def test_what_nothing_took_is_let_go_by_age(shop: Shop, name: str, gone: bool) -> None:
    send(shop, name, "secret-order", "secret-words", keep_seconds=60 if gone else 30 * 86400)
    with clock.at(11 * clock.DAY):
        sweep()
        with crossing_tenants():
            let_go(shop.office, MESSAGES, shop.tenant.pk, timedelta(days=10), "by age", set())
    (left,) = signals()
    assert (left.state, left.body is None) == (("expired", True) if gone else ("kept", False))
