"""The queue of what is not confirmed: its order, its filters, whose each is, and claiming in the row (R-F3, R-F4)."""

import re
from functools import partial as partial_of
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from console.database import rows
from runs.models import Effect
from tests.cast import Company, inside, later, signed_in, work
from tests.pages.browsing import HTMX, at_once, text, walk
from tests.pages.unsettled import (
    address,
    due_now,
    fields,
    findings_of,
    found,
    hire,
    partial,
    send,
    unknown,
    with_second_person,
)
from tests.work import claim as look
from tests.work import settle as answered

ROW = r'id="row-([0-9a-f-]+)"'


@pytest.fixture
def acme(acme: Company) -> Company:
    """The company, careful about refunds."""
    return with_second_person(acme)


def listed(browser: Client, words: str = "") -> list[str]:
    """Give the effects of the queue's first page, in order."""
    answer = browser.get(f"/unknown?{words}" if words else "/unknown")
    assert answer.status_code == 200
    return re.findall(ROW, answer.content.decode())


def ids(*effects: Effect) -> list[str]:
    """Give the ids of effects."""
    return [str(effect.pk) for effect in effects]


def test_the_oldest_stands_first_or_the_weightiest(acme: Company) -> None:
    small, reading = unknown(acme), acme.propose(acme.run(), "lookup")
    work("unknown", http=None)
    transfer = acme.propose(acme.run(run_type="close-invoice"), "transfer")
    acme.approve("ann", transfer)
    work("unknown", http=None)
    oscar = signed_in(acme.oscar)
    assert listed(oscar) == ids(small, reading, transfer)
    assert listed(oscar, "sort=consequence") == ids(transfer, small, reading)
    said = text(oscar.get("/unknown?sort=consequence"))
    assert "Not confirmed 3, the weightiest first" in said
    assert "Cannot be undone" in said
    assert "5,400.00 EUR" in said


def test_it_is_narrowed_by_words_that_stay_in_the_address(acme: Company) -> None:
    oscar = signed_in(acme.oscar)
    mine, others, some = unknown(acme), unknown(acme, amount="21"), partial(acme)
    send(oscar, mine, "claim")
    reading = acme.propose(acme.run(), "lookup")
    work("unknown", http=None)
    for words, wanted in {
        "owner=mine": [mine], "owner=nobody": [others, reading], "operation=lookup": [reading], "operation=refund": [mine, others],
        "dependency=bank": [mine, others, reading], "dependency=hotel": [], "state=partial": [some], "overdue=yes": [],
        "owner=nobody&operation=refund": [others], "owner=group": [],
    }.items():  # fmt: skip
        assert listed(oscar, words) == ids(*wanted), words
        part = oscar.get(f"/unknown?{words}").content.decode()
        assert f"?part=list&amp;{words}".replace("&", "&amp;").replace("&amp;amp;", "&amp;") in part, (
            "what is refreshed asks the same"
        )
    with inside():
        rows("update runs_effect set objective_at = cf_now() where id = %s returning id", [others.pk])
    assert listed(oscar, "overdue=yes") == ids(others)
    assert "overdue since" in text(oscar.get("/unknown?overdue=yes"))


@pytest.mark.parametrize(
    "words", ["owner=everyone", "state=failed", "sort=random", "overdue=maybe", "after=x", "colour=red"]
)
def test_what_cannot_be_asked_is_refused_and_never_ignored(acme: Company, words: str) -> None:
    assert signed_in(acme.oscar).get(f"/unknown?{words}").status_code == 400


@pytest.mark.parametrize("sort", ["age", "consequence"])
def test_it_is_turned_page_by_page_without_losing_one(
    acme: Company, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    run = acme.run()
    made = [acme.propose(run, amount=str(20 + number)) for number in range(3)]
    made += [acme.propose(acme.run(), "lookup") for _ in range(2)]
    work("unknown", http=None)
    with inside():
        rows("update runs_effect set unknown_since = cf_now() where state = 'unknown' returning id")
    monkeypatch.setattr("console.pages.unknown.SHOWN", 2)
    walked = walk(signed_in(acme.oscar), f"/unknown?sort={sort}", ROW)
    assert len(walked) == 5
    assert sorted(walked) == sorted(ids(*made))


def test_a_row_says_what_was_learnt_and_when_it_is_asked_next(acme: Company) -> None:
    unknown(acme)
    oscar = signed_in(acme.oscar)
    due_now()
    answered(look(), "absent", http=404, delay=120)
    said = text(oscar.get("/unknown"))
    assert re.search(r"Asked (just now|\d+ s ago) : Absent HTTP 404 Next question at \d\d:\d\d :\d\d UTC\.", said)
    assert "Refund at bank. Holds up Make order 1042 right" in said
    with later(hours=1):
        assert "overdue since" in text(signed_in(acme.oscar).get("/unknown"))


def test_claiming_in_the_row_answers_with_the_row_alone(acme: Company) -> None:
    effect = unknown(acme)
    oscar = signed_in(acme.oscar)
    page = oscar.get("/unknown?owner=nobody").content.decode()
    form = fields(page, "claim")
    assert form["from_queue"] == "owner=nobody"
    row = oscar.post(address(effect, "claim"), form, headers=HTMX)
    assert row.status_code == 200
    assert "<!doctype" not in row.content.decode()
    assert f'id="row-{effect.pk}"' in row.content.decode()
    assert "You Let go" in text(row)
    assert acme.stored(effect).owner_id == acme.oscar.pk
    olga = signed_in(hire(acme, "olga", "Olga Brandt", ["operator"], []))
    taken = olga.post(address(effect, "claim"), {**form, "idempotency_key": str(uuid4())}, headers=HTMX)
    assert taken.status_code == 409
    assert "Oscar Wren looks after it" in text(taken)


def test_without_a_script_claiming_leads_back_to_the_row_in_the_same_queue(acme: Company) -> None:
    effect = unknown(acme)
    oscar = signed_in(acme.oscar)
    form = fields(oscar.get("/unknown?operation=refund").content.decode(), "claim")
    gone = oscar.post(address(effect, "claim"), form)
    assert gone.status_code == 303
    assert gone["Location"].startswith("/unknown?operation=refund&receipt=")
    assert gone["Location"].endswith(f"#row-{effect.pk}")
    assert "Recorded." in text(oscar.get(gone["Location"]))
    elsewhere = oscar.post(
        address(effect, "release"),
        {**form, "idempotency_key": str(uuid4()), "from_queue": "next=//evil.example&owner=mine"},
    )
    assert elsewhere["Location"].startswith("/unknown?owner=mine&receipt=")


def test_of_two_who_claim_at_once_one_has_it(acme: Company) -> None:
    effect = unknown(acme)
    both = [signed_in(acme.oscar), signed_in(hire(acme, "olga", "Olga Brandt", ["operator"], []))]
    answers = at_once([partial_of(send, each, effect, "claim") for each in both])
    assert sorted(answer.status_code for answer in answers) == [303, 409]
    assert acme.stored(effect).owner_id is not None


def test_findings_that_wait_for_me_stand_first_and_mine_do_not(acme: Company) -> None:
    effect = unknown(acme)
    oscar, olga = signed_in(acme.oscar), signed_in(hire(acme, "olga", "Olga Brandt", ["operator"], []))
    found(oscar, effect)
    for where in ("/unknown", "/"):
        assert "Findings that wait for you 1" in text(olga.get(where)), where
        assert "Findings that wait for you" not in text(oscar.get(where)), where
        assert "Findings that wait for you" not in text(signed_in(acme.ann).get(where)), "ann may not confirm it"
    assert "Oscar Wren found: It happened . That waits for a second person." in text(oscar.get("/unknown"))
    assert "1 to confirm" in text(olga.get("/"))
    finding = findings_of(effect)[0]
    assert f"{address(effect)}#waiting" in olga.get("/unknown").content.decode()
    assert finding.state == "proposed"


def test_home_names_what_was_done_in_part_until_the_rest_is_settled(acme: Company) -> None:
    some = partial(acme)
    oscar = signed_in(acme.oscar)
    said = text(oscar.get("/"))
    assert "Done in part 1" in said
    assert "1 in part" in said
    assert "Nothing needs you" not in said
    found(oscar, some, "rest_settled")
    send(signed_in(hire(acme, "olga", "Olga Brandt", ["operator"], [])), some, "confirm")
    assert "Done in part" not in text(oscar.get("/"))


def test_nobody_sees_anothers_tenant(acme: Company, globex: Company) -> None:
    theirs = unknown(globex, goal="Their secret")
    oscar = signed_in(acme.oscar)
    assert listed(oscar) == []
    assert "secret" not in text(oscar.get("/unknown"))
    assert oscar.get(address(theirs)).status_code == 404


def test_the_part_is_what_the_page_shows(acme: Company) -> None:
    unknown(acme)
    oscar = signed_in(acme.oscar)
    part = oscar.get("/unknown?part=list&owner=nobody", headers=HTMX)
    assert "<!doctype" not in part.content.decode()
    assert "Refund 20.00 EUR" in text(part)


def test_more_unknowns_ask_no_more_questions(acme: Company) -> None:
    def statements(address: str) -> int:
        with CaptureQueriesContext(connections["default"]) as captured:
            assert oscar.get(address).status_code == 200
        return len(captured.captured_queries)

    oscar = signed_in(acme.oscar)
    first: Any = unknown(acme)
    found(oscar, first)
    pages = (
        "/unknown",
        "/unknown?sort=consequence&owner=nobody&overdue=yes",
        "/unknown?state=partial",
        "/",
        address(first),
    )
    few = {page: statements(page) for page in pages}
    for number in range(6):
        found(oscar, unknown(acme, amount=str(30 + number)))
    for _ in range(4):
        due_now()
        answered(look(), "absent", http=404, delay=3600)
    assert {page: statements(page) for page in pages} == few
