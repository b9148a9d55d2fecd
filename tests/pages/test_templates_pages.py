"""Every page as it comes out of its template: what it says, what it leaves out, and how it is built."""

import re
from collections import Counter
from html import unescape
from pathlib import Path
from types import SimpleNamespace as Thing
from uuid import UUID

import pytest
from django.conf import settings
from django.template.loader import render_to_string

from approvals.states import STATES
from console import signs
from console.pages.knowing import known, not_known
from runs.wanted import Wanted
from tests.pages.pretended import (
    NAV,
    NOW,
    SYSTEM,
    after,
    attempt,
    before,
    book,
    card,
    effect,
    entry,
    home,
    question,
    rendered,
    row,
    run,
    unknown_queue,
)

TEMPLATES = Path(settings.BASE_DIR) / "templates"
STATIC = Path(settings.BASE_DIR) / "static"
LOST = attempt(state="lost", outcome="unknown", http_status=None, ended_at=None, evidence=None)
UNKNOWN = effect(
    "unknown",
    attempts=[LOST],
    known=known([LOST], NOW),
    unknown_facts=not_known([LOST], absence_is_proof=False),
    state_reason="the worker vanished after it may have sent",
)
PROBLEM = Thing(
    code="key_reused",
    title="Key reused",
    status=422,
    meaning="It is taken.",
    what_to_do=["Use a new key."],
    example={"a": 1},
)
FORM = Thing(
    non_field_errors=[], login=Thing(value=None, errors=[]), password=Thing(value=None, errors=[]), remember=None
)


def pages() -> dict[str, str]:
    """Give every page once, full of things."""
    return {
        "home": home(
            unknown=[row()],
            unknown_count=1,
            questions=[question()],
            questions_count=1,
            partial=[row("partial", since=before(hours=2))],
            partial_count=1,
            stuck=[run("quarantined")],
            stuck_count=1,
        ),
        "calm": home(recent=[run("succeeded", ended_at=NOW)]),
        "card": card(question(tier="high", irreversible=True, residue=["A fee"], decisions=[vote()])),
        "queue": rendered("approvals/list.html", groups=[], pending_count=0, question=None),
        "tasks": rendered("tasks/list.html", begun=[], open=[errand()], count=1, older="after=1", newest=True),
        "unknown": unknown_queue(row(), older="after=1"),
        "runs": rendered(
            "runs/list.html",
            runs=[run()],
            count=1,
            asked=Wanted(state="open"),
            line="state:open",
            words="q=state%3Aopen",
            older="after=1",
            newest=True,
        ),
        "run": book(run(), UNKNOWN, effect(number=2, id="other", after_numbers=[1], result={"refund": "rf_1"})),
        "ended": book(run("succeeded", ended_at=NOW, result={"answer": "paid"}), effect()),
        "login": rendered(
            "account/login.html", form=FORM, redirect_field_value="/approvals", redirect_field_name="next"
        ),
        "logout": rendered("account/logout.html"),
        "closed": rendered("account/signup_closed.html"),
        "problem": rendered("problem.html", problem=PROBLEM),
        **{code: rendered(f"{code}.html") for code in ("400", "403", "403_csrf", "404", "405", "409", "500")},
    }


def errand() -> Thing:
    """Make a row of the list of tasks."""
    return Thing(
        id=UUID(int=4), summary="Call Ana", operation="call_customer", run=run(), groups=["support"], irreversible=False,
        created_at=before(minutes=8), deadline_at=after(hours=2), lease_expires_at=None,
    )  # fmt: skip


def busy_home() -> str:
    """Give the home page with one of each."""
    stuck = run("quarantined", needs="It is set aside.")
    lists = {"unknown": [row()], "questions": [question()], "stuck": [stuck]}
    return home(**lists, unknown_count=1, questions_count=1, stuck_count=1)


def vote(verdict: str = "approve") -> Thing:
    """Make one member's word."""
    return Thing(member_name="Ann Okafor", verdict=verdict, reason="Seen.", at=before(minutes=1))


def said(page: str) -> str:
    """Give what a page says, without its tags."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


@pytest.mark.parametrize("name", pages())
def test_a_page_is_well_built(name: str) -> None:
    page = pages()[name]
    assert page.lstrip().startswith("<!doctype html>")
    assert len(re.findall(r"<h1\b", page)) == 1
    assert len(re.findall(r"<main\b", page)) == 1
    assert re.search(r"<title>[^<]+ · Counterfoil</title>", page)
    twice = [name for name, times in Counter(re.findall(r'\sid="([^"]+)"', page)).items() if times > 1]
    assert twice == []
    pointed_at = set(re.findall(r'(?:aria-labelledby|aria-describedby|for)="([^"]+)"', page))
    assert pointed_at <= set(re.findall(r'\sid="([^"]+)"', page))
    drawn = set(re.findall(r'<use href="#([^"]+)"', page))
    assert drawn <= set(re.findall(r'<symbol id="([^"]+)"', page))


@pytest.mark.parametrize("name", pages())
def test_nothing_on_a_page_needs_a_looser_policy(name: str) -> None:
    page = pages()[name]
    assert "<style" not in page
    assert not re.search(r"\sstyle=", page)
    assert not re.search(r"\son[a-z]+=", page)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert "None" not in said(page)


def test_the_fault_page_needs_no_context_at_all() -> None:
    assert "An error on our side" in render_to_string("500.html")


def test_no_stylesheet_or_script_of_ours_reaches_for_another_host() -> None:
    for path in [*STATIC.glob("*.js"), *STATIC.glob("css/*.css")]:
        assert not re.search(r"https?://|eval\(|new Function", path.read_text()), path


def test_every_vendored_folder_is_named_with_version_and_licence() -> None:
    told = (STATIC / "vendor" / "VENDORED.md").read_text()
    for folder in (STATIC / "vendor").iterdir():
        if folder.is_dir():
            assert f"| {folder.name} |" in told
            assert (folder / "LICENSE").is_file()


def test_every_class_that_a_template_names_is_drawn_or_used() -> None:
    drawn = " ".join(path.read_text() for path in STATIC.glob("css/*.css"))
    for path in TEMPLATES.rglob("*.html"):
        bare = re.sub(r"\{[{%#].*?[%}#]\}", " ", path.read_text())
        named = {name for group in re.findall(r'class="([^"]*)"', bare) for name in group.split()}
        # `depth-` goes on with a number, `text` only tells a value that is text from one that is a word
        assert {name for name in named if f".{name}" not in drawn} <= {"depth-", "text"}, path


def test_counts_that_could_not_be_taken_are_never_zero() -> None:
    nobody_knows = Thing(**vars(NAV) | {"approvals": None, "unknown": 0})
    page = said(home(nav=nobody_knows, unknown=None, unknown_count=None))
    assert "? , count not available" in page
    assert "Nothing needs you" not in page
    assert "could not be read" in page
    assert "No effect is unknown" not in page


def test_home_is_calm_only_when_nothing_is_unknown() -> None:
    assert "No effect is unknown" in said(home())
    busy = said(home(unknown=[row()], unknown_count=1))
    assert "No effect is unknown" not in busy
    assert "1 not confirmed" in busy


def test_the_strip_says_when_the_machinery_is_not_there() -> None:
    late = {"workers": signs.workers(0), "clock_at": before(seconds=95), "clock": signs.clock(95)}
    dead = said(home(system=Thing(**vars(SYSTEM) | late)))
    assert "No worker is alive: nothing is carried out" in dead
    assert "Clock passed 1 min ago : deadlines may be late" in dead


def test_a_request_is_read_in_the_order_that_matters() -> None:
    page = card(question(irreversible=True, if_wrong="No recall after ten seconds."))
    marks = ['id="card-title"', "Exactly what will be sent", "No recall after ten seconds.", "refund-bot says", "expires and is not done",
             'name="reason"', 'value="deny"', 'value="approve"', "Asked by"]  # fmt: skip
    assert [page.index(mark) for mark in marks] == sorted(page.index(mark) for mark in marks)


def test_a_request_says_who_carries_it_out_and_sends_only_what_a_call_sends() -> None:
    assert "Carried out by Counterfoil, by a call to bank" in said(card(question()))
    page = card(question(tier="high", executor="human", carried_out_by="a person of support"))
    assert "Carried out by a person of support" in said(page)
    assert "Exactly what will be done" in page
    assert "I have read what will be done" in said(page)
    assert "will be sent" not in page


def test_a_run_leads_to_the_task_of_whoever_may_do_it() -> None:
    by_people = {"executor": "human", "carried_out_by": "a person of support"}
    mine, others = (book(run(), effect("ready", **by_people, is_my_task=each)) for each in (True, False))
    assert "Waits for a person of support to do it" in said(mine)
    assert f'href="/tasks/{UUID(int=2)}"' in mine
    assert "/tasks/" not in others.partition('id="book"')[2]
    assert "A task for a person of support" in said(others)


def test_a_pending_request_can_be_decided_and_binds_what_is_shown() -> None:
    page = card(question())
    assert 'name="shown_digest" value="9f3c' in page
    assert 'name="idempotency_key" value="key-1"' in page
    assert "Approve refund of 120.00 EUR" in said(page)
    assert 'name="read"' not in page
    assert "If nobody decides by 14:32 UTC it expires and is not done" in said(page)


def test_the_high_tier_asks_for_a_second_deliberate_act() -> None:
    assert re.search(r'name="read" value="yes" required', card(question(tier="high")))
    assert re.search(r'value="deny" formnovalidate', card(question(tier="high")))


@pytest.mark.parametrize("state", sorted({*STATES, "later_state"} - {"pending"}))
def test_a_closed_request_has_no_buttons(state: str) -> None:
    page = card(question(state))
    assert "<textarea" not in page
    assert 'name="verdict"' not in page
    assert "Waiting for you" not in page


def test_a_request_past_its_deadline_has_no_buttons_though_nobody_swept() -> None:
    page = card(question(decide_by=before(seconds=1)))
    assert 'name="verdict"' not in page
    assert "expired and will not be done" in said(page)


def test_whoever_may_not_decide_reads_why() -> None:
    page = card(question(), may_decide=False, why_not="You asked for this yourself.")
    assert 'name="verdict"' not in page
    assert "You asked for this yourself." in page


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("expired", "It expired; it was not done"),
        ("withdrawn", "there is nothing to decide. It was not done"),
        ("lapsed", "The approval lapsed; it was not done"),
        ("denied", "It was not done , and the agent has been told why"),
        ("approved", "Approved, and not started yet."),
        ("consumed", "The permission was used for this one effect."),
        ("rerouted", "asked again under the new one"),
    ],
)
def test_what_became_of_a_request_is_said_truly(state: str, words: str) -> None:
    assert words.replace(" ,", ",") in said(card(question(state))).replace(" ,", ",").replace(" .", ".")


def test_nothing_of_a_long_argument_is_cut() -> None:  # APR-17
    long = "a" * 8_990 + "DELETE-ALL"
    page = card(question(arguments={"script": long}))
    assert page.count(long) == 2
    assert "script, 9,000 characters" in said(page)


def test_a_receipt_is_shown_in_place_and_never_as_success_when_refused() -> None:
    done = said(card(question("approved"), receipt={"code": "recorded", "sentence": "It is released."}))
    assert "Recorded. It is released." in done
    late = {
        "code": "already_resolved",
        "sentence": "It was decided before.",
        "by_name": "Amir Saleh",
        "verdict": "denied",
        "at": NOW,
    }
    lost = said(card(question("denied"), receipt=late))
    assert "Nothing was recorded. It was decided before. Amir Saleh denied" in lost
    assert "Recorded." not in lost


def test_a_stale_view_shows_what_changed_and_keeps_the_words() -> None:
    receipt = {
        "code": "stale_view",
        "sentence": "It changed.",
        "changes": [{"name": "amount", "was": "120", "now": "1200"}],
    }
    page = card(question(), receipt=receipt, typed_reason="as agreed <b>")
    assert re.search(r"<del>.*120</del> <ins>.*1200</ins>", page)
    assert ">as agreed &lt;b&gt;</textarea>" in page


def test_the_answer_to_a_decision_brings_its_row_along() -> None:
    asked = question("approved")
    part = rendered(
        "approvals/_card.html", htmx=True, question=asked, receipt={"code": "recorded", "sentence": "Done."}
    )
    assert part.lstrip().startswith("<article")
    assert f'id="row-{asked.id}"' in part
    assert 'hx-swap-oob="true"' in part


def test_a_list_brings_the_count_beside_its_place_along() -> None:
    queue = rendered("approvals/_list.html", htmx=True, groups=[], pending_count=3, question=None)
    assert re.search(r'id="badge-approvals" class="badge wait" hx-swap-oob="true">3<', queue)
    assert re.search(r'id="waiting" hx-swap-oob="true"', queue)
    assert "oob" not in rendered("approvals/list.html", groups=[], pending_count=3, question=None)


@pytest.mark.parametrize(
    ("state", "of_effect", "renewed"),
    [
        ("pending", "awaiting_approval", True),
        ("approved", "ready", True),
        ("consumed", "dispatched", True),
        ("consumed", "succeeded", False),
        ("denied", "denied", False),
    ],
)
def test_a_card_follows_its_request_while_something_may_become_of_it(state: str, of_effect: str, renewed: bool) -> None:
    page = card(question(state, effect=Thing(id=UUID(int=2), number=1, state=of_effect)))
    assert ('hx-select="#card-then"' in page) == renewed
    assert "hx-get" not in re.findall(r"<form class=\"decide\"[^>]*>", page + '<form class="decide">')[0]


def test_an_unknown_effect_is_not_confirmed_and_offers_no_retry() -> None:  # UNK-07
    listed = unknown_queue(row(), older="after=1")
    for page in (listed, book(run(), UNKNOWN), home(unknown=[row()], unknown_count=1)):
        assert "Not confirmed" in said(page)
        assert not re.search(r"\b(re-?try|try again|failed)\b", said(page), re.IGNORECASE)


def test_a_row_of_the_queue_says_whose_it_is_and_when_it_is_overdue_in_words() -> None:
    nobody = said(unknown_queue(row()))
    assert "operators not claimed Claim" in nobody
    assert "by 14:25 UTC" in nobody
    assert "Asked 20 s ago : Absent HTTP 404 Next question at 14:14 :17 UTC." in nobody
    mine = said(unknown_queue(row(keeping={"is_mine": True, "owner_name": "Ann Okafor", "overdue": True})))
    assert "You Let go" in mine
    assert "overdue since 14:25" in mine
    others = said(unknown_queue(row(keeping={"owner_name": "Ben Osei", "may_act": True})))
    assert "Ben Osei" in others
    assert "Claim" not in others
    assert "not counted" in said(unknown_queue(row(), count=None))


def test_a_question_that_brought_nothing_is_no_failure_and_the_next_one_says_its_day() -> None:  # UNK-07
    learnt = Thing(kind="status", outcome="transient", state="ended", http_status=501, reason="", at=before(seconds=20))
    page = unknown_queue(row(learnt=learnt, next_at=after(days=1)))
    assert "No usable answer HTTP 501 Next question at 5 Mar 14:14 :08 UTC." in said(page)
    assert not re.search(r"\b(transient|failed|passing reason)\b", page, re.IGNORECASE)


def test_an_open_run_is_refreshed_and_an_ended_one_is_left_alone() -> None:  # PRF-05
    assert "?part=book" in book(run(), effect())
    ended = book(run("succeeded", ended_at=NOW), effect()).partition('id="book"')[2]
    assert ended
    assert "hx-get" not in ended, "what is stopped is watched on every page, above the run"


def test_a_run_tells_its_story() -> None:
    waiting = effect("awaiting_approval", number=2, id="b", attempts=[], after_numbers=[1], request=question())
    page = book(
        run(),
        effect(result={"refund": "rf_1"}, ended_at=NOW),
        waiting,
        history=[entry(), entry(2, at=before(minutes=1))],
    )
    assert "1 awaiting approval" in said(page)
    assert "Waits for a person: Refund 120.00 EUR on order 4711" in said(page)
    assert 'href="#effect-1"' in page
    assert "8 min without news" in said(page)
    assert "Each of the 1 entries carries the hash" in said(page)


def test_a_broken_chain_is_said_aloud() -> None:
    page = book(run(), chain={"ok": False, "entries": 3, "head": "1f3a…09bc", "checked_at": NOW})
    assert "The chain of hashes is broken" in said(page)
    assert "Chain intact" not in said(page)


def test_what_a_run_left_unresolved_is_named() -> None:
    page = said(book(run("succeeded_with_unresolved", ended_at=NOW, unresolved=[1, 9, "A letter"]), UNKNOWN))
    assert "No. 1 : Refund 120.00 EUR on order 4711" in page
    assert "Effect No. 9" in page
    assert "A letter" in page


def test_a_state_of_a_later_version_does_not_break_a_page() -> None:
    assert "Unknown state: half_done" in said(
        book(run("half_done"), effect("half_done", attempts=[attempt(outcome="strange")]))
    )


def test_times_carry_their_instant() -> None:
    page = card(question(created_at=before(minutes=60), decide_by=after(minutes=18)))
    assert re.search(
        r'<time class="time soon" datetime="2026-03-04T14:32:08\+00:00" title="4 Mar 2026, 14:32:08 UTC"', page
    )


def test_an_empty_list_differs_from_one_that_was_filtered_or_not_read() -> None:
    assert "No run yet." in said(rendered("runs/list.html", runs=[], count=0, asked=Wanted(), newest=True))
    assert "No run matches." in said(
        rendered("runs/list.html", runs=[], count=0, asked=Wanted(words=("x",)), newest=True)
    )
    assert "The list could not be read." in said(unknown_queue(count=None))
    assert "No effect is unknown." in said(unknown_queue())
    assert "Nothing here is as asked." in said(unknown_queue(narrowed=True))
    assert "Nobody asks you. You have no approver role." in said(
        rendered("approvals/list.html", groups=[], pending_count=0, question=None, may_approve_any=False)
    )
