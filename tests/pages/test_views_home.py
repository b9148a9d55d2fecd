"""The attention inbox: never calm while something is unknown, and honest about what it could not read."""

import re
from collections.abc import Callable

import pytest
import redis
from django.db import connection

from console.ledger import beats
from tests.cast import Company, inside, later, signed_in, work
from tests.pages.browsing import HTMX, text


def broken(*_: object) -> None:
    """Fail as a database fails."""
    with connection.cursor() as cursor:
        cursor.execute("select 1 / 0")


def test_nothing_needs_anybody(acme: Company) -> None:
    said = text(signed_in(acme.ann).get("/"))
    assert "Nothing needs you." in said
    assert "No effect is unknown, nobody is asked, and no run needs a person." in said


def test_what_needs_somebody_comes_most_uncertain_first(acme: Company) -> None:
    run = acme.run()
    acme.propose(run, amount="20")
    work("unknown", http=None)
    acme.propose(acme.run("Another"))
    said = text(signed_in(acme.ann).get("/"))
    assert "1 not confirmed 1 to decide" in said
    assert said.index("Refund 20.00 EUR") < said.index("Refund 120.00 EUR")
    assert "Nothing needs you" not in said


def test_each_sees_what_they_may_decide(acme: Company) -> None:
    acme.propose(acme.run())
    assert "1 to decide" in text(signed_in(acme.ann).get("/"))
    for name in ("ben", "sam", "dora", "oscar"):
        assert "to decide" not in text(signed_in(acme.members[name]).get("/")), name


@pytest.mark.parametrize(
    "read", ["console.pages.nav.count_unknown", "console.pages.nav.count_open", "console.pages.nav.count_waiting"]
)
def test_a_count_that_fails_is_a_question_mark_and_never_zero(
    acme: Company, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    monkeypatch.setattr(read, broken)
    ann = signed_in(acme.ann)
    for address in ("/", "/approvals", "/unknown", "/runs"):
        answer = ann.get(address)
        assert answer.status_code == 200
        assert "? , count not available" in text(answer), address
        assert "Nothing needs you" not in text(answer) or read.endswith("count_open")


@pytest.mark.parametrize(
    "read", ["runs.unknowns.queue.unknowns", "runs.queries.stuck", "console.pages.home.waiting", "runs.queries.ready"]
)
def test_a_list_that_fails_hides_no_other(acme: Company, monkeypatch: pytest.MonkeyPatch, read: str) -> None:
    run = acme.run()
    acme.propose(run, amount="20")
    work("unknown", http=None)
    acme.propose(acme.run("Another"))
    monkeypatch.setattr(read, broken)
    answer = signed_in(acme.ann).get("/")
    assert answer.status_code == 200
    said = text(answer)
    assert ("Refund 20.00 EUR" in said) == (read != "runs.unknowns.queue.unknowns")
    assert ("Refund 120.00 EUR" in said) == (read != "console.pages.home.waiting")
    assert "Nothing needs you" not in said


def test_a_long_count_stops_at_its_bound(acme: Company, monkeypatch: pytest.MonkeyPatch) -> None:  # PRF-01
    monkeypatch.setattr("console.pages.nav.MOST", 3)
    monkeypatch.setattr("console.pages.counts.MOST", 3)
    for _ in range(5):
        acme.run()
    assert "Runs 3+ open" in text(signed_in(acme.ann).get("/"))


def test_the_machinery_is_shown_as_it_is(acme: Company) -> None:
    ann = signed_in(acme.ann)
    said = text(ann.get("/"))
    assert "No worker is alive" in said
    assert "The clock has not passed yet" in said
    with inside():
        beats.beat("clock")
    acme.propose(acme.run(), amount="20")
    said = text(ann.get("/"))
    assert "Clock passed" in said
    assert "1 effect ready" in said
    assert "1 run open" in said


def test_redis_away_leaves_the_workers_unknown(acme: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise redis.ConnectionError

    monkeypatch.setattr("console.signs.line", away)
    answer = signed_in(acme.ann).get("/")
    assert answer.status_code == 200
    assert "Workers not known" in text(answer)


def test_the_part_is_what_the_page_shows(acme: Company) -> None:
    acme.propose(acme.run())
    ann = signed_in(acme.ann)
    part = text(ann.get("/?part=inbox", headers=HTMX))
    assert "Refund 120.00 EUR" in part
    assert re.sub(r"\d+ s ago|just now", "", part).strip() in re.sub(r"\d+ s ago|just now", "", text(ann.get("/")))


def test_others_runs_are_not_here(acme: Company, globex: Company) -> None:
    theirs = globex.run("Their secret")
    globex.propose(theirs, amount="20")
    work("unknown", http=None)
    ann = signed_in(acme.ann)
    for address in ("/", "/approvals", "/unknown", "/runs", "/runs?q=secret"):
        assert "secret" not in text(ann.get(address)).replace("q=secret", "").lower() or "?" in address
        assert "Refund" not in text(ann.get(address)), address


Filler = Callable[[Company], None]


def test_a_dependency_that_does_not_answer_is_named(acme: Company) -> None:
    run = acme.run()
    ann = signed_in(acme.ann)
    for number in range(3):
        assert "does not answer" not in text(ann.get("/"))
        acme.propose(run, amount=str(20 + number))
        work("unknown", http=None)
    said = text(ann.get("/"))
    assert "bank does not answer" in said
    assert "3 not confirmed" in said
    acme.propose(run, amount="30")
    work()
    assert "does not answer" not in text(ann.get("/")), "it answered"


def test_a_backlog_is_named_with_its_dependency(acme: Company) -> None:
    acme.propose(acme.run(), amount="20")
    ann = signed_in(acme.ann)
    assert "has a backlog" not in text(ann.get("/"))
    with later(minutes=2):
        assert "bank has a backlog: 1 effect, the oldest for 2 min" in text(ann.get("/"))
