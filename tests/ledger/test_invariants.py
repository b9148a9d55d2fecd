"""Invariants 1 to 9, 11, 13, and 15 to 18: each is broken by hand, behind every guard's back, and is named; a healthy history breaks none.

What is broken is told in a record whose chains and rows hold as often as that is possible, so that nothing else would have noticed."""

from collections.abc import Callable
from json import dumps
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from psycopg import sql

from console.database import crossing_tenants
from examples.bank.book import body_digest
from runs import erasing, invariants
from tests import clock
from tests.cast import later
from tests.checkpoints.keeping import keep, kept_by
from tests.compensation.undoing import done, with_undoing
from tests.corrections import acknowledge, correct
from tests.grants import let_stand_in, standing
from tests.invariants import at_the_bank, broken, check, count_effects, here
from tests.ledger.story import tell
from tests.migrations.fill import fill
from tests.pending import open_wait, timer, wait
from tests.record import findings, forger, kinds
from tests.runs.making_good import compensate
from tests.runs.walking import Walk
from tests.shop import Shop, draft, operation
from tests.signalling import send, send_to, wait_for
from tests.superuser import hand
from tests.work import WORKER, claim, claimed, end_leases, settle, sweep

CLOCK = "system:clock"


@pytest.fixture
def forged(shop: Shop) -> Shop:
    """A shop whose record is going to be forged."""
    shop.verified = False
    return shop


def say(run: UUID, *told: tuple[str, dict[str, Any]], actor: str = CLOCK) -> None:
    """Append facts to a run's stream, whose chain holds afterwards, as one transaction would."""
    hand().execute(
        "select runs_record(array_fill(%s::uuid, array[%s]), %s::text[], array_fill(%s::text, array[%s]), %s::text[], cf_now())",
        [run, len(told), [kind for kind, _ in told], actor, len(told), [dumps(says) for _, says in told]],
    )


def alter(table: str, key: UUID, **columns: Any) -> None:
    """Let a row say something else, whatever guards it."""
    said = sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(column)) for column in columns)
    with forger() as connection:
        statement = sql.SQL("update {} set {} where id = %s").format(sql.Identifier(table), said)
        connection.execute(statement, [*columns.values(), key])


def named(number: int) -> list[tuple[str, str]]:
    """Give what is said to break an invariant, as (stream, about); nothing else may be said to be broken."""
    found = broken()
    assert {finding.detail.rpartition(" (")[2].partition(".")[0] for finding in found} <= {str(number)}, found
    return [(finding.stream, finding.where) for finding in found]


def about(run: UUID, effect: UUID | None = None) -> list[tuple[str, str]]:
    """Say what one finding is expected to name."""
    return [(f"run:{run}", f"effect {effect}" if effect else "run")]


def begins(effect: UUID, fence: int, kind: str = "act", number: int = 1) -> tuple[str, dict[str, Any]]:
    """Tell of an attempt that was begun."""
    facts = {
        "attempt": str(uuid4()),
        "effect": str(effect),
        "number": number,
        "kind": kind,
        "fence": fence,
        "dependency": "bank",
    }
    return "attempt.dispatched", facts


# Healthy


def test_nothing_is_named_in_a_healthy_database_full_of_everything(db: None, one_role: None) -> None:
    fill()
    assert count_effects() > 5
    assert broken() == []


def test_nothing_is_named_in_a_story_in_which_nearly_everything_happens(shop: Shop) -> None:
    tell(shop)
    check()


@pytest.mark.parametrize("seed", [11, 12])
def test_nothing_is_named_after_a_long_walk(shop: Shop, seed: int) -> None:
    walk = Walk(shop, seed)
    walk.steps(60)
    assert broken() == []
    walk.come_to_rest()
    assert broken() == []


# 3


def test_an_entry_that_follows_the_end_of_an_effect_is_named(forged: Shop) -> None:
    run = forged.accept(draft("rent"), draft("gas"))
    rent, _ = claim()
    settle(rent)
    say(run, ("effect.sent_back", {"effect": str(rent["effect_id"]), "reason": "policy_changed"}))
    assert named(3) == about(run, rent["effect_id"])


def test_an_entry_that_follows_the_end_of_a_run_is_named(forged: Shop) -> None:
    run = forged.accept(draft("rent"))
    settle(claim())
    forged.complete(run)
    say(run, ("run.closing", {"toward": "failed", "reason": "It went so well."}))
    assert named(3) == about(run)


def test_what_comes_late_is_no_breach(shop: Shop) -> None:
    shop.accept(draft("rent"))
    rent = claimed()
    settle(rent)
    settle(rent, "rejected", http=422)
    assert broken() == []


def test_what_comes_late_or_remains_of_a_run_that_waited_and_was_corrected_is_not_named(shop: Shop) -> None:
    shop.apply(kept_by("keep: 2, keep_seconds: 60"))
    run = shop.accept(draft("a", "250"), run_type="kept")
    correct(shop, run)
    acknowledge(shop, run)
    keep(shop, run, {"step": 1})
    keep(shop, run, {"step": 2})
    wait_for(shop, run, "paid", "1042")
    send(shop, "paid", "1042")
    shop.fail(run)
    send(shop, "paid", "1042", "too late")
    send_to(shop, run)
    with later(minutes=2):
        sweep()
    assert {"signal.late", "checkpoint.dropped"} <= set(kinds(f"run:{run}"))
    check()
    with later(days=366), crossing_tenants():
        erasing.erase(shop.actor("dora", via="command"), run, reason="kept for a year, and that is over")
    assert {"signal.remains", "checkpoint.remains", "corrections.remain"} <= set(kinds(f"run:{run}"))
    check()


def test_an_unknown_that_a_completed_run_names_may_be_found_not_to_be_sent_again(shop: Shop) -> None:
    shop.apply(
        operation("pay", version=2)
        + "unknown: {owner: operators, resolve: resend, resend_same_key: true, age_objective_seconds: 900}\n"
    )
    run = shop.accept(draft("rent"), run_type="lenient")
    settle(claimed(), "unknown", http=None, delay=0, step="resend")
    shop.complete(run, accepting=[shop.effect(run, "rent").pk])
    assert claim() == []
    assert shop.effect(run, "rent").state_reason.startswith("It was not sent again: its run is succeeded")
    assert (broken(), findings()) == ([], [])


# 4


def test_an_effect_that_is_begun_in_a_run_that_was_given_up_is_named(forged: Shop) -> None:
    run = forged.accept(draft("rent"), draft("gas"))
    gas = claim(1)[0]
    other = "rent" if gas["key"] == "gas" else "gas"
    forged.fail(run)
    say(run, begins(forged.effect(run, other).pk, 9))
    found = broken()
    assert {finding.where for finding in found} == {f"effect {forged.effect(run, other).pk}"}
    assert {finding.detail.rpartition(" (")[2][:2] for finding in found} == {"3.", "4."}  # it had been withdrawn, too
    assert all(finding.entry == forged.run(run).ledger_seq for finding in found)


# 5


@pytest.mark.parametrize(("fence", "kind"), [(1, "act"), (0, "act"), (0, "status")])
def test_a_fence_that_does_not_rise_is_named(forged: Shop, fence: int, kind: str) -> None:
    run = forged.accept(draft("rent"))
    rent = claimed()
    assert rent["fence"] == 1
    say(run, begins(rent["effect_id"], fence, kind, 2))
    assert named(5) == about(run, rent["effect_id"])


def test_an_answer_that_was_taken_with_an_older_fence_is_named(forged: Shop) -> None:
    run = forged.accept(draft("rent"))
    rent = claimed()
    say(run, begins(rent["effect_id"], 2, number=2))
    settle(rent)
    assert named(5) == about(run, rent["effect_id"])


def test_an_epoch_that_does_not_rise_is_named(forged: Shop) -> None:
    run = forged.accept(draft("rent"))
    say(run, ("run.acquired", {"epoch": 1, "driver": "", "holder": "x"}))
    assert named(5) == about(run)


def test_a_write_that_was_taken_with_an_older_epoch_is_named(forged: Shop) -> None:
    run = forged.accept(draft("rent"))
    say(
        run,
        ("run.acquired", {"epoch": 2, "driver": "", "holder": "x"}),
        ("run.held", {"hold": "", "reason": "", "epoch": 2}),
    )
    assert named(5) == []
    say(run, ("run.held", {"hold": "", "reason": "", "epoch": 1}))
    assert named(5) == about(run)


# 6


def test_what_was_begun_and_never_proposed_is_named(forged: Shop) -> None:
    run, nobody = forged.accept(draft("rent")), uuid4()
    say(run, begins(nobody, 1))
    assert named(6) == about(run, nobody)


def test_what_was_proposed_and_begun_at_one_stroke_is_named(forged: Shop) -> None:
    run = forged.accept(draft("rent"))
    effect = forged.effect(run, "rent")
    with forger() as connection:
        connection.execute(
            "delete from ledger_payload where entry_id in (select id from ledger_entry where kind = 'effect.proposed')"
        )
        connection.execute("delete from ledger_entry where kind = 'effect.proposed'")
    say(run, ("effect.proposed", {"effect": str(effect.pk), "to": "ready"}), begins(effect.pk, 1))
    assert named(6) == about(run, effect.pk)


# 7


@pytest.mark.parametrize(("outcome", "to"), [("unknown", "failed"), ("rejected", "rejected"), ("transient", "ready")])
def test_a_timeout_after_bytes_were_sent_that_is_called_something_else_is_named(
    forged: Shop, outcome: str, to: str
) -> None:
    run = forged.accept(draft("rent"))
    rent = claimed()
    settle(rent, outcome, to=to, http=None, sent=True)
    assert findings() == []  # the record is whole: it is only not true
    assert named(7) == about(run, rent["effect_id"])


def test_a_timeout_before_anything_was_sent_and_one_of_a_read_may_be_tried_again(shop: Shop) -> None:
    shop.accept(draft("rent"), draft("balance", operation="look"))
    for row in claim():
        settle(
            row,
            *(("not_sent",) if row["key"] == "rent" else ("transient",)),
            http=None,
            sent=row["key"] != "rent",
            delay=9,
        )
    assert broken() == []


def test_a_write_that_was_lost_with_its_worker_and_called_failed_is_named(forged: Shop) -> None:
    run = forged.accept(draft("rent"))
    rent = claimed()
    gone = {"attempt": str(rent["attempt_id"]), "effect": str(rent["effect_id"]), "outcome": "not_sent", "to": "failed"}
    say(run, ("attempt.lost", {**gone, "sent": None, "reason": ""}))
    assert named(7) == about(run, rent["effect_id"])


# 8


def unknown(shop: Shop) -> tuple[UUID, UUID]:
    """Have a payment of which nobody knows whether it was made; gives the run and the effect."""
    run = shop.accept(draft("rent"))
    rent = claimed()
    settle(rent, "unknown", http=None, delay=0)
    return run, rent["effect_id"]


@pytest.mark.parametrize("kind", ["effect.expired", "effect.withdrawn", "effect.released"])
def test_an_unknown_that_decayed_is_named(forged: Shop, kind: str) -> None:
    run, effect = unknown(forged)
    say(run, (kind, {"effect": str(effect), "reason": "It is old."}))
    assert named(8) == about(run, effect)


@pytest.mark.parametrize(("outcome", "to"), [("pending", "failed"), ("transient", "ready"), ("unknown", "succeeded")])
def test_an_unknown_that_was_left_by_an_answer_that_proves_nothing_is_named(
    forged: Shop, outcome: str, to: str
) -> None:
    run, effect = unknown(forged)
    settle(claimed(), outcome, to=to)
    assert findings() == []
    assert named(8) == about(run, effect)


def test_an_unknown_that_was_left_because_nothing_was_found_is_named_where_that_proves_nothing(forged: Shop) -> None:
    run, effect = unknown(forged)
    settle(claimed(), "absent", to="ready", delay=9)
    assert named(8) == about(run, effect)


def test_what_proves_itself_by_its_absence_is_left_by_it(shop: Shop) -> None:
    shop.apply(operation("pay", version=2).replace("absence_is_proof: false", "absence_is_proof: true"))
    unknown(shop)
    settle(claimed(), "absent", to="ready", delay=9)
    assert broken() == []


def told(effect: UUID, outcome: str = "succeeded") -> tuple[str, dict[str, Any]]:
    """Tell of a signed message that settled an effect."""
    return "callback.applied", {"effect": str(effect), "outcome": outcome, "to": outcome, "body_digest": "00"}


def test_what_is_ready_is_settled_by_a_message_about_what_was_sent_before(forged: Shop) -> None:
    run = forged.accept(draft("rent"))
    settle(claimed(), "overload", delay=60)
    say(run, told(forged.effect(run, "rent").pk))
    assert broken() == []


def test_what_is_ready_and_never_went_out_is_settled_by_no_message(forged: Shop) -> None:
    run = forged.accept(draft("rent"))
    effect = forged.effect(run, "rent").pk
    say(run, told(effect))
    assert named(8) == about(run, effect)


def test_what_is_ready_and_was_settled_by_a_message_that_proves_nothing_is_named(forged: Shop) -> None:
    run = forged.accept(draft("rent"))
    settle(claimed(), "overload", delay=60)
    effect = forged.effect(run, "rent").pk
    say(run, ("callback.applied", {"effect": str(effect), "outcome": "pending", "to": "failed", "body_digest": "00"}))
    assert named(8) == about(run, effect)


def found(effect: UUID, *, by: str = "a", second: bool = False, evidence: str = "Seen.") -> tuple[str, dict[str, Any]]:
    """Tell of a person's finding."""
    facts = {"resolution": "1", "effect": str(effect), "by": by, "needs_second": second, "evidence": evidence}
    return "resolution.made", facts


def confirmed(effect: UUID, by: str) -> tuple[str, dict[str, Any]]:
    """Tell of somebody's word on it."""
    return "resolution.confirmed", {"resolution": "1", "effect": str(effect), "by": by}


def resolved(effect: UUID) -> tuple[str, dict[str, Any]]:
    """Tell of what follows from it."""
    return "effect.resolved", {
        "effect": str(effect),
        "resolution": "1",
        "exit": "happened",
        "to": "succeeded",
        "fence": 2,
    }


FOUND: dict[str, tuple[Callable[[UUID], list[tuple[str, dict[str, Any]]]], str]] = {
    "no finding": (lambda effect: [], "member:a"),
    "no evidence": (lambda effect: [found(effect, evidence="")], "member:a"),
    "no person": (lambda effect: [found(effect)], CLOCK),
    "no second person": (lambda effect: [found(effect, second=True)], "member:a"),
    "the same person twice": (lambda effect: [found(effect, second=True), confirmed(effect, "a")], "member:a"),
}


@pytest.mark.parametrize("what", FOUND)
def test_an_unknown_that_was_left_by_a_word_that_does_not_count_is_named(forged: Shop, what: str) -> None:
    run, effect = unknown(forged)
    said, actor = FOUND[what]
    say(run, *said(effect), resolved(effect), actor=actor)
    assert named(8) == about(run, effect)


def test_an_unknown_is_left_by_a_person_and_where_needed_by_two(forged: Shop) -> None:
    run, effect = unknown(forged)
    say(run, found(effect, second=True), actor="member:a")
    say(run, confirmed(effect, "b"), resolved(effect), actor="member:b")
    assert broken() == []


@pytest.mark.parametrize("outcome", ["succeeded", "rejected", "partial"])
def test_an_unknown_is_left_by_evidence(shop: Shop, outcome: str) -> None:
    unknown(shop)
    settle(claimed(), outcome)
    assert broken() == []


# 9


@pytest.mark.parametrize("state", ["dispatched", "accepted", "unknown", "partial"])
def test_a_completed_run_with_something_unsettled_is_named(forged: Shop, state: str) -> None:
    run = forged.accept(draft("rent"))
    rent = claimed()
    if state != "dispatched":
        settle(rent, state)
    alter("runs_run", run, state="succeeded", ended_at="2026-03-01T12:00:00Z")
    assert named(9) == about(run, rent["effect_id"])


def test_what_a_completed_run_names_is_no_breach_but_then_it_is_not_simply_succeeded(forged: Shop) -> None:
    run = forged.accept(draft("rent"), run_type="lenient")
    rent = claimed()
    settle(rent, "unknown")
    forged.complete(run, accepting=[rent["effect_id"]])
    assert broken() == []
    alter("runs_run", run, state="succeeded")
    assert named(9) == about(run)


# 11


def test_a_timer_that_fires_before_its_time_is_named(forged: Shop) -> None:
    run = forged.accept()
    open_wait(forged, run, timer(3600, name="pause"))
    met = str(wait(run, "pause").pk)
    say(run, ("wait.met", _ended(met, wakes=True)))
    assert named(11) == [(f"run:{run}", f"wait {met}")]


def test_a_timer_that_fires_twice_is_named(forged: Shop) -> None:
    run = forged.accept()
    open_wait(forged, run, timer(60, name="pause"))
    with clock.at(61):
        sweep()
        assert broken() == []
    met = str(wait(run, "pause").pk)
    with clock.at(62):
        say(run, ("wait.met", _ended(met)))
    assert named(11) == [(f"run:{run}", f"wait {met}")]


def _ended(which: str, *, wakes: bool = False) -> dict[str, Any]:
    return {"wait": which, "name": "pause", "reason": "", "result": None, "wakes": wakes, "calls": False}


# 13


def approved(shop: Shop) -> tuple[UUID, Any]:
    """Have a payment that was approved and made; gives the run and the request."""
    run = shop.accept(draft("rent", "250"))
    shop.approve(shop.request(run, "rent"))
    hand().execute("select * from runs_follow(%s, 100)", [WORKER])
    settle(claimed())
    return run, shop.request(run, "rent")


FORGED: dict[str, Callable[[Any], dict[str, Any]]] = {
    "its time was over": lambda request: {"use_by": request.consumed_at},
    "something else was approved": lambda request: {"subject_digest": b"\0" * 32},
    "nothing was begun then": lambda request: {"consumed_at": request.decided_at},
    "it was never used": lambda request: {"consumed_at": None},
}


@pytest.mark.parametrize("what", FORGED)
def test_an_approval_that_does_not_cover_what_was_done_is_named(forged: Shop, what: str) -> None:
    _, request = approved(forged)
    assert broken() == []
    alter("approvals_request", request.pk, **FORGED[what](request))
    assert set(named(13)) == {(f"request:{request.pk}", f"effect {request.subject}")}


def test_an_effect_that_goes_by_the_approval_of_something_else_is_named(forged: Shop) -> None:
    run, request = approved(forged)
    other = forged.accept(draft("gas"))
    settle(claimed())
    gas = forged.effect(other, "gas").pk
    alter("runs_effect", gas, approved_with_id=request.pk)
    assert named(13) == about(other, gas)
    alter("runs_effect", gas, compensates_id=forged.effect(run, "rent").pk)
    assert broken() == []


# 15


def test_an_effect_that_is_gone_and_one_that_stands_nowhere_are_missed(forged: Shop) -> None:
    run = forged.accept(draft("rent"), draft("gas"))
    tenant = [(f"tenant:{forged.tenant.pk}", "effects")]
    alter("runs_effect", forged.effect(run, "gas").pk, state="mislaid", ended_at="2026-03-01T12:00:00Z")
    assert named(15) == tenant
    with forger() as connection:
        connection.execute("delete from runs_effect where key = 'gas'")
    assert named(15) == tenant


def test_a_run_that_is_gone_is_missed(forged: Shop) -> None:
    run = forged.accept()
    with forger() as connection:
        connection.execute("delete from runs_run where id = %s", [run])
    assert named(15) == [(f"tenant:{forged.tenant.pk}", "runs")]


# 1 and 2


def entry(effect: UUID, fence: int | None = 1, digest: str = "") -> dict[str, Any]:
    """Write a line of the bank's ledger."""
    return {"key": f"cf-{effect}", "fence": fence, "body_digest": digest}


def test_the_bank_is_held_against_what_was_meant(shop: Shop) -> None:
    run = shop.accept(draft("rent"))
    rent = claimed()["effect_id"]
    meant = body_digest("/effects", b'{"amount":"10","to":"bob"}')
    assert at_the_bank([entry(rent, digest=meant)], here) == []
    assert [said[:2] for said in at_the_bank([entry(rent, digest=meant)] * 2, here)] == ["1."]
    for forged in (entry(rent, digest="another"), entry(rent, fence=7, digest=meant), entry(uuid4(), digest=meant)):
        assert [said[:2] for said in at_the_bank([forged], here)] == ["2."]
    assert shop.state(run) == "running"


# The command


def test_the_command_names_what_was_broken_and_fails(forged: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    run, effect = unknown(forged)
    settle(claimed(), "pending", to="failed")
    with pytest.raises(CommandError, match="does not hold"):
        call_command("verify")
    said = capsys.readouterr().out
    assert f"run:{run} entry {forged.run(run).ledger_seq}: effect {effect}: it was unknown" in said
    assert "8. An unknown is left, and what is ready to be done again settled, only by evidence or by a person." in said
    assert "1 findings." in said


def test_a_worker_that_vanished_breaks_nothing(shop: Shop) -> None:
    shop.accept(draft("rent"), draft("gas", operation="wire"), draft("balance", operation="look"))
    claim()
    end_leases(WORKER)
    check()


# 16


def test_a_unit_that_is_taken_or_held_for_nothing_is_named(forged: Shop) -> None:
    let_stand_in(forged)
    found = standing(forged)
    run = forged.accept(draft("rent", "250"))
    claimed()
    effect = forged.effect(run, "rent").pk
    assert named(16) == []
    alter("approvals_grant", found.pk, uses_taken=2)
    assert named(16) == [(found.stream(), "grant")]
    alter("approvals_grant", found.pk, uses_taken=1)
    alter("runs_effect", effect, holds_unit=False)
    assert named(16) == [(found.stream(), f"effect {effect}")]


# 17 and 18


def made_good(shop: Shop) -> tuple[UUID, str]:
    """Have a booking that was made good for; gives the run and the key of what did it."""
    run = done(with_undoing(shop), "book")
    key = compensate(shop, run, "book")
    settle(claimed())
    return run, key


def test_what_is_made_good_for_twice_is_named(forged: Shop) -> None:
    """The database keeps a second one out, so the sentence is asked where its index is away for a moment."""
    run, key = made_good(forged)
    again = forged.accept(draft("more"))
    settle(claimed())
    original, other = forged.effect(run, "book").pk, forged.effect(again, "more").pk
    asked = {**invariants.WORDS, "tenant": forged.tenant.pk}
    with hand().transaction(force_rollback=True):
        hand().execute("set local session_replication_role = replica")
        hand().execute("drop index runs_one_effect_compensates")
        hand().execute("update runs_effect set compensates_id = %s where id = %s", [original, other])
        found = hand().execute(invariants.query("made_good").encode(), asked).fetchall()
    assert [row[2:] for row in found] == [
        (f"effect {original}", "it is made good for by 2 effects that are open or were done")
    ]
    assert forged.effect(run, key).compensates_id == original


def test_what_makes_good_for_what_did_not_happen_is_named(forged: Shop) -> None:
    run, key = made_good(forged)
    alter("runs_effect", forged.effect(run, "book").pk, state="rejected")
    assert named(17) == about(run, forged.effect(run, key).pk)


@pytest.mark.parametrize("to", ["due", "open"])
def test_a_run_that_ended_before_it_was_made_good_for_is_named(forged: Shop, to: str) -> None:
    run = forged.accept(draft("rent"))
    settle(claimed())
    say(run, ("run.compensating", {"to": to}))
    forged.fail(run)
    assert forged.state(run) == "failed"
    assert named(18) == about(run)


def test_what_goes_its_way_in_a_run_that_ended_breaks_nothing(shop: Shop) -> None:
    run = done(with_undoing(shop), "book")
    shop.complete(run)
    compensate(shop, run, "book")
    claimed()
    assert broken() == []
    end_leases(WORKER)
    settle(claimed(), "rejected", to="rejected")
    check()
