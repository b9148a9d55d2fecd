"""Lists: pages by an opaque cursor that fits only its list, every item once, a constant number of queries, along an index."""

import base64
from collections.abc import Callable

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from approvals.states import STATES
from console.database import rows, transaction
from tests import databases
from tests.api.desk import Answer, Caller, pay
from tests.cast import Company, work


def walk(agent: Caller, path: str, limit: int) -> list[str]:
    """Read a list page by page: the ids, or the numbers, in their order."""
    found, cursor, joint = [], "", "&" if "?" in path else "?"
    while True:
        page = agent.get(f"{path}{joint}limit={limit}{cursor}")
        assert page.status == 200, page.document
        assert len(page["items"]) <= limit
        found += [str(item.get("id") or item["seq"]) for item in page["items"]]
        if page["next_cursor"] is None:
            return found
        cursor = f"&cursor={page['next_cursor']}"


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 200])
def test_every_run_is_on_one_page_newest_first(agent: Caller, limit: int) -> None:
    made = [agent.run(key=f"k{number}") for number in range(7)]
    for run in made[::2]:
        agent.post(f"runs/{run['id']}/complete", {}, token=1)
    newest = [run["id"] for run in reversed(made)]
    assert walk(agent, "runs", limit) == newest
    assert walk(agent, "runs?mine=true", limit) == newest
    assert walk(agent, "runs?state=open", limit) == newest[1::2]
    assert walk(agent, "runs?state=ended", limit) == newest[::2]
    assert walk(agent, "runs?state=succeeded&mine=true", limit) == newest[::2]
    assert walk(agent, "runs?state=quarantined", limit) == []


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_effects_history_and_approvals_are_read_page_by_page(agent: Caller, limit: int) -> None:
    run = agent.run(*(pay(f"e{number}") for number in range(5)))
    assert walk(agent, f"runs/{run['id']}/effects", limit) == [effect["id"] for effect in run["effects"]]
    assert walk(agent, f"runs/{run['id']}/history", limit) == [str(seq) for seq in range(1, run["version"] + 1)]
    pending = [effect["approval"]["id"] for effect in run["effects"]]
    assert sorted(walk(agent, "approvals", limit)) == sorted(pending)
    for effect in run["effects"][:3]:
        agent.post(f"effects/{effect['id']}/withdraw", {}, token=1)
    assert sorted(walk(agent, "approvals?state=decided", limit)) == sorted(pending[:3])
    assert sorted(walk(agent, "approvals?state=decided&mine=true", limit)) == sorted(pending[:3])
    assert sorted(walk(agent, "approvals?state=withdrawn", limit)) == sorted(pending[:3])
    assert sorted(walk(agent, "approvals?state=pending", limit)) == sorted(pending[3:])
    for state in set(STATES) - {"pending", "withdrawn"}:
        assert walk(agent, f"approvals?state={state}", limit) == []


def test_a_page_does_not_move_when_something_new_comes(agent: Caller) -> None:
    made = [agent.run() for _ in range(4)]
    first = agent.get("runs?limit=2")
    agent.run()
    second = agent.get(f"runs?limit=2&cursor={first['next_cursor']}")
    assert [run["id"] for run in [*first["items"], *second["items"]]] == [run["id"] for run in reversed(made)]


def test_a_cursor_fits_only_the_list_the_filters_and_the_tenant_it_was_made_for(
    agent: Caller, stranger: Caller
) -> None:
    runs = [agent.run(*(pay(f"e{number}") for number in range(3))) for _ in range(3)]
    cursor = agent.get("runs?limit=1")["next_cursor"]
    assert agent.get(f"runs?cursor={cursor}").status == 200
    for path in (
        "runs?state=open&",
        "runs?mine=true&",
        "approvals?",
        f"runs/{runs[0]['id']}/effects?",
        f"runs/{runs[0]['id']}/history?",
    ):
        assert agent.get(f"{path}cursor={cursor}").code == "bad_cursor", path
    assert stranger.get(f"runs?cursor={cursor}").code == "bad_cursor"
    other = agent.get(f"runs/{runs[0]['id']}/effects?limit=1")["next_cursor"]
    assert agent.get(f"runs/{runs[1]['id']}/effects?cursor={other}").code == "bad_cursor"


def test_a_cursor_that_was_tampered_with_is_refused(agent: Caller) -> None:
    for _ in range(2):
        agent.run()
    cursor = agent.get("runs?limit=1")["next_cursor"]
    raw = bytearray(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    for place in range(len(raw)):
        changed = bytearray(raw)
        changed[place] ^= 1
        assert agent.get(f"runs?cursor={base64.urlsafe_b64encode(changed).decode().rstrip('=')}").code == "bad_cursor"
    for text in (cursor[:-1], cursor + "A", cursor + "=", cursor[::-1], "0", "é", cursor.lower()):
        assert agent.get(f"runs?cursor={text}").code == "bad_cursor"


LISTS: list[Callable[[Answer], str]] = [
    lambda run: "runs", lambda run: "runs?state=open", lambda run: "approvals", lambda run: f"runs/{run['id']}",
    lambda run: f"runs/{run['id']}/effects", lambda run: f"runs/{run['id']}/history", lambda run: f"effects/{run['effects'][0]['id']}",
    lambda run: f"approvals/{run['effects'][0]['approval']['id']}",
]  # fmt: skip


@pytest.mark.parametrize("address", LISTS)
def test_more_rows_add_no_queries(acme: Company, agent: Caller, address: Callable[[Answer], str]) -> None:
    def queries(run: Answer) -> int:
        with CaptureQueriesContext(connections["default"]) as captured:
            assert agent.get(address(run)).status == 200
        return len(captured)

    few = queries(agent.run(pay("one")))
    for _ in range(4):
        agent.run(*(pay(f"e{number}") for number in range(4)), pay("small", "1"))
    work("unknown")
    many = queries(agent.run(*(pay(f"e{number}") for number in range(4))))
    assert many == few <= 8


ADDRESSES = [
    "runs", "runs?state=open", "runs?state=ended", "runs?mine=true", "runs?mine=true&state=open", "runs?state=failed",
    "runs?state=quarantined",    "approvals", "approvals?mine=true", "approvals?state=decided", "approvals?state=decided&mine=true",
    "approvals?state=denied", "approvals?state=lapsed", "approvals?state=denied&mine=true",
]  # fmt: skip


def multiply(table: str, times: int, **changed: str) -> None:
    """Make many rows of one, changed as said (SQL; `g` counts)."""
    with databases.as_superuser(databases.name()) as hand:
        hand.execute("set session_replication_role = replica")
        found = hand.execute("select column_name from information_schema.columns where table_name = %s", [table])
        columns = [name for (name,) in found.fetchall()]
        values = [changed.get(name, f"r.{name}") for name in columns]
        hand.execute(
            f"insert into {table} ({', '.join(columns)}) select {', '.join(values)} from {table} r, generate_series(1, {times}) g"
        )
        hand.execute(f"analyze {table}")
        hand.commit()


@pytest.fixture
def many(acme: Company, agent: Caller) -> None:
    """Very many runs and requests, a few of them open."""
    agent.run(pay("a"))
    multiply(
        "runs_run", 20_000, id="gen_random_uuid()", key="'g' || g", created_at="r.created_at - g * interval '1 second'",
        state="case when g % 50 = 0 then 'running' when g % 3 = 0 then 'failed' else 'succeeded' end",
        ended_at="case when g % 50 = 0 then null else r.created_at end",
    )  # fmt: skip
    multiply(
        "approvals_request", 20_000, id="gen_random_uuid()", subject="gen_random_uuid()",
        created_at="r.created_at - g * interval '1 second'", decide_by="r.decide_by + g * interval '1 second'",
        state="case when g % 50 = 0 then 'pending' when g % 3 = 0 then 'denied' else 'expired' end",
        decided_at="case when g % 50 = 0 then null else r.created_at - g * interval '1 second' end",
    )  # fmt: skip


def test_lists_go_along_an_index(acme: Company, agent: Caller, many: None) -> None:
    for address in ADDRESSES:
        cursor = agent.get(address)["next_cursor"]
        joint = "&" if "?" in address else "?"
        with CaptureQueriesContext(connections["default"]) as captured:
            assert agent.get(f"{address}{joint}cursor={cursor}" if cursor else address).status == 200
        asked = [
            query["sql"] for query in captured if '"runs_run"' in query["sql"] or '"approvals_request"' in query["sql"]
        ]
        assert asked
        for sql in asked:
            with transaction(acme.tenant.pk):
                plan = "\n".join(row["QUERY PLAN"] for row in rows("explain " + sql.replace("%", "%%")))
            assert "Seq Scan on runs_run " not in plan, (address, plan)
            assert "Seq Scan on approvals_request " not in plan, (address, plan)
