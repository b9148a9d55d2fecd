"""Cases RQ-01 to RQ-11: RQ and its Redis are a doorbell; what becomes of it, of workers, clock or connections, loses nothing."""

import os
import signal
from pathlib import Path

import psutil
import pytest
import redis
from django.conf import settings
from rq import Queue
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from console.doorbell import SHIFT_JOB, SHIFTS
from tests.crash.payments import Payments
from tests.processes import until

pytestmark = pytest.mark.crash


def valkey(here: Payments) -> "redis.Redis":
    return redis.Redis.from_url(here.stack.environment["REDIS_URL"], protocol=2)


def ready(here: Payments) -> dict[str, dict[str, object]]:
    """Give what the readiness page says of each part."""
    return dict(here.stack.ask("GET", "/health/ready")[1]["checks"])


def test_what_was_not_dispatched_when_worker_and_shift_were_killed_is_taken_up_from_the_record(here: Payments) -> None:
    """RQ-01"""
    first = here.stack.start_worker("first")
    here.stack.call_a_shift()
    assert until(lambda: here.stack.shift_of("first"))
    shift = here.stack.shift_of("first")
    assert shift is not None
    shift.suspend()  # it executes its job, and has not claimed anything
    effect = here.pay()
    assert here.state(effect) == "ready"
    here.stack.kill("first")
    assert first.returncode == -signal.SIGKILL
    here.stack.start_worker("second")
    assert here.all_succeed_once([effect])
    assert here.calls(effect) == 1


def test_what_waits_goes_on_once_each_when_the_bell_is_emptied_and_when_it_evicts(here: Payments) -> None:
    """RQ-02"""
    unconfirmed = here.pay_many(20, "pay-forgets-asked", "commit_and_drop")  # each is asked about at its time
    retried = here.pay_many(5, "pay-forgets-asked", {"do": "rate_limit", "seconds": 3})
    here.stack.start_worker("before")
    assert until(lambda: all(here.acts(effect) for effect in [*unconfirmed, *retried]))
    here.stack.kill("before")
    waiting = here.pay_many(25)
    here.stack.flush_valkey()
    here.stack.stop_valkey()
    here.stack.start_valkey(maxmemory="2mb", maxmemory_policy="allkeys-lru")
    waiting += here.pay_many(25)
    here.stack.start_worker("after")
    assert here.all_succeed_once([*unconfirmed, *retried, *waiting])
    assert until(lambda: ready(here)["bell"]["state"] == "evicts")
    assert here.stack.ask("GET", "/health/ready")[1]["status"] == "degraded"
    here.stack.stop_valkey()
    here.stack.start_valkey()
    assert until(lambda: ready(here)["bell"]["state"] == "ok")


def test_a_pickled_job_is_refused_and_never_loaded(here: Payments, tmp_path: Path) -> None:
    """RQ-08"""
    here.stack.flush_valkey()  # so that it is the first job that the worker finds
    mark = tmp_path / "was-loaded"
    pickled = Queue(SHIFTS, connection=valkey(here))  # pickle is what RQ takes where nobody says otherwise
    job = pickled.enqueue(os.system, f"touch {mark}")
    here.stack.start_worker("worker")
    failed = FailedJobRegistry(SHIFTS, connection=valkey(here), serializer=JSONSerializer)
    assert until(lambda: job.id in failed.get_job_ids())
    effect = here.pay()
    assert here.all_succeed_once([effect])
    assert not mark.exists()


def test_an_attempt_that_outlasts_its_shift_and_its_lease_is_let_end(here: Payments) -> None:
    """RQ-09"""
    here.stack.start_worker("worker", SHIFT_SECONDS="1")
    effect = here.pay("pay-forgets-blind-patiently", {"do": "slow", "seconds": 12})
    assert here.all_succeed_once([effect])
    assert here.attempts(effect) == [("act", "ended", "succeeded")]


def test_an_attempt_whose_job_is_killed_by_its_time_limit_all_the_same_is_unknown_and_not_failed(
    here: Payments,
) -> None:
    """RQ-09"""
    effect = here.pay("pay-forgets-blind-patiently", {"do": "slow", "seconds": 30})
    Queue(SHIFTS, connection=valkey(here), serializer=JSONSerializer).enqueue(SHIFT_JOB, job_timeout=10, at_front=True)
    here.stack.start_worker("worker")
    assert until(lambda: here.state(effect) == "unknown"), here.attempts(effect)
    assert (here.acts(effect), here.calls(effect)) == (1, 1)
    assert settings.SHIFT_LIMIT_SECONDS > 10, "which is far from what jobs really get"


def test_a_dead_clock_is_told_of_and_what_is_due_is_done_once_it_is_back(here: Payments) -> None:
    """RQ-10"""
    here.stack.kill("clock")
    here.stack.stop_valkey()
    effect = here.pay("pay-forgets-asked", {"do": "rate_limit", "seconds": 1})
    try:
        assert until(lambda: ready(here)["clock"]["state"] == "late")
        told = here.stack.ask("GET", "/health/ready")[1]
        assert (told["status"], told["checks"]["bell"]["state"]) == ("degraded", "away")
        assert told["checks"]["clock"]["age_seconds"] >= 10
    finally:
        here.stack.start_valkey()
        here.stack.start_clock()
    here.stack.start_worker("worker")
    assert here.all_succeed_once([effect])
    assert until(lambda: ready(here)["clock"]["state"] == "ok")


def test_workers_outlive_a_restarted_postgresql_and_a_database_error_in_one_job(here: Payments) -> None:
    """RQ-11"""
    worker = here.stack.start_worker("worker")
    idle = here.pay()
    assert here.all_succeed_once([idle])
    here.stack.restart_postgres()
    assert until(lambda: here.stack.ask("GET", "/health/ready")[0] == 200)
    slow = here.pay("pay-forgets-blind-patiently", {"do": "slow", "seconds": 8})
    assert until(lambda: here.state(slow) == "dispatched")
    cut = here.stack.rows(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name like 'worker:%%'", []
    )
    assert cut[0][0] > 0
    effects = [slow, *here.pay_many(20)]
    assert here.all_succeed_once(effects)
    assert worker.poll() is None
    assert psutil.Process(worker.pid).status() != psutil.STATUS_ZOMBIE
    assert {here.calls(effect) for effect in effects} == {1}


def test_the_record_holds_after_all_that(here: Payments) -> None:
    here.stack.check()
