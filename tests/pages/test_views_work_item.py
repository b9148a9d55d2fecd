"""One work item on its page: the chain from what was meant to what remains, and each deed by its form, twice and refused (R-J1, R-J2)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compensation.models import Ending, WorkItem
from console import clock
from tests.cast import inside, signed_in
from tests.compensation import working
from tests.compensation.conftest import one_role, rival, shop, store
from tests.compensation.undoing import answer, done, items_of, planned
from tests.pages.browsing import HTMX, text
from tests.pages.undone import address, fields, one, put, send, stored
from tests.shop import Shop
from tests.work import claim as look
from tests.work import claimed, settle, sweep

__all__ = ["one_role", "rival", "shop", "store"]
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
SEEN = "Entry 4711 of 10:02 stands in their book."
VERBS = (
    "claim", "release", "hand-over", "escalate", "run", "retry", "accept", "resolve", "waive", "confirm", "decline", "withdraw", "tick",
    "file",
)  # fmt: skip


@pytest.fixture
def oscar(store: Shop) -> Client:
    """An operator's browser."""
    return signed_in(store.members["oscar"])


@pytest.fixture
def dora(store: Shop) -> Client:
    """An administrator's browser: the second person."""
    return signed_in(store.members["dora"])


def told(browser: Client, became: Any) -> str:
    """Follow a deed to the page that it leads to, and read it."""
    assert became.status_code == 303, text(became)[-2000:]
    return text(browser.get(became["Location"]))


def test_the_chain_leads_from_what_was_meant_to_what_remains(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve", "charge")
    first, second = put(
        store, run, {"of": "reserve", "state": "running", "residue": ["The hotel keeps its fee."], "summary": "Release r-reserve"},
        {"of": "charge", "state": "waiting", "waits_for": "order", "summary": "Refund r-charge", "behind": [0]},
        reason="The customer called it off.",
    )  # fmt: skip
    said = text(oscar.get(address(first)))
    for words in (
        "What was meant No. 1 : Reserve 20.00 EUR to bob", "proposed by errand-bot", "Its policy allowed it; nobody was asked.",
        "What happened Succeeded", "receipt r-reserve", "1 attempt, with evidence",
        "Why it is made good for The run was cancelled. Plan 1 by errand-bot", "The customer called it off.",
        "Waits for this Waiting No. 2: Refund r-charge", "Its contract names nothing that must still be so.",
        "Nothing has been tried yet.", "Nothing is known yet.", "The hotel keeps its fee.", "It is open.", "Planned work item 1",
    ):  # fmt: skip
        assert words in said, words
    assert "Must be over first Running No. 1: Release r-reserve" in text(oscar.get(address(second)))


def test_what_was_found_instead_stands_beside_what_was_expected(store: Shop, oscar: Client) -> None:
    item = one(
        store, "waiting", waits_for="person", expects=[{"path": "body.status", "equals": "confirmed"}],
        difference=[{"path": "body.status", "expected": "confirmed", "found": "moved by the hotel"}],
    )  # fmt: skip
    said = text(oscar.get(address(item)))
    assert "Where Expected Found body.status confirmed moved by the hotel" in said
    assert "The world is not as the effect left it, so nothing was done." in said
    assert "Accept it and go on" in said


def test_it_is_claimed_handed_over_and_let_go(store: Shop, oscar: Client, dora: Client) -> None:
    item = one(store, "failed")
    assert "It has an owner now." in told(oscar, send(oscar, item, "claim"))
    again = dora.post(address(item, "claim"), {"idempotency_key": str(uuid4())})
    assert again.status_code == 409
    assert "Oscar Wren looks after it since" in text(again)
    to = f"member:{store.members['dora'].pk}"
    silent = send(oscar, item, "hand-over", to=to)
    assert silent.status_code == 422
    assert "Say why; see the field that is marked." in text(silent)
    send(oscar, item, "hand-over", to=to, why="She knows the hotel.")
    assert stored(item).owner_id == store.members["dora"].pk
    send(oscar, item, "hand-over", to="group:finance", why="It is money.")
    assert (stored(item).owner_id, stored(item).owner_group) == (None, "finance")
    send(dora, item, "claim")
    assert "members of finance find it on the desk" in told(dora, send(dora, item, "release"))
    nobody = dora.post(address(item, "release"), {"idempotency_key": str(uuid4())})
    assert nobody.status_code == 409
    assert "Nobody looks after this" in text(nobody)


def test_it_is_resolved_with_evidence_by_two_and_the_first_may_take_it_back(
    store: Shop, oscar: Client, dora: Client
) -> None:
    item = one(store, "failed", needs_second=True)
    bare = send(oscar, item, "resolve", evidence="", link="ftp://x", left="A fee")
    assert bare.status_code == 422
    page = text(bare)
    assert "Say how it is known" in page
    assert "A fee</textarea>" in bare.content.decode(), "what was typed is kept"
    said = told(
        oscar,
        send(
            oscar, item, "resolve", evidence=SEEN, link="https://hotel.example/4711", left="A fee of 2.00 EUR\n\nA letter ",
            files=SimpleUploadedFile("seen.png", PNG, "image/png"),
        ),
    )  # fmt: skip
    assert "waits for a second person" in said
    assert "Take it back" in said
    assert "What Oscar Wren said waits for a second person" in said
    assert stored(item).state == "failed", "nothing changes before"
    ending = _ending(item)
    mine = oscar.post(address(item, "confirm"), {"ending": str(ending.pk), "idempotency_key": str(uuid4()), "why": ""})
    assert mine.status_code == 403
    unsaid = send(dora, item, "decline")
    assert unsaid.status_code == 422
    assert "You declined it." in told(dora, send(dora, item, "decline", why="That is another booking."))
    send(oscar, item, "resolve", evidence=SEEN)
    assert "You took it back." in told(oscar, send(oscar, item, "withdraw"))
    send(oscar, item, "resolve", evidence=SEEN, left="A fee of 2.00 EUR")
    over = told(dora, send(dora, item, "confirm", why="I called them too."))
    assert "It is over as made good for by hand" in over
    assert stored(item).state == "resolved"
    for words in (
        SEEN,
        "A fee of 2.00 EUR",
        "seen.png",
        "Dora Lindqvist confirmed it",
        "That is another booking.",
        "Resolved by hand",
    ):
        assert words in over, words
    assert "What can be done" not in over


def test_it_is_let_be_with_a_reason_and_by_an_authority(store: Shop, oscar: Client) -> None:
    item = one(store, "escalated")
    for lacks in ({"why": "", "authority": "Rule 3"}, {"why": "Too small.", "authority": ""}):
        assert send(oscar, item, "waive", **lacks).status_code == 422
    said = told(
        oscar, send(oscar, item, "waive", why="Too small.", authority="Rule 3", left="The customer keeps 0.20 EUR")
    )
    assert "It is over as waived." in said
    assert "By the authority of: Rule 3" in said
    assert "The customer keeps 0.20 EUR" in said
    assert stored(item).state == "waived"


def test_a_form_sent_twice_is_done_once_and_says_the_same(store: Shop, oscar: Client) -> None:
    item = one(store, "failed")
    form = {**fields(oscar.get(address(item)).content.decode(), "waive"), "why": "Too small.", "authority": "Rule 3"}
    first, second = (oscar.post(address(item, "waive"), form) for _ in range(2))
    assert first["Location"] == second["Location"]
    with inside():
        assert Ending.objects.filter(item=item.pk).count() == 1
    other = oscar.post(address(item, "waive"), {**form, "why": "Something else."})
    assert other.status_code == 422
    assert "already used to say something else" in text(other)
    late = oscar.post(address(item, "waive"), {**form, "idempotency_key": str(uuid4())})
    assert late.status_code == 409
    assert "This work item is over" in text(late)


def test_its_checklist_is_ticked_off_before_it_is_resolved(store: Shop, oscar: Client) -> None:
    points: list[Any] = [
        {"text": each, "done_by": None, "done_at": None} for each in ("Call.", "Write down what was said.")
    ]
    (item,) = put(
        store, done(store, "reserve"),
        {"kind": "manual", "state": "waiting", "waits_for": "person", "checklist": points, "instructions": "Call <b>bob</b>."},
    )  # fmt: skip
    page = oscar.get(address(item))
    assert "2 of 2 points of the checklist are open" in text(page)
    assert "/resolve" not in page.content.decode()
    refused = oscar.post(address(item, "resolve"), {"evidence": SEEN, "idempotency_key": str(uuid4())})
    assert refused.status_code == 409
    for place, said in (("0", "Ticked off: 1 left."), ("1", "Ticked off: that was the last of them.")):
        form = {"idempotency_key": str(uuid4()), "place": place, "done": "yes"}
        assert said in told(oscar, oscar.post(address(item, "tick"), form))
    assert "Oscar Wren" in text(oscar.get(address(item)))
    assert oscar.post(address(item, "tick"), {"idempotency_key": str(uuid4()), "place": "x"}).status_code == 422
    assert "It is over as made good for by hand" in told(oscar, send(oscar, item, "resolve", evidence=SEEN))


def test_a_file_beside_it_is_given_back_to_be_saved_and_only_to_its_tenant(
    store: Shop, rival: Shop, oscar: Client
) -> None:
    item = one(store, "failed")
    assert "seen.png stands beside it" in told(
        oscar, send(oscar, item, "file", file=SimpleUploadedFile("seen.png", PNG, "image/png"))
    )
    assert send(oscar, item, "file").status_code == 422
    svg = send(oscar, item, "file", file=SimpleUploadedFile("x.svg", b"<svg onload='alert(1)'/>", "image/svg+xml"))
    assert svg.status_code == 422
    where = _file(oscar, item)
    saved = oscar.get(where)
    assert (saved.status_code, saved.content) == (200, PNG)
    assert saved["Content-Disposition"].startswith("attachment")
    assert "sandbox" in saved["Content-Security-Policy"]
    assert signed_in(rival.members["oscar"]).get(where).status_code == 404


def test_it_is_escalated_by_hand_up_to_the_top_of_its_ladder(store: Shop, oscar: Client) -> None:
    ladder: list[Any] = [{"after_seconds": 0, "to": "operators"}, {"after_seconds": 60, "to": "admins"}]
    item = one(store, "failed", ladder=ladder)
    assert send(oscar, item, "escalate").status_code == 422
    assert "Admins are told at once" in text(oscar.get(address(item)))
    assert "Members of admins were told." in told(oscar, send(oscar, item, "escalate", why="The hotel closes at six."))
    assert stored(item).state == "escalated"
    top = text(oscar.get(address(item)))
    assert "Everybody on the ladder of this work item was told; nobody stands above them. Hand it over instead." in top
    refused = oscar.post(address(item, "escalate"), {"idempotency_key": str(uuid4()), "why": "Again."})
    assert refused.status_code == 409


def test_what_was_tried_in_vain_is_tried_again_and_what_goes_on_is_not(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve")
    (item,) = working.plan(store, run, "reserve")
    under_way = text(oscar.get(address(item)))
    assert "Only what was tried in vain is tried again: it is running." in under_way
    early = oscar.post(address(item, "retry"), {"idempotency_key": str(uuid4()), "why": "Now."})
    assert early.status_code == 409
    assert "Only what was tried in vain is tried again" in text(early)
    answer(look(), "rejected", http=422)
    sweep()
    assert stored(item).state in {"failed", "escalated"}
    assert send(oscar, item, "retry").status_code == 422
    said = told(oscar, send(oscar, item, "retry", why="The hotel answers again."))
    assert "It is tried again, by a new effect." in said
    assert len(items_of(run)) == 1
    assert stored(item).tries == 2


def test_what_was_found_instead_is_accepted_as_it_was_seen_and_no_otherwise(store: Shop, oscar: Client) -> None:
    """R-J2: it stops where somebody changed the world with good reason, and goes on only as somebody who saw that says."""
    (item,) = working.plan(store, done(store, "book"), "book")
    difference: list[Any] = [{"path": "body.status", "expected": "confirmed", "found": "moved"}]
    settle(claimed(), "conflict", to="withdrawn", result=difference, reason="body.status is moved, not confirmed.")
    sweep()
    page = oscar.get(address(item)).content.decode()
    form = {**fields(page, "accept"), "why": ""}
    assert oscar.post(address(item, "accept"), form).status_code == 422
    old = oscar.post(address(item, "accept"), {**form, "why": "I asked.", "seen_digest": "00" * 32})
    assert old.status_code == 409
    assert "What was found is not what you saw any more" in text(old)
    went = oscar.post(
        address(item, "accept"), {**form, "why": "The hotel moved it for us.", "idempotency_key": str(uuid4())}
    )
    said = told(oscar, went)
    assert "It is tried again, by a new effect." in said
    assert "body.status moved" in said, "from now on that is expected"
    assert said.count("Unbook r-book") >= 3, "both tries stand in the chain"


def test_what_waits_for_its_next_attempt_is_put_forward(store: Shop, oscar: Client) -> None:
    (item,) = working.plan(store, done(store, "reserve"), "reserve")
    settle(claimed(), "overload", to="ready", delay=600)
    said = told(oscar, send(oscar, item, "run"))
    assert "It goes on at once." in said
    assert claimed()["kind"] == "act"
    busy = oscar.post(address(item, "run"), {"idempotency_key": str(uuid4())})
    assert busy.status_code == 409
    assert "It is being tried at this moment" in text(busy)


def test_beside_an_effect_that_is_under_way_nobody_ends_it(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve")
    (item,) = working.plan(store, run, "reserve")
    look()
    page = oscar.get(address(item))
    assert "It is being tried at this moment; wait for the answer." in text(page)
    assert "/waive" not in page.content.decode()
    refused = oscar.post(address(item, "waive"), {"idempotency_key": str(uuid4()), "why": "No.", "authority": "Me."})
    assert refused.status_code == 409
    assert "It is being tried at this moment" in text(refused)


@pytest.mark.parametrize("verb", VERBS)
def test_no_deed_reaches_into_another_tenant(store: Shop, rival: Shop, verb: str) -> None:
    item = one(store, "failed")
    stranger = signed_in(rival.members["oscar"])
    assert stranger.get(address(item)).status_code == 404
    form = {
        "idempotency_key": str(uuid4()), "why": "x", "evidence": "x", "authority": "x", "to": "group:finance", "place": "0", "done": "yes",
        "ending": str(uuid4()), "seen_digest": "00", "file": SimpleUploadedFile("seen.png", PNG, "image/png"),
    }  # fmt: skip
    assert stranger.post(address(item, verb), form).status_code == 404
    assert stored(item).state == "failed"


@pytest.mark.parametrize("verb", VERBS)
def test_whoever_it_is_not_for_sees_it_and_may_do_nothing(store: Shop, verb: str) -> None:
    item = one(store, "failed", checklist=[{"text": "Call.", "done_by": None, "done_at": None}])
    ann = signed_in(store.members["ann"])
    page = ann.get(address(item))
    assert page.status_code == 200
    assert "You see what they could do." in text(page)
    assert f'action="{address(item, verb)}"' not in page.content.decode()
    if verb in {"confirm", "decline", "withdraw"}:
        return
    form = {
        "idempotency_key": str(uuid4()), "why": "x", "evidence": "x", "authority": "x", "to": "group:finance", "place": "0", "done": "yes",
        "seen_digest": "00", "file": SimpleUploadedFile("seen.png", PNG, "image/png"),
    }  # fmt: skip
    refused = ann.post(address(item, verb), form)
    assert refused.status_code == 403
    assert "Operators, admins and the members of the group" in text(refused)


def test_an_ending_of_another_item_is_none_of_this_one(store: Shop, oscar: Client, dora: Client) -> None:
    item, other = one(store, "failed", needs_second=True), one(store, "failed")
    send(oscar, item, "resolve", evidence=SEEN)
    form = {"idempotency_key": str(uuid4()), "ending": str(_ending(item).pk), "why": "x"}
    assert dora.post(address(other, "confirm"), form).status_code == 404
    assert dora.post(address(item, "confirm"), {**form, "ending": "x"}).status_code == 404
    assert stored(item).state == "failed"


def test_it_refreshes_by_its_part_while_it_is_open(store: Shop, oscar: Client) -> None:
    item = one(store, "failed")
    part = oscar.get(f"{address(item)}?part=stands", headers=HTMX)
    assert "<!doctype" not in part.content.decode()
    assert "hx-trigger" in part.content.decode()
    send(oscar, item, "waive", why="Too small.", authority="Rule 3")
    assert "hx-trigger" not in oscar.get(f"{address(item)}?part=stands", headers=HTMX).content.decode()


def test_what_agents_and_people_send_is_inert(store: Shop, oscar: Client) -> None:
    evil = "<script>alert(1)</script>\u202e"
    item = one(
        store, "failed", summary=evil, target=evil, state_reason=evil, authority=evil, instructions=evil, residue=[evil], verification=evil,
        checklist=[{"text": evil, "done_by": None, "done_at": None}], expects=[{"path": evil, "equals": evil}],
        difference=[{"path": evil, "expected": evil, "found": evil}], ladder=[{"after_seconds": 0, "to": evil}], owner_group=evil[:60],
    )  # fmt: skip
    send(oscar, item, "waive", why=evil, authority=evil, left=evil)
    for where in (address(item), "/compensation", f"/compensation/plans/{item.plan_id}", f"/runs/{item.run_id}"):
        page = oscar.get(where)
        assert page.status_code == 200
        assert "<script>alert" not in page.content.decode(), where
        assert "\u202e" not in page.content.decode(), where


def test_a_longer_chain_asks_no_more_of_the_database(store: Shop, oscar: Client) -> None:
    def asked(item: WorkItem) -> int:
        with CaptureQueriesContext(connections["default"]) as captured:
            assert oscar.get(address(item)).status_code == 200
        return len(captured.captured_queries)

    def grown(times: int) -> WorkItem:
        keys = ["reserve", *(f"reserve-{number}" for number in range(2, times + 1))]
        rows = [
            {"of": key, "state": "failed", "behind": [] if place else [*range(1, times)]}
            for place, key in enumerate(keys)
        ]
        items = put(store, done(store, *["reserve"] * times), *rows)
        for number in range(times):
            send(oscar, items[0], "file", file=SimpleUploadedFile(f"{number}.png", PNG + bytes([number]), "image/png"))
        return items[0]

    assert asked(grown(4)) == asked(grown(2))


def _ending(item: WorkItem) -> Ending:
    with inside():
        return Ending.objects.filter(item=item.pk).latest("number")


def _file(browser: Client, item: WorkItem) -> str:
    page = browser.get(address(item)).content.decode()
    return page[page.index("/compensation/files/") :].partition('"')[0]


def test_what_waits_for_a_person_says_so_and_never_looks_like_what_goes_on_by_itself(
    store: Shop, oscar: Client
) -> None:
    person, order = one(store, "waiting", waits_for="person"), one(store, "waiting", waits_for="order")
    assert "Needs a person" in text(oscar.get(address(person)))
    assert "Needs a person" not in text(oscar.get(address(order)))
    assert text(oscar.get("/compensation")).count("Needs a person") == 1


def test_what_nobody_knows_the_end_of_is_not_confirmed_and_never_said_to_be_running(store: Shop, oscar: Client) -> None:
    run = done(store, "reserve")
    planned(store, run)
    answer(look(), "unknown", reason="The hotel did not answer within 5 s.")
    sweep()
    (item,) = items_of(run)
    for page in (address(item), "/compensation", f"/runs/{run}"):
        said = text(oscar.get(page))
        assert "Not confirmed" in said, page
        assert "It is being made good for" not in said, page


def test_what_cannot_be_done_stands_last_with_its_reason_and_what_has_one_reason_stands_together(
    store: Shop, oscar: Client
) -> None:
    failed = text(oscar.get(address(one(store, "failed"))))
    assert failed.index("Try it again") < failed.index(
        "Not open now Run it now. Nothing of this can be put forward: it was tried in vain; try it again instead."
    )
    item = one(store, "failed", needs_second=True)
    send(oscar, item, "resolve", evidence=SEEN)
    assert "Try it again, Say that it was made good for by hand, Waive it. What Oscar Wren said waits" in text(
        oscar.get(address(item))
    )


def test_a_second_person_has_the_files_before_them_where_they_give_their_word(
    store: Shop, oscar: Client, dora: Client
) -> None:
    item = one(store, "failed", needs_second=True)
    send(oscar, item, "resolve", evidence=SEEN, files=SimpleUploadedFile("seen.png", PNG, "image/png"))
    said = text(dora.get(address(item)))
    assert "Failed Waits for a second person" in said
    assert said.index("seen.png") < said.index("What you looked at yourself")


def test_what_is_late_says_by_how_much(store: Shop, oscar: Client) -> None:
    item = one(store, "failed", deadline_at=clock.now() - timedelta(minutes=40))
    for page in (address(item), "/compensation", "/", f"/runs/{item.run_id}"):
        assert "overdue by 40 min" in text(oscar.get(page)), page


def test_who_acts_on_a_card_that_changed_meanwhile_is_told_what_is_new_and_keeps_what_they_typed(
    store: Shop, oscar: Client, dora: Client
) -> None:
    """R-N4: a form says what was shown with it; sent once more from the page that says what is new, it is done."""
    item = one(store, "failed")
    form = fields(oscar.get(address(item)).content.decode(), "waive")
    send(dora, item, "claim")
    typed = {"why": "Too small.", "authority": "Rule 3"}
    refused = oscar.post(address(item, "waive"), {**form, **typed})
    assert refused.status_code == 409
    said = text(refused)
    assert "Something about this is new since you opened it, so nothing was done." in said
    assert "New since you opened the page Work item 1 is looked after by Dora Lindqvist. Dora Lindqvist" in said
    assert "Too small.</textarea>" in refused.content.decode()
    assert stored(item).state == "failed"
    again = oscar.post(address(item, "waive"), {**fields(refused.content.decode(), "waive"), **typed})
    assert "It is over as waived." in told(oscar, again)
    assert oscar.post(address(item, "waive"), {**form, **typed, "version": "x"}).status_code in {400, 409}


def test_what_a_row_of_the_desk_was_shown_with_counts_there_too(store: Shop, oscar: Client, dora: Client) -> None:
    item = one(store, "failed", owner_id=store.members["oscar"].pk)
    form = fields(oscar.get("/compensation").content.decode(), "release")
    send(dora, item, "hand-over", to=f"member:{store.members['dora'].pk}", why="I know the hotel.")
    row = oscar.post(address(item, "release"), form, headers=HTMX)
    assert row.status_code == 409
    assert "Look at it, and send it again. Work item 1 is looked after by Dora Lindqvist: I know the hotel." in text(
        row
    )
    assert stored(item).owner_id == store.members["dora"].pk


def test_wherever_an_item_is_listed_it_says_that_its_end_waits_for_a_second_person(
    store: Shop, oscar: Client, dora: Client
) -> None:
    item = one(store, "failed", needs_second=True)
    send(oscar, item, "resolve", evidence=SEEN)
    for page in ("/", "/compensation", f"/runs/{item.run_id}"):
        assert "Waits for a second person" in text(dora.get(page)), page
    for page in ("/", "/compensation"):
        assert "Confirm or decline that it is resolved by hand, as Oscar Wren says." in text(dora.get(page)), page
        assert "You said that it is resolved by hand; another member confirms or declines that." in text(
            oscar.get(page)
        ), page
