"""What has been kept long enough is told first, and goes only when it is said: in small steps, by any number at once, and never twice."""

import io
import threading
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connections

from approvals.models import Request
from console.database import alias, crossing_tenants, rows
from console.http import keys
from console.http.models import IdempotencyRecord
from console.http.refusals import KeyExpired, KeyReused
from console.ledger.actors import Actor
from console.ledger.models import Refusal
from runs import erasing, retention
from runs.models import Run
from tests.cast import inside, later, signed_in
from tests.hearing import SECRET, VARIABLE, heard, message, tell, told_of
from tests.ledger.story import altered
from tests.record import findings, kinds, told
from tests.shop import Shop, draft
from tests.work import claimed, settle

YEAR = {"days": 366}
DORA = ("--by", "dora@shop.example", "--reason", "The year is over.")


def retain(*words: str) -> str:
    """Run the command; gives what it says."""
    said = io.StringIO()
    call_command("retain", *words, stdout=said, stderr=said)
    return said.getvalue()


def done(shop: Shop, key: str = "a") -> UUID:
    """Have a run that is finished."""
    run = shop.accept(draft(key))
    settle(claimed())
    shop.complete(run)
    return run


def erased(shop: Shop) -> set[UUID]:
    """Give the shop's runs whose contents are gone."""
    with inside():
        return set(Run.objects.filter(tenant_id=shop.tenant.pk, erased_at__isnull=False).values_list("pk", flat=True))


@pytest.fixture
def days(settings: Any) -> dict[str, int]:
    """What the settings say, to be changed by a test."""
    settings.RETAIN_DAYS = dict.fromkeys(retention.KINDS, 0)
    found: dict[str, int] = settings.RETAIN_DAYS
    return found


def test_without_settings_everything_is_kept_for_ever(shop: Shop, days: dict[str, int]) -> None:
    done(shop)
    with later(**YEAR):
        assert "Everything is kept for ever" in retain("--apply")
    assert erased(shop) == set()


def test_a_dry_run_says_what_would_go_and_what_is_kept_back_and_changes_nothing(
    shop: Shop, rival: Shop, days: dict[str, int]
) -> None:
    days |= {"runs": 300}
    first, last = done(shop), done(shop, "b")
    unknown = shop.accept(draft("c"), run_type="lenient")
    settle(claimed(), "unknown", delay=10**7)
    shop.complete(unknown, accepting=[shop.effect(unknown, "c").pk])
    before = shop.run(first).ledger_seq
    with later(**YEAR):
        said = retain()
    oldest, newest = (shop.run(run).ended_at for run in (first, last))
    assert oldest is not None
    assert newest is not None
    line = next(line for line in said.splitlines() if line.startswith("shop"))
    assert line.split()[:3] == ["shop", "runs", "2,"]
    assert oldest.strftime("%Y-%m-%dT%H:%M:%S.%f") in line
    assert newest.strftime("%Y-%m-%dT%H:%M:%S.%f") in line
    assert "kept back: 1 something open, unknown or half done" in line
    assert next(line for line in said.splitlines() if line.startswith("rival")).split()[:3] == ["rival", "runs", "0"]
    assert "ids, keys, digests, times and outcomes stay" in said
    assert "Nothing was changed." in said
    assert erased(shop) == set()
    assert shop.run(first).ledger_seq == before


def test_applied_it_goes_with_the_settings_as_its_reason(shop: Shop, rival: Shop, days: dict[str, int]) -> None:
    days |= {"runs": 300}
    runs = {done(shop, key) for key in "abc"}
    going = shop.accept(draft("d"))
    with later(**YEAR):
        said = retain("--apply")
    assert "shop runs: 3 gone." in said
    assert erased(shop) == runs
    assert erased(rival) == set()
    assert shop.run(going).goal == "Pay bob"
    assert {dict(told(f"run:{run}"))["run.erased"]["reason"] for run in runs} == {"kept for 300 days by the settings"}
    assert findings() == []


def test_what_the_settings_do_not_decide_an_admin_does_by_name_and_with_a_reason(
    shop: Shop, days: dict[str, int]
) -> None:
    run = done(shop)
    with later(**YEAR):
        with pytest.raises(CommandError, match="give --by and --reason"):
            retain("--apply", "--runs-days", "30")
        with pytest.raises(CommandError, match="Only an admin"):
            retain(
                "--apply", "--tenant", "shop", "--runs-days", "30", "--by", "ann@shop.example", "--reason", "Because."
            )
        assert erased(shop) == set()
        retain("--apply", "--tenant", "shop", "--runs-days", "30", *DORA)
    assert erased(shop) == {run}
    assert dict(told(f"run:{run}"))["run.erased"]["reason"] == "The year is over."


def test_one_tenant_alone(shop: Shop, rival: Shop, days: dict[str, int]) -> None:
    days |= {"runs": 30}
    done(shop)
    other = done(rival)
    with later(**YEAR):
        said = retain("--apply", "--tenant", "rival")
    assert "shop" not in said
    assert (erased(shop), erased(rival)) == (set(), {other})
    with pytest.raises(CommandError, match="no tenant 'nobody'"):
        retain("--tenant", "nobody")


def test_stopped_in_the_middle_it_goes_on_where_it_ended(
    shop: Shop, days: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    days |= {"runs": 30}
    runs = {done(shop, key) for key in "abc"}
    goes = retention.let_go

    def goes_once(*args: Any) -> int:
        if erased(shop):
            raise KeyboardInterrupt
        return goes(*args)

    with later(**YEAR):
        monkeypatch.setattr(retention, "let_go", goes_once)
        with pytest.raises(KeyboardInterrupt):
            retain("--apply")
        assert len(erased(shop)) == 1
        monkeypatch.setattr(retention, "let_go", goes)
        assert "shop runs: 2 gone." in retain("--apply")
    assert erased(shop) == runs


def test_two_at_once_erase_each_run_once(shop: Shop, days: dict[str, int]) -> None:
    days |= {"runs": 30}
    runs = {done(shop, key) for key in "abcdef"}
    gone: list[int] = []
    barrier = threading.Barrier(2)

    def work() -> None:
        by, passed = Actor("system", None, "retain", shop.tenant.pk, "command"), set[UUID]()
        with crossing_tenants():
            barrier.wait(60)
            while some := retention.let_go(by, "runs", shop.tenant.pk, timedelta(days=30), "twice at once", passed):
                gone.append(some)
            connections[alias()].close()

    with later(**YEAR):
        workers = [threading.Thread(target=work) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(120)
    assert sum(gone) == 6
    assert erased(shop) == runs
    assert {tuple(kinds(f"run:{run}")) for run in runs} == {("run.erased", "effect.remains")}
    assert findings() == []


def test_a_run_whose_record_does_not_hold_is_passed_over_and_named(shop: Shop, days: dict[str, int]) -> None:
    days |= {"runs": 30}
    broken, whole = done(shop), done(shop, "b")
    with (
        later(**YEAR),
        altered("runs_run", broken, "goal"),
        pytest.raises(CommandError, match="1 runs or requests were passed over"),
    ):
        retain("--apply")
    assert erased(shop) == {whole}


def test_a_run_that_was_once_refused_for_another_reason_is_erased_the_next_time(
    shop: Shop, days: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between finding it and locking it, it may be put on hold, and released the day after."""
    days |= {"runs": 30}
    run, other = done(shop), done(shop, "b")
    erase = erasing.erase

    def refused(by: Actor, run_id: UUID, *, reason: str) -> dict[str, Any]:
        if run_id == run:
            raise erasing.NotToErase
        return erase(by, run_id, reason=reason)

    with later(**YEAR):
        monkeypatch.setattr(erasing, "erase", refused)
        with crossing_tenants():
            assert retention.bite() == 1
        assert erased(shop) == {other}
        monkeypatch.setattr(erasing, "erase", erase)
        with crossing_tenants():
            assert retention.bite() == 1
    assert erased(shop) == {run, other}


def test_a_hold_is_put_and_ended_by_an_admin(shop: Shop, days: dict[str, int]) -> None:
    days |= {"runs": 30}
    run = done(shop)
    retain("--tenant", "shop", "--hold", str(run), "--by", "dora@shop.example", "--reason", "The court asks for it.")
    with later(**YEAR):
        assert "kept back: 1 on hold" in retain()
        retain("--apply")
        assert erased(shop) == set()
        retain("--tenant", "shop", "--release", str(run), "--by", "dora@shop.example", "--reason", "Done.")
        retain("--apply")
    assert erased(shop) == {run}


def test_an_expired_receipt_goes_and_its_key_is_refused_for_ever(shop: Shop, days: dict[str, int]) -> None:
    days |= {"receipts": 7}
    run = shop.accept(draft("a", "500"), draft("b", "500"))
    a, b = shop.request(run, "a"), shop.request(run, "b")
    receipt = shop.approve(a, key="the key")
    with later(days=36):
        retain("--apply")
        with inside():
            assert IdempotencyRecord.objects.get().body, "it is kept for seven days more"
    with later(days=38):
        assert "shop receipts: 1 gone." in retain("--apply")
        assert "shop receipts: 0 gone." in retain("--apply")
        with inside():
            stone = IdempotencyRecord.objects.get()
        assert (stone.key.startswith(" "), "the key" in stone.key, stone.body, stone.request_digest) == (
            True,
            False,
            "",
            b"",
        )
        for request in (a, b):
            with pytest.raises(KeyExpired):
                shop.approve(request, key="the key")
    assert receipt["state"] == "approved"
    with inside():
        assert Request.objects.get(pk=b.pk).state == "pending", "nothing was executed anew"
        assert IdempotencyRecord.objects.count() == 1


def test_a_key_that_is_good_still_gives_its_receipt(shop: Shop, days: dict[str, int]) -> None:
    days |= {"receipts": 1}
    request = shop.request(shop.accept(draft("a", "500")), "a")
    receipt = shop.approve(request, key="the key")
    with later(days=29):
        retain("--apply")
        assert shop.approve(request, key="the key") == {**receipt, "replayed": True}
        with pytest.raises(KeyReused):
            shop.approve(request, key="the key", reason="Something else.")


def test_a_stone_cannot_be_asked_for(shop: Shop) -> None:
    with pytest.raises(keys.BadKey):
        keys.checked(keys.buried("the key"))


def test_a_key_that_is_buried_in_this_moment_is_not_taken_as_new(shop: Shop) -> None:
    request = shop.request(shop.accept(draft("a", "500")), "a")
    other = shop.request(shop.accept(draft("b", "500")), "b")
    shop.approve(request, key="the key")
    became: list[Any] = []

    def again() -> None:
        try:
            became.append(shop.approve(other, key="the key"))
        except KeyExpired as refusal:
            became.append(refusal)
        finally:
            connections["default"].close()

    with later(days=40):
        with inside():
            keys.bury(shop.tenant.pk, rows("select cf_now() as now")[0]["now"], 10)
            late = threading.Thread(target=again)
            late.start()
            late.join(1)
            assert became == [], "it waits for the burial"
        late.join(90)
    assert [type(one) for one in became] == [KeyExpired]


def test_old_refusals_go_and_the_record_says_how_many(shop: Shop, days: dict[str, int]) -> None:
    days |= {"refusals": 10}
    request = shop.request(shop.accept(draft("a", "500")), "a")
    for _ in range(2):
        with pytest.raises(Exception, match="approvers of other groups"):
            shop.approve(request, "oscar")
    with later(days=20):
        retain("--apply")
        with inside():
            assert Refusal.objects.count() == 2, "thirty days at least"
    with later(days=31):
        assert "shop refusals: 2 gone." in retain("--apply")
    with inside():
        assert Refusal.objects.count() == 0
    facts = dict(told(f"tenant:{shop.tenant.pk}"))["refusals.forgotten"]
    assert (facts["count"], facts["reason"]) == (2, "kept for 10 days by the settings")
    assert findings() == []


def test_bodies_of_messages_that_name_nothing_go_by_age_and_the_same_message_is_a_repetition(
    shop: Shop, days: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    days |= {"messages": 10}
    monkeypatch.setenv(VARIABLE, SECRET)
    shop.apply(told_of("send"))
    run = shop.accept(draft("rent", operation="send"))
    settle(claimed(), "unknown", to="unknown", delay=10**7, http=None)
    tell(message(shop.effect(run, "rent").pk))
    tell(b'{"about": "somebody"}', ident="of-nothing")
    with later(days=9):
        assert "shop messages: 0 gone." in retain("--apply")
    with later(days=11):
        assert next(line for line in retain().splitlines() if "messages" in line and "shop" in line).split()[2] == "1,"
        assert "shop messages: 1 gone." in retain("--apply")
        assert "shop messages: 0 gone." in retain("--apply")
    by_id = {each.message_id: each for each in heard()}
    assert by_id.pop("of-nothing").body is None
    assert [each.body is not None for each in by_id.values()] == [True], "what is about an effect goes with its run"
    assert findings() == []


def test_expired_sessions_go(shop: Shop, days: dict[str, int]) -> None:
    days |= {"sessions": 1}
    signed_in(shop.members["ann"])
    with later(days=10):
        assert "sessions: 0 gone." in retain("--apply")
    with later(days=16):
        assert "sessions: 1 gone." in retain("--apply")
    assert Session.objects.count() == 0


def test_the_clock_lets_a_little_go_at_a_time_and_only_by_the_settings(shop: Shop, days: dict[str, int]) -> None:
    runs = [done(shop, key) for key in "abc"]
    with later(**YEAR), crossing_tenants():
        assert retention.bite() == 0
        days |= {"runs": 30}
        assert retention.bite(2) == 2
        assert erased(shop) == set(runs[:2])
        assert (retention.bite(2), retention.bite(2)) == (1, 0)
    assert dict(told(f"run:{runs[0]}"))["run.erased"]["reason"] == "kept for 30 days by the settings"


def test_verify_says_how_many_payloads_were_erased(shop: Shop, days: dict[str, int]) -> None:
    days |= {"runs": 30}
    done(shop)
    with later(**YEAR):
        retain("--apply")
        said = io.StringIO()
        call_command("verify", stdout=said)
    assert said.getvalue().splitlines()[-2:] == ["2 streams are whole; 0 findings.", "5 payloads were erased."]
