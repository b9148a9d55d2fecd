"""Many runs that wake at the same second: one pass wakes all of them, once each, in batches of their own."""

import os
import time
from datetime import UTC, datetime
from uuid import UUID

import pytest

from console.database import crossing_tenants, rows
from runs import sweep as passing
from tests import clock
from tests.bench.waiters import RUNS, TOLD, WAITS
from tests.cast import inside
from tests.pending import open_wait, timer
from tests.shop import Shop
from tests.superuser import hand

MANY = int(os.environ.get("WAKING_RUNS", "1100"))  # of a limit of 500 two full batches, and some
STATES = """
select state, count(*) as n from runs_run where id in (select md5('waiter' || i)::uuid from generate_series(1, %s) as i) group by 1
"""


@pytest.fixture
def many(shop: Shop) -> UUID:
    """A run that waits for a time, and many copies of it that wait for one and the same second."""
    run = shop.accept(deadline_seconds=86400)
    open_wait(shop, run, timer(80000, name="pattern"))
    shop.verified = False  # the copies have no record of their own from before
    superuser = hand()
    superuser.execute("set session_replication_role = replica")
    for sql in (RUNS, WAITS):
        superuser.execute(sql.encode(), {"run": run, "from": 1, "to": MANY, "due": datetime.now(UTC), "apart": 0})
    superuser.execute("update runs_wait set due_at = cf_now() + interval '1 hour' where run_id <> %s", [run])
    superuser.execute("reset session_replication_role")
    for table in ("runs_run", "runs_wait"):
        superuser.execute(f"analyze {table}".encode())
    return run


def test_one_pass_wakes_them_all_once_each(shop: Shop, many: UUID) -> None:
    with clock.at(clock.HOUR + 1), crossing_tenants():
        began = time.monotonic()
        found = passing.sweep()
        print(f"{MANY} runs in {time.monotonic() - began:.2f} s")
        assert found["times come"] == MANY
        assert passing.sweep()["times come"] == 0
    with inside():
        assert [(row["state"], row["n"]) for row in rows(STATES, [MANY])] == [("running", MANY)]
        assert rows(TOLD, [1, MANY])[0] == {"entries": MANY, "runs": MANY}
    assert shop.state(many) == "waiting", "its own time has not come"
