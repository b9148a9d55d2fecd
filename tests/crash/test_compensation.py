"""Compensation on real processes that are killed at its places: each goes on to its end, once, whatever was in hand (R-J2, CMP-05)."""

from pathlib import Path
from typing import Any

import pytest

from tests.crash.payments import Payments
from tests.crash.stack import Stack
from tests.processes import until

pytestmark = pytest.mark.crash
STEPS = ("reserve", "charge", "tell")
UNDOES = """
select o.operation_name, e.operation_name, e.state from runs_effect e join runs_effect o on o.id = e.compensates_id
where e.run_id = %s order by 1
"""
ACTS = """
select e.operation_name, count(*)::int from runs_attempt t join runs_effect e on e.id = t.effect_id
where e.run_id = %s and e.compensates_id is not null and t.kind = 'act' group by 1 order by 1
"""
WHY = {"reason": "The customer does not want it any more."}


class Sale:
    """A run in which something was reserved, charged and told, at the bank that keeps no keys."""

    def __init__(self, stack: Stack, name: str) -> None:
        self.stack, self.account = stack, name
        said = {"reserve": {"amount": "60.00"}, "charge": {"amount": "60.00"}, "tell": {"text": "It is on its way."}}
        effects = [
            {"key": step, "operation": step, "arguments": {"account": self.account, **said[step]}} for step in STEPS
        ]
        body = {"run_type": "sale", "goal": "Sell something", "effects": effects}
        made = stack.post_surely("/api/v1/runs", body, f"sale-{name}")
        self.id, self.epoch = str(made["id"]), str(made["epoch"])

    def state(self) -> str:
        """Give the state of the run."""
        [(state,)] = self.stack.rows("select state from runs_run where id = %s", [self.id])
        return str(state)

    def is_done(self) -> bool:
        """Tell whether all of it was done."""
        found = self.stack.rows("select state from runs_effect where run_id = %s", [self.id])
        return {state for (state,) in found} == {"succeeded"}

    def cancel(self, key: str) -> tuple[int, Any]:
        """Ask for its cancellation, as its driver."""
        headers = {"Idempotency-Key": f"{key}-{self.account}", "Fencing-Token": self.epoch}
        return self.stack.ask("POST", f"/api/v1/runs/{self.id}/cancel", WHY, **headers)

    def balance(self) -> dict[str, Any]:
        """Ask the bank what is left of it."""
        return dict(self.stack.bank(f"/accounts/{self.account}"))


GIVEN_BACK = {
    "reserved": "0.00", "charged": "60.00", "given_back": "58.50", "fees": "1.50", "paid": "1.50", "notices_standing": 0,
}  # fmt: skip
UNDONE_BY = (("charge", "pay_back"), ("reserve", "release"), ("tell", "correct"))


@pytest.fixture
def sold(here: Payments, tmp_path: Path) -> Sale:
    """A sale that was made, by a worker that is gone again."""
    here.stack.start_worker("first")
    sale = Sale(here.stack, tmp_path.name.lower().replace("_", "-")[:40])
    assert until(sale.is_done), sale.stack.rows("select state, state_reason from runs_effect")
    here.stack.kill("first")
    return sale


def is_over_once_each(sale: Sale) -> None:
    """Demand that the run has ended, with everything given back, and nothing asked for twice."""
    assert until(lambda: sale.state() == "cancelled", 90), (sale.state(), sale.stack.rows(UNDOES, [sale.id]))
    assert sale.balance() == {"account": sale.account, **GIVEN_BACK}
    assert sale.stack.rows(UNDOES, [sale.id]) == [(made, undone, "succeeded") for made, undone in UNDONE_BY]
    assert sale.stack.rows(ACTS, [sale.id]) == [("correct", 1), ("pay_back", 1), ("release", 1)]
    sale.stack.check()


@pytest.mark.parametrize("place", ["compensate.sent", "compensate.result"])
def test_a_worker_that_dies_with_a_compensation_in_hand_pays_nothing_back_twice(
    here: Payments, sold: Sale, tmp_path: Path, place: str
) -> None:
    """CMP-05"""
    struck = tmp_path / "struck"
    here.stack.start_worker(CRASH_AT=f"{place}:1:kill", CRASH_ONCE=str(struck))
    assert sold.cancel("off")[0] == 200
    assert until(struck.exists), sold.stack.rows(UNDOES, [sold.id])
    is_over_once_each(sold)


def test_cancelling_again_and_killing_worker_and_clock_half_way_changes_nothing(here: Payments, sold: Sale) -> None:
    """CMP-05"""
    slowly = {"match": {"path_prefix": "/charges/", "method": "POST"}, "behave": [{"do": "slow", "seconds": 3}]}
    here.stack.tell_bank("/script", {"rules": [slowly]})
    assert sold.cancel("off")[0] == 200
    here.stack.start_worker("second")
    asked = "select 1 from runs_effect where run_id = %s and compensates_id is not null and state = 'dispatched'"
    assert until(lambda: here.stack.rows(asked, [sold.id])), sold.state()
    assert sold.state() == "closing"
    for name in ("second", "clock"):
        here.stack.kill(name)
    before = here.stack.rows("select ledger_seq from runs_run where id = %s", [sold.id])
    status, _ = sold.cancel("off again")
    assert status in {200, 409}
    assert here.stack.rows("select ledger_seq from runs_run where id = %s", [sold.id]) == before
    here.stack.start_clock()
    here.stack.start_worker("third")
    is_over_once_each(sold)
