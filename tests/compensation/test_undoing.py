"""The shop of these tests: its contracts are in force and say what they are to say."""

from runs import catalogue
from tests.cast import inside
from tests.compensation.undoing import done, items_of, plans_of
from tests.shop import Shop


def test_its_contracts_are_in_force_and_what_they_say_is_read(store: Shop) -> None:
    with inside():
        found = catalogue.operations(store.tenant.pk, ["charge", "notify", "book", "revoke"])
    charge, notify = found["charge"].document.compensation, found["notify"].document.compensation
    assert (charge.operation, charge.after) == ("refund", ("reserve",))
    assert sorted(charge.on) == ["cancelled", "expired", "failed", "partial"]
    assert (notify.operation, notify.owner, len(notify.checklist)) == (None, "support", 2)
    assert found["book"].document.compensation.unchanged
    assert found["revoke"].document.compensation.of_compensation


def test_what_was_done_gives_its_receipt_and_nothing_is_planned_yet(store: Shop) -> None:
    run = done(store, "reserve", "charge", "reserve")
    assert store.states(run) == {"reserve": "succeeded", "charge": "succeeded", "reserve-2": "succeeded"}
    assert store.effect(run, "reserve-2").result == '{"receipt":"r-reserve-2"}'
    assert (plans_of(run), items_of(run)) == ([], [])
