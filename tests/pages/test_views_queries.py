"""Every page asks a constant number of questions of the database, however many rows it shows, and asks them of an index."""

import re
from typing import Any

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from console.database import rows, transaction
from runs.models import Run
from tests import databases
from tests.cast import Company, inside, signed_in, work

MANY = 3000
PAGES = (
    "/", "/approvals", "/approvals/{request}", "/approvals?whose=others", "/approvals?sort=created", "/approvals/history", "/account",
    "/unknown", "/compensation", "/compensation?show=over", "/runs", "/runs?state=open", "/runs?state=needs", "/runs?q=order",
    "/runs/{run}", "/runs/{run}/effects/1",
    "/runs?q=dep:bank", "/runs?q=state:open+op:refund+sort:-age", "/runs?q=agent:refund-bot+age<400d+order",
    "/runs?q=type:customer-case+age>1s",
    "/runs?q=state:unknown", "/runs?q=state:asking+right", "/runs?q=state:succeeded+agent:refund-bot",
    "/contracts", "/contracts?kind=policy", "/contracts/operation/refund", "/contracts/policy/money", "/agents", "/agents/{agent}",
)  # fmt: skip
ONE_MINUTE_APART = "t.created_at - n * interval '1 minute'"


def test_more_rows_ask_no_more_questions(acme: Company) -> None:
    few = questions(acme, grow(acme, 1))
    many = questions(acme, grow(acme, 6))
    assert few == many
    assert max(few.values()) <= 80, few  # a count that may fail alone is three statements


def test_lists_come_from_an_index(acme: Company) -> None:
    run = grow(acme, 2)
    multiply("runs_run", "state = 'succeeded'", {"key": "'many-' || n", "created_at": ONE_MINUTE_APART})
    multiply("approvals_request", "state = 'denied'", {"subject": "gen_random_uuid()", "created_at": ONE_MINUTE_APART})
    for page, statements in asked(acme, run).items():
        for statement in statements:
            assert not scanned(acme, statement) & {"runs_run", "approvals_request"}, (page, statement)


def grow(company: Company, times: int) -> Run:
    """Add runs in every condition."""
    run = company.run("A long one")
    for number in range(times):
        company.propose(company.run(), order=str(number))
        company.propose(run, amount="20", order=str(number))
        company.approve("amir", company.propose(run, amount="1500", order=str(number)))
        company.deny("amir", company.propose(run, order=str(number)))
    work("unknown", http=None)
    company.propose(company.run(), amount="20")
    work("partial")
    company.complete(company.run("Done"))
    return run


def questions(company: Company, run: Run) -> dict[str, int]:
    """Count the statements of each page, those of its session and its counts included."""
    return {page: len(statements) for page, statements in asked(company, run).items()}


def asked(company: Company, run: Run) -> dict[str, list[str]]:
    """Give the statements of each page."""
    with inside():
        request = rows("select id from approvals_request where state = 'pending' limit 1")[0]["id"]
    ann = signed_in(company.ann)
    found: dict[str, list[str]] = {}
    for page in PAGES:
        with CaptureQueriesContext(connections["default"]) as captured:
            assert ann.get(page.format(run=run.pk, request=request, agent=company.agent.pk)).status_code == 200
        found[page] = [query["sql"] for query in captured.captured_queries]
    return found


def multiply(table: str, where: str, change: dict[str, str]) -> None:
    """Copy one row of a table many times, changed."""
    with databases.as_superuser(databases.name()) as connection:
        connection.autocommit = True
        connection.execute("set session_replication_role = replica")
        query = "select column_name from information_schema.columns where table_name = %s order by 1"
        columns: list[str] = [name for (name,) in connection.execute(query, [table])]
        values = ", ".join({"id": "gen_random_uuid()", **change}.get(column, f't."{column}"') for column in columns)
        names = ", ".join(f'"{column}"' for column in columns)
        one = f"(select * from {table} where {where} limit 1) t"
        statement: Any = f"insert into {table} ({names}) select {values} from {one}, generate_series(1, {MANY}) n"
        connection.execute(statement)
        analysed: Any = f"vacuum analyze {table}"
        connection.execute(analysed)


def scanned(company: Company, statement: str) -> set[str]:
    """Give the tables that a statement cannot but read from one end to the other, as the application role."""
    if not statement.lstrip().upper().startswith(("SELECT", "WITH")):
        return set()
    with transaction(company.tenant.pk):
        rows(
            "select set_config('enable_seqscan', 'off', true)"
        )  # a small table would be read whole, were it only possible
        plan = rows("explain " + statement.replace("%", "%%"), [])
    return set(re.findall(r"Seq Scan on (\w+)", "\n".join(line["QUERY PLAN"] for line in plan)))


@pytest.mark.parametrize("words", ["q=1042", "q=100%25", "q=%5C", "q=_"])
def test_a_search_takes_what_was_typed(acme: Company, words: str) -> None:
    wanted = acme.run("Refund 100% of 1042 \\ with_care")
    acme.run("Refund 100 of 42")
    page = signed_in(acme.ann).get(f"/runs?{words}").content.decode()
    assert re.findall(r'<a class="open" href="/runs/([^"]+)"', page) == [str(wanted.pk)]
