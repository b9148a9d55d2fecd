"""A pass of the clock over work that waits for its time touches hardly more the more of it there is (buffers, not milliseconds)."""

from console.database import crossing_tenants
from runs import sweep
from tests.shop import Shop, draft
from tests.superuser import hand
from tests.touched import Touched, touched
from tests.waiting import fill

FEW, MANY = 3_000, 30_000  # a sixth of them are unknown, each with a finding that waits; each run waits for something


def a_pass() -> Touched:
    """Let the clock pass once and count what it touched."""
    with crossing_tenants():
        sweep.sweep()  # what the first pass reads of the catalogue is not counted
        with touched() as found:
            passed = sweep.sweep()
    assert set(passed.values()) == {0}, passed
    return found


def test_a_pass_with_nothing_due_touches_hardly_more_however_much_waits(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("asked", "250"))
    shop.verified = False
    with hand().transaction():
        hand().execute(
            "update runs_effect set next_attempt_at = cf_now() + interval '1 day' where run_id = %s and key = 'a'",
            [run],
        )
    fill(hand(), run, 1, FEW)
    few = a_pass()
    fill(hand(), run, FEW + 1, MANY)
    many = a_pass()
    assert few.buffers > 0
    assert many.buffers <= 2 * few.buffers, (few.buffers, many.buffers, many.most())
    assert len(many.statements) == len(few.statements)
