"""Channels by apprise: an attempt is one attempt, to an address that is allowed, in a thread that does nothing else."""

import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from psycopg import OperationalError

from console.clock import DatabaseNow
from console.notices import channels, chatting, endpoints, guarded
from console.notices.addresses import Blocked
from console.notices.models import Channel, Delivery
from tests.cast import inside
from tests.notices.receiving import Receiver, post_office, receiver
from tests.notices.test_courier import LOOPBACK, carry, delivery, due_now, post, tried
from tests.shop import Shop

SESAME = "sesame-open-now"


@pytest.fixture(autouse=True)
def _reaches_loopback(settings: Any) -> None:
    settings.WEBHOOKS_MAY_REACH = (frozenset(), (LOOPBACK,))
    settings.PUBLIC_URL = "https://app.example.com"


@pytest.fixture
def there() -> Iterator[Receiver]:
    """A service of chats."""
    with receiver() as kept:
        yield kept


def add(shop: Shop, url: str, *, by: str = "oscar", own: bool = True, **takes: list[str]) -> UUID:
    """Add a channel: an operator's own, unless told otherwise."""
    terms = {"kinds": [], "tiers": [], **takes}
    receipt = channels.add(shop.actor(by), url, label="Ours", own=own, key=f"add {url}", **terms)
    return UUID(receipt["channel"])


def sent(until: Callable[[], bool], name: str = "worker:a") -> None:
    """Let a courier of channels work until this holds."""
    carry(until, channels=["channel"], name=name)


def test_a_message_arrives_with_its_link_and_why(shop: Shop, there: Receiver) -> None:
    add(shop, f"json://{SESAME}@127.0.0.1:{there.port}/hook")
    post(shop)
    sent(tried(1))
    (got,) = there.got
    said = json.loads(got.body)
    found = delivery()
    assert (found.state, found.last_outcome, found.channel) == ("delivered", "delivered", "channel")
    assert said["title"] == "Unknown for 15 min: Pay 10 EUR to bob"
    assert "Find out." in said["message"]
    assert "https://app.example.com/effects/7" in said["message"]
    assert str(found.pk)[-8:] in said["message"], "told twice, it is known by this"


def test_ntfy_is_spoken_to(shop: Shop, there: Receiver) -> None:
    there.answers = [(200, {}, b'{"id": "x"}')]
    add(shop, f"ntfy://127.0.0.1:{there.port}/orders")
    post(shop)
    sent(tried(1))
    assert json.loads(there.got[0].body)["topic"] == "orders"


def test_another_mail_server_is_spoken_to(shop: Shop) -> None:
    with post_office() as office:
        add(shop, f"mailto://127.0.0.1:{office.port}/?from=us@shop.example&to=team@shop.example&mode=insecure")
        post(shop)
        sent(tried(1))
    ((to, message),) = office.got
    assert to == "team@shop.example"
    assert "Find out." in message


def test_an_attempt_is_one_attempt_whatever_the_address_says_and_why_it_failed_is_kept(
    shop: Shop, there: Receiver
) -> None:
    there.answers = [(500, {}, b"no"), (500, {}, b"no")]
    add(shop, f"json://{SESAME}:{SESAME}@127.0.0.1:{there.port}/{SESAME}?retry=4&wait=0.1&redirect=yes")
    post(shop)
    sent(tried(1))
    assert len(there.got) == 1
    found = delivery()
    assert (found.state, found.last_outcome) == ("waiting", "refused")
    assert "error=500" in found.last_answer
    due_now()
    sent(tried(2))
    assert len(there.got) == 2
    due_now()
    sent(tried(3))
    assert delivery().state == "delivered"


def test_where_it_would_lead_elsewhere_is_not_followed(shop: Shop, there: Receiver) -> None:
    there.answers = [(302, {"location": f"{there.url}/elsewhere"}, b"")]
    add(shop, f"json://127.0.0.1:{there.port}/hook")
    post(shop)
    sent(tried(1))
    assert [got.path for got in there.got] == ["/hook"]
    assert delivery().state == "waiting"


def test_a_service_that_hangs_is_given_up_in_time(shop: Shop, there: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.notices.mailing.LONGEST_SECONDS", 0.5)
    there.hold = threading.Event()
    add(shop, f"json://127.0.0.1:{there.port}/hook")
    post(shop)
    sent(tried(1))
    assert delivery().last_outcome == "timeout"


def test_a_service_that_is_not_there_is_said_to_be_unreachable(shop: Shop) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        add(shop, f"json://{SESAME}@127.0.0.1:{free.getsockname()[1]}/hook")
        post(shop)
        sent(tried(1))
    assert delivery().last_outcome == "unreachable", delivery().last_answer
    assert SESAME not in delivery().last_answer


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_address_that_is_not_of_the_public_internet_is_blocked(
    shop: Shop, there: Receiver, settings: Any, host: str
) -> None:
    settings.WEBHOOKS_MAY_REACH = (frozenset(), ())
    add(shop, f"json://{host}:{there.port}/hook")
    post(shop)
    sent(tried(1))
    assert there.got == []
    assert (delivery().state, delivery().last_outcome) == ("dead", "blocked")


def test_what_is_sealed_under_another_key_says_so(shop: Shop, there: Receiver) -> None:
    add(shop, f"json://127.0.0.1:{there.port}/hook")
    with inside():
        Channel.objects.update(sealed_url="gAAAAA")
    post(shop)
    sent(tried(1))
    assert delivery().last_outcome == "unreadable"


def test_whoever_vanishes_between_sending_and_writing_down_has_it_sent_again(
    shop: Shop, there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: Any) -> bool:

        raise OperationalError("the line broke")

    add(shop, f"json://127.0.0.1:{there.port}/hook")
    post(shop)
    with monkeypatch.context() as broken:
        broken.setattr("console.notices.outbox.Outbox.settle", lost)
        sent(lambda: len(there.got) == 1, name="worker:dies")
    with inside():
        Delivery.objects.update(due_at=DatabaseNow())
    sent(tried(2))
    first, second = (json.loads(got.body)["message"] for got in there.got)
    assert first == second


def test_a_channel_that_is_stopped_gets_nothing_and_what_it_does_not_take_neither(shop: Shop, there: Receiver) -> None:
    mine = add(shop, f"json://127.0.0.1:{there.port}/hook", kinds=["approval.asked"])
    post(shop)
    channels.change(shop.actor("oscar"), mine, kinds=[], tiers=[], key="change")
    post(shop, "taken")
    channels.stop(shop.actor("oscar"), mine, key="stop")
    post(shop, "not")
    sent(tried(1))
    assert (delivery().state, delivery().last_outcome) == ("dead", "stopped")
    assert there.got == []


def test_what_was_given_up_is_sent_again_by_a_press(shop: Shop, there: Receiver) -> None:
    there.answers = [(500, {}, b"")]
    add(shop, f"json://127.0.0.1:{there.port}/hook", by="dora", own=False)
    post(shop)
    with inside():
        Delivery.objects.update(attempts=9, sent_times=9)
    sent(tried(10))
    assert delivery().state == "dead"
    endpoints.send_again(shop.actor("dora"), delivery().pk, key="again")
    sent(tried(11))
    assert delivery().state == "delivered"


def test_everybodys_channel_gets_what_whoever_is_told(shop: Shop, there: Receiver) -> None:
    add(shop, f"json://127.0.0.1:{there.port}/room", by="dora", own=False)
    add(shop, f"json://127.0.0.1:{there.port}/ann", by="ann")
    post(shop)
    sent(tried(1))
    assert [got.path for got in there.got] == ["/room"], "ann is no operator"


def test_a_guarded_thread_starts_nothing_and_reads_nothing_of_this_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SESAME)
    with guarded.guarded(time.monotonic() + 60) as guard:
        for deed in (
            lambda: subprocess.run(["/bin/true"], check=False),
            lambda: os.system("/bin/true"),
            secret.read_text,
            lambda: socket.socket(socket.AF_UNIX).connect("/run/nothing"),
            lambda: socket.create_connection(("169.254.169.254", 80), 1),
        ):
            with pytest.raises(Blocked):
                deed()
    assert guard.blocked == "It would start something on this machine."
    assert secret.read_text() == SESAME, "other code notices nothing"
    assert subprocess.run(["/bin/true"], check=False).returncode == 0


def test_after_its_time_a_guarded_thread_connects_to_nothing(there: Receiver) -> None:
    with guarded.guarded(time.monotonic()), pytest.raises(TimeoutError):
        socket.create_connection(("127.0.0.1", there.port), 1)


def test_the_parts_of_an_address_are_hidden_in_what_is_kept() -> None:
    url = f"slack://{SESAME}/B0abcdef/T9uvwxyz?token=tok-123456"
    said = f"could not reach {SESAME} B0abcdef T9uvwxyz tok-123456 at all"
    assert chatting.hidden(url, said) == "could not reach … … … … at all"
