"""Finding out what became of an effect, on its page: what is known, asking, the ways out, and a second person (R-F4, R-F5, UNK-07)."""

import re
from functools import partial as partial_of
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from runs.models import Effect, EvidenceFile
from tests.cast import Company, inside, signed_in
from tests.pages.browsing import HTMX, at_once, text
from tests.pages.unsettled import (
    SEEN,
    VERBS,
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


@pytest.fixture
def acme(acme: Company) -> Company:
    """The company, careful about refunds."""
    return with_second_person(acme)


@pytest.fixture
def effect(acme: Company) -> Effect:
    """A refund that may have happened."""
    return unknown(acme)


@pytest.fixture
def olga(acme: Company) -> Client:
    """A second operator."""
    return signed_in(hire(acme, "olga", "Olga Brandt", ["operator"], []))


def test_it_says_what_is_known_what_is_not_and_what_each_way_leads_to(acme: Company, effect: Effect) -> None:
    said = text(signed_in(acme.oscar).get(address(effect)))
    assert "Whether it happened on the other side." in said
    assert "The bank did not answer within 10 s." in said
    for title in (
        "It happened",
        "It did not happen",
        "Still pending",
        "It happened, and must be undone",
        "Cannot tell",
    ):
        assert title in said
    assert "The run goes on, and its agent completes it." in said
    assert "asked again at the moment that you name" in said
    assert "waits until another member confirms it" in said
    assert f"cf-{effect.pk}" in said


def test_no_page_of_it_says_failed_try_again_or_offers_a_plain_retry(acme: Company, effect: Effect) -> None:  # UNK-07
    oscar = signed_in(acme.oscar)
    for where in ("/unknown", address(effect), f"/runs/{effect.run_id}/effects/1", f"/runs/{effect.run_id}", "/"):
        page = oscar.get(where)
        assert not re.search(r"failed,? (please )?(try|retry)", text(page), re.IGNORECASE), where
        assert not re.search(r"<button[^>]*>\s*(Re-?try|Try again|Send again)", page.content.decode(), re.IGNORECASE)


def test_each_attempt_is_shown_with_its_fence_and_raw_evidence_and_equal_answers_are_folded(
    acme: Company, effect: Effect
) -> None:
    oscar = signed_in(acme.oscar)
    for _ in range(3):
        due_now()
        answered(look(), "absent", http=404, delay=3600)
    page = oscar.get(address(effect))
    said = text(page)
    assert "2 before it brought the same" in said
    assert len(re.findall(r'<details class="raw" id="evidence-[^"]+"', page.content.decode())) == 4
    assert "Last answer" in said
    assert "HTTP 404" in said


def test_asking_now_shows_the_raw_answer_when_it_comes(acme: Company, effect: Effect) -> None:
    oscar = signed_in(acme.oscar)
    asked = send(oscar, effect, "ask")
    assert asked.status_code == 303
    assert "The other side is being asked." in text(oscar.get(asked["Location"]))
    answered(look(), "pending", http=202, delay=3600, says="still at it, said the bank")
    part = oscar.get(f"{address(effect)}?part=facts", headers=HTMX)
    assert "still at it, said the bank" in text(part)
    again = send(oscar, effect, "ask")
    assert again.status_code == 409
    assert re.search(r"It can be asked again in \d s", text(again))


def test_what_happened_takes_a_second_person_who_is_another(acme: Company, effect: Effect, olga: Client) -> None:
    oscar = signed_in(acme.oscar)
    became = found(oscar, effect, reference="rf_9", link="https://bank.example/4711", **{"result.refund": "rf_9"})
    assert became.status_code == 303
    told = text(oscar.get(became["Location"]))
    assert "waits for a second person" in told
    assert acme.stored(effect).state == "unknown", "nothing changes before"
    finding = findings_of(effect)[0]
    mine = oscar.get(address(effect)).content.decode()
    assert "/confirm" not in mine
    assert "Take the finding back" in mine
    by_himself = oscar.post(
        address(effect, "confirm"), {"finding": str(finding.pk), "idempotency_key": str(uuid4()), "word": ""}
    )
    assert by_himself.status_code == 403
    assert "somebody else confirms or declines it" in text(by_himself)
    seen = text(olga.get(address(effect)))
    assert SEEN in seen
    assert "https://bank.example/4711" in seen
    assert "When it is confirmed:" in seen
    assert "A finding waits for your word" in seen
    confirmed = send(olga, effect, "confirm", word="I looked at the statement too.")
    told = text(olga.get(confirmed["Location"]))
    assert "It counts as done" in told
    assert "There is nothing left to find out." in told
    after = acme.stored(effect)
    assert (after.state, after.result, after.operation_reference) == ("succeeded", '{"refund":"rf_9"}', "rf_9")
    story = text(olga.get(f"/runs/{effect.run_id}/effects/1"))
    assert "Oscar Wren found this" in story
    assert "Olga Brandt confirmed it" in story
    assert "I looked at the statement too." in story
    assert "It happened" in text(olga.get(f"/runs/{effect.run_id}"))


def test_a_second_person_declines_with_a_reason_and_it_can_be_found_out_anew(
    acme: Company, effect: Effect, olga: Client
) -> None:
    oscar = signed_in(acme.oscar)
    found(oscar, effect)
    without = send(olga, effect, "decline", word="")
    assert without.status_code == 422
    assert 'id="word-error"' in without.content.decode()
    declined = send(olga, effect, "decline", word="That is another order.")
    assert "You declined the finding." in text(olga.get(declined["Location"]))
    page = text(oscar.get(address(effect)))
    assert "That is another order." in page
    assert "What did you find out?" in page
    assert acme.stored(effect).state == "unknown"


def test_one_takes_ones_own_finding_back(acme: Company, effect: Effect) -> None:
    oscar = signed_in(acme.oscar)
    found(oscar, effect)
    send(oscar, effect, "withdraw")
    assert [each.state for each in findings_of(effect)] == ["withdrawn"]


def test_still_pending_is_looked_at_again_at_the_moment_that_was_named(acme: Company, effect: Effect) -> None:
    oscar = signed_in(acme.oscar)
    for typed in ("", "tomorrow", "2026-13-45 10:00", "1999-01-01 10:00"):
        refused = found(oscar, effect, "still_pending", look_again_at=typed)
        assert refused.status_code == 422, typed
        page = refused.content.decode()
        assert 'id="look-error"' in page, typed
        assert f'value="{typed}"' in page or not typed
        assert "4711" in page, "what was typed is kept"
        assert re.search(r'value="still_pending"[^>]* checked', page)
    form = oscar.get(address(effect)).content.decode()
    offered = re.search(r'name="look_again_at"[^>]*value="([^"]+)"', form)
    assert offered
    assert found(oscar, effect, "still_pending", look_again_at=f"{offered[1]} UTC").status_code == 303
    assert f"{acme.stored(effect).next_attempt_at:%Y-%m-%d %H:%M}" == offered[1]


def test_what_did_not_happen_is_done_again_with_the_same_key_or_given_up(
    acme: Company, effect: Effect, olga: Client
) -> None:
    oscar = signed_in(acme.oscar)
    assert found(oscar, effect, "did_not_happen:retry", extra_attempts="some").status_code == 422
    unexplained = found(oscar, effect, "did_not_happen:retry", extra_attempts="2")
    assert 'id="reason-error"' in unexplained.content.decode()
    found(oscar, effect, "did_not_happen:retry", extra_attempts="2", reason="The bank was down all morning.")
    send(olga, effect, "confirm")
    after = acme.stored(effect)
    assert (after.state, after.attempts_granted) == ("ready", 2)
    other = unknown(acme, amount="21")
    found(oscar, other, "did_not_happen:give_up")
    send(olga, other, "confirm")
    assert acme.stored(other).state == "failed"


def test_cannot_tell_hands_it_over(acme: Company, effect: Effect) -> None:
    oscar = signed_in(acme.oscar)
    became = found(oscar, effect, "cannot_tell", to_group="finance")
    assert "handed over" in text(oscar.get(became["Location"]))
    assert "finance" in text(oscar.get(address(effect)))
    ann = signed_in(acme.ann).get(address(effect)).content.decode()
    assert 'value="happened"' in ann
    assert "disabled" not in re.findall(r'<input type="radio"[^>]*value="happened"[^>]*>', ann)[0], "finance acts now"


def test_whoever_cannot_tell_says_why_and_those_it_is_handed_to_are_told(acme: Company, effect: Effect) -> None:
    oscar = signed_in(acme.oscar)
    assert 'name="handing_reason"' in oscar.get(address(effect)).content.decode()
    found(
        oscar, effect, "cannot_tell", to_group="finance", handing_reason="Only the bank's clerk can see it.", reason=""
    )
    assert findings_of(effect)[0].reason == "Only the bank's clerk can see it."
    assert "Only the bank's clerk can see it." in text(signed_in(acme.ann).get("/notices"))


def test_of_what_must_be_undone_it_is_said_too_how_the_other_side_names_it(
    acme: Company, effect: Effect, olga: Client
) -> None:
    oscar = signed_in(acme.oscar)
    page = oscar.get(address(effect)).content.decode()
    assert page.count('name="reference"') == page.count('name="result.refund"') == 1
    assert 'class="came-of-it"' in page
    assert page.index('value="must_be_undone"') < page.index('class="came-of-it"'), "it stands below the ways, for both"
    found(oscar, effect, "must_be_undone", reference="rf_9", **{"result.refund": "rf_9"})
    send(olga, effect, "confirm")
    after = acme.stored(effect)
    assert (after.state, after.result, after.operation_reference) == ("succeeded", '{"refund":"rf_9"}', "rf_9")


def test_the_rest_of_what_was_done_in_part_is_settled(acme: Company, olga: Client) -> None:
    some = partial(acme)
    oscar = signed_in(acme.oscar)
    assert "Settle the rest" in text(oscar.get(f"/runs/{some.run_id}/effects/1"))
    assert "Some of it happened, and some did not." in text(oscar.get(address(some)))
    found(oscar, some, "rest_settled")
    send(olga, some, "confirm")
    assert acme.stored(some).reconciled_at is not None
    assert "There is nothing left to find out." in text(olga.get(address(some)))


def test_files_stand_beside_a_finding_and_are_given_back_as_they_were(
    acme: Company, globex: Company, effect: Effect, olga: Client
) -> None:
    oscar = signed_in(acme.oscar)
    scan = b"%PDF-1.7 a scan of the statement"
    found(oscar, effect, files=[SimpleUploadedFile("statement.pdf", scan, "application/pdf")])
    with inside():
        kept = EvidenceFile.objects.get(effect=effect.pk)
    assert "statement.pdf" in text(olga.get(address(effect)))
    given = olga.get(f"/evidence/{kept.pk}")
    assert given.content == scan
    assert given["Content-Disposition"].startswith("attachment")
    assert given["X-Content-Type-Options"] == "nosniff"
    assert signed_in(globex.cara).get(f"/evidence/{kept.pk}").status_code == 404
    assert Client().get(f"/evidence/{kept.pk}").status_code == 302


def test_files_that_are_too_many_or_too_large_are_refused_beside_their_field(acme: Company, effect: Effect) -> None:
    oscar = signed_in(acme.oscar)
    many = [SimpleUploadedFile(f"{number}.txt", b"x", "text/plain") for number in range(6)]
    large = [SimpleUploadedFile("large.bin", b"x" * (2 * 1024 * 1024 + 1))]
    for files in (many, large):
        refused = found(oscar, effect, files=files)
        assert refused.status_code == 422
        assert 'id="files-error"' in refused.content.decode()
        assert "choose them again" in text(refused)
    assert findings_of(effect) == []


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"way": ""}, "way-error"), ({"way": "nonsense"}, "way-error"), ({"evidence": "  "}, "evidence-error"),
        ({"evidence": "x" * 4001}, "evidence-error"), ({"link": "javascript:alert(1)"}, "link-error"),
        ({"way": "cannot_tell", "to_group": "strangers"}, "to-error"),
    ],
)  # fmt: skip
def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_is_kept(
    acme: Company, effect: Effect, typed: dict[str, str], field: str
) -> None:
    refused = found(signed_in(acme.oscar), effect, **typed)
    assert refused.status_code == 422
    page = refused.content.decode()
    assert f'id="{field}"' in page
    assert f"{field}" in re.sub(rf'id="{field}"', "", page), "the field names what is wrong with it"
    assert "Nothing was changed." in text(refused)
    assert findings_of(effect) == []


def test_a_view_that_is_stale_is_told_how_it_stands_and_keeps_what_was_typed(acme: Company, effect: Effect) -> None:
    oscar = signed_in(acme.oscar)
    form = fields(oscar.get(address(effect)).content.decode(), "find")
    send(oscar, effect, "ask")
    answered(look(), "pending", http=202, delay=3600)
    stale = oscar.post(address(effect, "find"), {**form, "way": "did_not_happen:give_up", "evidence": SEEN})
    assert stale.status_code == 409
    said = text(stale)
    assert "Something about it is new since you opened the page." in said
    assert "Pending" in said
    assert SEEN in said
    page = stale.content.decode()
    assert re.search(r'value="did_not_happen:give_up"[^>]* checked', page)
    again = oscar.post(
        address(effect, "find"), {**fields(page, "find"), "way": "did_not_happen:give_up", "evidence": SEEN}
    )
    assert again.status_code == 303


def test_a_form_sent_twice_is_one_finding(acme: Company, effect: Effect) -> None:
    oscar = signed_in(acme.oscar)
    form = fields(oscar.get(address(effect)).content.decode(), "find") | {"way": "happened", "evidence": SEEN}
    answers = at_once([lambda: signed_in(acme.oscar).post(address(effect, "find"), form) for _ in range(2)])
    assert [answer.status_code for answer in answers] == [303, 303]
    assert len(findings_of(effect)) == 1
    reused = oscar.post(address(effect, "find"), {**form, "way": "did_not_happen:give_up"})
    assert reused.status_code == 422
    assert "already used to say something else" in text(reused)


def test_two_people_at_once_leave_one_finding_and_the_other_is_told(
    acme: Company, effect: Effect, olga: Client
) -> None:
    oscar = signed_in(acme.oscar)
    forms = [fields(each.get(address(effect)).content.decode(), "find") for each in (oscar, olga)]
    ways = ("happened", "did_not_happen:give_up")
    answers = at_once(
        [
            partial_of(each.post, address(effect, "find"), {**form, "way": way, "evidence": SEEN})
            for each, form, way in zip((oscar, olga), forms, ways, strict=True)
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [303, 409]
    assert len(findings_of(effect)) == 1


def sent_anyhow(browser: Client, effect: Effect, verb: str) -> Any:
    """Send a form without having been shown one."""
    finding = next((str(each.pk) for each in findings_of(effect)), str(uuid4()))
    return browser.post(
        address(effect, verb),
        {
            "idempotency_key": str(uuid4()), "version": "1", "way": "happened", "evidence": SEEN, "finding": finding,
            "why": "Because.", "to": "group:finance", "word": "No.",
        },
    )  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_nobody_acts_on_it_who_may_not(acme: Company, globex: Company, effect: Effect, verb: str) -> None:
    found(signed_in(acme.oscar), effect)
    assert signed_in(acme.oscar).get(address(effect, verb)).status_code == 405
    assert sent_anyhow(Client(), effect, verb)["Location"].startswith("/accounts/login/")
    assert sent_anyhow(signed_in(globex.cara), effect, verb).status_code == 404
    without_the_role = sent_anyhow(signed_in(acme.ann), effect, verb)
    assert without_the_role.status_code == 403
    assert "This is for operators and the group that looks after it." in text(without_the_role)
    assert [each.state for each in findings_of(effect)] == ["proposed"]
    assert acme.stored(effect).owner_id is None
    assert Client(enforce_csrf_checks=True).post(address(effect, verb)).status_code == 403


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_settled_is_left_alone_and_the_truth_is_told(
    acme: Company, effect: Effect, olga: Client, verb: str
) -> None:
    found(signed_in(acme.oscar), effect)
    send(olga, effect, "confirm")
    answer = sent_anyhow(olga if verb != "withdraw" else signed_in(acme.oscar), effect, verb)
    assert answer.status_code == 409
    assert "Nothing was changed." in text(answer)
    assert "There is nothing left to find out." in text(answer)
    assert acme.stored(effect).state == "succeeded"


def test_it_is_claimed_let_go_and_handed_over(acme: Company, effect: Effect, olga: Client) -> None:
    oscar = signed_in(acme.oscar)
    send(oscar, effect, "claim")
    assert acme.stored(effect).owner_id == acme.oscar.pk
    taken = sent_anyhow(olga, effect, "claim")
    assert taken.status_code == 409
    assert "Oscar Wren looks after it" in text(taken)
    unexplained = send(oscar, effect, "hand-over", to="group:finance", why="")
    assert unexplained.status_code == 422
    assert 'id="why-error"' in unexplained.content.decode()
    send(oscar, effect, "hand-over", to="group:finance", why="They know this customer.")
    after = acme.stored(effect)
    assert (after.owner_id, after.owner_group) == (None, "finance")
    send(oscar, effect, "claim")
    send(oscar, effect, "release")
    assert acme.stored(effect).owner_id is None


def test_a_finding_about_another_effect_is_none_of_this_one(acme: Company, effect: Effect, olga: Client) -> None:
    other = unknown(acme, amount="21")
    found(signed_in(acme.oscar), other)
    answer = olga.post(
        address(effect, "confirm"), {"finding": str(findings_of(other)[0].pk), "idempotency_key": str(uuid4())}
    )
    assert answer.status_code == 404
    assert acme.stored(other).state == "unknown"


def test_each_form_carries_its_own_key(acme: Company, effect: Effect) -> None:
    page = signed_in(acme.oscar).get(address(effect)).content.decode()
    keys = re.findall(r'name="idempotency_key" value="([^"]+)"', page)
    assert len(keys) == len(set(keys)) == 4
