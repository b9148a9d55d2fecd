"""The example `transfer` on real processes: taken on with a 202, told of by a signed callback, done without one status query (R-F6)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from console.env import BASE_DIR
from tests.crash.stack import Stack, stack
from tests.processes import until

pytestmark = pytest.mark.crash
ARGUMENTS = {
    "from": "operating", "to": "Nordwind Papier", "iban": "DE89370400440532013000", "amount": "5400.00", "currency": "EUR",
}  # fmt: skip
# Finance says yes to everything that is asked, as a person on the page would.
APPROVE = """
from uuid import uuid4
from approvals.deciding.voting import approve
from approvals.models import Request
from console.database import crossing_tenants, transaction
from console.identity.members import member_actor
from console.identity.models import Member
with crossing_tenants():
    with transaction(None):
        asked = list(Request.objects.filter(state="pending"))
        members = list(Member.objects.filter(roles__contains=["approver"], groups__contains=["finance"]).select_related("user"))
    for request in asked:
        member = next(each for each in members if each.pk != request.owner_id)
        approve(member_actor(member, "page"), request.pk, shown_digest=bytes(request.subject_digest).hex(), reason="", key=str(uuid4()))
"""


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Stack]:
    """The product, and a bank that tells of what it took on."""
    with stack(tmp_path) as opened:
        url = f"http://127.0.0.1:{opened.port}/api/v1/callbacks/demo/transfer"
        opened.start_bank("--no-idempotency", "--callback-url", url)
        opened.start_clock()
        opened.start_worker()
        yield opened


def patient(here: Stack) -> None:
    """Have nobody asked for two minutes, so that a slow machine does not ask before it is told."""
    text = (BASE_DIR / "examples" / "contracts" / "transfer.yaml").read_text(encoding="utf-8").partition("\n---\n")[0]
    here.apply(text.replace("version: 3", "version: 4", 1).replace("every_seconds: 5", "every_seconds: 120", 1))


def transfers(here: Stack, **behaviours: Any) -> dict[str, str]:
    """Have transfers begun, each with a behaviour of the bank by its invoice, and give their effects' ids by invoice."""
    rules = [
        {"match": {"field": {"invoice": invoice}}, "behave": [{"do": "accept_202", **how}]}
        for invoice, how in behaviours.items()
    ]
    here.tell_bank("/script", {"rules": rules})
    ids = {}
    for invoice in behaviours:
        effect = {"key": invoice, "operation": "transfer", "arguments": {**ARGUMENTS, "invoice": invoice}}
        run = {"run_type": "close-invoice", "goal": f"Pay {invoice}", "completes_itself": True, "effects": [effect]}
        made = here.post_surely("/api/v1/runs", run, invoice)
        [(effect_id,)] = here.rows("select id from runs_effect where run_id = %s", [made["id"]])
        ids[invoice] = str(effect_id)
    here.manage("shell", "-c", APPROVE)
    return ids


def states(here: Stack, ids: dict[str, str]) -> dict[str, str]:
    """Give the state of each transfer."""
    found = dict(here.rows("select id::text, state from runs_effect"))
    return {invoice: found[effect] for invoice, effect in ids.items()}


def callbacks(here: Stack) -> dict[str, int]:
    """Give how many messages there are in each state."""
    return dict(here.rows("select state, count(*)::int from runs_callback group by 1"))


def asked(here: Stack) -> int:
    """Give how often the bank was asked what became of something."""
    return sum(calls["asked"] for calls in here.bank("/calls")["keys"].values())


def test_what_was_taken_on_is_finished_by_a_signed_callback_and_nobody_asks(here: Stack) -> None:
    patient(here)
    here.start_web()
    ways = {
        "R-once": {"seconds": 0.3}, "R-doubled": {"seconds": 0.3, "callback": "doubled"},
        "R-reordered": {"seconds": 0.3, "callback": "reordered"}, "R-early": {"callback": "early"},
        "R-refused": {"seconds": 0.3, "later": "refuse", "reason": "The account is closed."},
        "R-replayed": {"seconds": 0.3, "callback": "replayed"},
    }  # fmt: skip
    ids = transfers(here, **ways)
    expected = {invoice: "rejected" if invoice == "R-refused" else "succeeded" for invoice in ways}
    assert until(lambda: states(here, ids) == expected), states(here, ids)
    assert asked(here) == 0
    assert until(lambda: "recorded" not in callbacks(here)), callbacks(here)
    entries = [entry["key"] for entry in here.bank("/ledger")["entries"]]
    assert sorted(entries) == sorted(f"cf-{effect}" for invoice, effect in ids.items() if invoice != "R-refused")
    [(kinds,)] = here.rows("select array_agg(distinct kind) from runs_attempt")
    assert kinds == ["act"]
    here.check()


def test_a_forged_callback_settles_nothing_and_the_question_does(here: Stack) -> None:
    here.start_web()
    ids = transfers(here, **{"R-forged": {"seconds": 0.1, "callback": "forged"}})
    assert until(lambda: states(here, ids) == {"R-forged": "succeeded"}), states(here, ids)
    assert (callbacks(here), asked(here) > 0) == ({}, True)
    here.check()


def test_a_web_process_that_dies_between_recording_and_applying_loses_nothing(here: Stack) -> None:
    patient(here)
    here.start_web(CRASH_AT="callback.recorded_before_apply:1:kill")
    ids = transfers(here, **{"R-killed": {"seconds": 0.3}})
    assert until(lambda: here.processes["web"].poll() is not None), "it was not killed"
    assert until(lambda: states(here, ids) == {"R-killed": "succeeded"}), states(here, ids)
    assert (callbacks(here), asked(here)) == ({"applied": 1}, 0)
    here.check()
