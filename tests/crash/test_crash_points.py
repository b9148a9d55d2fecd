"""A worker killed at each place of an attempt: what was recorded says what may have happened, and the other side says what did."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.stack import Stack, stack
from tests.processes import until

pytestmark = pytest.mark.crash


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with stack(tmp_path_factory.mktemp("crash-points")) as made:
        made.start_bank("--no-idempotency")
        made.start_web()
        made.start_clock()
        yield made


def a_refund(here: Stack, key: str, order: str) -> str:
    """Post a run of one small refund; gives the effect's id."""
    effect = {"key": "refund", "operation": "refund", "arguments": {"order": order, "amount": "10.00"}}
    run = here.post_surely(
        "/api/v1/runs",
        {"run_type": "customer-case", "goal": f"Refund {order}", "completes_itself": True, "effects": [effect]},
        key,
    )
    return str(here.rows("select id from runs_effect where run_id = %s", [run["id"]])[0][0])


def state_of(here: Stack, effect: str) -> str:
    return str(here.rows("select state from runs_effect where id = %s", [effect])[0][0])


def in_the_ledger(here: Stack, effect: str) -> int:
    return sum(entry["key"] == f"cf-{effect}" for entry in here.bank("/ledger")["entries"])


def test_what_was_recorded_stays_recorded_when_the_worker_dies_just_after(here: Stack, tmp_path: Path) -> None:
    worker = here.start_worker(CRASH_AT="result.after_commit:1:kill", CRASH_ONCE=str(tmp_path / "struck"))
    effect = a_refund(here, "crash-after", "A-after")
    assert until((tmp_path / "struck").exists)
    assert state_of(here, effect) == "succeeded"
    assert in_the_ledger(here, effect) == 1
    worker.terminate()
    worker.wait(90)


@pytest.mark.parametrize(
    ("place", "happened"),
    [
        ("claim.after_commit", False),
        ("dispatch.before_socket", False),
        ("dispatch.response_received", True),
        ("result.before_commit", True),
    ],
)
def test_a_write_whose_worker_died_is_unknown_until_the_other_side_is_asked(
    here: Stack, tmp_path: Path, place: str, happened: bool
) -> None:
    worker = here.start_worker(CRASH_AT=f"{place}:1:kill", CRASH_ONCE=str(tmp_path / "struck"))
    effect = a_refund(here, f"crash-{place}", f"A-{place}")
    try:
        assert until((tmp_path / "struck").exists)
        # The parent saw its shift die and gave up what it held, long before the lease (6 s here) would have run out.
        assert until(lambda: state_of(here, effect) != "dispatched")
        if happened:  # the next shift asks by the effect's key, and finds it
            assert until(lambda: state_of(here, effect) == "succeeded"), state_of(here, effect)
        else:  # absence proves nothing by this contract: it stays unknown, and is not sent again
            assert until(
                lambda: (
                    here.rows("select count(*) from runs_attempt where effect_id = %s and kind = 'status'", [effect])[
                        0
                    ][0]
                    > 0
                ),
            )
            assert state_of(here, effect) == "unknown"
        assert in_the_ledger(here, effect) == int(happened)
        kinds = here.rows(
            "select kind, count(*) from runs_attempt where effect_id = %s and kind = 'act' group by 1", [effect]
        )
        assert kinds == [("act", 1)], "it was begun a second time"
    finally:
        worker.terminate()
        worker.wait(90)


def test_a_deploy_makes_no_unknowns_out_of_healthy_calls(here: Stack) -> None:
    here.tell_bank("/script", {"switches": {"latency_seconds": 5}})
    effects = [a_refund(here, f"drain-{number}", f"A-drain-{number}") for number in range(5)]
    worker = here.start_worker(LEASE_SECONDS="30", DRAIN_SECONDS="60")  # it may be slow for other reasons than the bank
    assert until(lambda: all(state_of(here, effect) == "dispatched" for effect in effects))
    worker.terminate()
    worker.wait(90)
    assert {state_of(here, effect) for effect in effects} == {"succeeded"}
    here.tell_bank("/script", {"switches": {"latency_seconds": 0}})


def test_the_record_holds_after_all_that(here: Stack) -> None:
    here.check()
