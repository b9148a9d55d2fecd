"""Pausing and lifting beside claims: what is stopped is stopped whole, and nothing that was stopped is forgotten (R-A3, R-N4)."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

import psycopg
import pytest

from console.database import rows
from runs.pausing.pausing import Subject
from tests import databases
from tests.cast import inside
from tests.halting import EMERGENCY, EVERYTHING, lift, of_operation, of_run, of_type, pause, release, stored
from tests.permits import begin, ready, with_permits
from tests.races.at_once import answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim, sweep

ROUNDS = 8
SCOPES: dict[str, Callable[[UUID], Subject]] = {
    "run": of_run, "operation": lambda run: of_operation(), "run type": lambda run: of_type(), "tenant": lambda run: EVERYTHING,
}  # fmt: skip


@pytest.mark.parametrize("scope", SCOPES)
def test_pausing_and_claiming_at_once(shop: Shop, scope: str) -> None:
    """Either the claim was first and it is under way, or it is parked; after the pause no claim begins anything."""
    for number in range(ROUNDS):
        run = shop.accept(draft(f"a{number}"))
        standing, _ = at_once(partial(pause, shop, SCOPES[scope](run)), claim)
        assert isinstance(standing, UUID), standing
        began = shop.states(run)[f"a{number}"]
        assert began in {"dispatched", "ready"}
        assert claim() == []
        assert shop.states(run)[f"a{number}"] == began
        assert kinds(f"run:{run}").count("attempt.dispatched") == (began == "dispatched")
        lift(shop, standing)
        sweep()
        claim()
        assert shop.states(run) == {f"a{number}": "dispatched"}


@pytest.mark.parametrize("scope", SCOPES)
def test_lifting_and_claiming_at_once_forgets_nothing(shop: Shop, scope: str) -> None:
    """Whatever the claim saw, what it parked is due again when the pause is gone."""
    for number in range(ROUNDS):
        run = shop.accept(draft(f"a{number}"))
        standing = pause(shop, SCOPES[scope](run))
        lifted, claimed = at_once(partial(lift, shop, standing), claim)
        assert lifted["receipt"] == "lifted"
        sweep()
        assert stored(standing).released_at is not None
        later = claim()
        assert len(claimed) + len(later) == 1, (claimed, later)
        assert shop.states(run) == {f"a{number}": "dispatched"}


def test_a_claim_that_saw_the_pause_holds_up_its_lifting(shop: Shop) -> None:
    """It parks under the pause: so the pause is lifted only when that is written, and the clock finds it."""
    run = shop.accept(draft("a"))
    standing = pause(shop, EVERYTHING)
    with psycopg.connect(databases.variables()["DATABASE_WORKER_URL"]) as other:
        parked = other.execute(
            "select count(*) from runs_claim('worker:other', 30, array[gen_random_uuid()], '{}', array['act'])"
        ).fetchone()
        assert parked == (0,)
        waits = at_once(partial(lift, shop, standing), partial(_commit_once_it_blocks, other))
        assert waits[1], "the lifting waited for the claim"
    assert waits[0]["receipt"] == "lifted"
    assert shop.effect(run, "a").next_attempt_at is None
    assert release() == 1
    assert [row["key"] for row in claim()] == ["a"]


def blocked_by(other: psycopg.Connection, tries: int = 2000) -> bool:
    """Wait until somebody waits for this connection's transaction; tells whether anybody did."""
    asked = (
        "select exists (select from pg_stat_activity where %s = any (pg_blocking_pids(pid))) as waits, pg_sleep(0.02)"
    )
    for _ in range(tries):
        with inside():  # of one transaction all see the same
            if rows(asked, [other.info.backend_pid])[0]["waits"]:
                return True
    return False


def test_two_pause_the_same_at_once_and_one_pause_stands(shop: Shop) -> None:
    for _ in range(ROUNDS):
        became = at_once(*[partial(pause, shop, of_operation(), name) for name in ("oscar", "dora")])
        assert (len(answers(became)), refusals(became)) == (1, ["already_paused"])
        lift(shop, answers(became)[0])


def test_two_lift_the_same_at_once_and_one_did(shop: Shop) -> None:
    for _ in range(ROUNDS):
        standing = pause(shop, EMERGENCY)
        became = at_once(*[partial(lift, shop, standing)] * 2)
        assert (len(answers(became)), refusals(became)) == (1, ["already_lifted"])
    assert kinds(f"tenant:{shop.tenant.pk}").count("pause.lifted") == ROUNDS


def test_a_permit_and_a_pause_of_the_run_at_once(shop: Shop) -> None:
    bench = with_permits(shop)
    for _ in range(ROUNDS):
        effect = ready(bench)
        permit, standing = at_once(partial(begin, bench.bot, effect), partial(pause, bench, of_run(effect.run_id)))
        assert isinstance(standing, UUID), standing
        if refusals([permit]):
            assert (permit.code, bench.attempts(effect.run_id, "a")) == ("paused", [])
        else:
            assert bench.states(effect.run_id) == {"a": "dispatched"}


def _commit_once_it_blocks(other: psycopg.Connection) -> bool:
    """Commit once somebody waits for what this transaction holds; tells whether anybody did."""
    waited = bool(blocked_by(other))
    other.commit()
    return waited
