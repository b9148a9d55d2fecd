"""Payments on a running product, what our record and the bank say of them. The bank forgets keys: a second call is a second entry."""

import signal
from typing import Any

import psutil

from tests.crash.stack import Stack
from tests.processes import until

BANK = "bank-forgets"
STAYING = {"web", "clock", "bank", BANK}


class Payments:
    """A stack, and payments made on it."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.made = 0

    def pay(self, operation: str = "pay-forgets-asked", *behave: object) -> str:
        """Have a payment accepted, the bank told how to treat the calls for it in turn; gives the effect's id."""
        return self.pay_many(1, operation, *behave)[0]

    def pay_many(self, number: int, operation: str = "pay-forgets-asked", *behave: object) -> list[str]:
        """Have so many payments accepted at once; gives the effects' ids."""
        first, self.made = self.made, self.made + number
        orders = [f"P-{first + place}" for place in range(number)]
        if behave:
            rules = [{"match": {"field": {"order": order}}, "behave": list(behave)} for order in orders]
            self.stack.tell_bank("/script", {"rules": rules, "add": True}, BANK)
        items = [
            {"key": order, "run_type": "payments", "goal": f"Pay {order}", "completes_itself": True,
             "effects": [{"key": "pay", "operation": operation, "arguments": {"order": order, "amount": "1.00"}}]}
            for order in orders
        ]  # fmt: skip
        status, told = self.stack.ask("POST", "/api/v1/runs/bulk", {"items": items})
        assert status == 200, told
        return [str(item["run"]["effects"][0]["id"]) for item in told["items"]]

    def state(self, effect: str) -> str:
        """Give the effect's state."""
        return str(self.stack.rows("select state from runs_effect where id = %s", [effect])[0][0])

    def states(self, effects: list[str]) -> set[str]:
        """Give all the states that these effects are in."""
        return {
            str(state)
            for (state,) in self.stack.rows("select state from runs_effect where id = any(%s::uuid[])", [effects])
        }

    def attempts(self, effect: str) -> list[tuple[Any, ...]]:
        """Give kind, state and outcome of each attempt, in order."""
        return self.stack.rows(
            "select kind, state, outcome from runs_attempt where effect_id = %s order by number", [effect]
        )

    def acts(self, effect: str) -> int:
        """Count how often it was begun."""
        return [kind for kind, _, _ in self.attempts(effect)].count("act")

    def calls(self, effect: str) -> int:
        """Count the calls for it that the bank has seen."""
        key = f"cf-{effect}"
        return int(self.stack.bank(f"/calls?key={key}", BANK)["keys"].get(key, {"count": 0})["count"])

    def entries(self, effect: str) -> int:
        """Count how often the bank has done it."""
        return len(self.stack.bank(f"/ledger?key=cf-{effect}", BANK)["entries"])

    def all_succeed_once(self, effects: list[str], within: float = 90) -> bool:
        """Wait until all have succeeded, and say whether the bank did each exactly once."""
        assert until(lambda: self.states(effects) == {"succeeded"}, within), self.states(effects)
        return all(self.entries(effect) == 1 for effect in effects)

    def put_back(self) -> None:
        """End what a test started, however it stands, and let the bank behave."""
        for name in set(self.stack.processes) - STAYING:
            self.stack.kill(name)
        self.stack.tell_bank("/script", {"rules": [], "switches": {"status": "on", "latency_seconds": 0}}, BANK)


def stopped(process: psutil.Process) -> bool:
    """Say whether a process stands still."""
    return bool(process.status() == psutil.STATUS_STOPPED)


def go_on(*processes: psutil.Process) -> None:
    """Have processes that stand still go on."""
    for process in processes:
        process.send_signal(signal.SIGCONT)
