"""The history of approvals: who decided what, when and by which channel, what was tightened, what came of it; the same as a file."""

import csv
import json
import re
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from approvals.closing import expire_due
from console.database import rows
from console.exact import canonical
from console.ledger.actors import system
from console.pages.past import cell
from runs import driving
from runs.models import Effect
from tests.cast import Company, inside, later, signed_in, work
from tests.pages.browsing import text, walk

ROW = r'<a class="open" href="/approvals/([^"]+)"'


@pytest.fixture
def settled(acme: Company) -> dict[str, Effect]:
    """One refund of each fate."""
    made = {
        name: acme.propose(acme.run(), order=str(number))
        for number, name in enumerate(("denied", "withdrawn", "unknown"))
    }
    acme.deny("amir", made["denied"], "Paid back already.")
    driving.withdraw(acme.bot, made["withdrawn"].pk, epoch=1, reason="No longer wanted.", key="w")
    acme.approve("ann", made["unknown"])
    work("unknown", http=None)
    acme.propose(acme.run("Still open"))
    return made


def listed(browser: Client, words: str = "") -> list[str]:
    """Give the requests of the history as it is asked for."""
    return re.findall(ROW, browser.get(f"/approvals/history?{words}").content.decode())


def row(browser: Client, effect: Effect) -> str:
    """Give what the history says of one request."""
    page = browser.get("/approvals/history").content.decode()
    found = next(
        part for part in page.split('<li class="row past-row"')[1:] if f"/approvals/{effect.request_id}" in part
    )
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found))


def csv_of(browser: Client, words: str = "") -> list[dict[str, str]]:
    """Take the history as CSV."""
    answer: Any = browser.get(f"/approvals/history.csv?{words}")
    return list(csv.DictReader(StringIO(b"".join(answer.streaming_content).decode())))


def lines_of(browser: Client, words: str = "") -> list[dict[str, Any]]:
    """Take the history as JSON lines."""
    answer: Any = browser.get(f"/approvals/history.jsonl?{words}")
    return [json.loads(line) for line in b"".join(answer.streaming_content).decode().splitlines()]


def test_it_says_who_decided_and_what_came_of_it(acme: Company, settled: dict[str, Effect]) -> None:
    ann = signed_in(acme.ann)
    approved, denied, withdrawn = (row(ann, settled[name]) for name in ("unknown", "denied", "withdrawn"))
    for words in ("Approved, used", "Ann Okafor", "What came of it Unknown", "refund-bot, for Ben Osei", "page"):
        assert words in approved
    assert "Denied" in denied
    assert "Amir Saleh" in denied
    assert "Withdrawn" in withdrawn
    assert "by itself" in withdrawn
    assert "Still open" not in text(ann.get("/approvals/history"))


def test_it_is_narrowed(acme: Company, settled: dict[str, Effect]) -> None:
    ann = signed_in(acme.ann)
    of = {name: str(effect.request_id) for name, effect in settled.items()}
    assert listed(ann) == [of["unknown"], of["withdrawn"], of["denied"]]
    assert listed(ann, "outcome=denied") == [of["denied"]]
    assert listed(ann, f"member={acme.ann.pk}") == [of["unknown"]]
    assert listed(ann, f"agent={acme.agent.pk}&operation=refund&outcome=withdrawn") == [of["withdrawn"]]
    first, today = settled["denied"].created_at.date(), rows_today(acme)
    assert len(listed(ann, f"since={first}&until={today}")) == 3
    assert listed(ann, "until=2020-01-01") == listed(ann, "since=2999-01-01") == []
    assert len(listed(ann, "since=0001-01-01&until=9999-12-31")) == 3
    assert "Nothing in the history is as asked." in text(ann.get("/approvals/history?outcome=revoked"))
    for wrong in ("outcome=pending", "agent=x", "since=yesterday", "after=x", "what=1"):
        assert ann.get(f"/approvals/history?{wrong}").status_code == 400, wrong


def rows_today(company: Company) -> str:
    """Give the database's day."""
    with inside(company.tenant.pk):
        return str(rows("select (cf_now() at time zone 'UTC')::date::text as day")[0]["day"])


def test_what_ran_out_is_told_as_nobodys_decision(acme: Company) -> None:  # EXP-03
    effect = acme.propose(acme.run())
    with later(minutes=31), inside():
        expire_due(system("clock"), 100)
    said = row(signed_in(acme.ann), effect)
    assert "Expired" in said
    assert "by itself" in said


def test_it_is_read_page_by_page(acme: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [acme.propose(acme.run(), order=str(number)) for number in range(5)]
    for effect in made:
        acme.deny("ann", effect)
    monkeypatch.setattr("console.pages.past.SHOWN", 2)
    assert walk(signed_in(acme.ann), "/approvals/history", ROW) == [str(effect.request_id) for effect in reversed(made)]


def test_as_a_file_it_is_whole_and_the_same(
    acme: Company, settled: dict[str, Effect], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.pages.past.CHUNK", 2)
    ann = signed_in(acme.ann)
    table, lines = csv_of(ann), lines_of(ann)
    assert [line["id"] for line in lines] == [line["id"] for line in table] == listed(ann)
    assert [(line["outcome"], line["became"], line["decided_by"], line["channel"]) for line in lines] == [
        ("consumed", "unknown", "Ann Okafor", "page"), ("withdrawn", "withdrawn", "", ""), ("denied", "denied", "Amir Saleh", "page"),
    ]  # fmt: skip
    assert csv_of(ann, "outcome=denied")[0]["reasons"] == "Paid back already."


def test_a_file_that_does_not_hold_all_says_so(
    acme: Company, settled: dict[str, Effect], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = signed_in(acme.ann)
    assert ann.get("/approvals/history.csv")["Counterfoil-Complete"] == "yes"
    monkeypatch.setattr("console.pages.past.EXPORTED", 2)
    monkeypatch.setattr("console.pages.past.CHUNK", 2)
    answer = ann.get("/approvals/history.csv")
    assert answer["Counterfoil-Complete"] == "no"
    assert "newest-2" in answer["Content-Disposition"]
    assert len(csv_of(ann)) == 2


@pytest.mark.parametrize(
    "text_",
    [
        "=1+1",
        "+1",
        "-1",
        "@x",
        "\tx",
        "\r=x",
        "\n=x",
        '=HYPERLINK("http://x")',
        " =1+1",
        "\u3000=x",
        "\uff1d1+1",
        "\uff0b1",
        "\uff0d1",
        "\uff20x",
    ],
)
def test_no_cell_is_a_formula(text_: str) -> None:
    assert cell(text_)[0] in "'\\"
    assert cell("plain") == "plain"
    assert cell(None) == ""


def test_what_hides_is_written_out_in_cells_and_kept_in_lines(acme: Company) -> None:
    effect = acme.propose(acme.run(), reason="x")
    acme.deny("ann", effect, "=cmd\u202e()")
    ann = signed_in(acme.ann)
    assert csv_of(ann)[0]["reasons"].startswith("'=cmd")
    assert "\\u202e" in csv_of(ann, "outcome=denied")[0]["reasons"]
    assert "\u202e" in lines_of(ann)[0]["reasons"]


def test_only_what_the_member_may_see_is_told(
    acme: Company, globex: Company, settled: dict[str, Effect]
) -> None:  # SEC-01
    dollars = acme.propose(acme.run(), currency="USD")
    acme.deny("sam", dollars)
    assert listed(signed_in(acme.sam)) == [str(dollars.request_id)]
    assert len(listed(signed_in(acme.dora))) == 4
    assert len(csv_of(signed_in(acme.ann))) == 3
    assert csv_of(signed_in(globex.cara)) == lines_of(signed_in(globex.cara)) == []
    assert Client().get("/approvals/history.csv").status_code == 302


def test_a_narrowing_is_told_with_what_was_asked_before(acme: Company, settled: dict[str, Effect]) -> None:
    limit = canonical({"path": "arguments.amount", "op": "lte", "value": "80"})
    with inside(acme.tenant.pk):
        rows(
            "update approvals_request set narrowing = %s where id = %s returning id",
            [limit, settled["denied"].request_id],
        )
    ann = signed_in(acme.ann)
    assert re.search(r"Narrowed: amount was 120(\.00)? ?;", row(ann, settled["denied"]))
    told = csv_of(ann, "outcome=denied")[0]
    assert told["before"].startswith("amount: 120")
    assert "80" in told["narrowed_to"]
