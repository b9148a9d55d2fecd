"""Signals (R-I1): one wait takes one, the oldest the oldest; early ones are kept, doubled ones count once, late ones change nothing."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from console.crashpoint import CrashPointHit, arm
from console.exact import decode
from console.http.refusals import KeyReused, NotFound
from console.notices.models import Copy, Notice
from runs.signals import receiving
from runs.signals.drafts import SignalDraft
from runs.waits import opening
from runs.waits.drafts import WaitDraft
from tests import clock
from tests.cast import inside
from tests.record import findings, kinds, told
from tests.shop import Shop, draft
from tests.signalling import bodies, said, send, send_to, signals, states, wait_for, waits
from tests.work import claim, sweep


def test_a_signal_meets_the_wait_of_its_name_and_correlation_and_the_run_goes_on(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    assert shop.state(run) == "waiting"
    signal = send(shop, "paid", "1042", {"amount": "12.50"})
    assert (signal.state, signal.run_id) == ("taken", run)
    assert shop.state(run) == "running"
    (wait,) = waits(run)
    assert (wait.state, said(wait)["body"], said(wait)["signal"]) == ("met", {"amount": "12.50"}, str(signal.pk))


@pytest.mark.parametrize(
    ("name", "correlation"), [("paid", "1043"), ("sent", "1042"), ("Paid", "1042"), ("paid", "1042 ")]
)
def test_a_signal_of_another_name_or_about_something_else_wakes_nobody(shop: Shop, name: str, correlation: str) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    assert send(shop, name, correlation).state == "kept"
    assert shop.state(run) == "waiting"


def test_a_wait_that_names_nothing_hears_what_is_sent_to_its_run(shop: Shop) -> None:
    run, other = shop.accept(goal="Wait"), shop.accept(goal="Another")
    wait_for(shop, run)
    send_to(shop, other, body="not you")
    assert shop.state(run) == "waiting"
    send_to(shop, run, body="you")
    assert bodies(run) == ["you"]


def test_what_comes_before_its_wait_is_kept_for_it(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    assert send(shop, "paid", "1042", "early").state == "kept"
    opened = wait_for(shop, run, "paid", "1042")
    assert (opened["state"], shop.state(run), bodies(run)) == ("met", "running", ["early"])
    (signal,) = signals()
    assert (signal.state, signal.wait_id) == ("taken", UUID(opened["wait"]))


def test_several_that_are_kept_are_taken_one_by_one_the_oldest_first(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    for word in ("first", "second", "third"):
        send(shop, "paid", "1042", word)
    for _ in range(3):
        wait_for(shop, run, "paid", "1042")
    assert bodies(run) == ["first", "second", "third"]
    wait_for(shop, run, "paid", "1042")
    assert shop.state(run) == "waiting"


def test_of_several_waits_the_oldest_takes_it(shop: Shop) -> None:
    first, second = shop.accept(goal="First"), shop.accept(goal="Second")
    for run in (first, second):
        wait_for(shop, run, "paid", "1042")
    send(shop, "paid", "1042")
    assert (shop.state(first), shop.state(second)) == ("running", "waiting")
    send(shop, "paid", "1042")
    assert shop.state(second) == "running"


def test_several_waits_that_open_together_share_what_was_kept(shop: Shop) -> None:
    run = shop.accept(goal="Wait for both")
    for word in ("one", "two"):
        send(shop, "paid", "1042", word)
    drafts = [
        WaitDraft(kind="signal", name=name, condition={"name": "paid", "correlation": "1042"}, parks=False)
        for name in ("a", "b")
    ]
    opening.open_together(shop.bot, run, epoch=1, drafts=drafts, key="both")
    assert (bodies(run), states()) == (["one", "two"], ["taken", "taken"])


def test_what_arrives_twice_under_one_key_counts_once(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    first, again = send(shop, key="k", body=1), send(shop, key="k", body=1)
    assert first.pk == again.pk
    assert (len(signals()), kinds(f"run:{run}").count("signal.taken")) == (1, 1)
    with pytest.raises(KeyReused):
        send(shop, key="k", body=2)


def test_the_same_key_of_another_agent_is_another_signal(shop: Shop, rival: Shop) -> None:
    send(shop, key="k")
    send(rival, key="k")
    assert len(signals()) == 2


def test_another_tenants_signal_wakes_nobody_here(shop: Shop, rival: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    assert send(rival, "paid", "1042").state == "kept"
    assert shop.state(run) == "waiting"
    with pytest.raises(NotFound):
        receiving.send_to(rival.bot, run, SignalDraft("paid", str(run)), key="there")


@pytest.mark.parametrize("end", ["complete", "fail"])
def test_a_signal_for_a_run_that_has_ended_is_recorded_and_changes_nothing(shop: Shop, end: str) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    send(shop, "paid", "1042")
    getattr(shop, end)(run)
    before = shop.run(run)
    late = send(shop, "paid", "1042", "too late")
    assert (late.state, late.run_id, late.wait_id) == ("late", run, None)
    after = shop.run(run)
    assert (after.state, after.ended_at, after.ledger_seq) == (before.state, before.ended_at, before.ledger_seq + 1)
    assert kinds(f"run:{run}")[-1] == "signal.late"
    assert send_to(shop, run).state == "late"


@pytest.mark.parametrize("end", ["fail", "wake"])
def test_what_comes_after_its_wait_has_expired_is_kept_also_where_the_clock_has_not_passed(
    shop: Shop, end: Any
) -> None:
    run, other = shop.accept(goal="Wait"), shop.accept(goal="Wait longer")
    wait_for(shop, run, "paid", "1042", expires_seconds=30, on_expiry=end)
    with clock.at(31):
        assert send(shop, "paid", "1042", 1).state == "kept"
        assert shop.state(run) == "waiting"
        sweep()
        assert ([wait.state for wait in waits(run)], shop.state(run)) == (
            ["expired"], {"fail": "failed", "wake": "running"}[end],
        )  # fmt: skip
        wait_for(shop, other, "paid", "1042")
        assert (states(), bodies(other)) == (["taken"], [1])


def test_what_came_in_time_is_taken_by_a_wait_that_has_expired_since(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042", expires_seconds=30, on_expiry="fail")
    arm("signal.recorded_before_apply:1:raise")
    try:
        with clock.at(15), pytest.raises(CrashPointHit):
            send(shop, "paid", "1042", key="k")
    finally:
        arm("")
    with clock.at(31):
        assert send(shop, "paid", "1042", key="k").state == "taken"
    assert shop.state(run) == "running"


def test_a_later_run_about_the_same_takes_what_comes_then(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    send(shop, "paid", "1042")
    shop.complete(run)
    later = shop.accept(goal="Wait again")
    wait_for(shop, later, "paid", "1042")
    assert send(shop, "paid", "1042").state == "taken"
    assert shop.state(later) == "running"


def test_what_nothing_waits_for_is_let_go_in_its_time_and_is_not_taken_after(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    send(shop, "paid", "1042", keep_seconds=60)
    with clock.at(61):
        opened = wait_for(shop, run, "paid", "1042")
        assert opened["state"] == "open"
        assert sweep().get("signals expired") == 1
        (signal,) = signals()
        assert (signal.state, signal.note) == ("expired", "Nothing waited for it in its time.")
        assert "signals expired" not in sweep()


def test_a_crash_between_recording_and_settling_is_mended_by_the_clock(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    arm("signal.recorded_before_apply:1:raise")
    try:
        with pytest.raises(CrashPointHit):
            send(shop, "paid", "1042", key="k")
    finally:
        arm("")
    assert (states(), shop.state(run)) == (["recorded"], "waiting")
    assert "signals settled" not in sweep()  # it may still be in somebody's hands
    with clock.at(3):
        assert sweep()["signals settled"] == 1
    assert (states(), shop.state(run)) == (["taken"], "running")
    assert send(shop, "paid", "1042", key="k").state == "taken"


def test_what_a_crash_left_longer_than_it_is_kept_is_taken_by_the_wait_that_stood_there(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    arm("signal.recorded_before_apply:1:raise")
    try:
        with pytest.raises(CrashPointHit):
            send(shop, "paid", "1042", keep_seconds=60)
    finally:
        arm("")
    with clock.at(120):
        assert sweep()["signals settled"] == 1
    assert (states(), shop.state(run)) == (["taken"], "running")


def test_whoever_sends_it_again_after_a_crash_settles_it(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    arm("settle signal.before_commit:1:raise")
    try:
        with pytest.raises(CrashPointHit):
            send(shop, "paid", "1042", key="k")
    finally:
        arm("")
    assert (states(), shop.state(run)) == (["recorded"], "waiting")
    assert send(shop, "paid", "1042", key="k").state == "taken"
    assert shop.state(run) == "running"


def test_a_wait_that_opens_takes_what_a_crash_left_recorded(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    arm("signal.recorded_before_apply:1:raise")
    try:
        with pytest.raises(CrashPointHit):
            send(shop, "paid", "1042")
    finally:
        arm("")
    wait_for(shop, run, "paid", "1042")
    assert (states(), shop.state(run)) == (["taken"], "running")


def test_the_record_tells_of_what_was_taken(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    signal = send(shop, "paid", "1042", {"amount": 1}, key="k")
    says = next(says for kind, says in told(f"run:{run}") if kind == "signal.taken")
    assert says["signal"] == str(signal.pk)
    assert (says["name"], says["correlation"], says["message_id"], says["source"]) == ("paid", "1042", "k", "agent")
    assert says["wait"] == str(waits(run)[0].pk)
    assert kinds(f"run:{run}")[-2:] == ["signal.taken", "wait.met"]
    assert findings() == []


def test_an_effect_that_was_held_back_for_it_is_due_at_once(shop: Shop) -> None:
    run = shop.accept(goal="Pay when it has come")
    wait_for(shop, run, "paid", "1042", name="money", parks=False)
    shop.propose(run, draft("pay", after_waits=["money"]))
    assert (shop.states(run), claim()) == ({"pay": "blocked"}, [])
    send(shop, "paid", "1042")
    assert [row["key"] for row in claim()] == ["pay"]


def test_a_body_is_kept_exactly_and_may_be_nothing(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    body: Any = {"sum": decode(b"12.340"), "text": "zwölf € — “so”", "list": [1, None, True]}
    for one in (body, None):
        wait_for(shop, run, "paid", "1042")
        send(shop, "paid", "1042", one)
    assert bodies(run) == [body, None]


def test_a_body_that_is_too_large_is_refused_and_nothing_is_kept(shop: Shop) -> None:
    with pytest.raises(receiving.SignalTooLarge):
        send(shop, body="x" * 65_536)
    assert signals() == []


def test_a_correlation_that_is_an_id_of_no_run_is_as_any_other(shop: Shop) -> None:
    assert send(shop, "paid", str(uuid4())).state == "kept"


def test_it_is_kept_for_thirty_days_unless_told(shop: Shop) -> None:
    first, second = send(shop), send(shop, keep_seconds=5)
    assert first.expires_at is not None
    assert second.expires_at is not None
    assert first.expires_at - first.received_at == timedelta(days=30)
    assert second.expires_at - second.received_at == timedelta(seconds=5)


def test_all_that_a_crash_left_is_settled_in_one_pass(shop: Shop) -> None:
    runs = [shop.accept(goal=f"Wait {number}") for number in range(3)]
    for number, run in enumerate(runs):
        wait_for(shop, run, "paid", str(number))
    for number in range(3):
        arm("signal.recorded_before_apply:1:raise")
        try:
            with pytest.raises(CrashPointHit):
                send(shop, "paid", str(number))
        finally:
            arm("")
    with clock.at(3):
        assert sweep()["signals settled"] == 3
    assert [shop.state(run) for run in runs] == ["running"] * 3


def test_whoever_answers_for_the_agent_is_told_once_that_signals_come_too_late(shop: Shop) -> None:
    run = shop.accept(goal="Wait")
    wait_for(shop, run, "paid", "1042")
    shop.fail(run)
    for _ in range(2):
        assert send(shop, "paid", "1042").state == "late"
    with inside():
        [notice] = Notice.objects.filter(kind="signal.late")
        who = set(Copy.objects.filter(notice=notice).values_list("member_id", flat=True))
    assert (notice.about, notice.title, who) == (run, "Came too late: Wait", {shop.agent.owner_id})
