"""The emergency stop: nothing begins, nobody is asked anew, and no yes is counted; a no is always taken (R-N4)."""

from uuid import uuid4

import pytest

from runs.pausing import deciding
from runs.pausing.sentences import STOPPED
from runs.pausing.standing import EmergencyStop
from runs.sentences import About, sentence
from tests.halting import EMERGENCY, EVERYTHING, lift, pause, stored
from tests.record import findings, told
from tests.shop import Shop, draft, money
from tests.work import claim, claimed, follow, settle, sweep


def approve(shop: Shop, run: object, key: str = "dear", by: str = "ann") -> dict[str, object]:
    """Have a member approve, as the page does."""
    request = shop.request(run, key)  # type: ignore[arg-type]
    return deciding.approve(
        shop.actor(by), request.pk, shown_digest=request.subject_digest.hex(), reason="", key=f"approve-{uuid4()}"
    )


def test_what_would_be_asked_is_denied_and_not_parked(shop: Shop) -> None:
    pause(shop, EMERGENCY)
    run = shop.accept(draft("dear", "250"), draft("small"), draft("after", after=["dear"]))
    assert shop.states(run) == {"dear": "denied", "small": "ready", "after": "withdrawn"}
    assert (shop.effect(run, "dear").state_reason, shop.effect(run, "dear").request_id) == (STOPPED, None)
    assert claim() == []


def test_what_is_denied_for_it_says_so_in_the_history(shop: Shop) -> None:
    pause(shop, EMERGENCY)
    run = shop.accept(draft("dear", "250"))
    said = [sentence(kind, facts, About({}, {})) for kind, facts in told(f"run:{run}")]
    assert any("everything is stopped, so nobody is asked, and it is denied" in line for line in said)


def test_what_comes_to_its_turn_and_would_be_asked_is_denied(shop: Shop) -> None:
    run = shop.accept(draft("first"), draft("dear", "250", after=["first"]))
    row = claimed()
    pause(shop, EMERGENCY)
    settle(row)
    sweep()
    assert shop.states(run) == {"first": "succeeded", "dear": "denied"}
    assert shop.effect(run, "dear").state_reason == STOPPED


def test_no_yes_is_counted_and_a_no_is(shop: Shop) -> None:
    wanted, unwanted = shop.accept(draft("dear", "250")), shop.accept(draft("dear", "250"))
    stop = pause(shop, EMERGENCY, reason="Money goes the wrong way.")
    with pytest.raises(EmergencyStop) as refused:
        approve(shop, wanted)
    assert refused.value.facts["reason"] == "Money goes the wrong way."
    assert shop.request(wanted, "dear").state == "pending"
    assert shop.deny(shop.request(unwanted, "dear"), reason="No.")["state"] == "denied"
    lift(shop, stop)
    assert approve(shop, wanted)["state"] == "approved"


def test_what_was_approved_before_is_not_begun(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    approve(shop, run)
    stop = pause(shop, EMERGENCY)
    follow()
    assert (claim(), shop.states(run)) == ([], {"dear": "ready"})
    lift(shop, stop)
    sweep()
    assert claimed()["key"] == "dear"


def test_a_plain_pause_of_everything_lets_people_decide(shop: Shop) -> None:
    pause(shop, EVERYTHING)
    run = shop.accept(draft("dear", "250"))
    assert approve(shop, run)["state"] == "approved"
    follow()
    assert (claim(), shop.states(run)) == ([], {"dear": "ready"})


def test_a_new_policy_denies_nothing_that_waits_while_everything_is_stopped(shop: Shop) -> None:
    """What waits would be asked anew, and what is asked anew would be denied: so it waits until the stop is lifted."""
    run = shop.accept(draft("dear", "250"))
    stop = pause(shop, EMERGENCY)
    shop.apply(money(version=2))
    assert sweep() == {}
    assert shop.states(run) == {"dear": "awaiting_approval"}
    lift(shop, stop)
    assert sweep() == {"effects judged again": 1, "pauses released": 1}
    assert shop.states(run) == {"dear": "awaiting_approval"}


def test_the_rival_is_asked_as_ever(shop: Shop, rival: Shop) -> None:
    pause(shop, EMERGENCY)
    assert rival.states(rival.accept(draft("dear", "250"))) == {"dear": "awaiting_approval"}


def test_the_record_holds_after_an_emergency(shop: Shop) -> None:
    stop = pause(shop, EMERGENCY)
    shop.accept(draft("dear", "250"), draft("small"), completes_itself=True)
    lift(shop, stop)
    assert stored(stop).lifted_at is not None
    assert findings() == []
