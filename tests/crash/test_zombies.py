"""A shift that stands still beyond its lease and then goes on unaware of that: what it brings is kept, changing nothing (R-A6)."""

from pathlib import Path

import psutil
import pytest

from tests.crash.payments import Payments, go_on, stopped
from tests.processes import until

pytestmark = pytest.mark.crash
RECORDED = "select state, state_reason, outcome, result, fence, ended_at from runs_effect where id = %s"
LATE = "select state, outcome, late_outcome from runs_attempt where effect_id = %s and late_at is not null"
LATE_ENTRIES = """select count(*) from ledger_entry
    where kind = 'attempt.late' and stream = (select 'run:' || run_id from runs_effect where id = %s)"""
COUNTED = "select coalesce(sum(value), 0) from ledger_tally where name = 'late_results'"
AS_OPERATOR = """
from uuid import UUID
from console.database import cross_tenants_in_this_process, transaction
cross_tenants_in_this_process()
from console.identity.members import member_actor
from console.identity.models import Member
from runs.models import Effect
from runs.unknowns.findings import Finding
from runs.unknowns.resolving import resolve
with transaction(None):
    member = Member.objects.filter(roles__contains=["operator"], active=True).select_related("user").first()
    version = Effect.objects.select_related("run").get(pk="{effect}").run.ledger_seq
finding = Finding(exit="happened", evidence="The bank's statement of today has it.")
print(resolve(member_actor(member, "test"), UUID("{effect}"), finding, version=version, key="found-{effect}")["state"])
"""


class Zombie:
    """A worker whose shift stands still at a place, with one payment in hand whose lease has run out."""

    def __init__(self, here: Payments, place: str, operation: str, mark: Path, *, whole_machine: bool = False) -> None:
        self.here = here
        started = here.stack.start_worker("zombie", CRASH_AT=f"{place}:1:stop", CRASH_ONCE=str(mark))
        self.effect = here.pay(operation)
        assert until(mark.exists)
        shift = here.stack.shift_of("zombie")
        assert shift is not None
        assert until(lambda: stopped(shift))
        self.processes = [psutil.Process(started.pid), shift]
        if whole_machine:
            self.processes[0].suspend()
        assert until(lambda: here.state(self.effect) == "unknown")

    def goes_on(self) -> tuple[str, str, str]:
        """Have it go on, and give how its attempt stands once what it had in hand is kept: state, outcome, and what came late."""
        go_on(*self.processes)
        assert until(lambda: self.here.stack.rows(LATE, [self.effect])), "nothing came late"
        ((state, outcome, late),) = self.here.stack.rows(LATE, [self.effect])
        return state, outcome, late


@pytest.mark.parametrize("whole_machine", [False, True])
def test_a_result_that_comes_after_the_lease_is_kept_as_evidence_and_changes_nothing(
    here: Payments, tmp_path: Path, whole_machine: bool
) -> None:
    counted = here.stack.rows(COUNTED)[0][0]
    zombie = Zombie(
        here,
        "dispatch.response_received",
        "pay-forgets-asked-patiently",
        tmp_path / "stopped",
        whole_machine=whole_machine,
    )
    here.stack.start_worker("successor")  # which is called although the one that stands still seems to listen
    assert until(lambda: here.state(zombie.effect) == "succeeded"), "its successor did not ask the bank"
    recorded = here.stack.rows(RECORDED, [zombie.effect])
    assert zombie.goes_on() == ("lost", "unknown", "succeeded")
    assert here.stack.rows(RECORDED, [zombie.effect]) == recorded
    assert here.stack.rows(LATE_ENTRIES, [zombie.effect]) == [(1,)]
    assert (here.calls(zombie.effect), here.entries(zombie.effect)) == (1, 1)
    assert until(lambda: here.stack.rows(COUNTED)[0][0] >= counted + 1), "nobody counted it"


def test_what_a_person_found_meanwhile_stands(here: Payments, tmp_path: Path) -> None:
    zombie = Zombie(here, "dispatch.response_received", "pay-forgets-blind-patiently", tmp_path / "stopped")
    assert "succeeded" in here.stack.manage("shell", "-v", "0", "-c", AS_OPERATOR.format(effect=zombie.effect))
    recorded = here.stack.rows(RECORDED, [zombie.effect])
    assert zombie.goes_on() == ("lost", "unknown", "succeeded")
    assert here.stack.rows(RECORDED, [zombie.effect]) == recorded
    assert here.entries(zombie.effect) == 1


def test_a_request_that_had_not_left_when_the_lease_ran_out_never_leaves(here: Payments, tmp_path: Path) -> None:
    zombie = Zombie(here, "dispatch.before_socket", "pay-forgets-blind-patiently", tmp_path / "stopped")
    assert zombie.goes_on() == ("lost", "unknown", "not_sent")
    assert (here.calls(zombie.effect), here.state(zombie.effect)) == (0, "unknown")


def test_the_record_holds_after_all_that(here: Payments) -> None:
    here.stack.check()
