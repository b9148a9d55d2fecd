"""The example agent is honest: it does what was allowed, says what was not, and after a crash does nothing twice."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from decimal import Decimal

import pytest
import yaml

from console.env import BASE_DIR
from examples.agent import api as api_module
from examples.agent import letters as letters_module
from examples.agent import work as work_module
from examples.agent.api import Api
from examples.agent.cases import PROGRAMME, Case, make_up, read
from examples.agent.work import share_of, work
from tests.examples.desk import Desk, opened
from tests.processes import free_port, until

REFUND = Case(1, 7, "customer-case", "A-1", "Order A-1: half of it was missing.", Decimal("0.5"))
LETTER = Case(1, 8, "correspondence", "A-1", "Order A-1: the customer asks when it will come.")
CALL = replace(
    LETTER, by_phone=True, story="Order A-1: the customer wants to be called, because it came two weeks late."
)
TRIP = Case(
    1, 9, "trip", "", "Ann visits a fair.", house="harbour-house", guest="Ann Okafor", arrival="2027-01-04", nights=2
)  # fmt: skip
SALE = Case(1, 12, "sale", "", "A customer buys something for 80.00 EUR.", account="customer-1-12", price="80.00")
PAYMENTS = (("P1", Decimal("20.00"), "EUR"), ("P2", Decimal("10.00"), "GBP"))
DAY = Case(1, 10, "close-day", "", "The payments of 2026-10-01 are in.", day="2026-10-01", payments=PAYMENTS)
ALL = ("refund", "transfer", "booking", "call_customer", "settlement")
INVOICE = replace(REFUND, kind="close-invoice", payee="Atelier Brume", iban="DE89370400440532013000", invoice="A1-0007")


@pytest.fixture
def desk(tmp_path):
    with opened(Desk(tmp_path / "letters")) as desk:
        yield desk


@pytest.fixture(autouse=True)
def _hasty(monkeypatch):
    monkeypatch.setattr(api_module, "PAUSES", (0.02,))
    monkeypatch.setattr(letters_module, "SECONDS_A_PARAGRAPH", 0)
    monkeypatch.setattr(work_module, "SECOND_THOUGHTS_SECONDS", 0)


def worked(desk, case=REFUND, key="cf_key"):
    lines: list[str] = []
    work(case, Api(desk.url, key, lines.append), lines.append, desk.letters)
    return lines


def effects(desk):
    return {effect["operation"]: effect for effect in desk.effects.values()}


def test_a_case_goes_from_look_up_to_done(desk):
    desk.course["refund"] = ["awaiting_approval", "awaiting_approval", "ready", "succeeded"]
    lines = worked(desk)
    assert list(effects(desk)) == ["lookup", "refund"]
    assert effects(desk)["refund"]["arguments"] == {"order": REFUND.order, "amount": "40.05", "currency": "EUR"}
    [run] = desk.runs.values()
    assert (run["state"], run["key"]) == ("complete", "case-1-7")
    assert run["result"] == {"order": "A-1", "amount": "40.05", "currency": "EUR", "refund": "done"}
    assert [effect["key"] for effect in desk.effects.values()] == ["case-1-7/lookup", "case-1-7/refund"]
    assert [line.rpartition("” ")[2] for line in lines] == [
        "is done", "waits for a person to decide", "is done", "done",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("denied", "was denied: We do not refund kettles."),
        ("expired", "was not decided in time, so it was not done."),
        ("lapsed", "was approved but not begun in time, so it was not done."),
        ("rejected", "was refused by the other side."),
        ("failed", "failed."),
    ],
)
def test_what_was_not_done_is_said_and_the_run_is_given_up(desk, state, said):
    desk.course["refund"] = ["awaiting_approval", state]
    lines = worked(desk)
    [run] = desk.runs.values()
    assert run["state"] == "fail"
    assert run["reason"].endswith(said)
    assert lines[-1].endswith(said)


def test_unknown_is_waited_for_and_never_done_again(desk):
    desk.course["refund"] = ["ready", "unknown", "unknown", "unknown", "succeeded"]
    lines = worked(desk)
    assert list(effects(desk)) == ["lookup", "refund"]
    assert sum("people are finding out" in line for line in lines) == 1
    assert lines[-1] == "done"


def test_an_invoice_is_paid_by_transfer(desk):
    assert worked(desk, INVOICE)[-1] == "done"
    assert [run["run_type"] for run in desk.runs.values()] == ["close-invoice"]
    assert effects(desk)["transfer"]["arguments"] == {
        "from": "shop-current", "to": "Atelier Brume", "iban": "DE89370400440532013000", "invoice": "A1-0007",
        "amount": "40.05", "currency": "EUR",
    }  # fmt: skip


@pytest.mark.parametrize("word", ["runs", "effects", "complete"])
def test_an_answer_that_was_lost_is_asked_for_again_under_the_same_key(desk, word):
    desk.drop.append(word)
    assert worked(desk)[-1] == "done"
    assert (len(desk.runs), len(desk.effects)) == (1, 2)


def test_working_a_case_again_finds_everything_done(desk):
    worked(desk)
    heard = len(desk.heard)
    assert worked(desk) == []
    assert desk.heard[heard:] == [("POST", "/api/v1/runs", "case-1-7")]


def test_a_case_left_in_the_middle_goes_on_from_where_it_stood(desk):
    desk.refuse["complete"] = (409, {"code": "unresolved_effects", "detail": "Something is not known."})
    assert worked(desk)[-1] == "left as it is: Something is not known."
    assert worked(desk)[-1] == "done"
    assert (len(desk.runs), len(desk.effects)) == (1, 2)


def test_a_run_that_someone_else_drives_is_left_alone(desk):
    desk.refuse["effects"] = (409, {"code": "stale_token", "detail": "Someone else drives this run."})
    assert worked(desk) == ["left as it is: Someone else drives this run."]


def test_too_much_at_once_is_waited_out(desk):
    desk.refuse["effects"] = (429, {"detail": "Later."})
    assert worked(desk)[-1] == "done"


def test_it_waits_for_a_server_that_is_not_there_yet():
    port = free_port()
    desk = Desk()
    desk.url = f"http://127.0.0.1:{port}"
    lines: list[str] = []
    thread = threading.Thread(
        target=lambda: work(REFUND, Api(desk.url, "cf_key", lines.append), lines.append, desk.letters)
    )
    thread.start()
    assert until(lambda: lines)
    with opened(desk, port):
        thread.join(60)
    assert lines[:2] == ["The server does not answer; waiting for it.", "The server answers."]
    assert lines[-1] == "done"


# What it does itself, what it leaves to people, what it books and settles


def test_it_writes_a_letter_under_a_permit_and_reports(desk):
    assert worked(desk, LETTER)[-1] == "done"
    [permit] = desk.permits.values()
    written = (desk.letters / f"{permit['effect_key']}.txt").read_text()
    assert "To Ana Lindqvist\nAbout order A-1: your question" in written
    assert desk.beats == 3
    [report] = desk.reports
    assert (report["outcome"], report["result"]["letter"], report["reference"]) == (
        "succeeded",
        *[permit["effect_key"]] * 2,
    )
    assert [run["state"] for run in desk.runs.values()] == ["complete"]


def test_a_letter_that_was_written_before_a_crash_is_reported_and_not_written_again(desk):
    worked(desk, LETTER)
    [path] = desk.letters.iterdir()
    path.write_text("as it was")
    [effect] = [effect for effect in desk.effects.values() if effect["operation"] == "letter"]
    [run] = desk.runs.values()
    effect["state"], run["ended_at"], desk.reports[:] = "dispatched", None, []
    assert worked(desk, LETTER)[-2].endswith("is done")
    assert path.read_text() == "as it was"
    assert [report["outcome"] for report in desk.reports] == ["succeeded"]


def test_one_that_vanishes_reports_nothing_and_waits_for_people_to_find_out(desk):
    lines = worked(desk, replace(LETTER, wrinkle="vanishes"))
    assert desk.reports == []
    assert len(desk.permits) == 1
    assert not desk.letters.exists()
    assert any("people are finding out" in line for line in lines)
    assert lines[-1] == "done"  # they did


def test_a_letter_without_stamps_is_tried_again_and_one_that_cannot_arrive_is_refused(desk):
    assert worked(desk, replace(LETTER, wrinkle="no stamps"))[-1] == "done"
    assert [report["outcome"] for report in desk.reports] == ["transient", "succeeded"]
    lines = worked(desk, replace(LETTER, number=12, wrinkle="moved away"))
    assert "has moved, and nobody knows where to" in lines[-1]
    assert desk.reports[-1]["outcome"] == "rejected"


def test_a_call_is_left_to_a_person(desk):
    desk.course["call_customer"] = ["ready", "dispatched", "succeeded"]
    lines = worked(desk, CALL)
    assert effects(desk)["call_customer"]["arguments"] == {
        "order": "A-1", "customer": "Ana Lindqvist", "subject": "it came two weeks late", "paid": "80.10", "currency": "EUR",
    }  # fmt: skip
    assert "deadline_seconds" not in effects(desk)["call_customer"]
    assert any(line.endswith("waits for a person to do it") for line in lines)
    assert lines[-1] == "done"


def test_a_call_that_nobody_makes_in_time_is_given_up(desk):
    desk.course["call_customer"] = ["ready", "expired"]
    lines = worked(desk, replace(CALL, wrinkle="hurry"))
    assert effects(desk)["call_customer"]["deadline_seconds"] == 60
    assert lines[-1].endswith("was begun by nobody in time, so it was not done.")


def test_a_trip_that_is_called_off_gives_the_room_back(desk):
    assert worked(desk, TRIP)[-1] == "done"
    assert list(effects(desk)) == ["booking"]
    assert effects(desk)["booking"]["arguments"]["amount"] == "178.00"
    worked(desk, replace(TRIP, number=11, wrinkle="off"))
    assert effects(desk)["cancel_booking"]["arguments"] == {"booking": "hb_00001", "reason": "The trip is off."}


def test_a_trip_that_is_off_before_it_was_allowed_takes_its_booking_back(desk):
    desk.first["booking"] = "awaiting_approval"
    lines = worked(desk, replace(TRIP, wrinkle="off early"))
    assert effects(desk)["booking"]["state"] == "withdrawn"
    assert lines[-1].endswith("was taken back before it was begun.")


def test_a_sale_that_is_called_off_is_given_up_after_all_of_it_was_done(desk):
    """What makes good for it the contracts say, and nobody proposes."""
    assert worked(desk, SALE)[-1] == "done"
    assert list(effects(desk)) == ["reserve", "charge", "tell"]
    lines = worked(desk, replace(SALE, number=13, wrinkle="closed"))
    assert lines[-1] == "given up: The customer does not want it any more. The account is closed."
    assert {effect["state"] for effect in desk.effects.values()} == {"succeeded"}
    assert {run["state"] for run in desk.runs.values()} == {"complete", "fail"}


def test_a_day_is_settled_in_one_currency(desk):
    assert worked(desk, DAY)[-1] == "done"
    assert effects(desk)["settlement"]["arguments"] == {
        "day": "2026-10-01", "total": "31.50", "currency": "EUR",
        "payments": [{"reference": "P1", "amount": "20.00"}, {"reference": "P2", "amount": "11.50"}],
    }  # fmt: skip


def test_what_was_left_out_of_a_day_is_named_at_the_end(desk):
    desk.course["settlement"] = ["partial"]
    assert worked(desk, replace(DAY, wrinkle="typo"))[-1] == "done"
    [run] = desk.runs.values()
    assert run["accept_unresolved"] == [effects(desk)["settlement"]["id"]]
    assert run["result"]["left_out"] == ["P01-1"]


def test_a_day_that_nobody_allowed_to_end_in_part_is_left_as_it_is(desk):
    desk.course["settlement"] = ["partial"]
    desk.refuse["complete"] = (409, {"code": "unresolved_effects", "detail": "An effect was done only in part."})
    assert worked(desk, replace(DAY, wrinkle="left open"))[-1] == "left as it is: An effect was done only in part."


@pytest.mark.parametrize(
    ("wrinkle", "changed"),
    [
        ("typo", {"total": "11.50"}),
        ("wrong total", {"total": "40.50"}),
        ("in pounds", {"currency": "GBP"}),
    ],
)
def test_days_go_wrong_in_their_own_ways(desk, wrinkle, changed):
    worked(desk, replace(DAY, wrinkle=wrinkle))
    said = effects(desk)["settlement"]["arguments"]
    assert {name: said[name] for name in changed} == changed


# The program


def agent(desk, tmp_path, *flags, key="cf_key"):
    (tmp_path / "key").write_text(key + "\n")
    return subprocess.Popen(
        [sys.executable, "-m", "examples.agent", "--url", desk.url, "--key-file", str(tmp_path / "key"), *flags],
        cwd=BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_it_opens_its_cases_and_ends_when_they_have_ended(desk, tmp_path):
    first = agent(desk, tmp_path, "--every", "0.01", "--cases", "5")
    out, _ = first.communicate(timeout=120)
    assert first.returncode == 0
    assert out.splitlines()[-1].endswith("All cases have ended.")
    assert set(desk.runs) == {f"case-1-{number}" for number in range(1, 6)}
    again = agent(desk, tmp_path, "--every", "0.01", "--cases", "2")
    again.communicate(timeout=120)
    assert set(desk.runs) == {f"case-1-{number}" for number in range(1, 8)}


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_was_open_is_taken_up_again(desk, tmp_path, ending):
    desk.course |= {name: ["awaiting_approval"] for name in ALL}
    first = agent(desk, tmp_path, "--every", "0.01", "--cases", "3")
    deadline = time.monotonic() + 120
    while len(desk.effects) < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    first.send_signal(ending)
    assert first.wait(120) == (-signal.SIGKILL if ending == signal.SIGKILL else 0)
    for effect in desk.effects.values():
        desk.course[effect["id"]] = ["succeeded"]
    desk.course = {name: ["succeeded"] for name in (*desk.effects, *ALL)} | {
        effect["id"]: ["succeeded"] for effect in desk.effects.values()
    }
    second = agent(desk, tmp_path, "--every", "0.01", "--cases", "0")
    out, _ = second.communicate(timeout=120)
    assert "Taking up 3 open cases again." in out
    assert {run["state"] for run in desk.runs.values()} == {"complete"}


def test_it_does_not_flood_people(desk, tmp_path):
    desk.course |= {name: ["awaiting_approval"] for name in ALL}
    process = agent(desk, tmp_path, "--every", "0.01", "--cases", "30", "--at-once", "4")
    assert until(lambda: len(desk.runs) == 4)
    time.sleep(0.5)  # time for many more, if it took no heed
    process.kill()
    process.wait(60)
    assert len(desk.runs) == 4


def test_a_key_that_is_not_taken_is_said(desk, tmp_path):
    process = agent(desk, tmp_path, key="wrong")
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "No such key." in out


def test_it_needs_nothing_but_the_standard_library():
    code = (
        "import sys; before = set(sys.modules)\n"
        "import examples.agent.__main__\n"
        "print([name for name in set(sys.modules) - before"
        " if name.split('.')[0] not in sys.stdlib_module_names | {'examples'}])"
    )
    found = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(BASE_DIR)!r})\n{code}"],
        env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.strip() == "[]"


# The cases


def test_cases_are_varied_and_always_the_same():
    cases = [make_up(1, number) for number in range(1, 78)]
    assert cases == [make_up(1, number) for number in range(1, 78)]
    assert len({case.order for case in cases}) > 40
    assert len({case.share for case in cases}) > 8
    assert {case.kind for case in cases} == {
        "customer-case",
        "goodwill",
        "close-invoice",
        "correspondence",
        "trip",
        "close-day",
        "sale",
    }
    assert len({case.story for case in cases}) > 65
    assert make_up(2, 1) != make_up(1, 1)


def test_every_way_to_go_wrong_comes_up_soon_and_the_first_round_has_one_of_each_kind():
    first = [make_up(44, number) for number in range(1, len(PROGRAMME) + 1)]
    assert {case.kind for case in first} >= {"correspondence", "trip", "close-day", "sale"}
    assert [case.wrinkle for case in first if case.wrinkle] == ["vanishes", "off", "left open"]
    soon = [make_up(44, number) for number in range(1, 45)]
    assert {case.wrinkle for case in soon} == {
        "", "vanishes", "typo", "hurry", "wrong total", "slow books", "off", "off early", "no stamps", "moved away", "no rate",
        "in pounds", "left open", "closed",
    }  # fmt: skip
    assert {case.house for case in soon if case.house} >= {"pension-alma", "grand-meridian", "old-mill", "casa-miramar"}


def test_a_case_is_found_again_by_its_key():
    assert read("case-3-12") == make_up(3, 12)
    for other in ("case-x-1", "case-1", "other-1-2", "", "case-1-2-3"):
        assert read(other) is None


@pytest.mark.parametrize(
    ("total", "share", "due"),
    [
        ("80.10", "0.35", "28.04"),
        ("0.05", "0.5", "0.03"),
        ("100", "1", "100.00"),
        ("90071992547409931.15", "1", "90071992547409931.15"),
    ],
)
def test_amounts_are_exact_to_the_cent(total, share, due):
    assert share_of(total, Decimal(share)) == due


def test_ibans_have_right_check_digits():
    ibans = [case.iban for number in range(1, 600) if (case := make_up(1, number)).iban]
    assert len(ibans) > 30
    for iban in ibans:
        assert int("".join(str(int(sign, 36)) for sign in iban[4:] + iban[:4])) % 97 == 1


def test_the_example_contracts_take_what_the_agent_proposes(desk):
    """Names of operations, arguments and results are those of examples/contracts."""
    documents = [
        document
        for path in (BASE_DIR / "examples" / "contracts").glob("*.yaml")
        for document in yaml.safe_load_all(path.read_text())
    ]
    operations = {document["name"]: document for document in documents if document["kind"] == "Operation"}
    run_types = {document["name"]: document["operations"] for document in documents if document["kind"] == "RunType"}
    for number in range(1, 78):
        worked(desk, make_up(44, number))
    undoing = {"release", "pay_back", "correct"}  # the contracts say when, and nobody proposes them
    assert {effect["operation"] for effect in desk.effects.values()} == set(operations) - undoing - {"hand_over"}
    for run in desk.runs.values():
        for effect in (effect for effect in desk.effects.values() if effect["run"] == run["id"]):
            assert effect["operation"] in run_types[run["run_type"]]
            takes = operations[effect["operation"]]["arguments"]
            assert set(takes["required"]) <= set(effect["arguments"]) <= set(takes["properties"])
    assert {"total", "currency", "state"} <= set(operations["lookup"]["http"]["outcomes"][0]["result"])


# Taking up what another process began


def left_at(desk, operation, case=REFUND):
    """Work a case until it waits for this operation, and vanish."""
    desk.first[operation] = "awaiting_approval"
    desk.refuse["complete"] = (409, {"code": "unresolved_effects", "detail": "It vanished here."})
    worked(desk, case)
    desk.heard.clear()


def posted(desk):
    return [path.rpartition("/")[2] for method, path, _ in desk.heard if method == "POST"]


def test_a_second_process_goes_on_from_the_brief_and_proposes_nothing_that_was_begun(desk):
    left_at(desk, "refund")
    assert worked(desk)[-1] == "done"
    assert posted(desk) == ["runs", "resume", "complete"]
    [run] = desk.runs.values()
    assert (run["epoch"], run["result"]["refund"]) == (2, "done")


def test_what_the_brief_says_is_not_over_is_followed_to_its_end(desk):
    left_at(desk, "refund")
    effects(desk)["refund"]["state"] = "dispatched"
    assert worked(desk)[-1] == "done"
    assert "effects" not in posted(desk)
    assert len(desk.effects) == 2


def test_what_the_brief_leaves_out_is_proposed_under_its_key_and_found(desk):
    left_at(desk, "refund")
    desk.leaves_out.append("case-1-7/lookup")
    assert worked(desk)[-1] == "done"
    assert posted(desk) == ["runs", "resume", "effects", "complete"]
    assert len(desk.effects) == 2


def test_while_another_process_has_the_run_it_waits_until_that_is_over(desk, monkeypatch):
    left_at(desk, "refund")
    monkeypatch.setattr(work_module, "LOOKS_AGAIN_SECONDS", 0.01)
    held = {"code": "run_held", "detail": "Somebody drives this run.", "holder": "desk-7", "retry_after": 60}
    desk.refuse["resume"] = (409, held)
    lines = worked(desk)
    assert lines[0] == "another process still has it: desk-7"
    assert lines[-1] == "done"


def test_a_resume_that_says_no_is_waited_for_and_one_that_says_it_is_over_is_believed(desk):
    left_at(desk, "refund")
    desk.decides = ["escalate", "quarantine", "continue"]
    assert worked(desk)[0] == "not to go on: So it stands."
    [run] = desk.runs.values()
    run["ended_at"], desk.decides = None, ["terminate"]
    assert worked(desk) == ["not to go on: So it stands."]


def test_a_process_that_lost_its_run_meanwhile_leaves_it(desk):
    desk.refuse["renew"] = (409, {"code": "stale_token", "detail": "Somebody else drives this run now."})
    assert worked(desk) == ["left as it is: Somebody else drives this run now."]
