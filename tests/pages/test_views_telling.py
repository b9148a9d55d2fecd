"""How a member is told: digests, quiet hours, kinds; channels of one's own and of everybody, whose addresses are never shown again."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from console.notices.models import Channel, Delivery, Wishes
from tests.cast import Company, inside, signed_in
from tests.pages.browsing import text
from tests.record import findings

SECRET = "ntfys://user:sesame-open@ntfy.example/very-secret-topic"


@pytest.fixture
def ann(acme: Company) -> Client:
    """The browser of an approver."""
    return signed_in(acme.ann)


@pytest.fixture
def dora(acme: Company) -> Client:
    """The browser of the administrator."""
    return signed_in(acme.dora)


def add(browser: Client, **form: Any) -> Any:
    """Send the form that adds a channel."""
    said = {"url": SECRET, "label": "My telephone", "idempotency_key": f"k-{uuid4()}", **form}
    return browser.post("/notices/channels/add", said)


def channel() -> Channel:
    """Read the one channel."""
    with inside():
        return Channel.objects.get()


def press(browser: Client, verb: str, **form: Any) -> Any:
    """Press a button of the one channel."""
    return browser.post(
        f"/notices/channels/{verb}", {"channel": str(channel().pk), "idempotency_key": f"k-{uuid4()}", **form}
    )


def test_a_member_adds_tries_stops_and_starts_a_channel_of_their_own(acme: Company, ann: Client) -> None:
    assert "None. A channel is a chat" in text(ann.get("/notices/settings"))
    assert add(ann).status_code == 303
    assert "My telephone ntfys Active every kind; every tier none yet" in text(ann.get("/notices/settings"))
    assert press(ann, "try").status_code == 303
    assert "Waits" in text(ann.get("/notices/settings"))
    mine = channel()
    with inside():
        assert Delivery.objects.get().via_id == mine.pk
    assert press(ann, "change", kinds=["approval.asked"], tiers=["high"]).status_code == 303
    assert (channel().kinds, channel().tiers) == (["approval.asked"], ["high"])
    press(ann, "stop")
    assert press(ann, "try").status_code == 409
    assert "Stopped" in text(ann.get("/notices/settings"))
    press(ann, "start")
    assert channel().active
    assert findings() == []


def test_the_address_is_sealed_and_on_no_page_and_in_no_record(acme: Company, ann: Client, dora: Client) -> None:
    add(ann)
    refused = add(ann, url="ntfys://user:sesame-open@ntfy.example/t?template=/etc/passwd")
    assert refused.status_code == 422
    pages = [
        refused,
        *(
            browser.get(path)
            for browser in (ann, dora)
            for path in ("/notices/settings", "/notices/endpoints", "/audit")
        ),
    ]
    for page in pages:
        assert "sesame" not in page.content.decode()
        assert "very-secret" not in page.content.decode()
    assert "sesame" not in channel().sealed_url
    with inside():
        from console.database import rows

        assert (
            rows(
                "select count(*) as n from ledger_payload where convert_to(body::text, 'utf8')::text like '%%sesame%%'"
            )[0]["n"]
            == 0
        )


def test_nobody_changes_anothers_channel_and_only_administrators_add_everybodys(
    acme: Company, globex: Company, ann: Client, dora: Client
) -> None:
    assert add(ann, whose="tenant").status_code == 403
    add(ann)
    for browser in (dora, signed_in(acme.amir), signed_in(globex.cara)):
        for verb in ("try", "stop", "start", "change"):
            assert press(browser, verb).status_code == 404
    assert "My telephone" not in text(dora.get("/notices/settings"))
    with inside():
        assert Channel.objects.get().active


def test_everybodys_channel_is_the_administrators(acme: Company, ann: Client, dora: Client) -> None:
    assert add(dora, whose="tenant", label="Finance room").status_code == 303
    assert "Finance room" in text(dora.get("/notices/settings"))
    assert "Finance room" not in text(ann.get("/notices/settings"))
    assert press(ann, "stop").status_code == 403


@pytest.mark.parametrize(
    "url",
    [
        "dbus://", "windows://", "macosx://", "syslog://", "gnome://", "glib://", "mqtt://localhost/topic", "apprise://localhost/token",
        "file:///etc/passwd", "slack://", "nothing", "https://hooks.example/in", "javascript:alert(1)", "",
        "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/?template=/etc/passwd",
    ],
)  # fmt: skip
def test_services_that_touch_the_machine_are_no_channels(acme: Company, ann: Client, url: str) -> None:
    assert add(ann, url=url).status_code == 422
    with inside():
        assert not Channel.objects.exists()


def test_a_form_that_is_sent_twice_adds_one(acme: Company, ann: Client) -> None:
    for _ in range(2):
        assert add(ann, idempotency_key="the-form").status_code == 303
    assert channel().label == "My telephone"


def test_a_member_says_when_and_of_what_they_are_told(acme: Company, ann: Client) -> None:
    form = {
        "digest_minutes": "30", "quiet_from": "22:00", "quiet_until": "07:00", "time_zone": "Europe/Berlin", "kinds": ["approval.asked"],
    }  # fmt: skip
    assert ann.post("/notices/settings/change", form).status_code == 303
    page = ann.get("/notices/settings").content.decode()
    assert 'value="22:00"' in page
    assert 'value="Europe/Berlin"' in page
    with inside():
        wishes = Wishes.objects.get()
    assert (wishes.member_id, wishes.digest_minutes, "approval.asked" in wishes.kinds_off) == (acme.ann.pk, 30, False)
    assert "effect.overdue" in wishes.kinds_off


@pytest.mark.parametrize(
    "wrong",
    [
        {"quiet_from": ""},
        {"quiet_until": "25:00"},
        {"time_zone": "Nowhere/Atall"},
        {"digest_minutes": "-1"},
        {"digest_minutes": "1441"},
    ],
)
def test_what_is_no_hour_no_zone_and_no_number_is_refused(acme: Company, ann: Client, wrong: dict[str, str]) -> None:
    form = {"digest_minutes": "30", "quiet_from": "22:00", "quiet_until": "07:00", "time_zone": "UTC", **wrong}
    assert ann.post("/notices/settings/change", form).status_code == 422
    with inside():
        assert not Wishes.objects.exists()
