"""What needs somebody is told of, rung by rung, until somebody sees to it; silence resolves nothing, and what is over has no alarm."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from compensation.alerts import alarms
from compensation.alerts.plans import waiting
from compensation.models import Plan, WorkItem
from compensation.working import following, starting
from console.clock import now
from console.exact import canonical
from console.notices.models import Copy, Notice
from runs.contracts.undoing import Rung
from runs.sweep import CLOCK
from tests import clock
from tests.cast import inside
from tests.clock import DAY, HOUR
from tests.compensation.byhand import approve, turn_down
from tests.compensation.undoing import answer, done, item_of, planned, plans_of
from tests.compensation.working import held, plan, stood
from tests.record import kinds
from tests.shop import Shop
from tests.work import claim, claimed, settle, sweep

NEEDS, ESCALATED = "compensation.needs_somebody", "compensation.escalated"


def notices(about: UUID) -> list[tuple[str, list[str]]]:
    """Give what was posted about it, in order: its kind and who has a copy."""
    with inside():
        return [
            (each.kind, sorted(Copy.objects.filter(notice=each).values_list("member__user__name", flat=True)))
            for each in Notice.objects.filter(about=about).order_by("posted_at")
        ]


def failed(store: Shop) -> UUID:
    """Have a compensation that was refused, and let the clock pass."""
    run = done(store, "charge")
    plan(store, run, "charge")
    settle(claimed(), "rejected", reason="The account is closed.")
    sweep()
    return run


def in_an_hour() -> datetime:
    """Give an instant of the database's clock."""
    with inside():
        return now() + timedelta(seconds=HOUR)


def test_what_failed_is_told_to_its_owner_at_once_and_to_the_next_in_line_after_a_day(store: Shop) -> None:
    run = failed(store)
    item = item_of(run, "charge")
    assert notices(item.pk) == [(NEEDS, ["Oscar Wren"])]
    assert (item.state, item.level, item.owner_group) == ("escalated", 1, "operators")
    with clock.at(DAY - 60):
        sweep()
    assert len(notices(item.pk)) == 1
    with clock.at(DAY + 60):
        sweep()
        sweep()
    item = item_of(run, "charge")
    assert notices(item.pk) == [(NEEDS, ["Oscar Wren"]), (ESCALATED, ["Dora Lindqvist"])]
    assert (item.level, item.owner_group, item.next_alert_at) == (2, "admins", None)


def test_silence_resolves_nothing(store: Shop) -> None:
    run = failed(store)
    with clock.at(365 * DAY):
        sweep()
    item = item_of(run, "charge")
    assert (item.state, item.ended_at, store.run(run).compensation) == ("escalated", None, "open")


def test_rungs_that_passed_unseen_are_told_of_as_one(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    settle(claimed(), "rejected")
    with inside():
        following.hear_due(CLOCK, 100)
    assert stood(run)["charge"] == ("failed", "")
    with clock.at(2 * DAY):
        sweep()
    assert notices(item_of(run, "charge").pk) == [(ESCALATED, ["Dora Lindqvist"])]
    assert item_of(run, "charge").level == 2


def test_the_text_says_what_went_wrong_and_leads_to_the_item(store: Shop) -> None:
    run = failed(store)
    item = item_of(run, "charge")
    with inside():
        notice = Notice.objects.get(about=item.pk)
    assert (notice.title, notice.path) == ("Needs somebody: Refund r-charge", f"/compensation/{item.pk}")
    assert notice.text.startswith("The other side refused it: The account is closed. ")
    assert "r-charge" not in notice.text


def test_what_people_do_is_told_to_whom_its_contract_names(store: Shop) -> None:
    run = done(store, "notify")
    (item,) = plan(store, run, "notify")
    sweep()
    (told,) = notices(item.pk)
    assert told[0] == NEEDS
    found = item_of(run, "notify")
    assert (found.state, found.waits_for, found.level, found.owner_group) == ("waiting", "person", 1, "support")
    assert found.escalated_at is None, "it was told of for the first time, and passed to nobody"


def test_what_is_past_its_deadline_is_told_of_though_it_goes_on(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge", deadline_at=in_an_hour())
    claim()
    with clock.at(HOUR - 60):
        sweep()
    assert notices(item_of(run, "charge").pk) == []
    with clock.at(HOUR + 60):
        sweep()
    item = item_of(run, "charge")
    assert [kind for kind, _ in notices(item.pk)] == [NEEDS]
    assert item.state == "running"


def test_what_is_unknown_for_too_long_is_told_of(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    settle(claimed(), "unknown")
    sweep()
    assert notices(item_of(run, "charge").pk) == []
    with clock.at(901):
        sweep()
    assert [kind for kind, _ in notices(item_of(run, "charge").pk)] == [NEEDS]
    assert item_of(run, "charge").state == "running"


def test_what_was_tried_again_and_failed_again_is_told_of_again(store: Shop) -> None:
    run = failed(store)
    item = item_of(run, "charge")
    with held(run) as locked:
        starting.try_again(store.bot, locked, item, now())
    assert item_of(run, "charge").next_alert_at is None
    settle(claimed(), "rejected", reason="Closed for good.")
    sweep()
    assert [kind for kind, _ in notices(item.pk)] == [NEEDS, NEEDS]


def test_what_is_over_has_no_alarm(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge", deadline_at=in_an_hour())
    answer(claim())
    sweep()
    assert item_of(run, "charge").next_alert_at is None
    with clock.at(30 * DAY):
        assert sweep().get("compensation ladder") is None


def test_a_plan_that_waits_for_approval_is_told_of_once(store: Shop) -> None:
    run = done(store, "lend")
    (item,) = plan(store, run, "lend", state="proposed")
    sweep()
    with held(run) as locked:
        starting.begin_due(store.bot, locked, now())
    assert notices(item.plan_id) == [("compensation.plan_to_approve", ["Oscar Wren"])]


TO_APPROVE = "compensation.plan_to_approve"


def test_a_plan_that_nobody_decides_is_told_to_the_admins_once_though_nothing_of_it_has_a_deadline(store: Shop) -> None:
    run = done(store, "lend")
    made = planned(store, run)
    assert made is not None
    assert made.next_alert_at is not None
    told = [(TO_APPROVE, ["Oscar Wren"])]
    with clock.at(DAY - 60):
        sweep()
        assert notices(made.pk) == told
    with clock.at(DAY + 60):
        assert sweep()["plans to approve"] == 1
        assert "plans to approve" not in sweep()
    assert notices(made.pk) == [*told, (TO_APPROVE, ["Dora Lindqvist"])]
    (waits,) = plans_of(run)
    assert (waits.state, waits.level, waits.next_alert_at) == ("proposed", 2, None)
    assert kinds(f"plan:{made.pk}")[-1] == "plan.told"


@pytest.mark.parametrize("deed", [approve, turn_down])
def test_a_plan_that_is_decided_has_no_alarm(store: Shop, deed: Callable[[Shop, Plan], object]) -> None:
    made = planned(store, done(store, "lend"))
    assert made is not None
    deed(store, made)
    with clock.at(2 * DAY):
        assert "plans to approve" not in sweep()


@pytest.mark.parametrize(
    ("ladders", "steps"),
    [
        ([[]], [(0, "operators"), (86_400, "admins")]),
        ([[(0, "support"), (600, "finance")]], [(0, "operators"), (86_400, "admins")]),
        ([[(0, "operators"), (172_800, "admins")]], [(0, "operators"), (172_800, "admins")]),
        (
            [[(60, "operators"), (900, "admins")], [(30, "operators"), (3600, "admins")]],
            [(0, "operators"), (30, "operators"), (900, "admins")],
        ),
    ],
)  # fmt: skip
def test_who_may_decide_about_a_plan_is_told_when_its_contracts_tell_them_at_the_soonest(
    ladders: list[list[tuple[int, str]]], steps: list[tuple[int, str]]
) -> None:
    written = [canonical([{"after_seconds": after, "to": to} for after, to in ladder]) for ladder in ladders]
    found = waiting(written, NOON)
    assert [(each.after_seconds, each.to) for each in alarms.rungs(Plan(ladder=found["ladder"]))] == steps
    assert (found["level"], found["next_alert_at"]) == (1, NOON + timedelta(seconds=steps[1][0]))


@pytest.mark.parametrize(
    ("level", "late", "told", "taken", "following"),
    [
        (0, 0, "a", 1, 60),
        (0, 59, "a", 1, 1),
        (0, 60, "b", 2, 540),
        (0, 900, "c", 3, None),
        (1, 0, "b", 2, 540),
        (3, 0, "c", 3, None),
    ],
)
def test_a_look_takes_the_last_rung_that_has_come(
    level: int, late: int, told: str, taken: int, following: int | None
) -> None:
    ladder = canonical(
        [{"after_seconds": 0, "to": "a"}, {"after_seconds": 60, "to": "b"}, {"after_seconds": 600, "to": "c"}]
    )
    at = datetime(2026, 11, 30, 9, tzinfo=UTC)
    found = alarms.climb(WorkItem(ladder=ladder, level=level, next_alert_at=at - timedelta(seconds=late)), at)
    assert (found.rung.to, found.level) == (told, taken)
    assert found.next_at == (None if following is None else at + timedelta(seconds=following))


def test_an_item_without_a_ladder_has_the_careful_one() -> None:
    assert alarms.rungs(WorkItem()) == [Rung(0, "operators"), Rung(86_400, "admins")]


NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("level", "deadline", "next_rung", "unknown", "alarm"),
    [
        (0, None, None, None, None), (0, 60, None, None, 60), (0, 60, None, 30, 30), (0, -60, None, None, -60), (1, 60, None, None, 60),
        (1, -60, 900, None, 900), (1, -60, None, None, None), (1, -60, 900, 30, 30), (2, 60, 900, -30, 60),
    ],
)  # fmt: skip
def test_what_goes_on_has_an_alarm_at_its_deadline_and_what_was_told_of_goes_on_as_it_stood(
    level: int, deadline: int | None, next_rung: int | None, unknown: int | None, alarm: int | None
) -> None:
    """Somebody who tries again takes nobody's alarm away, and nobody is told twice that the same time has passed."""

    def at(seconds: int | None) -> datetime | None:
        return None if seconds is None else NOON + timedelta(seconds=seconds)

    item = WorkItem(state="running", level=level, deadline_at=at(deadline), next_alert_at=at(next_rung))
    assert alarms.while_it_goes(item, NOON, at(unknown)) == at(alarm)


def test_what_is_past_its_deadline_and_tried_again_is_told_of_higher_up_in_its_time(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge", deadline_at=in_an_hour())
    settle(claimed(), "rejected")
    with clock.at(HOUR + 60):
        sweep()
        due = item_of(run, "charge").next_alert_at
        item = item_of(run, "charge")
        with held(run) as locked:
            starting.try_again(store.bot, locked, item, now())
    assert (item_of(run, "charge").state, item_of(run, "charge").next_alert_at) == ("running", due)
