"""Resolving an unknown: each exit, and what it leads to (R-F4, R-F5, UNK-07, RET-05)."""

from tests.record import kinds
from tests.shop import Shop
from tests.unsure import find, stored, unknown


def test_it_happened_and_the_run_ends(shop: Shop) -> None:
    effect = unknown(shop, completes_itself=True)
    receipt = find(shop, effect, "happened", result={"receipt": "r-77"}, reference="r-77")
    assert (receipt["state"], receipt["finding"], shop.state(effect.run_id)) == ("succeeded", "in_force", "succeeded")
    after = stored(effect)
    assert (after.result, after.operation_reference, after.ended_at is not None) == ('{"receipt":"r-77"}', "r-77", True)
    assert kinds(f"run:{effect.run_id}")[-3:] == ["resolution.made", "effect.resolved", "run.ended"]
