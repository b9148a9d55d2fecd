"""Tasks: what people carry out. Seen by those who may do them, begun once, held, handed back, reported once; too late is said."""

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from console.exact import decode
from console.ledger.models import Refusal
from runs.models import Effect
from runs.sweep import CLOCK, end_leases
from tests.cast import Company, inside, later, signed_in
from tests.errands import LEASE, SPOKE, attempts, begun, call, correspondence, with_errands
from tests.pages.browsing import HTMX, at_once, text, walk


@pytest.fixture
def desk(acme: Company) -> Company:
    """The company, with its calls and letters."""
    return with_errands(acme)


def hidden(page: Any, action: str) -> dict[str, str]:
    """Give the hidden fields of the form with that action, as a page has them."""
    found = re.search(rf'<form[^>]*action="[^"]*/{action}".*?</form>', page.content.decode(), re.DOTALL)
    assert found, text(page)
    fields = re.findall(r'<input type="hidden" name="([\w.]+)" value="([^"]*)"', found[0])
    return {name: unescape(value) for name, value in fields if name != "csrfmiddlewaretoken"}


def begin(browser: Client, effect: Effect, *, htmx: bool = True) -> Any:
    """Press begin, on the page as it is."""
    sent = hidden(browser.get(f"/tasks/{effect.pk}"), "begin")
    return browser.post(f"/tasks/{effect.pk}/begin", sent, headers=HTMX if htmx else {})


def form(browser: Client, effect: Effect, outcome: str = "succeeded", **fields: str) -> dict[str, str]:
    """Fill in the report form of the page as it is."""
    written = SPOKE if outcome in {"succeeded", "partial"} else {}
    told = {"evidence": "The list of calls, 14:05.", "reason": "" if written else "Nobody answered."}
    return hidden(browser.get(f"/tasks/{effect.pk}"), "report") | {"outcome": outcome, **told, **written, **fields}


def report(browser: Client, effect: Effect, outcome: str = "succeeded", *, htmx: Any = True, **fields: Any) -> Any:
    """Send it."""
    sent = form(browser, effect, outcome, **fields)
    return browser.post(f"/tasks/{effect.pk}/report", sent, headers=HTMX if htmx else {})


def lost(effect: Effect) -> None:
    """Let the lease run out."""
    with later(seconds=LEASE + 1), inside():
        end_leases(CLOCK, 100)


# Seeing


def test_a_task_is_listed_for_those_who_may_do_it_and_counted_beside_its_place(desk: Company) -> None:
    effect = call(desk)
    for name in ("ann", "sam", "ben"):
        page = signed_in(desk.members[name]).get("/tasks")
        assert effect.summary in text(page)
        assert re.search(r'id="badge-tasks"[^>]*>1<', page.content.decode())
    for name in ("dora", "oscar"):
        page = signed_in(desk.members[name]).get("/tasks")
        assert effect.summary not in text(page)
        assert "Nothing for you to do." in text(page)
        assert signed_in(desk.members[name]).get(f"/tasks/{effect.pk}").status_code == 404


def test_home_says_what_there_is_to_do(desk: Company) -> None:
    effect = call(desk)
    said = text(signed_in(desk.ann).get("/"))
    assert "1 to do" in said
    assert effect.summary in said
    assert effect.summary not in text(signed_in(desk.oscar).get("/"))


def test_another_tenants_task_is_not_here(desk: Company, globex: Company) -> None:  # SEC-01
    effect = call(desk)
    cara = signed_in(globex.cara)
    assert effect.summary not in text(cara.get("/tasks"))
    for path in (f"/tasks/{effect.pk}", f"/tasks/{uuid4()}"):
        assert cara.get(path).status_code == 404
        for deed in ("begin", "renew", "hand-back", "report"):
            sent = {"idempotency_key": "k", "attempt": str(uuid4()), "fence": "1", "outcome": "succeeded"}
            assert cara.post(f"{path}/{deed}", sent, headers=HTMX).status_code == 404
    assert attempts(effect) == []


def test_a_task_says_what_to_do_and_exactly_what_about(desk: Company) -> None:
    effect = call(desk)
    said = text(signed_in(desk.ann).get(f"/tasks/{effect.pk}"))
    for words in (
        effect.summary, "Call the customer on the number that stands in the shop's own books", "customer Ana Lindqvist", "paid 120",
        "refund-bot says The customer asked to be called.", "support and finance", "held for you for 15 min",
    ):  # fmt: skip
        assert words in said, words


def test_what_agents_write_is_shown_as_typed(desk: Company) -> None:  # SEC-05
    effect = call(desk, subject="<img src=x onerror=alert(1)>")
    ann = signed_in(desk.ann)
    for address in ("/tasks", f"/tasks/{effect.pk}"):
        assert "<img src=x" not in ann.get(address).content.decode()


def test_a_list_of_many_is_walked_by_its_own_links(desk: Company) -> None:
    run = correspondence(desk)
    made = [call(desk, run, deadline_seconds=3600 + number) for number in range(103)]
    begun(desk, made[7])
    seen = walk(signed_in(desk.ann), "/tasks", r'class="open" href="/tasks/([0-9a-f-]+)"')
    assert sorted(seen) == sorted(str(each.pk) for each in made)
    assert seen[:1] == [str(made[7].pk)]  # what is begun stands first on its page


def test_more_tasks_ask_no_more_questions(desk: Company) -> None:
    ann = signed_in(desk.ann)
    begun(desk, call(desk))

    def questions() -> int:
        with CaptureQueriesContext(connection) as asked:
            ann.get("/tasks")
        return len(asked)

    call(desk)
    few = questions()
    for _ in range(6):
        begun(desk, call(desk))
        call(desk)
    assert questions() == few


# Beginning


def test_beginning_holds_it_for_one_person(desk: Company) -> None:
    effect = call(desk)
    answer = begin(signed_in(desk.ann), effect)
    assert answer.status_code == 200
    assert answer.content.lstrip().startswith(b"<article")
    assert "It is yours until" in text(answer)
    [attempt] = attempts(effect)
    assert (attempt.worker, attempt.state, desk.stored(effect).state) == (
        str(desk.actor("ann")),
        "running",
        "dispatched",
    )
    amir = signed_in(desk.amir)
    assert effect.summary not in text(amir.get("/tasks"))
    page = amir.get(f"/tasks/{effect.pk}")
    assert "Somebody else has begun it." in text(page)
    assert '<form class="decide"' not in page.content.decode()


def test_of_two_at_once_one_begins_and_the_other_is_told(desk: Company) -> None:
    effect = call(desk)
    forms = {
        name: hidden(signed_in(desk.members[name]).get(f"/tasks/{effect.pk}"), "begin") for name in ("ann", "amir")
    }

    def press(name: str) -> tuple[int, str]:
        answer = signed_in(desk.members[name]).post(f"/tasks/{effect.pk}/begin", forms[name], headers=HTMX)
        return answer.status_code, text(answer)

    answers = at_once([lambda: press("ann"), lambda: press("amir")])
    assert sorted(status for status, _ in answers) == [200, 409]
    assert any("Somebody has begun it in the meantime." in said for status, said in answers if status == 409)
    assert len(attempts(effect)) == 1


def test_pressed_twice_it_is_begun_once(desk: Company) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    sent = hidden(ann.get(f"/tasks/{effect.pk}"), "begin")
    for _ in range(2):
        answer = ann.post(f"/tasks/{effect.pk}/begin", sent)
        assert answer.status_code == 303
        page = ann.get(answer["Location"])
        assert "It is yours until" in text(page)
    assert len(attempts(effect)) == 1


# Holding


def test_it_is_held_for_longer_and_only_that_part_is_swapped(desk: Company) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect)
    [before] = attempts(effect)
    sent = hidden(ann.get(f"/tasks/{effect.pk}"), "renew")
    with later(seconds=300):
        answer = ann.post(f"/tasks/{effect.pk}/renew", sent, headers=HTMX)
    assert answer.status_code == 200
    assert answer.content.lstrip().startswith(b'<form id="lease"')
    [after] = attempts(effect)
    assert before.lease_expires_at
    assert after.lease_expires_at
    assert (after.lease_expires_at - before.lease_expires_at).total_seconds() >= 299
    assert ann.post(f"/tasks/{effect.pk}/renew", sent).status_code == 303  # without JavaScript


def test_a_lease_that_was_lost_is_said_and_what_is_sent_is_kept_as_evidence(desk: Company) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect)
    sent, renewing = form(ann, effect), hidden(ann.get(f"/tasks/{effect.pk}"), "renew")
    lost(effect)
    assert desk.stored(effect).state == "unknown"
    renewal = ann.post(f"/tasks/{effect.pk}/renew", renewing, headers=HTMX)
    assert renewal.status_code == 409
    assert "No longer held for you" in text(renewal)
    page = ann.get(f"/tasks/{effect.pk}")
    assert "nobody knows whether it was done" in text(page)
    assert "Send as evidence" in text(page)
    answer = ann.post(f"/tasks/{effect.pk}/report", sent, headers=HTMX)
    assert answer.status_code == 409
    assert "Too late. It was no longer held for you. What you wrote is kept as evidence" in text(answer)
    assert "The list of calls, 14:05." in text(answer)
    [attempt] = attempts(effect)
    assert (desk.stored(effect).state, attempt.late_outcome) == ("unknown", "succeeded")


# Handing back


def test_what_is_handed_back_is_open_to_others(desk: Company) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect)
    sent = hidden(ann.get(f"/tasks/{effect.pk}"), "report") | {"reason": "I have to leave."}
    answer = ann.post(f"/tasks/{effect.pk}/hand-back", sent, headers=HTMX)
    assert answer.status_code == 200
    assert "You gave it back, and others can begin it." in text(answer)
    assert "expires and is not done" in text(answer)
    assert "You reported" not in text(answer)
    assert desk.stored(effect).state == "ready"
    assert begin(signed_in(desk.sam), effect).status_code == 200


# Reporting


def test_a_report_is_read_by_the_contracts_form_and_ends_it(desk: Company) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect)
    answer = report(ann, effect, **{"result.amount": "64.50", "result.notes": "Two cups\r\nbroken."})
    assert answer.status_code == 200
    assert "You reported: it is done. The effect is succeeded now." in text(answer)
    stored = desk.stored(effect)
    assert stored.state == "succeeded"
    assert decode(stored.result) == {
        "spoke_to": "Ana Lindqvist", "wish": "refund", "agrees": True, "amount": "64.5", "notes": "Two cups\nbroken.",
    }  # fmt: skip
    evidence = decode(attempts(effect)[0].evidence or "{}")
    assert isinstance(evidence, dict)
    assert (evidence["name"], evidence["evidence"]) == ("Ann Okafor", "The list of calls, 14:05.")


@pytest.mark.parametrize(
    ("fields", "named", "words"),
    [
        ({"result.spoke_to": ""}, "spoke_to", "This is missing."),
        ({"result.agrees": ""}, "agrees", "This is missing."),
        ({"result.wish": "money"}, "wish", "This must be refund, replacement, repair or nothing."),
        ({"result.amount": "lots"}, "amount", "This must be written as decimal."),
        ({"result.amount": "0.005"}, "amount", "This must be a multiple of 0.01."),
        ({"result.amount": "-1"}, "amount", "This must be above 0."),
        ({"result.call_again_on": "tomorrow"}, "call_again_on", "This must be written as date."),
    ],
)
def test_what_cannot_be_taken_is_named_beside_its_field_and_nothing_is_lost(
    desk: Company, fields: dict[str, str], named: str, words: str
) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect)
    answer = report(ann, effect, **{"result.notes": "Typed before.", **fields})
    assert answer.status_code == 422
    page = answer.content.decode()
    about = re.search(rf'<p class="about" id="about-{named}">(.*?)</p>', page, re.DOTALL)
    assert about
    assert words in text(type("A", (), {"content": about[1].encode()}))
    assert page.count('class="error"') == 1
    assert "Typed before." in page
    assert "The list of calls, 14:05." in page
    assert desk.stored(effect).state == "dispatched"
    assert report(ann, effect).status_code == 200  # the form that came back is good for another try


@pytest.mark.parametrize(
    ("outcome", "fields", "words"),
    [
        ("", {}, "Say what came of it."),
        ("vanished", {}, "Say what came of it."),
        ("denied", {}, "Say what came of it."),
        ("rejected", {"reason": " "}, "Say why: the agent is told it."),
        ("succeeded", {"evidence": " "}, "Say how it is known"),
    ],
)
def test_a_report_that_says_too_little_is_refused(
    desk: Company, outcome: str, fields: dict[str, str], words: str
) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect)
    answer = report(ann, effect, outcome, **{"reason": "Because.", **fields})
    assert answer.status_code == 422
    assert words in text(answer)
    assert 'aria-invalid="true"' in answer.content.decode()
    assert desk.stored(effect).state == "dispatched"


@pytest.mark.parametrize(
    ("outcome", "state"), [("rejected", "rejected"), ("unknown", "unknown"), ("transient", "ready")]
)
def test_what_was_not_done_is_reported_with_a_reason(desk: Company, outcome: str, state: str) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect)
    assert report(ann, effect, outcome, **{"result.spoke_to": "not sent along"}).status_code == 200
    stored = desk.stored(effect)
    assert (stored.state, stored.result) == (state, None)


def test_a_report_sent_twice_is_one_report_and_another_one_is_evidence(desk: Company) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect)
    sent = form(ann, effect)
    answers = [ann.post(f"/tasks/{effect.pk}/report", sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert "You reported: it is done." in text(ann.get(answers[1]["Location"]))
    other = sent | {"idempotency_key": str(uuid4()), "outcome": "rejected", "reason": "No."}
    refused = ann.post(f"/tasks/{effect.pk}/report", other, headers=HTMX)
    assert refused.status_code == 409
    assert "kept as evidence beside that" in text(refused)
    assert desk.stored(effect).state == "succeeded"


def test_a_report_without_javascript_leads_to_the_task_and_a_refusal_is_the_whole_page(desk: Company) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect, htmx=False)
    refused = report(ann, effect, htmx=False, **{"result.spoke_to": ""})
    assert refused.status_code == 422
    assert refused.content.lstrip().startswith(b"<!doctype html>")
    answer = report(ann, effect, htmx=False)
    assert answer.status_code == 303
    page = ann.get(answer["Location"])
    assert "You reported: it is done." in text(page)
    assert "Nothing for you to do." in text(ann.get("/tasks"))


def test_an_attempt_of_another_task_or_somebody_elses_is_not_reported(desk: Company) -> None:
    mine, other = call(desk), call(desk, subject="another")
    ann, amir = signed_in(desk.ann), signed_in(desk.amir)
    begin(ann, mine)
    sent = form(ann, mine)
    assert ann.post(f"/tasks/{other.pk}/report", sent, headers=HTMX).status_code == 400
    stranger = amir.post(f"/tasks/{mine.pk}/report", sent | {"idempotency_key": str(uuid4())}, headers=HTMX)
    assert stranger.status_code == 403
    assert "This is for others to do." in text(stranger)
    assert [desk.stored(each).state for each in (mine, other)] == ["dispatched", "ready"]


@pytest.mark.parametrize(
    "broken", [{"attempt": "x"}, {"fence": "-1"}, {"fence": "9" * 30}, {"attempt": ""}, {"idempotency_key": ""}]
)
def test_a_form_that_was_tampered_with_is_refused(desk: Company, broken: dict[str, str]) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann)
    begin(ann, effect)
    assert ann.post(f"/tasks/{effect.pk}/report", form(ann, effect) | broken, headers=HTMX).status_code == 400
    assert desk.stored(effect).state == "dispatched"


def test_a_deed_is_a_post_with_a_token(desk: Company) -> None:
    effect = call(desk)
    ann = signed_in(desk.ann, enforce_csrf_checks=True)
    for deed in ("begin", "renew", "hand-back", "report"):
        address = f"/tasks/{effect.pk}/{deed}"
        answer = ann.get(address)
        assert (answer.status_code, answer["Allow"]) == (405, "POST")
        assert ann.post(address, {}).status_code == 403
    assert attempts(effect) == []


def test_who_was_told_no_is_written_down(desk: Company) -> None:
    effect = call(desk)
    begun(desk, effect, "ann")
    amir = signed_in(desk.amir)
    answer = amir.post(f"/tasks/{effect.pk}/begin", {"idempotency_key": str(uuid4())}, headers=HTMX)
    assert answer.status_code == 409
    with inside():
        kept = Refusal.objects.filter(subject=str(effect.pk)).values_list("type", flat=True)
        assert list(kept) == ["already_held"]
