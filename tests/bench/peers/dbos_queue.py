"""DBOS Transact: a workflow of five steps on a queue, enqueued by another process; its own tables on the same PostgreSQL.

A step's result is committed after the call; before it there is only the workflow's own row.
"""

import os
import sys
import threading
import time
from typing import Any

import psycopg
from dbos import DBOS, DBOSClient

from tests.bench.peers.paying import EFFECTS, pay
from tests.bench.program import obey

CONCURRENCY = 16
POLL_SECONDS = 0.05
SUBMITTERS = 4
DONE = "select count(*) from dbos.workflow_status where status = 'SUCCESS' and workflow_uuid like %s"


@DBOS.step()
def effect(key: str) -> str:
    """One call of the bank."""
    return pay(key)


@DBOS.workflow(name="errand")
def errand(run: str) -> str:
    """Five effects one after the other."""
    for step in range(EFFECTS):
        effect(f"{run}:{step}")
    return "done"


def launch() -> None:
    """Start DBOS in this process; the first time it makes its tables."""
    DBOS(
        config={
            "name": "bench",
            "system_database_url": os.environ["DATABASE_OWNER_URL"],
            "executor_id": os.environ.get("BENCH_EXECUTOR", "prepare"),
            "application_version": "1",
            "log_level": "WARNING",
            "max_executor_threads": CONCURRENCY + 8,
            "sys_db_pool_size": 20,
        }
    )
    DBOS.launch()
    DBOS.register_queue(
        "bench", worker_concurrency=CONCURRENCY, polling_interval_sec=POLL_SECONDS, on_conflict="always_update"
    )


def prepare() -> None:
    """Make the tables."""
    launch()
    DBOS.destroy()


def work() -> None:
    """Work the queue until the input ends."""
    launch()
    obey({})
    os._exit(0)


def load(runs: int, name: str) -> dict[str, Any]:
    """Enqueue runs from a few threads and see the last one done."""
    client = DBOSClient(system_database_url=os.environ["DATABASE_OWNER_URL"])

    def submit(first: int) -> None:
        for number in range(first, runs, SUBMITTERS):
            run = f"{name}-{number}"
            client.enqueue({"queue_name": "bench", "workflow_name": "errand", "workflow_id": run}, run)

    began = time.monotonic()
    threads = [threading.Thread(target=submit, args=[first]) for first in range(SUBMITTERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    submitted = time.monotonic()
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as connection:
        while connection.execute(DONE, [f"{name}-%"]).fetchone() != (runs,):
            time.sleep(0.1)
    return {"seconds": time.monotonic() - began, "submitting_seconds": submitted - began}


if __name__ == "__main__":
    {"prepare": prepare, "work": work, "submit": lambda: obey({"load": load})}[sys.argv[1]]()
