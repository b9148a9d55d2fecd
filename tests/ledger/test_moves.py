"""A move: one transaction, whole or not at all; its refusal is kept beside the record; a key gets its receipt again."""

from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db.utils import IntegrityError

from console import clock, doorbell
from console.database import after_commit, rows
from console.http.refusals import Forbidden, InvalidContent, KeyExpired, KeyReused, Refusal
from console.ledger.actors import Actor, system
from console.ledger.models import Refusal as KeptRefusal
from console.ledger.moves import move, once
from runs import record
from runs.models import Run
from tests import clock as time
from tests.cast import inside
from tests.record import kinds
from tests.shop import Shop, draft


class NotToday(Refusal):
    """Not today."""

    code = "not_today"


@move("spoil")
def spoil(by: Actor, run: UUID, fault: Exception | None) -> str:
    """Change a run, write it down, and fail then, if at all."""
    Run.objects.filter(pk=run).update(goal="Spoilt")
    record.write([(run, "run.closing", {"toward": "failed", "reason": "spoilt"})], by, clock.now())
    after_commit(lambda: rung.append(run))
    if fault is not None:
        raise fault
    return "done"


rung: list[UUID] = []


@pytest.fixture
def run(shop: Shop) -> UUID:
    """A run, about which the tests write things that did not happen."""
    rung.clear()
    shop.verified = False
    return shop.accept(draft("a"))


@pytest.mark.parametrize(
    "fault", [NotToday(), Forbidden(), InvalidContent(), RuntimeError("ours"), IntegrityError("theirs")]
)
def test_a_move_that_fails_at_its_last_line_has_done_nothing(shop: Shop, run: UUID, fault: Exception) -> None:
    """DB-02: no part of it is committed, whatever the fault."""
    before = shop.run(run)
    with pytest.raises(type(fault)):
        spoil(shop.bot, run, fault)
    after = shop.run(run)
    assert (after.goal, after.ledger_seq, after.ledger_hash) == (before.goal, before.ledger_seq, before.ledger_hash)
    assert kinds(after.stream()) == ["run.accepted", "effect.proposed"]
    assert rung == []


def test_a_move_that_is_done_is_committed_with_its_entry_and_only_then_rings(shop: Shop, run: UUID) -> None:
    assert spoil(shop.bot, run, None) == "done"
    assert shop.run(run).goal == "Spoilt"
    assert kinds(f"run:{run}")[-1] == "run.closing"
    assert rung == [run]


def kept() -> list[dict[str, Any]]:
    """Give the refusals that were kept."""
    with inside():
        return rows("select actor, verb, subject, type, detail from ledger_refusal order by id")


def test_a_refusal_is_kept_with_who_what_and_why(shop: Shop, run: UUID) -> None:
    with pytest.raises(NotToday):
        spoil(shop.bot, run, NotToday())
    assert kept() == [
        {"actor": str(shop.bot), "verb": "spoil", "subject": str(run), "type": "not_today", "detail": "Not today."}
    ]


def test_what_is_merely_malformed_and_what_is_our_fault_are_not_kept_as_refusals(shop: Shop, run: UUID) -> None:
    for fault in (InvalidContent(), RuntimeError("ours")):
        with pytest.raises(type(fault)):
            spoil(shop.bot, run, fault)
    assert kept() == []


def test_a_refusal_reaches_the_caller_although_it_cannot_be_kept(
    shop: Shop, run: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KeptRefusal, "objects", None)
    with pytest.raises(NotToday):
        spoil(shop.bot, run, NotToday())


def test_a_ring_that_fails_harms_nobody(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorbell, "ring", lambda *_, **__: 1 / 0)
    run = shop.accept(draft("a"))
    assert shop.states(run) == {"a": "ready"}


def test_redis_away_harms_nobody_and_is_counted(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")
    doorbell.line.cache_clear()
    before = doorbell.missed
    assert shop.states(shop.accept(draft("a"))) == {"a": "ready"}
    assert doorbell.missed > before
    doorbell.line.cache_clear()


# Once per key


def receipt(number: int) -> dict[str, Any]:
    """Give a receipt."""
    return {"number": number}


@move("count")
def counted(by: Actor, key: str, number: int, *, sent: str = "a") -> dict[str, Any]:
    """Do something once."""
    return once(by, key, "count", {"sent": sent}, lambda: receipt(number))


def test_a_key_gets_its_first_receipt_again_and_nothing_is_done(shop: Shop) -> None:
    assert counted(shop.bot, "k", 1) == {"number": 1}
    assert counted(shop.bot, "k", 2) == {"number": 1, "replayed": True}


def test_a_key_is_each_principals_own(shop: Shop, rival: Shop) -> None:
    """IDM-03"""
    assert counted(shop.bot, "k", 1) == {"number": 1}
    assert counted(shop.actor("ann"), "k", 2) == {"number": 2}
    assert counted(rival.bot, "k", 3) == {"number": 3}


def test_a_key_for_something_else_is_refused(shop: Shop) -> None:
    counted(shop.bot, "k", 1)
    with pytest.raises(KeyReused):
        counted(shop.bot, "k", 2, sent="b")


def test_an_old_key_is_gone_and_not_new(shop: Shop) -> None:
    counted(shop.bot, "k", 1)
    with time.at(31 * time.DAY), pytest.raises(KeyExpired):
        counted(shop.bot, "k", 2)


# Who


def test_an_actor_without_a_tenant_or_an_id_does_not_pass_for_one() -> None:
    nobody = system("clock")
    assert str(nobody) == "system:clock"
    for missing in ("tenant", "principal"):
        with pytest.raises(TypeError):
            getattr(nobody, missing)


def test_every_entry_says_by_which_door_its_actor_came(shop: Shop) -> None:
    """R-N4"""
    run = shop.accept(draft("dear", "250"))
    request = shop.request(run, "dear")
    shop.approve(request)
    with inside():
        told = rows(
            """select e.actor, p.body::jsonb ->> 'via' as via from ledger_entry e join ledger_payload p on p.entry_id = e.id
               where stream = %s order by seq""",
            [request.stream()],
        )
    assert [(entry["actor"], entry["via"]) for entry in told] == [
        (str(shop.bot), "api"), (str(shop.actor("ann")), "page"), (str(shop.actor("ann")), "page"),
    ]  # fmt: skip


def test_the_bell_rings_once_the_transaction_has_committed_and_never_before(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, ...]] = []
    monkeypatch.setattr(doorbell, "ring", lambda *subjects, work: heard.append(subjects))
    with inside():
        doorbell.ring_after_commit("it")
        assert heard == []
    assert heard == [("it",)]
