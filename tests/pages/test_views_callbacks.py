"""Signed messages that name no effect, as pages: as the inert text that they are, seen by their own tenant (R-F6, SEC-11)."""

import hashlib
from datetime import timedelta
from uuid import UUID

import pytest
from django.test import Client
from uuid_utils.compat import uuid7

from console import clock
from runs.models import Callback
from tests.cast import Company, inside, signed_in
from tests.pages.browsing import HTMX, text, walk


@pytest.fixture
def oscar(acme: Company) -> Client:
    """The browser of an operator."""
    return signed_in(acme.oscar)


def came(
    acme: Company, body: str | None = "{}", *, state: str = "unmatched", name: str = "msg_1", ago: float = 0
) -> UUID:
    """Have a message come that names nothing."""
    with inside(acme.tenant.pk):
        now = clock.now() - timedelta(seconds=ago)
        made = Callback.objects.create(
            id=uuid7(), tenant_id=acme.tenant.pk, operation_name="refund", message_id=name, signed_at=now, received_at=now, body=body,
            body_digest=hashlib.sha256((body or "").encode()).digest(), secrets=["bank-callback"], state="recorded",
            next_try_at=now,
        )  # fmt: skip
        if state != "recorded":
            made.state, made.note, made.next_try_at, made.settled_at = (
                state,
                "It names no effect of this operation.",
                None,
                now,
            )
            made.save()
    return UUID(str(made.pk))


def test_nothing_came_to_begin_with(oscar: Client) -> None:
    assert "Every message found its effect." in text(oscar.get("/callbacks"))
    assert "in the last 24 hours" not in text(oscar.get("/unknown"))


def test_the_queue_of_what_is_not_confirmed_says_that_something_came(acme: Company, oscar: Client) -> None:
    came(acme)
    came(acme, name="msg_2", ago=25 * 3600)
    came(acme, name="msg_3", state="recorded")
    answer = oscar.get("/unknown")
    assert "Messages that name no effect : 1 in the last 24 hours" in text(answer)
    assert 'href="/callbacks"' in answer.content.decode()


def test_each_says_to_which_operation_it_was_told_when_by_which_secret_and_what_it_says(
    acme: Company, oscar: Client
) -> None:
    key = came(acme, '{"data": {"status": "committed"}}')
    for address in ("/callbacks", f"/callbacks/{key}"):
        said = text(oscar.get(address))
        for part in (
            "refund",
            "msg_1",
            "bank-callback",
            '{"data": {"status": "committed"}}',
            "It names no effect of this operation.",
        ):
            assert part in said, (address, part)


def test_what_waits_for_its_name_is_seen_too(acme: Company, oscar: Client) -> None:
    came(acme, state="recorded")
    assert "Recorded" in text(oscar.get("/callbacks"))


def test_a_message_is_text_and_nothing_else(acme: Company, oscar: Client) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)> \u202e"
    key = came(acme, hostile, name="<b>msg</b>")
    for address in ("/callbacks", f"/callbacks/{key}"):
        page = oscar.get(address).content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "<b>msg" not in page
        assert "\u202e" not in page
        assert "&lt;script&gt;alert(1)" in page


def test_the_list_shows_the_beginning_and_leads_to_the_rest(acme: Company, oscar: Client) -> None:
    key = came(acme, "x" * 65_000 + "the end")
    listed = oscar.get("/callbacks").content.decode()
    assert "All 65,007 characters" in listed
    assert "the end" not in listed
    assert len(listed) < 60_000
    assert "the end" in oscar.get(f"/callbacks/{key}").content.decode()


@pytest.mark.parametrize(("body", "said"), [(None, "erased"), ("", "nothing")])
def test_what_says_nothing_or_was_erased_says_so(acme: Company, oscar: Client, body: str | None, said: str) -> None:
    key = came(acme, body)
    assert said in text(oscar.get("/callbacks"))
    assert said.capitalize() in text(oscar.get(f"/callbacks/{key}"))


def test_a_long_list_is_walked_by_its_links(acme: Company, oscar: Client) -> None:
    for number in range(60):
        came(acme, name=f"msg_{number:02}")
    assert walk(oscar, "/callbacks", r"<code>(msg_\d+)<") == [f"msg_{number:02}" for number in reversed(range(60))]


def test_another_tenants_members_see_nothing(acme: Company, globex: Company) -> None:
    key = came(acme)
    cara = signed_in(globex.cara)
    assert "Every message found its effect." in text(cara.get("/callbacks"))
    assert "in the last 24 hours" not in text(cara.get("/unknown"))
    assert cara.get(f"/callbacks/{key}").status_code == 404


def test_the_list_alone_is_refreshed(acme: Company, oscar: Client) -> None:
    came(acme)
    part = oscar.get("/callbacks?part=list", headers=HTMX).content.decode()
    assert part.lstrip().startswith('<div id="list"')
    assert "msg_1" in part
