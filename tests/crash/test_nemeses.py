"""What goes wrong while outcomes are being found out: database, connections, bell, the bank's disk. Nothing is done twice (R-F2)."""

import resource
import time

import pytest

from tests.crash.payments import BANK, Payments
from tests.processes import until

pytestmark = pytest.mark.crash
MANY = 12
LOOKS = "select count(*) from runs_attempt where kind = 'status' and effect_id = any(%s::uuid[])"
CUT = "select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'"


def unconfirmed(here: Payments) -> list[str]:
    """Have payments done whose answers were lost, at a bank that cannot be asked just now: they are asked about again and again."""
    here.stack.tell_bank("/script", {"switches": {"status": "off"}}, BANK)
    here.stack.start_worker()
    effects = here.pay_many(MANY, "pay-forgets-asked", "commit_and_drop")
    assert until(lambda: here.states(effects) == {"unknown"})
    assert until(lambda: looks(here, effects) >= MANY)
    return effects


def looks(here: Payments, effects: list[str]) -> int:
    return int(here.stack.rows(LOOKS, [effects])[0][0])


def are_found_out(here: Payments, effects: list[str]) -> bool:
    """Let the bank be asked again: each is found, once, and none was sent again (what a busy machine could not send at first may be)."""
    assert here.states(effects) == {"unknown"}
    here.stack.tell_bank("/script", {"switches": {"status": "on"}}, BANK)
    return here.all_succeed_once(effects) and {here.calls(effect) for effect in effects} == {1}


def test_postgresql_is_restarted_while_the_bank_is_asked(here: Payments) -> None:
    effects = unconfirmed(here)
    here.stack.restart_postgres()
    before = looks(here, effects)
    assert until(lambda: looks(here, effects) > before), "nobody asks any more"
    here.stack.restart_postgres()  # once more, while it recovers
    assert are_found_out(here, effects)


def test_connections_are_cut_again_and_again_while_the_bank_is_asked(here: Payments) -> None:
    effects = unconfirmed(here)
    for _ in range(5):
        here.stack.as_superuser(CUT)
        time.sleep(0.3)
    assert are_found_out(here, effects)


def test_valkey_is_away_while_the_bank_is_asked(here: Payments) -> None:
    effects = unconfirmed(here)
    here.stack.stop_valkey()
    before = looks(here, effects)
    assert until(lambda: looks(here, effects) > before), "a shift that works needs no bell"
    time.sleep(5)  # longer than any of the bell's own waits: the shift hears nothing, and looks by itself
    here.stack.start_valkey()
    here.stack.kill("worker")
    here.stack.start_worker()  # a worker whose bell went away ends, and is started again by whoever looks after it
    assert are_found_out(here, effects)


def test_the_banks_disk_is_full_and_its_500_is_an_unknown_outcome(here: Payments) -> None:
    bank, book = here.stack.processes[BANK].pid, here.stack.place.data / f"{BANK}.ledger"
    before = resource.prlimit(bank, resource.RLIMIT_FSIZE)
    here.stack.start_worker()
    resource.prlimit(bank, resource.RLIMIT_FSIZE, (book.stat().st_size, before[1]))
    try:
        effect = here.pay()
        assert until(lambda: here.state(effect) == "unknown")
        assert until(lambda: looks(here, [effect]) >= 2)
        assert here.state(effect) == "unknown", "absence is no proof by this contract"
    finally:
        resource.prlimit(bank, resource.RLIMIT_FSIZE, before)
    healthy = here.pay()
    assert here.all_succeed_once([healthy])
    assert (here.calls(effect), here.entries(effect), here.state(effect)) == (1, 0, "unknown")


def test_the_record_holds_after_all_that(here: Payments) -> None:
    here.stack.check()
