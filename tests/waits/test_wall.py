"""Times of the clock in a zone, on the days on which its clocks are changed too (TIM-04)."""

from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from console.exact.zones import zone
from runs.waits.drafts import WaitDraft
from runs.waits.wall import TimeRepeated, TimeSkipped, moment, next_time
from tests import clock
from tests.pending import open_wait, wait, waits
from tests.record import kinds
from tests.shop import Shop
from tests.work import sweep

CHICAGO, BERLIN, KOLKATA = ZoneInfo("America/Chicago"), ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Kolkata")
LORD_HOWE, APIA = ZoneInfo("Australia/Lord_Howe"), ZoneInfo("Pacific/Apia")


def utc(text: str) -> datetime:
    """Read an instant."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def local(text: str) -> datetime:
    """Read a local time."""
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("said", "there", "meant"),
    [
        ("2027-03-14T01:59", CHICAGO, "2027-03-14T07:59"), ("2027-03-14T03:00", CHICAGO, "2027-03-14T08:00"),
        ("2026-11-01T00:59", CHICAGO, "2026-11-01T05:59"), ("2026-11-01T02:00", CHICAGO, "2026-11-01T08:00"),
        ("2027-07-01T09:00", BERLIN, "2027-07-01T07:00"), ("2027-01-01T09:00", BERLIN, "2027-01-01T08:00"),
        ("2027-01-01T05:30", KOLKATA, "2027-01-01T00:00"),
    ],
)  # fmt: skip
def test_a_time_that_comes_once_is_meant_whatever_is_said_of_the_others(said: str, there: ZoneInfo, meant: str) -> None:
    assert moment(local(said), there) == utc(meant)
    assert moment(local(said), there, "later", "later") == utc(meant)


def test_a_time_that_comes_twice_is_asked_about_or_chosen() -> None:
    twice = local("2026-11-01T01:30")
    with pytest.raises(TimeRepeated) as asked:
        moment(twice, CHICAGO)
    assert asked.value.facts["earlier"] == "2026-11-01T06:30:00.000000Z"
    assert asked.value.facts["later"] == "2026-11-01T07:30:00.000000Z"
    assert moment(twice, CHICAGO, "earlier") == utc("2026-11-01T06:30")
    assert moment(twice, CHICAGO, "later") == utc("2026-11-01T07:30")


def test_a_time_that_does_not_come_is_refused_or_moved_on_by_what_is_left_out() -> None:
    never = local("2027-03-14T02:30")
    with pytest.raises(TimeSkipped) as asked:
        moment(never, CHICAGO)
    assert asked.value.facts["later"] == "2027-03-14T08:30:00.000000Z"
    assert moment(never, CHICAGO, skipped="later").astimezone(CHICAGO).time() == time(3, 30)


def test_clocks_that_are_changed_by_half_an_hour_or_by_a_whole_day() -> None:
    assert moment(local("2026-10-04T02:15"), LORD_HOWE, skipped="later").astimezone(LORD_HOWE).time() == time(2, 45)
    gone = moment(local("2011-12-30T12:00"), APIA, skipped="later")
    assert gone.astimezone(APIA).isoformat()[:16] == "2011-12-31T12:00"


@pytest.mark.parametrize(
    ("now", "days", "comes"),
    [
        ("2027-06-01T06:59", (), "2027-06-01T07:00"), ("2027-06-01T07:00", (), "2027-06-02T07:00"),
        ("2027-06-04T08:00", ("mon", "tue"), "2027-06-07T07:00"), ("2027-10-30T08:00", (), "2027-10-31T08:00"),
        ("2027-03-27T09:00", (), "2027-03-28T07:00"),
    ],
)  # fmt: skip
def test_the_next_time_of_a_day_is_after_now_and_follows_the_zone(now: str, days: Any, comes: str) -> None:
    assert next_time(time(9), frozenset(days), BERLIN, "earlier", "later", utc(now)) == utc(comes)


def test_each_day_has_the_time_once_through_a_whole_year() -> None:
    now, seen = utc("2026-12-31T23:00"), []
    for _ in range(365):
        now = next_time(time(2, 30), frozenset(), BERLIN, "earlier", "later", now)
        seen.append(now.astimezone(BERLIN).date())
    assert len(set(seen)) == 365


def test_a_run_waits_for_the_clock_of_a_zone_and_sees_what_was_chosen(shop: Shop) -> None:
    run = shop.accept(deadline_seconds=400 * 86400)
    twice = {"local": "2027-11-07T01:30", "zone": "America/Chicago"}
    with pytest.raises(TimeRepeated):
        open_wait(shop, run, WaitDraft("clock_time", twice))
    receipt = open_wait(shop, run, WaitDraft("clock_time", {**twice, "repeated": "later"}, name="twice"))
    assert receipt["due_at"] == "2027-11-07T07:30:00.000000Z"
    due = wait(run, "twice").due_at
    assert due is not None
    ahead = (due - datetime.now(UTC)).total_seconds()
    with clock.at(ahead - 1800):
        sweep()
        assert shop.state(run) == "waiting", "the first of the two half past ones"
    with clock.at(ahead + 1):
        sweep()
        sweep()
    assert (waits(run), kinds(f"run:{run}").count("wait.met")) == ({"twice": "met"}, 1)


@pytest.mark.parametrize(
    ("condition", "path"),
    [
        ({"local": "2027-01-01T09:00"}, "zone"), ({"local": "2027-01-01T09:00", "zone": "Mars/Olympus"}, "zone"),
        ({"local": "2027-01-01T09:00", "zone": "../etc/passwd"}, "zone"), ({"zone": "Europe/Berlin"}, "local"),
        ({"local": "2027-02-30T09:00", "zone": "Europe/Berlin"}, "local"),
        ({"local": "2027-01-01T09:00Z", "zone": "Europe/Berlin"}, "local"), ({"time": "25:00", "zone": "Europe/Berlin"}, "time"),
        ({"time": "09:00", "zone": "Europe/Berlin", "days": ["someday"]}, "days"),
        ({"time": "09:00", "zone": "Europe/Berlin", "repeated": "both"}, "repeated"),
        ({"local": "9000-01-01T09:00", "zone": "Europe/Berlin"}, "local"),
    ],
)  # fmt: skip
def test_what_is_no_time_of_any_clock_is_refused_at_its_place(shop: Shop, condition: Any, path: str) -> None:
    run = shop.accept()
    with pytest.raises(Exception, match=r"\w") as refused:
        open_wait(shop, run, WaitDraft("clock_time", condition))
    assert getattr(refused.value, "code", "") == "bad_wait"
    assert getattr(refused.value, "facts", {})["path"] == f"/condition/{path}"


@pytest.mark.parametrize(
    "name", ["localtime", "posixrules", "Factory", "right/Europe/Berlin", "posix/Europe/Berlin", "Mars/Olympus"]
)
def test_what_a_machine_calls_its_own_is_no_zone(name: str) -> None:
    assert zone(name) is None
    assert zone("Europe/Berlin") is not None
