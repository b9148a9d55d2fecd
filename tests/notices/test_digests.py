"""What can wait goes together: by receiver, while half of the time is left, at the end of quiet hours, once, and the high tier at once."""

from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console import clock
from console.notices import hours, kinds, posting
from console.notices.audience import Audience
from console.notices.models import Delivery, Notice, Wishes
from console.notices.posting import News
from console.notices.ways import digest_at
from tests.cast import Company, inside, later
from tests.work import sweep

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _with_mail(settings: Any) -> None:
    settings.EMAIL_IS_SENT = True
    settings.PUBLIC_URL = "https://app.example.com"


def tell(
    acme: Company, title: str, *, tier: str = "normal", minutes: int = 120, kind: str = kinds.ASKED, topic: str = ""
) -> None:
    """Tell ann of something that can be decided for so many minutes."""
    with inside(acme.tenant.pk):
        now = clock.now()
        why = {acme.ann.pk: "You were told because you approve for finance."}
        news = News(
            about=uuid5(NAMESPACE_URL, title), title=title, text=f"{title} in full.", path=f"/approvals/{title}", key=f"{title}:{kind}",
            to=Audience([acme.ann], "ann", why), tier=tier, deadline_at=now + timedelta(minutes=minutes), topic=topic,
        )  # fmt: skip
        posting.post_all(acme.tenant.pk, kind, [news])


def wish(acme: Company, **wishes: Any) -> None:
    """Let ann have said how she wants to be told."""
    with inside(acme.tenant.pk):
        Wishes.objects.update_or_create(member=acme.ann, defaults={"tenant_id": acme.tenant.pk, **wishes})


def states() -> list[tuple[str, str]]:
    """Give the deliveries: title and state, in the order they were made."""
    with inside():
        return list(Delivery.objects.order_by("created_at", "pk").values_list("notice__title", "state"))


def test_what_is_of_the_high_tier_goes_at_once_and_the_rest_waits_for_a_quarter_of_an_hour(acme: Company) -> None:
    tell(acme, "high", tier="high")
    tell(acme, "low", tier="low")
    assert states() == [("high", "waiting"), ("low", "held")]
    with inside():
        held = Delivery.objects.get(state="held")
        assert held.due_at == held.created_at + timedelta(minutes=15)


def test_a_digest_is_ordered_by_what_it_is_part_of_and_the_oldest_deadline(acme: Company) -> None:
    tell(acme, "one", minutes=90, topic="Make order 1042 right")
    tell(acme, "two", minutes=60, topic="Make order 1043 right")
    tell(acme, "three", minutes=80, topic="Make order 1042 right")
    with later(minutes=16):
        for _ in range(2):
            sweep()
    assert states() == [("one", "gathered"), ("two", "gathered"), ("three", "gathered"), ("3 to decide", "waiting")]
    with inside():
        digest = Notice.objects.get(kind=kinds.DIGEST)
        lines = [line for line in digest.text.splitlines() if line]
        assert [line.partition(",")[0] for line in lines] == [
            "3 to decide.", "Make order 1043 right: 1 to decide", "- two", "Make order 1042 right: 2 to decide", "- three", "- one",
            "You were told because you approve for finance.",
        ]  # fmt: skip
        assert "https://app.example.com/approvals/two" in digest.text
        assert (digest.path, Delivery.objects.get(state="waiting").member_id) == ("/approvals", acme.ann.pk)


def test_what_is_held_alone_goes_as_it_is(acme: Company) -> None:
    tell(acme, "one")
    with later(minutes=16):
        sweep()
    assert states() == [("one", "waiting")]


def test_of_several_about_one_thing_the_last_is_told(acme: Company) -> None:
    tell(acme, "same")
    tell(acme, "other")
    tell(acme, "same", kind=kinds.REMINDED)
    sweep()
    with inside():
        assert Notice.objects.get(kind=kinds.DIGEST).title == "2 to decide"


def test_a_long_digest_says_what_it_leaves_out(acme: Company) -> None:
    for number in range(28):
        tell(acme, f"n{number:02d}")
    with later(minutes=16):
        sweep()
    with inside():
        digest = Notice.objects.get(kind=kinds.DIGEST)
    assert digest.title == "28 to decide"
    assert "And 3 more on the page." in digest.text


def test_whoever_wants_no_digest_gets_each_at_once_and_whoever_wants_no_kind_gets_it_here_alone(acme: Company) -> None:
    wish(acme, digest_minutes=0)
    tell(acme, "one")
    assert states() == [("one", "waiting")]
    wish(acme, digest_minutes=0, kinds_off=[kinds.ASKED])
    tell(acme, "two")
    assert states() == [("one", "waiting")]


def test_quiet_hours_hold_what_can_wait_and_not_the_high_tier_nor_a_broken_glass(acme: Company) -> None:
    with inside():
        here = clock.now()
    wish(acme, quiet_from=(here - timedelta(hours=1)).time(), quiet_until=(here + timedelta(hours=5)).time())
    tell(acme, "low", tier="low", minutes=6000)
    tell(acme, "high", tier="high")
    tell(acme, "glass", tier="low", kind=kinds.GLASS_BROKEN)
    with inside():
        held = Delivery.objects.get(state="held")
        assert held.due_at is not None
        assert timedelta(hours=4, minutes=59) < held.due_at - held.created_at < timedelta(hours=5, minutes=1)
    assert states() == [("low", "held"), ("high", "waiting"), ("glass", "waiting")]


@given(st.integers(0, 1440), st.integers(1, 10_000))
def test_no_digest_comes_when_less_than_half_of_the_time_is_left(minutes: int, window: int) -> None:
    deadline = NOW + timedelta(minutes=window)
    due = digest_at(kinds.ASKED, minutes, deadline, NOW)
    assert due >= NOW
    assert deadline - due >= (deadline - NOW) / 2


@pytest.mark.parametrize(
    ("at", "since", "until", "zone", "ends"),
    [
        ("2026-03-04T12:00", "22:00", "07:00", "UTC", "2026-03-04T12:00"),
        ("2026-03-04T23:00", "22:00", "07:00", "UTC", "2026-03-05T07:00"),
        ("2026-03-04T03:00", "22:00", "07:00", "UTC", "2026-03-04T07:00"),
        ("2026-03-04T12:30", "12:00", "13:00", "UTC", "2026-03-04T13:00"),
        ("2026-03-04T21:30", "22:00", "07:00", "Europe/Berlin", "2026-03-05T06:00"),
        # the night in which the clocks of Berlin skip an hour is shorter, and the one in which they repeat one is longer
        ("2026-03-28T22:00", "22:00", "07:00", "Europe/Berlin", "2026-03-29T05:00"),
        ("2026-10-24T21:00", "22:00", "07:00", "Europe/Berlin", "2026-10-25T06:00"),
        ("2026-03-04T23:00", "22:00", "07:00", "Nowhere/Atall", "2026-03-05T07:00"),
    ],
)  # fmt: skip
def test_quiet_hours_end_by_the_clock_of_the_zone(at: str, since: str, until: str, zone: str, ends: str) -> None:
    moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
    found = hours.after_quiet(moment, time.fromisoformat(since), time.fromisoformat(until), zone)
    assert found == datetime.fromisoformat(ends).replace(tzinfo=UTC)
