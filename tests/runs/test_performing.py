"""What agents and people do themselves (R-C2): begun under a permit by the same rules as a worker's claim, kept alive, reported once."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from console.database import crossing_tenants
from console.exact import decode
from console.http.refusals import Forbidden, InvalidContent, KeyReused, NotFound, Refusal, StaleToken
from console.identity.models import Agent
from runs import performing, queries
from runs.driver import RunEnded
from tests import clock
from tests.cast import inside
from tests.permits import (
    AGREED,
    DONE,
    LEASE,
    LONGEST,
    MONEY,
    beat,
    begin,
    hand_back,
    label,
    phone,
    ready,
    report,
    with_permits,
)
from tests.record import kinds, told
from tests.shop import Shop, dependency, draft
from tests.work import claim, end_leases, sweep


@pytest.fixture
def bench(shop: Shop) -> Shop:
    """The shop, with what its agent and its people do themselves."""
    return with_permits(shop)


def kept(shop: Shop, effect: Any) -> Any:
    """Read an effect and its last attempt anew."""
    return shop.effect(effect.run_id, "a"), shop.attempts(effect.run_id, "a")[-1]


# Beginning


def test_no_worker_takes_what_agents_and_people_do(bench: Shop) -> None:
    ready(bench)
    ready(bench, "phone")
    assert claim() == []


def test_the_permit_says_what_is_to_be_done_and_until_when(bench: Shop) -> None:
    effect = ready(bench, amount="12.50")
    permit = begin(bench.bot, effect)
    stored, attempt = kept(bench, effect)
    assert (permit["arguments"], permit["target"]) == ({"to": "bob", "amount": "12.5"}, "payee:bob")
    assert (permit["effect_key"], permit["fence"], permit["effect"]) == (f"cf-{effect.pk}", 1, str(effect.pk))
    assert (stored.state, stored.fence, stored.attempts_count) == ("dispatched", 1, 1)
    assert (attempt.worker, attempt.kind, attempt.state) == (str(bench.bot), "act", "running")
    assert attempt.lease_expires_at - attempt.started_at == timedelta(seconds=LEASE)
    assert kinds(f"run:{effect.run_id}")[-1] == "attempt.dispatched"


def test_the_record_says_by_which_door_it_was_begun_and_reported(bench: Shop) -> None:
    effect = ready(bench)
    report(bench.bot, begin(bench.bot, effect), result=DONE)
    from console.ledger.models import Entry

    with inside():
        entries = Entry.objects.filter(stream=f"run:{effect.run_id}", kind__startswith="attempt.").select_related(
            "payload"
        )
        assert {decode(entry.payload.body or "")["via"] for entry in entries} == {"api"}  # type: ignore[index,call-overload]
        assert {entry.actor for entry in entries} == {str(bench.bot)}


def test_the_same_key_gives_the_same_permit_and_another_finds_it_held(bench: Shop) -> None:
    effect = ready(bench)
    first = begin(bench.bot, effect, key="mine")
    assert begin(bench.bot, effect, key="mine") == {**first, "replayed": True}
    with pytest.raises(performing.AlreadyHeld) as refused:
        begin(bench.bot, effect)
    assert refused.value.facts["state"] == "dispatched"
    with pytest.raises(KeyReused):
        begin(bench.bot, ready(bench), key="mine")


def test_only_the_driver_with_its_epoch_begins_what_an_agent_does(bench: Shop, rival: Shop) -> None:
    effect = ready(bench)
    with pytest.raises(StaleToken):
        begin(bench.bot, effect, epoch=2)
    with pytest.raises(StaleToken):
        begin(bench.bot, effect, epoch=None)
    with pytest.raises(NotFound):
        begin(rival.bot, effect)
    with pytest.raises(performing.NotByYou):
        begin(bench.actor("ann"), effect)
    with pytest.raises(performing.NotByYou):
        begin(bench.bot, ready(bench, "pay"))
    assert bench.effect(effect.run_id, "a").state == "ready"


def test_what_waits_for_people_is_not_begun_before_they_agreed(bench: Shop) -> None:
    effect = ready(bench, amount="500")
    with pytest.raises(performing.NotReady) as refused:
        begin(bench.bot, effect)
    assert refused.value.facts["state"] == "awaiting_approval"
    shown = decode(bench.request(effect.run_id, "a").shown)
    assert (shown["executor"], shown["contract"]) == ("agent", "label, version 1")  # type: ignore[index,call-overload]
    bench.approve(bench.request(effect.run_id, "a"))
    sweep()
    begin(bench.bot, effect)
    assert bench.request(effect.run_id, "a").state == "consumed"


def test_a_permission_that_lapsed_is_judged_at_the_moment_of_use_and_ends_the_effect(bench: Shop) -> None:
    effect = ready(bench, amount="500")
    bench.approve(bench.request(effect.run_id, "a"))
    sweep()
    with clock.at(1000):
        with pytest.raises(performing.NotPermitted) as refused:
            begin(bench.bot, effect)
        assert (refused.value.facts["state"], refused.value.facts["reason"]) == ("lapsed", "lapsed")
        assert (bench.effect(effect.run_id, "a").state, bench.attempts(effect.run_id, "a")) == ("lapsed", [])
        assert bench.request(effect.run_id, "a").state == "lapsed"


def test_a_newer_policy_judges_again_before_anything_is_begun(bench: Shop) -> None:
    effect = ready(bench)
    bench.apply(MONEY.format(version=2))
    with pytest.raises(performing.NotPermitted):
        begin(bench.bot, effect)
    assert bench.effect(effect.run_id, "a").state == "proposed"
    sweep()
    begin(bench.bot, effect)


def test_nothing_is_begun_after_the_deadline_or_in_a_run_that_has_ended(bench: Shop) -> None:
    effect, other = ready(bench), ready(bench)
    bench.fail(other.run_id)
    with pytest.raises(RunEnded):
        begin(bench.bot, other)
    with clock.at(3601), pytest.raises(performing.EffectOutOfTime):
        begin(bench.bot, effect)


def test_nothing_is_begun_for_an_agent_that_is_not_active(bench: Shop) -> None:
    effect = ready(bench, "phone")
    with inside():
        Agent.objects.filter(pk=bench.agent.pk).update(active=False)
    try:
        with pytest.raises(performing.AgentInactive):
            begin(bench.actor("ann"), effect)
    finally:
        with inside():
            Agent.objects.filter(pk=bench.agent.pk).update(active=True)


def test_what_a_dependency_bears_holds_for_permits_too(bench: Shop) -> None:
    bench.apply(dependency("press", concurrency=1))
    bench.apply(label("print", dependency="press"))
    first, second = ready(bench, "print"), ready(bench, "print")
    permit = begin(bench.bot, first)
    with pytest.raises(performing.NoFreeSlot):
        begin(bench.bot, second)
    report(bench.bot, permit, result=DONE)
    begin(bench.bot, second)


# Reporting


def test_a_report_settles_the_effect_with_its_result_and_evidence(bench: Shop) -> None:
    effect = ready(bench)
    permit = begin(bench.bot, effect)
    receipt = report(bench.bot, permit, result=DONE, reference="L-77", evidence="Printed at 10:02.")
    stored, attempt = kept(bench, effect)
    assert (receipt["state"], stored.state, stored.outcome, stored.operation_reference) == (
        "succeeded",
        "succeeded",
        "succeeded",
        "L-77",
    )
    assert stored.result == '{"label":"L-77","weight":"1.5"}'
    assert (attempt.state, attempt.outcome, attempt.sent, attempt.lease_expires_at) == (
        "ended",
        "succeeded",
        None,
        None,
    )
    assert decode(attempt.evidence or "")["evidence"] == "Printed at 10:02."  # type: ignore[index,call-overload]


def test_a_report_is_taken_once_and_the_same_key_gives_the_same_receipt(bench: Shop) -> None:
    effect = ready(bench)
    permit = begin(bench.bot, effect)
    first = report(bench.bot, permit, result=DONE, key="mine")
    assert report(bench.bot, permit, result=DONE, key="mine") == {**first, "replayed": True}
    with pytest.raises(performing.AlreadyReported):
        report(bench.bot, permit, "rejected", reason="No, it was not.")
    stored, attempt = kept(bench, effect)
    assert (stored.state, attempt.outcome, attempt.late_outcome) == ("succeeded", "succeeded", "rejected")


@pytest.mark.parametrize(
    ("said", "refusal"),
    [
        ({"outcome": "accepted"}, performing.OutcomeNotTaken), ({"outcome": "denied"}, performing.OutcomeNotTaken),
        ({"result": {}}, performing.BadReport),
        ({"result": None}, performing.BadReport), ({"result": {"label": 7}}, performing.BadReport),
        ({"result": {**DONE, "more": 1}}, performing.BadReport), ({"result": DONE, "evidence": "x" * 4001}, performing.TooLong),
    ],
)  # fmt: skip
def test_what_the_contract_does_not_say_is_not_taken_and_may_be_said_better(
    bench: Shop, said: dict[str, Any], refusal: type[Refusal]
) -> None:
    effect = ready(bench)
    permit = begin(bench.bot, effect)
    with pytest.raises(refusal):
        report(bench.bot, permit, **said)
    assert kept(bench, effect)[1].late_at is None
    assert report(bench.bot, permit, result=DONE)["state"] == "succeeded"


@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        ("partial", "partial"),
        ("rejected", "rejected"),
        ("transient", "ready"),
        ("not_sent", "ready"),
        ("unknown", "unknown"),
    ],
)
def test_each_outcome_leads_where_a_workers_would(bench: Shop, outcome: str, state: str) -> None:
    effect = ready(bench)
    assert report(bench.bot, begin(bench.bot, effect), outcome, reason="So it is.")["state"] == state
    stored = bench.effect(effect.run_id, "a")
    more = " It is not tried again: nothing protects it from happening twice." if state == "unknown" else ""
    assert (stored.state, stored.state_reason) == (state, f"So it is.{more}")
    assert (stored.unknown_since is not None) == (state == "unknown")


def test_retries_are_bounded_by_the_contract_and_wait(bench: Shop) -> None:
    effect = ready(bench)
    for number in range(3):
        with clock.at(10 * number):
            receipt = report(bench.bot, begin(bench.bot, effect), "transient")
    assert (receipt["state"], bench.effect(effect.run_id, "a").state_reason) == ("failed", "Given up after 3 attempts.")


def test_a_retry_is_not_begun_before_its_time(bench: Shop) -> None:
    effect = ready(bench)
    report(bench.bot, begin(bench.bot, effect), "transient")
    with inside():
        type(effect).objects.filter(pk=effect.pk).update(next_attempt_at=effect.created_at + timedelta(seconds=30))
    with pytest.raises(performing.NotReady) as refused:
        begin(bench.bot, effect)
    assert "next_attempt_at" in refused.value.facts
    with clock.at(31):
        assert begin(bench.bot, effect)["fence"] == 2


def test_what_was_not_begun_after_all_is_ready_again(bench: Shop) -> None:
    bench.apply(label(version=2, attempts=1))
    effect = ready(bench)
    receipt = hand_back(bench.bot, begin(bench.bot, effect))
    stored, attempt = kept(bench, effect)
    assert (receipt["state"], stored.state, attempt.outcome, attempt.sent) == ("ready", "ready", "not_sent", False)
    assert begin(bench.bot, effect)["number"] == 2


def test_a_report_lets_what_waited_for_it_come_to_its_turn(bench: Shop) -> None:
    run = bench.accept(draft("a", operation="label"), draft("b", after=["a"]))
    report(bench.bot, begin(bench.bot, bench.effect(run, "a")), result=DONE)
    assert bench.states(run) == {"a": "succeeded", "b": "ready"}


def test_a_run_that_completes_itself_ends_with_the_last_report(bench: Shop) -> None:
    run = bench.accept(draft("a", operation="label"), completes_itself=True)
    report(bench.bot, begin(bench.bot, bench.effect(run, "a")), result=DONE)
    assert bench.state(run) == "succeeded"


def test_nobody_else_reports_or_keeps_an_attempt(bench: Shop, rival: Shop) -> None:
    permit = begin(bench.bot, ready(bench))
    for somebody in (bench.actor("ann"), rival.bot):
        for act in (report, beat, hand_back):
            with pytest.raises((Forbidden, NotFound)):
                act(somebody, permit)


# Leases


def test_a_sign_of_life_renews_the_lease_up_to_the_end_of_the_permit(bench: Shop) -> None:
    effect = ready(bench)
    permit = begin(bench.bot, effect)
    for seconds in (50, 100, 150):
        with clock.at(seconds):
            beat(bench.bot, permit)
            sweep()
    assert bench.effect(effect.run_id, "a").state == "dispatched"
    for seconds in range(200, 600, 50):
        with clock.at(seconds):
            renewed = beat(bench.bot, permit)
    assert renewed["lease_expires_at"] == renewed["ends_at"]
    with clock.at(LONGEST + 1), pytest.raises(performing.LeaseLost):
        beat(bench.bot, permit)


def test_a_lease_that_ends_without_a_report_leaves_a_write_unknown(bench: Shop) -> None:
    effect = ready(bench)
    begin(bench.bot, effect)
    with clock.at(LEASE + 1):
        assert sweep() == {"leases ended": 1, "alerts posted": 1}
        stored, attempt = kept(bench, effect)
        assert (stored.state, stored.state_reason) == ("unknown", "the agent's lease ended without a report")
        assert (attempt.state, attempt.outcome, stored.next_attempt_at) == ("lost", "unknown", None)
        assert sweep() == {}


def test_a_lease_that_ends_without_a_report_lets_a_read_be_done_again(bench: Shop) -> None:
    bench.apply(label("weigh", access="read"))
    effect = ready(bench, "weigh")
    begin(bench.bot, effect)
    with clock.at(LEASE + 1):
        sweep()
        assert bench.effect(effect.run_id, "a").state == "ready"
        assert begin(bench.bot, effect)["fence"] == 2


def test_a_report_after_the_lease_is_kept_as_evidence_and_changes_nothing(bench: Shop) -> None:
    effect = ready(bench)
    permit = begin(bench.bot, effect)
    with clock.at(LEASE + 1):
        sweep()
        with pytest.raises(performing.LeaseLost) as refused:
            report(bench.bot, permit, result=DONE, evidence="It was printed.")
        stored, attempt = kept(bench, effect)
        assert (refused.value.facts["state"], stored.state, stored.result) == ("unknown", "unknown", None)
        assert (attempt.outcome, attempt.late_outcome) == ("unknown", "succeeded")
        assert decode(attempt.late_evidence or "")["evidence"] == "It was printed."  # type: ignore[index,call-overload]
        assert kinds(f"run:{effect.run_id}")[-1] == "attempt.late"
        with pytest.raises(performing.LeaseLost):
            beat(bench.bot, permit)
        for said in ("Really.", "It was printed.", "Really."):
            with pytest.raises(performing.LeaseLost):
                report(bench.bot, permit, outcome="not_sent", evidence=said)
    everything: Any = decode(kept(bench, effect)[1].late_evidence or "")
    assert [(each["outcome"], each["evidence"]) for each in everything] == [
        ("succeeded", "It was printed."), ("not_sent", "Really."), ("not_sent", "It was printed."),
    ]  # fmt: skip
    assert kinds(f"run:{effect.run_id}").count("attempt.late") == 3


def test_a_begin_that_is_sent_again_gives_no_leave_once_it_is_over(bench: Shop) -> None:
    """R-A6, R-E2"""
    effect = ready(bench)
    permit = begin(bench.bot, effect, key="mine")
    with pytest.raises(StaleToken):
        begin(bench.bot, effect, key="mine", epoch=99)
    with clock.at(LEASE / 2):
        beat(bench.bot, permit)
        assert begin(bench.bot, effect, key="mine")["lease_expires_at"] > permit["lease_expires_at"]
    report(bench.bot, permit, outcome="transient")
    with pytest.raises(performing.PermitOver) as over:
        begin(bench.bot, effect, key="mine")
    assert over.value.facts["state"] == "ready"
    with clock.at(120):
        begin(bench.bot, effect, key="another")
        with pytest.raises(performing.PermitOver):
            begin(bench.bot, effect, key="mine")
    with clock.at(120 + LEASE + 1), pytest.raises(performing.PermitOver):
        begin(bench.bot, effect, key="another")


def test_a_lease_is_over_when_its_time_is_and_not_when_the_sweep_comes(bench: Shop) -> None:
    effect = ready(bench)
    permit = begin(bench.bot, effect)
    with clock.at(LEASE + 1):
        with pytest.raises(performing.LeaseLost):
            report(bench.bot, permit, result=DONE)
        assert bench.effect(effect.run_id, "a").state == "dispatched"
        assert end_leases() == 1
    stored, attempt = kept(bench, effect)
    assert (stored.state, attempt.outcome, attempt.late_outcome) == ("unknown", "unknown", "succeeded")


def test_another_fence_takes_nothing_and_keeps_nothing(bench: Shop) -> None:
    effect = ready(bench)
    permit = begin(bench.bot, effect)
    with pytest.raises(performing.StaleFence):
        beat(bench.bot, permit, fence=7)
    with pytest.raises(performing.StaleFence):
        report(bench.bot, permit, result=DONE, fence=7)
    stored, attempt = kept(bench, effect)
    assert (stored.state, attempt.late_outcome, attempt.late_evidence) == ("dispatched", "", None)
    report(bench.bot, permit, result=DONE)
    assert kept(bench, effect)[0].state == "succeeded"


def test_a_lease_ends_with_the_deadline_of_the_effect(bench: Shop) -> None:
    effect = ready(bench)
    with clock.at(3590):
        permit = begin(bench.bot, effect)
    assert permit["lease_expires_at"] == permit["ends_at"] == permit["deadline_at"]


def test_a_report_in_a_run_that_was_given_up_is_taken_and_the_run_ends(bench: Shop) -> None:
    effect = ready(bench)
    permit = begin(bench.bot, effect)
    assert bench.fail(effect.run_id)["state"] == "closing"
    assert report(bench.bot, permit, result=DONE)["state"] == "succeeded"
    assert bench.state(effect.run_id) == "failed"


# People


def test_members_of_the_named_groups_do_it_and_operators_where_none_is_named(bench: Shop) -> None:
    named, unnamed = ready(bench, "phone"), ready(bench, "ring")
    for somebody, effect in (("oscar", named), ("dora", named), ("ann", unnamed), ("dora", unnamed)):
        with pytest.raises(performing.NotByYou):
            begin(bench.actor(somebody), effect)
    with pytest.raises(performing.NotByYou):
        begin(bench.bot, named)
    assert begin(bench.actor("ann"), named)["fence"] == begin(bench.actor("oscar"), unnamed)["fence"] == 1


def test_a_member_who_left_does_nothing_more(bench: Shop) -> None:
    effect, ann = ready(bench, "phone"), bench.actor("ann")
    bench.change("ann", active=False)
    with pytest.raises(performing.NotByYou):
        begin(ann, effect)


def test_a_person_fills_the_form_in_and_says_how_it_is_known(bench: Shop) -> None:
    effect, ann = ready(bench, "phone"), bench.actor("ann")
    permit = begin(ann, effect)
    for said, refusal in [
        ({"result": AGREED}, performing.EvidenceMissing), ({"result": {"agreed": "yes"}, "evidence": "She said so."}, performing.BadReport),
    ]:  # fmt: skip
        with pytest.raises(refusal):
            report(ann, permit, **said)  # type: ignore[arg-type]
    report(ann, permit, result=AGREED, evidence="She said so on the phone.", reference="call:4711")
    stored, attempt = kept(bench, effect)
    assert (stored.state, stored.result, stored.operation_reference) == (
        "succeeded",
        '{"agreed":true,"fee":"12"}',
        "call:4711",
    )
    assert (attempt.worker, decode(attempt.evidence or "")["name"]) == (str(ann), "Ann Okafor")  # type: ignore[index,call-overload]
    assert attempt.evidence_digest is not None
    assert told(f"run:{effect.run_id}")[-1][0] == "attempt.settled"


def test_evidence_is_not_asked_where_the_contract_does_not_ask(bench: Shop) -> None:
    effect, oscar = ready(bench, "ring"), bench.actor("oscar")
    assert report(oscar, begin(oscar, effect), result={"agreed": False})["state"] == "succeeded"


def test_a_persons_lease_ends_as_unknown(bench: Shop) -> None:
    effect = ready(bench, "phone")
    begin(bench.actor("ann"), effect)
    with clock.at(1801):
        sweep()
        assert bench.effect(effect.run_id, "a").state_reason == "the lease ended without a report"
        assert bench.states(effect.run_id) == {"a": "unknown"}


# Tasks


def seen(shop: Shop, name: str) -> list[UUID]:
    """Give what a member sees to do."""
    with crossing_tenants(), inside(shop.tenant.pk):
        member = shop.members[name]
        found = queries.tasks(member, None, 50)
        assert queries.count_tasks(member, 99) == len(found)
        return [effect.pk for effect in found]


def test_a_member_sees_what_is_ready_for_it_and_what_it_has_begun(bench: Shop, rival: Shop) -> None:
    named, unnamed, asked = ready(bench, "phone"), ready(bench, "ring"), ready(bench)
    assert (seen(bench, "ann"), seen(bench, "oscar"), seen(bench, "dora")) == ([named.pk], [unnamed.pk], [])
    permit = begin(bench.actor("ann"), named)
    assert (seen(bench, "ann"), seen(bench, "amir"), seen(rival, "ann")) == ([named.pk], [], [])
    report(bench.actor("ann"), permit, result=AGREED, evidence="She said so.")
    assert seen(bench, "ann") == []
    with crossing_tenants(), inside(bench.tenant.pk):
        assert queries.task(bench.members["ann"], named.pk) is not None
        assert queries.task(bench.members["oscar"], named.pk) is None
        assert queries.task(bench.members["ann"], asked.pk) is None


def test_tasks_come_by_their_deadline_in_pages(bench: Shop) -> None:
    late, soon = ready(bench, "phone"), ready(bench, "phone", deadline_seconds=600)
    assert seen(bench, "ann") == [soon.pk, late.pk]
    with crossing_tenants(), inside(bench.tenant.pk):
        (first,) = queries.tasks(bench.members["ann"], None, 1)
        (second,) = queries.tasks(bench.members["ann"], (first.deadline_at, first.pk), 1)
    assert [first.pk, second.pk] == [soon.pk, late.pk]


def test_what_is_wrong_with_a_report_is_said_with_its_place(bench: Shop) -> None:
    permit = begin(bench.bot, ready(bench))
    with pytest.raises(InvalidContent) as refused:
        report(bench.bot, permit, result={"weight": "heavy"})
    assert {fault["path"] for fault in refused.value.facts["errors"]} == {"/result/label", "/result/weight"}


def test_a_contract_keeps_who_may_do_it(bench: Shop) -> None:
    bench.apply(phone(version=2, groups="[support]"))
    old, new = ready(bench, "phone"), ready(bench, "phone")
    assert bench.effect(old.run_id, "a").operation_id == new.operation_id
    with pytest.raises(performing.NotByYou):
        begin(bench.actor("ann"), new)
