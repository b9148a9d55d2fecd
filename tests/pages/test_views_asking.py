"""Asking for runs: by a line, by the form, and honestly about how far was looked."""

import re

import pytest

from console.database import rows
from runs.models import Run
from tests.cast import Company, inside, signed_in, work
from tests.pages.browsing import text, walk

ROW = r'<a class="open" href="/runs/([^"#]+)"'


@pytest.fixture
def book(acme: Company) -> dict[str, Run]:
    """Runs in every condition, by name; the older was opened three hours ago."""
    made = {name: acme.run(f"Make {name} right", key=name) for name in ("unknown", "asked", "paid", "older")}
    acme.propose(made["unknown"], amount="20")
    work("unknown", http=None)
    acme.propose(made["asked"])
    acme.propose(made["paid"], "lookup")
    work()
    acme.complete(made["paid"])
    made["supplier"] = acme.run("Pay the supplier", key="supplier", run_type="close-invoice")
    acme.propose(made["supplier"], "transfer")
    with inside():
        rows(
            "update runs_run set created_at = cf_now() - interval '3 hours' where id = %s returning id",
            [made["older"].pk],
        )
    return made


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("state:unknown", {"unknown"}), ("state:asking", {"asked", "supplier"}), ("state:asking type:customer-case", {"asked"}),
        ("op:lookup", {"paid"}), ("op:refund", {"unknown", "asked"}), ("dep:bank state:open", {"unknown", "asked", "supplier"}),
        ("type:close-invoice", {"supplier"}), ("agent:refund-bot age>2h", {"older"}),
        ("age<2h", {"unknown", "asked", "paid", "supplier"}), ("state:succeeded agent:refund-bot", {"paid"}), ("agent:nobody", set()),
        ('"the supplier"', {"supplier"}), ("supplier Pay", {"supplier"}), ("right state:ended", {"paid"}), ("type:nothing", set()),
        ("dep:nothing", set()), ("state:needs", set()),
    ],
)  # fmt: skip
def test_each_condition_and_several_together(acme: Company, book: dict[str, Run], asked: str, found: set[str]) -> None:
    page = signed_in(acme.ann).get("/runs", {"q": asked})
    assert page.status_code == 200
    names = {str(run.pk): name for name, run in book.items()}
    assert {names[run] for run in re.findall(ROW, page.content.decode())} == found


def test_the_pages_keep_what_is_asked_in_either_order(
    acme: Company, book: dict[str, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.pages.runs.SHOWN", 1)
    ann = signed_in(acme.ann)
    down = walk(ann, "/runs?q=state:open+right", ROW)
    up = walk(ann, "/runs?q=state:open+right+sort:-age", ROW)
    assert len(down) == 3
    assert up == down[::-1]
    assert down[-1] == str(book["older"].pk)


def test_what_cannot_be_understood_is_said_beside_the_field(acme: Company, book: dict[str, Run]) -> None:
    page = signed_in(acme.ann).get("/runs", {"q": "state:sleeping dep:bank"})
    assert page.status_code == 400
    said = text(page)
    assert "state:sleeping There is no such state." in said
    assert "Nothing was looked for." in said
    body = page.content.decode()
    assert 'aria-invalid="true"' in body
    assert 'value="state:sleeping dep:bank"' in body
    assert not re.findall(ROW, body)


def test_the_form_adds_to_the_line_without_javascript(acme: Company, book: dict[str, Run]) -> None:
    page = (
        signed_in(acme.ann).get("/runs", {"q": "right", "state": "open", "op": "refund", "sort": ""}).content.decode()
    )
    assert 'name="q" type="search" value="state:open op:refund &quot;right&quot;"' in page
    assert len(re.findall(ROW, page)) == 2
    chips = re.findall(r'<a class="chip" href="/runs\?([^"]*)"', page)
    assert len(chips) == 3
    assert "q=op%3Arefund+%22right%22" in chips
    assert re.search(r'<option value="state:open dep:bank op:refund &quot;right&quot;">', page), (
        "the next word is offered"
    )


def test_counts_are_exact_or_said_not_to_be(
    acme: Company, book: dict[str, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = signed_in(acme.ann)
    assert "2 runs, newest first" in text(ann.get("/runs?q=op:refund"))
    assert "1 run, newest first" in text(ann.get("/runs?q=state:unknown"))
    monkeypatch.setattr("console.pages.runs.SHOWN", 1)
    assert "newest first; not counted" in text(ann.get("/runs?q=op:refund"))
    assert "2 runs, newest first" in text(ann.get("/runs?q=state:asking"))


def test_it_says_how_far_it_looked(acme: Company, book: dict[str, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.finding.FAR", 2)
    ann = signed_in(acme.ann)
    said = text(ann.get("/runs?q=op:refund"))
    assert "No run matches among the 2 that were looked through." in said
    assert "Look further" in said
    assert walk(ann, "/runs?q=op:refund", ROW) == [str(book["asked"].pk), str(book["unknown"].pk)]
    assert sorted(walk(ann, "/runs?q=state:unknown", ROW)) == [str(book["unknown"].pk)]


def test_nobody_elses_runs_are_found(acme: Company, globex: Company, book: dict[str, Run]) -> None:
    cara = signed_in(globex.cara)
    for asked in ("state:unknown", "agent:refund-bot", "type:customer-case", "op:refund", "right"):
        assert not re.findall(ROW, cara.get("/runs", {"q": asked}).content.decode()), asked
