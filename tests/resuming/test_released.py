"""A run that waited when it was set aside waits on when it is released, unless what it waited for has come (R-H4, R-I1)."""

from uuid import UUID

from runs.resuming.quarantine import release, set_aside
from runs.signals import receiving
from runs.signals.drafts import SignalDraft
from tests import clock
from tests.pending import key, open_wait, signal, timer, waits
from tests.shop import Shop, draft
from tests.work import claim, sweep

WHY = "It does odd things."


def aside(shop: Shop) -> UUID:
    """Have a run set aside that waits for a signal, or for an hour, whichever comes first."""
    run = shop.accept(draft("a"))
    open_wait(
        shop,
        run,
        signal("reply", "order-1", name="reply"),
        timer(3600, name="hour", expires_seconds=7000, on_expiry="fail"),
    )
    set_aside(shop.actor("oscar"), run, reason=WHY, key=key())
    assert (shop.state(run), waits(run)) == ("quarantined", {"reply": "open", "hour": "open"})
    return run


def test_it_waits_on_and_what_it_waits_for_wakes_it(shop: Shop) -> None:
    run = aside(shop)
    assert release(shop.actor("oscar"), run, reason="It was the calendar.", key=key())["state"] == "waiting"
    assert (waits(run), shop.run(run).open_waits, shop.run(run).attention) == ({"reply": "open", "hour": "open"}, 2, "")
    assert claim() == []
    receiving.send(shop.bot, SignalDraft("reply", "order-1", {}), key=key())
    assert (shop.state(run), waits(run)) == ("running", {"reply": "met", "hour": "withdrawn"})
    assert shop.run(run).resume_due


def test_what_came_while_it_was_aside_has_it_go_on_and_its_other_waits_are_over(shop: Shop) -> None:
    run = aside(shop)
    receiving.send(shop.bot, SignalDraft("reply", "order-1", {}), key=key())
    assert (shop.state(run), waits(run)) == ("quarantined", {"reply": "met", "hour": "open"})
    assert release(shop.actor("oscar"), run, reason="It was the calendar.", key=key())["state"] == "running"
    assert (waits(run), shop.run(run).open_waits) == ({"reply": "met", "hour": "withdrawn"}, 0)
    with clock.at(7100):
        sweep()
    assert shop.state(run) != "failed", "an old wait gives up no run that went on (TIM-02)"
