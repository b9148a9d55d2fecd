"""R-G1, R-G3: a checkpoint holds what the driver kept, sealed, and what the record says at that moment, so that nothing is missing."""

import hashlib
from decimal import Decimal
from typing import Any

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from console.http.refusals import KeyReused, NotFound, StaleToken, StaleVersion
from runs import driving
from runs.checkpoints import reading, sealing
from runs.checkpoints.writing import CheckpointTooLarge
from runs.driver import ResumeFirst, RunEnded
from runs.ownership.acquiring import acquire
from tests import clock
from tests.cast import inside
from tests.checkpoints.keeping import checkpoint, keep
from tests.record import findings, told
from tests.shop import Shop, draft
from tests.work import claim, settle


def said(run: Any, number: int = 1) -> Any:
    return reading.said(checkpoint(run, number))


def test_what_is_kept_comes_back_as_it_was_sent(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    keep(shop, run, {"plan": ["look", "pay"], "share": Decimal("0.5")}, note="Half-way.")
    kept = checkpoint(run)
    assert reading.value(kept) == {"plan": ["look", "pay"], "share": Decimal("0.5")}
    assert (kept.number, kept.boundary, kept.schema_version, kept.note) == (1, "driver", 1, "Half-way.")
    assert findings() == []


def test_a_text_is_kept_character_for_character(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    keep(shop, run, text=' {"$schemaVersion": 1.0}\n')
    assert reading.value(checkpoint(run)) == ' {"$schemaVersion": 1.0}\n'


def test_one_without_a_state_says_what_the_record_says(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    keep(shop, run)
    assert reading.opened(checkpoint(run)) == b""
    assert said(run)["effects"]["pending"][0]["key"] == "a"


def test_what_was_sent_and_not_answered_stands_in_flight(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", after=["a"]))
    (attempt,) = claim()
    keep(shop, run, {"plan": "nothing was sent yet"})
    effects = said(run)["effects"]
    (in_flight,) = effects["in_flight"]
    assert (in_flight["key"], in_flight["last_attempt"]["id"]) == ("a", str(attempt["attempt_id"]))
    assert (in_flight["fence"], in_flight["next"]) == (attempt["fence"], ["settle", "retry"])
    assert [(each["key"], each["after"]) for each in effects["pending"]] == [("b", [in_flight["id"]])]


def test_what_is_done_unknown_and_asked_about_each_has_its_place(shop: Shop) -> None:
    run = shop.accept(draft("done"), draft("lost"), draft("asked", "200"))
    for row in claim():
        settle(row, "succeeded" if row["key"] == "done" else "unknown")
    keep(shop, run)
    found = said(run)
    assert {group: [each["key"] for each in of] for group, of in found["effects"].items() if of} == {
        "committed": ["done"], "unknown": ["lost"], "pending": ["asked"],
    }  # fmt: skip
    (asked,) = found["approvals"]
    assert (asked["state"], asked["quorum"], asked["approved_by"]) == ("pending", 1, 0)
    assert found["effects"]["pending"][0]["request"] == asked["id"]


def test_a_copy_of_the_database_tells_nothing_of_the_state(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    keep(shop, run, {"account": "DE89370400440532013000"})
    stored = bytes(checkpoint(run).state or b"")
    assert b"DE89" not in stored
    assert b"DE89" not in repr(told(shop.run(run).stream())).encode()


def test_the_same_key_keeps_it_once_and_another_state_is_refused(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    first = keep(shop, run, {"plan": 1}, key="one")
    assert keep(shop, run, {"plan": 1}, key="one") == {**first, "replayed": True}
    with pytest.raises(KeyReused):
        keep(shop, run, {"plan": 2}, key="one")
    with pytest.raises(NotFound):
        checkpoint(run, 2)


def test_whoever_believes_in_another_version_is_refused(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    seen = shop.run(run).ledger_seq
    shop.propose(run, draft("b"))
    with pytest.raises(StaleVersion):
        keep(shop, run, {"plan": 1}, version=seen)
    keep(shop, run, {"plan": 1}, version=shop.run(run).ledger_seq)


def test_a_driver_that_lost_the_run_overwrites_nothing(shop: Shop) -> None:
    run = shop.accept(draft("a"), holder="first")
    keep(shop, run, {"plan": "old"})
    with clock.at(61):
        acquire(shop.bot, run, holder="second", key="take")
        with pytest.raises(StaleToken):
            keep(shop, run, {"plan": "zombie"}, epoch=1)
        with pytest.raises(ResumeFirst):
            keep(shop, run, {"plan": "not resumed"}, epoch=2)
    row = shop.run(run)
    with inside():
        kept = reading.latest(row)
    assert kept is not None
    assert reading.value(kept) == {"plan": "old"}


def test_a_stranger_finds_no_run(shop: Shop, rival: Shop) -> None:
    run = shop.accept(draft("a"))
    with pytest.raises(NotFound):
        keep(rival, run, {"plan": 1})


def test_a_run_that_has_ended_takes_none(shop: Shop) -> None:
    run = shop.accept()
    driving.complete(shop.bot, run, epoch=1, result=None, accept_unresolved=[], key="done")
    with pytest.raises(RunEnded):
        keep(shop, run, {"plan": 1})


def test_a_state_beyond_the_contracts_bytes_is_refused_and_nothing_kept(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    with pytest.raises(CheckpointTooLarge) as refused:
        keep(shop, run, text="x" * (1024 * 1024 + 1))
    assert refused.value.facts == {"most": 1024 * 1024, "bytes": 1024 * 1024 + 1}
    with pytest.raises(NotFound):
        checkpoint(run)


def test_without_keys_no_state_is_kept_in_the_clear(shop: Shop, settings: Any) -> None:
    settings.CHECKPOINT_KEYS = ()
    run = shop.accept(draft("a"))
    with pytest.raises(sealing.NoKeys):
        keep(shop, run, {"plan": 1})
    keep(shop, run)


def test_it_is_written_in_a_constant_number_of_queries(shop: Shop) -> None:
    few, many = shop.accept(draft("a")), shop.accept(*[draft(f"e{number}") for number in range(40)])
    claim(40)
    assert _queries(shop, few) == _queries(shop, many)


def _queries(shop: Shop, run: Any) -> int:
    with CaptureQueriesContext(connections["default"]) as seen:
        keep(shop, run, {"plan": 1})
    return len(seen)


def test_the_digests_are_those_of_what_was_written(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    receipt = keep(shop, run, text="abc")
    kept = checkpoint(run)
    assert receipt["state_digest"] == hashlib.sha256(b"abc").hexdigest()
    assert kept.authoritative is not None
    assert receipt["authoritative_digest"] == hashlib.sha256(kept.authoritative.encode()).hexdigest()
