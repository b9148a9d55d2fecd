"""R-M1: what users said of a run is erased with it; that they corrected it, and what was withdrawn for it, remains."""

from tests.cast import later
from tests.corrections import acknowledge, correct, corrections
from tests.limits import use
from tests.record import findings
from tests.retention.test_erasing import YEAR, erase, everything
from tests.shop import Shop, draft


def test_what_a_user_said_is_erased_and_what_it_withdrew_remains(shop: Shop) -> None:
    run = shop.accept(draft("dear", "60"), limits={"tokens": 100})
    correct(
        shop,
        run,
        "secret-word",
        source="secret-message",
        operation="pay",
        argument="amount",
        must={"op": "lte", "value": "50.1234567"},
    )
    acknowledge(shop, run)
    use(shop, run, tokens=7, note="secret-note")
    withdrawn = shop.effect(run, "dear").pk
    shop.complete(run)
    with later(**YEAR):
        erase(shop, run)
        [made] = corrections(run)
        left = everything(run) + str(vars(made))
        assert [word for word in ("secret", "50.1234567") if word in left] == []
        assert (made.text, made.invalidated, made.made_by, shop.run(run).used_tokens) == (
            "[erased]",
            [withdrawn],
            str(shop.bot),
            7,
        )
        assert findings() == []
