"""The list of runs, and a run as a book of its effects and its history."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest

from approvals import closing
from console.database import rows
from runs import driving, sweep
from runs.models import Run
from tests.cast import WORKER, Company, claim, inside, later, settle, signed_in, work
from tests.pages.browsing import HTMX, from_a_later_version, text, walk

ROW = r'<a class="open" href="/runs/([^"#]+)"'
SENTENCE = r'<div class="told">\s*<p>(.*?)</p>'


def story(company: Company, run: Run, name: str = "ann", words: str = "") -> list[str]:
    """Read a run's history from its page: what is said, and by whom."""
    page = signed_in(company.members[name]).get(f"/runs/{run.pk}{words}").content.decode()
    return [
        re.sub(r"\s+", " ", re.sub("<[^>]+>", "", line)).replace("&quot;", '"').strip()
        for line in re.findall(SENTENCE, page, re.DOTALL)
    ]


def test_a_run_tells_its_story(acme: Company) -> None:
    run = acme.run()
    acme.propose(run, "lookup")
    work(http=200, result={"order": "1042"})
    refund = acme.propose(run)
    acme.propose(run, after=[refund], amount="5.00")
    acme.approve("ann", refund, "Matches the statement.")
    work(result={"refund": "rf_1"})
    work(result={"refund": "rf_2"})
    acme.complete(run, {"refunded": "125"})
    assert story(acme, run) == [
        "Opened the run. refund-bot",
        "Proposed effect 1, “Look up order 1042”; the policy allows it. refund-bot",
        "Began attempt 1 of effect 1; from here on it may have happened. worker test:1",
        "The other side answered 200: effect 1 succeeded. worker test:1",
        "Proposed effect 2, “Refund 120.00 EUR on order 1042”; the policy asks people. refund-bot",
        "Asked finance to decide about effect 2. refund-bot",
        "Proposed effect 3, “Refund 5.00 EUR on order 1042”; its turn comes later. refund-bot",
        "Approved effect 2, saying: Matches the statement. Ann Okafor",
        "With that the request is approved. Ann Okafor",
        "Effect 2 is released and may begin. worker test:1",
        "The permission was used, for effect 2 alone. worker test:1",
        "Began attempt 1 of effect 2; from here on it may have happened. worker test:1",
        "The other side answered 201: effect 2 succeeded. worker test:1",
        "Effect 3 has come to its turn. worker test:1",
        "Began attempt 1 of effect 3; from here on it may have happened. worker test:1",
        "The other side answered 201: effect 3 succeeded. worker test:1",
        "Completed the run. refund-bot",
    ]
    said = text(signed_in(acme.dora).get(f"/runs/{run.pk}"))
    assert "Chain intact" in said
    assert "Each of the 17 entries carries the hash of the one before it" in said
    assert "refunded 125" in said


def test_what_went_otherwise_is_told_as_it_was(acme: Company) -> None:
    run = acme.run()
    denied, expired, lost = acme.propose(run), acme.propose(run, amount="61"), acme.propose(run, amount="20")
    acme.deny("amir", denied, "Already paid back.")
    work("unknown", http=None, reason="The bank did not answer within 10 s.")
    with later(minutes=31), inside():
        closing.expire_due(sweep.CLOCK, 10)
        sweep.follow(sweep.CLOCK, 10)
    driving.fail(acme.bot, run.pk, epoch=1, reason="Not owed.", key="f")
    told = story(acme, run)
    assert "Denied effect 1, saying: Already paid back. Amir Saleh" in told
    assert "Effect 1 was denied and is not done: Already paid back. worker test:1" in told
    assert (
        "There was no clear answer: effect 3 may have happened or not; nobody knows yet: "
        "The bank did not answer within 10 s. worker test:1"
    ) in told
    assert "The question about effect 2 expired: nobody decided in time. the clock" in told
    assert "Effect 2 expired and is not done: nobody decided in time. the clock" in told
    assert "The run is closing, to end as failed: Not owed. refund-bot" in told
    assert acme.stored(lost).state == "unknown"
    assert acme.stored(expired).state == "expired"


def test_a_lost_worker_and_its_late_answer_are_told(acme: Company) -> None:
    run = acme.run()
    acme.propose(run, amount="20")
    held = claim()
    with inside():
        rows("select * from runs_end_leases('worker:parent', 10, %s)", [WORKER])
    settle(held, "succeeded", result={"refund": "rf_1"})
    told = story(acme, run)
    assert told[-2:] == [
        "The worker that had effect 1 vanished: it may have happened or not; nobody knows yet. worker parent",
        "A late answer about effect 1 (succeeded) was kept as evidence; it changes nothing. worker test:1",
    ]
    assert "late" in signed_in(acme.ann).get(f"/runs/{run.pk}").content.decode()


def test_a_broken_chain_is_said_loudly(acme: Company) -> None:
    run = acme.run()
    effect = acme.propose(run)
    for change in (
        f"update ledger_entry set actor = 'member:{uuid4()}' where stream = 'run:{run.pk}' and seq = 1",
        f"update ledger_payload set body = '{{}}' where entry_id = (select id from ledger_entry where stream like '%:{effect.request_id}')",
        f"delete from ledger_payload where entry_id = (select max(id) from ledger_entry where stream = 'run:{run.pk}')",
        f"update runs_run set ledger_seq = ledger_seq + 1 where id = '{run.pk}'",
    ):
        with from_a_later_version("", None, change):
            pass
        answer = signed_in(acme.dora).get(f"/runs/{run.pk}")
        assert answer.status_code == 200
        assert "Chain broken" in text(answer)


def test_an_erased_payload_leaves_the_chain_whole(acme: Company) -> None:
    run = acme.run()
    with from_a_later_version("", None, "update ledger_payload set body = null, erased_at = now()"):
        answer = signed_in(acme.dora).get(f"/runs/{run.pk}")
    assert "Chain intact" in text(answer)
    assert "Opened the run." in text(answer)


def test_an_unknown_effect_says_that_it_is_not_confirmed(acme: Company) -> None:  # UNK-07
    run = acme.run()
    acme.propose(run, amount="20")
    work("unknown", http=None, reason="The bank did not answer within 10 s.")
    oscar = signed_in(acme.oscar)
    for address in (f"/runs/{run.pk}", "/unknown", "/"):
        said = text(oscar.get(address))
        assert "Not confirmed" in said
        assert "retry" not in said.lower()
        assert "try again" not in said.lower()
    said = text(oscar.get("/unknown"))
    assert "Not confirmed 1, the oldest first" in said
    assert "operators" in said


def test_runs_are_listed_newest_first_page_by_page(acme: Company) -> None:  # XPT-06
    made = [acme.run(f"Case {number}") for number in range(7)]
    with inside():
        moment = rows("select cf_now() as moment")[0]["moment"]
        rows(
            "update runs_run set created_at = %s where id = any (%s) returning id",
            [moment - timedelta(minutes=1), [run.pk for run in made[:6]]],
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("console.pages.runs.SHOWN", 2)
        for address in ("/runs", "/runs?state=open", "/runs?state=running", "/runs?q=case", "/runs?q=case&state=open"):
            seen = walk(signed_in(acme.ann), address, ROW)
            assert sorted(seen) == sorted(str(run.pk) for run in made), address
            assert seen[0] == str(made[6].pk)


def test_runs_are_filtered(acme: Company) -> None:
    done, failed, going = (
        acme.run("Make it right"),
        acme.run("Close the dispute", key="case-77"),
        acme.run("Pay the invoice"),
    )
    acme.complete(done)
    driving.fail(acme.bot, failed.pk, epoch=1, reason="No.", key="f")
    names = {str(done.pk): "done", str(failed.pk): "failed", str(going.pk): "going"}
    expected = {
        "": {"done", "failed", "going"}, "state=open": {"going"}, "state=ended": {"done", "failed"}, "state=succeeded": {"done"},
        "state=failed": {"failed"}, "state=cancelled": set(), "q=DISPUTE": {"failed"}, "q=case-77": {"failed"},
        "q=refund-bot": {"done", "failed", "going"},
        "q=nothing": set(), "q=right&state=open": set(), "q=100%25": set(), "q=_": set(), "state=needs": set(),
    }  # fmt: skip
    ann = signed_in(acme.ann)
    for words, found in expected.items():
        page = ann.get(f"/runs?{words}")
        assert {names[run] for run in re.findall(ROW, page.content.decode())} == found, words
        assert found or "No run matches" in text(page), words


def test_a_search_says_how_far_it_came(acme: Company) -> None:
    wanted = acme.run("The one")
    for _ in range(4):
        acme.run("Another")
    ann = signed_in(acme.ann)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runs.finding.FAR", 3)
        page = ann.get("/runs?q=the+one")
        assert "No run matches among the 3 that were looked through." in text(page)
        assert walk(ann, "/runs?q=the+one", ROW) == [str(wanted.pk)]


def test_what_was_done_in_part_needs_someone(acme: Company) -> None:
    run = acme.run("Split refund")
    acme.propose(run, amount="20")
    work("partial", result={"parts": ["1"]})
    ann = signed_in(acme.ann)
    assert re.findall(ROW, ann.get("/runs?state=needs").content.decode()) == [str(run.pk)]
    said = text(ann.get("/"))
    assert "1 in part" in said
    assert "Some of it happened, and some did not. The run Split refund cannot end before it is settled." in said
    assert "1 required effect was done only in part" in text(ann.get(f"/runs/{run.pk}"))


def test_states_of_a_later_version_are_shown_and_not_acted_on(acme: Company) -> None:  # UPG-03
    run, other = acme.run("From the future"), acme.run("Of today")
    effect = acme.propose(run, amount="20")
    with from_a_later_version("", None, f"update runs_run set state = 'paused' where id = '{run.pk}'"):
        pass
    change = f"update runs_effect set state = 'simmering' where id = '{effect.pk}'"
    with from_a_later_version("runs_effect", "runs_effect_ended_when_terminal", change):
        ann = signed_in(acme.ann)
        said = text(ann.get("/runs"))
        assert "unknown state: paused" in said.lower()
        assert other.goal in said
        page = ann.get(f"/runs/{run.pk}")
        assert page.status_code == 200
        assert "unknown state: simmering" in text(page).lower()
        assert ann.get("/").status_code == ann.get("/unknown").status_code == 200
        work()
        assert acme.stored(effect).state == "simmering"


def test_an_entry_of_a_later_version_is_named(acme: Company) -> None:
    run = acme.run()
    with from_a_later_version(
        "", None, f"update ledger_entry set kind = 'run.teleported', actor = 'oracle:7' where stream = 'run:{run.pk}'"
    ):
        assert story(acme, run) == ["Recorded “run.teleported”, which this version does not know. oracle:7"]


def test_a_long_history_is_read_page_by_page(acme: Company) -> None:
    run = acme.run()
    for number in range(5):
        acme.propose(run, amount=str(20 + number))
    everything = story(acme, run)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("console.pages.books.ENTRIES", 4)
        ann = signed_in(acme.ann)
        latest = ann.get(f"/runs/{run.pk}").content.decode()
        earlier = re.search(r'<a href="/runs/[^"?]+(\?before=[^"]+)">Earlier entries', latest)
        assert earlier
        assert "data-live" in latest
        assert story(acme, run) == everything[-4:]
        assert story(acme, run, words=earlier[1]) == everything[:-4]
        assert 'hx-trigger="every 3s' not in ann.get(f"/runs/{run.pk}{earlier[1]}").content.decode()


def test_many_effects_are_read_page_by_page(acme: Company) -> None:
    run = acme.run()
    for number in range(5):
        acme.propose(run, amount=str(20 + number))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("console.pages.books.EFFECTS", 2)
        seen = walk(signed_in(acme.ann), f"/runs/{run.pk}", r'<li class="leaf[^"]*" id="effect-(\d+)"')
    assert seen == ["1", "2", "3", "4", "5"]


def test_a_run_that_ended_is_not_polled(acme: Company) -> None:  # PRF-05
    run = acme.run()
    ann = signed_in(acme.ann)
    assert "hx-trigger" in ann.get(f"/runs/{run.pk}?part=book", headers=HTMX).content.decode()
    acme.complete(run)
    assert "hx-trigger" not in ann.get(f"/runs/{run.pk}?part=book", headers=HTMX).content.decode()


def test_a_result_keeps_its_numbers(acme: Company) -> None:
    run = acme.run()
    acme.complete(run, {"exact": 9007199254740993})
    assert "9007199254740993" in text(signed_in(acme.ann).get(f"/runs/{run.pk}"))


def test_a_run_that_waits_for_a_person_says_so_and_is_found_by_that(acme: Company) -> None:
    waits, goes = acme.run(key="waits"), acme.run(key="goes")
    acme.propose(waits)
    acme.propose(goes, "lookup")
    listed = text(signed_in(acme.dora).get("/runs?state=asking"))
    assert "Waits for a person to decide about 1 effect." in listed
    assert "waits" in listed
    assert "goes" not in listed


def test_nothing_turns_the_reading_direction_of_a_title(acme: Company) -> None:
    run = acme.run(goal="Pay \u202etxet")
    title = signed_in(acme.dora).get(f"/runs/{run.pk}").content.decode().split("<title>")[1].split("</title>")[0]
    assert "\u202e" not in title


def test_the_history_is_read_in_three_ways(acme: Company) -> None:
    run = acme.run()
    acme.propose(run, amount="20")
    ann = signed_in(acme.ann)
    feed = ann.get(f"/runs/{run.pk}").content.decode()
    compact = ann.get(f"/runs/{run.pk}?history=compact").content.decode()
    as_json = ann.get(f"/runs/{run.pk}?history=json").content.decode()
    assert "in full" in feed
    assert "in full" not in compact
    assert 'id="entry-2"' in feed
    assert 'id="entry-2"' in compact
    assert "part=book&amp;history=json" in as_json
    assert "&quot;kind&quot;: &quot;effect.proposed&quot;" in as_json
    assert ann.get(f"/runs/{run.pk}?history=poem").status_code == 400
