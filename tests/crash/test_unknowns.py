"""Cases of attempts that end badly, on real processes: UNK-01, UNK-02, RET-02, LEA-03, and leases of machines that vanish."""

import time
from pathlib import Path

import pytest

from tests.crash.payments import Payments
from tests.processes import until

pytestmark = pytest.mark.crash
RETRY_INTERVALS = 3
APPROVE = """
from uuid import UUID
from approvals.deciding.voting import approve
from approvals.models import Request
from console.database import cross_tenants_in_this_process, transaction
cross_tenants_in_this_process()
from console.identity.members import member_actor
from console.identity.models import Member
with transaction(None):
    asked = Request.objects.get(pk="{request}")
    ann = Member.objects.filter(roles__contains=["approver"], user__email="ann@acme.example").select_related("user").get()
print(approve(member_actor(ann, "test"), asked.pk, shown_digest=asked.subject_digest.hex(), reason="", key="approve-{request}"))
"""
REQUEST = (
    "select q.id::text, q.state from approvals_request q join runs_effect e on e.request_id = q.id where e.id = %s"
)


def test_a_timeout_after_sending_is_unknown_and_nothing_is_sent_again(here: Payments) -> None:
    """UNK-01"""
    here.stack.start_worker()
    blind = here.pay("pay-forgets-blind", {"do": "commit_and_hang", "seconds": 60})
    asked = here.pay("pay-forgets-asked", {"do": "commit_and_hang", "seconds": 60})
    assert until(lambda: here.state(blind) == "unknown")
    assert until(lambda: here.state(asked) == "succeeded"), "the bank was not asked"
    time.sleep(RETRY_INTERVALS)  # the contract's waits between attempts are at most a second
    assert here.attempts(blind) == [("act", "ended", "unknown")]
    assert here.state(blind) == "unknown"
    assert here.attempts(asked)[:2] == [("act", "ended", "unknown"), ("status", "ended", "succeeded")]
    assert (
        {here.calls(effect) for effect in (blind, asked)} == {here.entries(effect) for effect in (blind, asked)} == {1}
    )


def test_after_a_crash_between_answer_and_record_the_approval_stays_used_and_the_bank_is_asked(
    here: Payments, tmp_path: Path
) -> None:
    """UNK-02"""
    refund = {"key": "refund", "operation": "refund", "arguments": {"order": "A-approved", "amount": "250.00"}}
    case = {"run_type": "customer-case", "goal": "Refund", "completes_itself": True, "effects": [refund]}
    effect = str(here.stack.post_surely("/api/v1/runs", case, f"approved-{tmp_path.name}")["effects"][0]["id"])
    ((request, _),) = here.stack.rows(REQUEST, [effect])
    here.stack.manage("shell", "-v", "0", "-c", APPROVE.format(request=request))
    here.stack.start_worker(CRASH_AT="dispatch.response_received:1:kill", CRASH_ONCE=str(tmp_path / "struck"))
    assert until((tmp_path / "struck").exists)
    assert until(lambda: here.state(effect) in {"unknown", "succeeded"})
    assert here.stack.rows(REQUEST, [effect]) == [(request, "consumed")]
    assert until(lambda: here.state(effect) == "succeeded"), "asking by its key did not find it"
    assert [kind for kind, _, _ in here.attempts(effect)].count("act") == 1
    seen = here.stack.bank(f"/calls?key=cf-{effect}")["keys"][f"cf-{effect}"]
    assert seen["count"] == 1
    assert here.stack.rows(REQUEST, [effect]) == [(request, "consumed")]


def test_only_one_layer_retries_so_two_attempts_are_two_calls_whatever_crashes(here: Payments, tmp_path: Path) -> None:
    """RET-02"""
    effect = here.pay("pay-forgets-twice-at-most", *["unavailable"] * 10)
    struck = tmp_path / "struck"
    here.stack.start_worker(CRASH_AT="result.after_commit:1:kill", CRASH_ONCE=str(struck))  # and RQ's job with it
    assert until(struck.exists)
    assert until(lambda: here.state(effect) == "failed"), here.attempts(effect)
    time.sleep(RETRY_INTERVALS)
    assert here.attempts(effect) == [("act", "ended", "overload"), ("act", "ended", "overload")]
    assert (here.calls(effect), here.entries(effect)) == (2, 0)


def test_a_heartbeat_that_is_late_by_a_whole_interval_costs_no_lease(here: Payments) -> None:
    """LEA-03"""
    interval = float(here.stack.environment["LEASE_SECONDS"]) / 3
    here.stack.start_worker(CRASH_AT=f"lease.renew:2:delay:{interval}")
    effect = here.pay("pay-forgets-blind-patiently", {"do": "slow", "seconds": 14})
    assert here.all_succeed_once([effect])
    assert here.attempts(effect) == [("act", "ended", "succeeded")]


@pytest.mark.parametrize("process", ["worker", "clock"])
def test_a_lease_too_short_for_its_heartbeats_is_refused_at_start_up(here: Payments, process: str) -> None:
    """LEA-03"""
    refused = here.stack.start("refused", "manage.py", process, LEASE_SECONDS="2")
    assert refused.wait(120) != 0
    assert "LEASE_SECONDS must be a whole number of at least 3" in (here.stack.logs / "refused.log").read_text()


def test_what_a_vanished_machine_had_in_hand_is_known_to_be_unknown_when_its_leases_end(here: Payments) -> None:
    here.stack.start_worker("vanished")
    effects = here.pay_many(5, "pay-forgets-asked-patiently", {"do": "slow", "seconds": 20})
    assert until(lambda: sum(here.calls(effect) for effect in effects) == 5)
    here.stack.kill("vanished")
    assert here.states(effects) == {"dispatched"}
    assert until(lambda: here.states(effects) == {"unknown"})
    here.stack.start_worker("another")
    assert here.all_succeed_once(effects)
    assert {here.calls(effect) for effect in effects} == {1}


def test_the_record_holds_after_all_that(here: Payments) -> None:
    here.stack.check()
