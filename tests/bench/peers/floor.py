"""The floor: no framework, just what one would write by hand with psycopg and threads.

For each effect the intent is committed, the bank is called, the result is committed. One thread of each process claims runs in
small batches, the others work them.
"""

import os
import queue
import sys
import threading
import time
from typing import Any

import psycopg

from tests.bench.peers.paying import EFFECTS, pay
from tests.bench.program import obey

THREADS = 32
TABLES = """
    create table runs (id text primary key, state text not null default 'queued', created_at timestamptz not null default now());
    create index on runs (created_at) where state = 'queued';
    create table effects (
        id bigint generated always as identity primary key, run_id text not null, step int not null, key text not null unique,
        state text not null, result text, created_at timestamptz not null default now(), ended_at timestamptz);
"""
CLAIM = """
    update runs set state = 'running' where id in (
        select id from runs where state = 'queued' order by created_at limit %s for update skip locked)
    returning id
"""
INTENT = "insert into effects (run_id, step, key, state) values (%s, %s, %s, 'intent') returning id"
RESULT = "update effects set state = 'done', result = %s, ended_at = now() where id = %s"
DONE = "update runs set state = 'done' where id = %s"


def connect() -> "psycopg.Connection[tuple[Any, ...]]":
    """Open a connection on which each statement commits."""
    return psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True)


def prepare() -> None:
    """Make the tables."""
    with connect() as connection:
        connection.execute(TABLES)


def claim(claimed: "queue.Queue[str]") -> None:
    """Claim runs for ever."""
    with connect() as connection:
        while True:
            found = connection.execute(CLAIM, [THREADS // 4]).fetchall()
            if not found:
                time.sleep(0.01)
            for (run,) in found:
                claimed.put(run)


def work_runs(claimed: "queue.Queue[str]") -> None:
    """Work claimed runs for ever."""
    with connect() as connection:
        while True:
            run = claimed.get()
            for step in range(EFFECTS):
                key = f"{run}:{step}"
                (effect,) = connection.execute(INTENT, [run, step, key]).fetchone() or (None,)
                connection.execute(RESULT, [pay(key), effect])
            connection.execute(DONE, [run])


def work() -> None:
    """Work with a claimer and so many threads."""
    claimed: queue.Queue[str] = queue.Queue(maxsize=1)
    threads = [threading.Thread(target=work_runs, args=[claimed]) for _ in range(THREADS)]
    threads.append(threading.Thread(target=claim, args=[claimed]))
    for thread in threads:
        thread.start()
    obey({})


def load(runs: int, name: str) -> dict[str, Any]:
    """Submit runs, 50 at a time, and see the last one done."""
    with connect() as connection:
        began = time.monotonic()
        for first in range(0, runs, 50):
            batch = [f"{name}-{number}" for number in range(first, min(runs, first + 50))]
            connection.execute("insert into runs (id) select unnest(%s::text[])", [batch])
        submitted = time.monotonic()
        while connection.execute("select 1 from runs where state <> 'done' limit 1").fetchone():
            time.sleep(0.05)
        return {"seconds": time.monotonic() - began, "submitting_seconds": submitted - began}


if __name__ == "__main__":
    {"prepare": prepare, "work": work, "submit": lambda: obey({"load": load})}[sys.argv[1]]()
