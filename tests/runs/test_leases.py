"""Leases: what a vanished worker held goes on by what was recorded; a write that may have left is unknown and is not sent again (R-F1)."""

import pytest

from console.database import rows
from runs.leases import RENEW
from tests import clock
from tests.cast import inside
from tests.record import told
from tests.shop import Shop, draft
from tests.superuser import hand
from tests.work import LEASE, WORKER, Row, claim, claimed, end_leases, settle, sweep


def mark(row: Row) -> None:
    """Write, as the workshop does just before the socket, that the request may leave from now on."""
    with inside():
        rows("update runs_attempt set sent_mark_at = cf_now() where id = %s returning id", [row["attempt_id"]])


def test_a_write_that_may_have_left_is_unknown_and_is_asked_about_at_once(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    claim()
    with clock.at(LEASE + 1):
        assert sweep() == {"leases ended": 1, "alerts posted": 1}
        effect, attempt = shop.effect(run, "a"), shop.attempts(run, "a")[0]
        assert (effect.state, effect.state_reason, effect.unknown_since) == (
            "unknown",
            "the worker vanished",
            attempt.ended_at,
        )
        assert (attempt.state, attempt.outcome, attempt.sent, attempt.lease_expires_at) == (
            "lost",
            "unknown",
            None,
            None,
        )
        assert claimed()["kind"] == "status"


def test_a_read_is_simply_done_again(shop: Shop) -> None:
    run = shop.accept(draft("a", operation="look"))
    first = claimed()
    with clock.at(LEASE + 1):
        sweep()
        effect, attempt = shop.effect(run, "a"), shop.attempts(run, "a")[0]
        assert (effect.state, effect.outcome, attempt.outcome) == ("ready", "not_sent", "not_sent")
        second = claimed()
    assert (second["kind"], second["number"], second["fence"]) == ("act", 2, first["fence"] + 1)


def test_a_write_that_was_marked_as_not_yet_sent_is_done_again(shop: Shop) -> None:
    run = shop.accept(draft("a", operation="wire"))
    claim()
    with clock.at(LEASE + 1):
        sweep()
        attempt = shop.attempts(run, "a")[0]
        assert (shop.states(run), attempt.outcome, attempt.sent) == ({"a": "ready"}, "not_sent", False)
        assert claimed()["kind"] == "act"


def test_a_write_that_was_marked_as_being_sent_is_unknown(shop: Shop) -> None:
    run = shop.accept(draft("a", operation="wire"))
    mark(claimed())
    with clock.at(LEASE + 1):
        sweep()
    assert (shop.states(run), shop.attempts(run, "a")[0].sent) == ({"a": "unknown"}, None)


@pytest.mark.parametrize("state", ["unknown", "accepted"])
def test_a_look_that_was_lost_leaves_it_as_it_is_to_be_asked_again(shop: Shop, state: str) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), state, delay=0)
    since = shop.effect(run, "a").unknown_since
    assert claimed()["kind"] == "status"
    with clock.at(LEASE + 1):
        sweep()
        assert (shop.states(run), shop.effect(run, "a").unknown_since) == ({"a": state}, since)
        assert [attempt.state for attempt in shop.attempts(run, "a")] == ["ended", "lost"]
        assert claimed()["kind"] == "status"


def test_a_look_that_kills_its_worker_again_and_again_is_made_ever_more_seldom_and_never_given_up(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "unknown", delay=0)
    at, pauses = 0.0, []
    for _ in range(5):
        with clock.at(at):
            assert claimed()["kind"] == "status"
        at += LEASE + 1
        with clock.at(at):
            sweep()
            effect = shop.effect(run, "a")
            lost = shop.attempts(run, "a")[-1]
            assert (effect.state, effect.next_step) == ("unknown", "status")
            assert effect.next_attempt_at is not None
            assert lost.ended_at is not None
            pauses.append((effect.next_attempt_at - lost.ended_at).total_seconds())
        at += pauses[-1] + 0.5
    assert pauses == [0, 2, 4, 8, 16]
    with clock.at(at):
        settle(claimed(), "pending", delay=0)
        assert claimed()["kind"] == "status"
    with clock.at(at + LEASE + 1):
        sweep()
        assert claimed()["kind"] == "status", "one that was answered ends the row of those that were lost"


def test_however_many_looks_were_lost_it_is_looked_at_within_an_hour(shop: Shop) -> None:
    shop.verified = False
    run = shop.accept(draft("a"))
    settle(claimed(), "unknown", delay=0)
    look = claimed()
    copies = """insert into runs_attempt select copied.* from runs_attempt t, generate_series(10, 60) as i
        cross join lateral jsonb_populate_record(t, jsonb_build_object('id', md5('lost' || i), 'number', i, 'state', 'lost',
            'lease_expires_at', null)) as copied where t.id = %s"""
    with hand().transaction():
        hand().execute("set local session_replication_role = replica")
        hand().execute(copies, [look["attempt_id"]])
    with clock.at(LEASE + 1):
        sweep()
        effect = shop.effect(run, "a")
    with clock.at(LEASE + 1 + 3570):
        assert claim() == []
    with clock.at(LEASE + 1 + 3601):
        assert claimed()["kind"] == "status"
    assert effect.state == "unknown"


def test_a_lease_that_is_renewed_is_not_ended(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    with clock.at(LEASE - 1):
        renew(WORKER)
    with clock.at(LEASE + 1):
        assert sweep() == {}
        assert settle(row) == []
    assert shop.states(run) == {"a": "succeeded"}


def test_lea_03_a_sign_of_life_that_comes_a_whole_interval_late_is_in_time(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    with clock.at(2 * LEASE / 3 - 1):
        assert sweep() == {}
        renew(WORKER)
    with clock.at(LEASE + 1):
        assert sweep() == {}
        assert settle(row) == []
    assert shop.states(run) == {"a": "succeeded"}


def renew(worker: str) -> None:
    """Renew a worker's leases, as its thread does three times a lease."""
    with inside():
        held = [row["id"] for row in rows("select id from runs_attempt where worker = %s", [worker])]
        rows(RENEW, [LEASE, worker, held])


def test_a_lease_that_ran_out_is_not_renewed_by_another_worker(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    claim(worker="worker:dead")
    with clock.at(LEASE + 1):
        renew("worker:alive")
        sweep()
    assert shop.states(run) == {"a": "unknown"}


def test_a_worker_that_was_seen_to_die_is_given_up_at_once_and_no_other(shop: Shop) -> None:
    dead, alive = shop.accept(draft("dead")), shop.accept(draft("alive"))
    claim(1, worker="worker:dead")
    claim(1, worker="worker:alive")
    assert end_leases("worker:dead") == 1
    assert (shop.states(dead), shop.states(alive)) == ({"dead": "unknown"}, {"alive": "dispatched"})


def test_all_that_a_worker_held_is_given_up_in_one_pass(shop: Shop) -> None:
    one, two = shop.accept(draft("a"), draft("b", operation="look")), shop.accept(draft("c", operation="wire"))
    claim()
    with clock.at(LEASE + 1):
        assert sweep() == {"leases ended": 3, "alerts posted": 1}
    assert (shop.states(one), shop.states(two)) == ({"a": "unknown", "b": "ready"}, {"c": "ready"})


def test_an_effect_that_kills_its_worker_again_and_again_is_given_up_when_its_attempts_are_used_up(shop: Shop) -> None:
    run = shop.accept(draft("a", operation="look"), draft("after", after=["a"]), completes_itself=True)
    for number in range(3):
        assert claimed()["number"] == number + 1
        end_leases(WORKER)
    assert shop.states(run) == {"a": "failed", "after": "withdrawn"}
    assert shop.state(run) == "failed"
    assert claim() == []


def test_a_write_that_was_never_sent_is_given_up_likewise_and_one_that_may_have_left_never_is(shop: Shop) -> None:
    run = shop.accept(draft("a", operation="wire"))
    for number in range(3):
        row = claimed()
        if number == 2:
            mark(row)
        end_leases(WORKER)
    assert shop.states(run) == {"a": "unknown"}


def test_the_record_says_what_was_lost_and_by_whom_it_was_given_up(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    end_leases(WORKER)
    assert told(f"run:{run}")[-1] == (
        "attempt.lost",
        {
            "attempt": str(row["attempt_id"]), "effect": str(row["effect_id"]), "outcome": "unknown", "to": "unknown", "sent": None,
            "reason": "the worker vanished",
        },
    )  # fmt: skip


# In a run that is closing nothing is begun again


@pytest.mark.parametrize("operation", ["look", "wire"])
def test_what_would_be_done_again_is_withdrawn_when_the_run_is_closing_and_the_run_ends(
    shop: Shop, operation: str
) -> None:
    run = shop.accept(draft("a", operation=operation))
    claim()
    shop.fail(run)
    assert shop.state(run) == "closing"
    end_leases(WORKER)
    assert (shop.states(run), shop.state(run)) == ({"a": "withdrawn"}, "failed")
    assert shop.effect(run, "a").state_reason == "the run is closing"
