"""Those who look after a run are told what a correction stopped, once, and not what the user said (R-H1)."""

from console.notices.models import Copy, Notice
from tests.cast import inside
from tests.corrections import correct
from tests.shop import Shop, draft
from tests.work import claimed


def told() -> list[Notice]:
    """Give the notices of corrections."""
    with inside():
        return list(Notice.objects.filter(kind="run.corrected"))


def test_what_it_withdrew_and_what_is_under_way_is_told_to_operators_and_to_the_agents_owner(shop: Shop) -> None:
    run = shop.accept(draft("begun", "60"))
    claimed()
    shop.propose(run, draft("rent", "250"))
    correct(shop, run, "secret-words", operation="pay", argument="amount", must={"op": "lte", "value": 50})
    [notice] = told()
    assert (notice.about, notice.title) == (run, "Corrected: Pay bob")
    assert "Correction 1 withdrew 1 effect that had not begun." in notice.text
    assert "It contradicts 1 effect under way" in notice.text
    assert "secret-words" not in notice.text
    with inside():
        who = set(Copy.objects.filter(notice=notice).values_list("member_id", flat=True))
    assert who == {shop.members["oscar"].pk, shop.agent.owner_id}


def test_a_correction_that_stops_nothing_is_told_to_nobody_but_the_driver(shop: Shop) -> None:
    run = shop.accept(draft("gas", "40"))
    correct(shop, run, "Be polite.")
    assert told() == []
