"""A driver that stood still past its lease and goes on unaware of that changes nothing any more, whatever it writes (LEA-01, LEA-05)."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, cast

import pytest
import redis

from console.env import BASE_DIR
from runs.ownership.acquiring import RunHeld, acquire
from runs.ownership.renewing import renew
from runs.resuming.facts import Asked
from runs.resuming.resume import resume
from tests import clock, databases
from tests.api.desk import Caller, key_for
from tests.api.serving import Server, serving
from tests.permits import begin, with_permits
from tests.record import findings
from tests.shop import Shop, draft
from tests.work import claimed, settle, sweep

LEASE = 60


@pytest.fixture(scope="module")
def server(django_db_setup: Any) -> Iterator[Server]:
    """The web server, as a process of its own."""
    with serving() as running:
        yield running


def test_a_driver_that_wakes_after_another_took_over_is_refused_everything(shop: Shop, server: Server) -> None:
    with_permits(shop)
    run = shop.accept(draft("label it", operation="label"), holder="first")
    effect = shop.effect(run, "label it")
    permit, key = begin(shop.bot, effect), key_for(cast("Any", shop))
    command = [
        sys.executable,
        "-m",
        "tests.api.zombie",
        str(server.port),
        key,
        str(run),
        str(effect.pk),
        permit["attempt"],
    ]
    with subprocess.Popen(command, cwd=BASE_DIR, stdout=subprocess.PIPE, text=True) as zombie:
        assert zombie.stdout is not None
        try:
            assert zombie.stdout.readline() == "alive\n"
            zombie.send_signal(signal.SIGSTOP)
            with clock.at(LEASE + 5):
                taken = resume(shop.bot, run, Asked("second", {}, None, None), key="resume")
                assert taken["epoch"] == 2
                sweep()
                before, unsure = shop.run(run), shop.effect(run, "label it")
                zombie.send_signal(signal.SIGCONT)
                *_, last = zombie.stdout.read().splitlines()
                after = shop.run(run)
        finally:
            zombie.kill()
    written = json.loads(last)
    assert written.pop("report") == "lease_lost"
    assert set(written.values()) == {"stale_token"}, written
    assert (after.state, after.epoch, after.lease_holder, after.ledger_seq - before.ledger_seq) == (
        "running",
        2,
        "second",
        1,
    )
    assert (unsure.state, shop.effect(run, "label it").state) == ("unknown", "unknown")
    [attempt] = shop.attempts(run, "label it")
    assert (attempt.state, attempt.late_outcome) == ("lost", "succeeded")  # kept as evidence, and only that
    listed = Caller(key).get(f"runs/{run}/refusals?limit=50")["items"]
    assert len([each for each in listed if each["code"] == "stale_token"]) == len(written)
    assert findings() == []


def test_who_has_a_run_is_known_without_redis(shop: Shop) -> None:
    run = shop.accept(draft("a"), holder="first")
    redis.Redis.from_url(databases.variables()["REDIS_URL"], protocol=2).flushall()
    with pytest.raises(RunHeld):
        acquire(shop.bot, run, holder="second", key="too-early")
    assert renew(shop.bot, run, epoch=1)["epoch"] == 1
    settle(claimed())
    assert shop.complete(run)["state"] == "succeeded"
