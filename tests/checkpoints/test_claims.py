"""RES-04: what an agent's state claims of effects is never taken for true; what is not so is flagged, and the record stands."""

from typing import Any

from tests.checkpoints.keeping import checkpoint, keep
from tests.record import findings
from tests.shop import Shop, draft
from tests.work import claim


def test_a_state_that_claims_an_approval_changes_nothing_and_is_flagged(shop: Shop) -> None:
    run = shop.accept(draft("e", "200"))
    effect = shop.effect(run, "e")
    receipt = keep(shop, run, {"effects": [{"key": "e", "state": "succeeded", "approval": "approved"}]})
    assert receipt["contradictions"] == [
        {"effect": str(effect.pk), "claim": "state", "claimed": "succeeded", "is": "awaiting_approval"},
        {"effect": str(effect.pk), "claim": "approval", "claimed": "approved", "is": "pending"},
    ]
    assert shop.effect(run, "e").state == "awaiting_approval"
    assert claim() == []
    assert checkpoint(run).contradictions
    assert findings() == []


def test_a_state_that_is_right_is_not_flagged(shop: Shop) -> None:
    run = shop.accept(draft("e", "200"), draft("a"))
    asked, ready = shop.effect(run, "e"), shop.effect(run, "a")
    of_asked = {"id": str(asked.pk), "state": "awaiting_approval", "approval": "pending"}
    state: Any = {"effects": [of_asked, {"id": str(ready.pk), "state": "ready"}]}
    assert keep(shop, run, state)["contradictions"] == []
    assert checkpoint(run).contradictions == ""


def test_an_effect_that_there_is_not_is_flagged(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    assert keep(shop, run, {"effects": [{"key": "never", "state": "succeeded"}]})["contradictions"] == [
        {"effect": "never", "claim": "state", "claimed": "succeeded", "is": None}
    ]


def test_a_text_that_is_json_is_looked_at_too(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    receipt = keep(shop, run, text='{"effects": [{"key": "a", "state": "failed"}]}')
    assert [each["is"] for each in receipt["contradictions"]] == ["ready"]


def test_states_of_other_forms_claim_nothing(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    states: list[Any] = [
        [1],
        "text",
        {"effects": "a"},
        {"effects": [1, {"key": 3, "state": "x"}, {"key": "a"}, {"key": "a", "state": 7}]},
    ]
    assert [keep(shop, run, state)["contradictions"] for state in states] == [[]] * 4
