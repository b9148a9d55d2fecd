"""The courier: sends what is due outside any transaction, at least once, each time under the same message id."""

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from django.db import connections
from psycopg import OperationalError

from console import env
from console.clock import DatabaseNow
from console.notices import endpoints, erasing, fate, mailing, outbox, posting
from console.notices.courier import TAKEN_SECONDS, Courier
from console.notices.fate import MOST_ATTEMPTS, Answer
from console.notices.models import Delivery, Endpoint, Notice
from console.telemetry import counting
from tests import clock
from tests.cast import inside
from tests.notices.receiving import Receiver, looked_up, post_office, receiver
from tests.processes import free_port
from tests.shop import Shop

LOOPBACK = ipaddress.ip_network("127.0.0.0/8")


@pytest.fixture(autouse=True)
def _reaches_loopback(settings: Any) -> None:
    settings.WEBHOOKS_MAY_REACH = (frozenset(), (LOOPBACK,))


@pytest.fixture
def there() -> Iterator[Receiver]:
    """A receiver of webhooks."""
    with receiver() as kept:
        yield kept


def endpoint(shop: Shop, url: str) -> tuple[UUID, str]:
    """Add an endpoint; gives its id and its secret."""
    receipt, secret = endpoints.add(shop.actor("dora"), url, kinds=[], key=f"add {url}")
    return UUID(receipt["endpoint"]), secret


def post(shop: Shop, key: str = "k") -> None:
    """Post a notice to operators."""
    with inside(shop.tenant.pk):
        posting.post(
            shop.tenant.pk, "effect.overdue", about=UUID(int=7), title="Unknown for 15 min:\nPay 10 EUR to bob", text="Find out.",
            path="/effects/7", to_roles=["operator"], key=key,
        )  # fmt: skip


def carry(until: Callable[[], bool], *, channels: list[str] | None = None, name: str = "worker:a") -> None:
    """Let a courier work until this holds."""

    async def work() -> None:
        courier = Courier(env.dsn("DATABASE_WORKER_URL"), name, channels or ["email", "webhook"], poll_seconds=0.05)
        task = asyncio.create_task(courier.run())
        await asyncio.to_thread(wait_for, until)
        courier.end()
        await task

    asyncio.run(asyncio.wait_for(work(), 120))


def wait_for(what: Callable[[], bool]) -> None:
    """Wait until this holds, on a connection of this thread's own."""
    try:
        limit = time.monotonic() + 90
        while not what() and time.monotonic() < limit:
            time.sleep(0.02)
        assert what()
    finally:
        connections.close_all()


def delivery() -> Delivery:
    """Read the one delivery."""
    with inside():
        return Delivery.objects.get()


def tried(times: int) -> Callable[[], bool]:
    """Tell whether the one delivery has been sent so often, and nobody has it in hand."""
    return lambda: (found := delivery()).sent_times >= times and found.sender == ""


def due_now() -> None:
    """Let what waits be due."""
    with inside():
        Delivery.objects.filter(state="waiting").update(due_at=DatabaseNow())


@contextmanager
def counted() -> Iterator[dict[Any, float]]:
    """Count what the courier counts inside the block."""
    counting.take()
    found: dict[Any, float] = {}
    yield found
    found.update(counting.take())


def test_a_webhook_arrives_once_signed_and_is_settled_with_the_answer(
    shop: Shop, there: Receiver, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://app.example.com"
    _, secret = endpoint(shop, there.url)
    there.answers = [(200, {}, b"thanks")]
    post(shop)
    with counted() as found:
        carry(tried(1))
    (got,) = there.got
    sent = delivery()
    assert (sent.state, sent.attempts, sent.last_status, sent.last_answer) == ("delivered", 1, 200, "thanks")
    assert got.headers["webhook-id"] == str(sent.pk)
    signed = f"{sent.pk}.{got.headers['webhook-timestamp']}.".encode() + got.body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    assert (
        got.headers["webhook-signature"] == "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    )
    assert abs(int(got.headers["webhook-timestamp"]) - time.time()) < 60
    said = json.loads(got.body)
    assert said["type"] == "effect.overdue"
    assert said["data"] == {
        "notice": str(sent.notice_id), "tenant": "shop", "about": str(UUID(int=7)), "title": "Unknown for 15 min:\nPay 10 EUR to bob",
        "text": "Find out.", "path": "/effects/7", "url": "https://app.example.com/effects/7",
        "state": None, "until": None,
    }  # fmt: skip
    assert found["deliveries", (("channel", "webhook"), ("outcome", "delivered"))] == 1


def test_what_is_refused_is_sent_again_under_the_same_id_and_at_last_given_up(shop: Shop, there: Receiver) -> None:
    endpoint(shop, there.url)
    there.answers = [(500, {}, b"no \x00 \xff" + b"x" * 5000)] * (MOST_ATTEMPTS + 1)
    post(shop)
    for times in range(1, MOST_ATTEMPTS + 1):
        due_now()
        carry(tried(times))
        found = delivery()
        assert found.last_status == 500
        assert "\x00" not in found.last_answer
        assert len(found.last_answer) <= 2048
        assert (found.state, found.due_at is None) == (("dead", True) if times == MOST_ATTEMPTS else ("waiting", False))
    assert len({got.headers["webhook-id"] for got in there.got}) == 1
    assert len({got.body for got in there.got}) == 1
    there.answers = []
    endpoints.send_again(shop.actor("dora"), delivery().pk, key="again")
    carry(tried(MOST_ATTEMPTS + 1))
    found = delivery()
    assert (found.state, found.attempts, found.sent_times) == ("delivered", 1, MOST_ATTEMPTS + 1)
    assert there.got[-1].headers["webhook-id"] == str(found.pk)


def test_whoever_vanishes_between_sending_and_writing_down_has_it_sent_again_with_the_same_id(
    shop: Shop, there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint(shop, there.url)
    post(shop)

    async def lost(*_: Any) -> bool:
        raise OperationalError("the line broke")

    with monkeypatch.context() as broken:
        broken.setattr(outbox.Outbox, "settle", lost)
        carry(lambda: len(there.got) == 1, name="worker:dies")
    left = delivery()
    assert (left.state, left.sender, left.attempts) == ("waiting", "worker:dies", 1)
    with clock.at(TAKEN_SECONDS - 5):
        assert not is_due()
    with clock.at(TAKEN_SECONDS + 1):
        assert is_due()
        carry(lambda: delivery().state == "delivered", name="worker:next")
    assert [got.headers["webhook-id"] for got in there.got] == [str(left.pk)] * 2


COURIER = """
import asyncio, django
django.setup()
from console import env
from console.notices.courier import Courier
asyncio.run(Courier(env.dsn("DATABASE_WORKER_URL"), "worker:dies", ["webhook"], poll_seconds=0.05).run())
"""


@pytest.mark.crash
def test_a_process_that_is_killed_when_it_has_sent_leaves_it_to_the_next(shop: Shop, there: Receiver) -> None:
    endpoint(shop, there.url)
    post(shop)
    surroundings = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "console.settings", "CRASH_AT": "notice.sent:1:kill", "WEBHOOKS_MAY_REACH": "127.0.0.0/8",
    }  # fmt: skip
    ended = subprocess.run(
        [sys.executable, "-c", COURIER],
        cwd=env.BASE_DIR,
        env=surroundings,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    left = delivery()
    assert (left.state, left.sender, left.sent_times, len(there.got)) == ("waiting", "worker:dies", 1, 1)
    with clock.at(TAKEN_SECONDS + 1):
        carry(lambda: delivery().state == "delivered", name="worker:next")
    assert [got.headers["webhook-id"] for got in there.got] == [str(left.pk)] * 2


def is_due() -> bool:
    """Ask as the clock does."""
    with inside():
        return outbox.is_due()


def test_who_kills_every_courier_is_given_up(shop: Shop, there: Receiver) -> None:
    endpoint(shop, there.url)
    post(shop)
    with inside():
        Delivery.objects.update(attempts=MOST_ATTEMPTS)
    carry(lambda: delivery().state == "dead")
    assert (delivery().last_outcome, there.got) == ("used_up", [])


def test_whoever_was_given_up_settles_nothing(shop: Shop, there: Receiver) -> None:
    endpoint(shop, there.url)
    post(shop)

    async def work() -> list[bool]:
        slow, quick = (outbox.Outbox(env.dsn("DATABASE_WORKER_URL"), name) for name in ("worker:slow", "worker:quick"))
        try:
            (first,) = await slow.take(["webhook"], 5, 0)
            (second,) = await quick.take(["webhook"], 5, 30)
            gone = Answer("refused", 500)
            return [
                await slow.settle(first, gone, fate.fate(gone, 1)),
                await quick.settle(second, Answer("delivered"), fate.Fate("delivered")),
            ]
        finally:
            await slow.close()
            await quick.close()

    assert asyncio.run(work()) == [False, True]
    assert (delivery().state, delivery().attempts) == ("delivered", 2)


def test_two_couriers_share_what_is_due(shop: Shop, there: Receiver) -> None:
    endpoint(shop, there.url)
    for number in range(20):
        post(shop, f"k{number}")

    async def work() -> None:
        couriers = [
            Courier(env.dsn("DATABASE_WORKER_URL"), f"worker:{n}", ["webhook"], poll_seconds=0.05) for n in range(2)
        ]
        tasks = [asyncio.create_task(courier.run()) for courier in couriers]
        await asyncio.to_thread(wait_for, lambda: not waiting())
        for courier in couriers:
            courier.end()
        await asyncio.gather(*tasks)

    asyncio.run(asyncio.wait_for(work(), 120))
    assert len(there.got) == 20
    assert len({got.headers["webhook-id"] for got in there.got}) == 20


def waiting() -> int:
    """Count what waits."""
    with inside():
        return Delivery.objects.filter(state="waiting").count()


# Where it may go (SEC-07)


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "2130706433", "[::1]", "0x7f.1", "127.0.0.1", "[::ffff:127.0.0.1]", "localhost"]
)
def test_an_address_inside_is_blocked_when_it_is_sent_to(shop: Shop, there: Receiver, settings: Any, host: str) -> None:
    settings.WEBHOOKS_MAY_REACH = (frozenset(), ())
    endpoint(shop, f"http://{host}:{there.port}/in")
    post(shop)
    carry(tried(1))
    found = delivery()
    assert (found.state, found.last_outcome, found.last_status) == ("dead", "blocked", None)
    assert there.got == []


def test_an_address_with_a_password_is_blocked_though_it_stands_in_the_row(shop: Shop, there: Receiver) -> None:
    made, _ = endpoint(shop, there.url)
    with inside():
        Endpoint.objects.filter(pk=made).update(url=there.url.replace("http://", "http://user:pw@"))
    post(shop)
    carry(tried(1))
    assert (delivery().last_outcome, there.got) == ("blocked", [])
    assert "pw" not in delivery().last_answer
    shop.verified = False


def test_a_name_that_leads_elsewhere_a_second_time_is_asked_once_and_what_was_judged_is_connected_to(
    shop: Shop, there: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The receiver on 127.0.0.1 stands for the allowed address; the second answer of the name service is the one inside."""
    settings.WEBHOOKS_MAY_REACH = (frozenset(), (ipaddress.ip_network("127.0.0.1/32"),))
    asked = looked_up(monkeypatch, {"hooks.example": ["127.0.0.1", "127.0.0.2"]})
    endpoint(shop, f"http://hooks.example:{there.port}/in")
    post(shop)
    carry(tried(1))
    assert asked.count("hooks.example") == 1
    assert (delivery().state, len(there.got)) == ("delivered", 1)
    assert there.got[0].headers["host"] == f"hooks.example:{there.port}"
    post(shop, "second")
    carry(lambda: not waiting())
    with inside():
        assert sorted(Delivery.objects.values_list("last_outcome", flat=True)) == ["blocked", "delivered"]
    assert len(there.got) == 1


def test_one_address_of_a_name_that_is_not_allowed_blocks_them_all(
    shop: Shop, there: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def both(self: Any, host: Any, port: Any, **_: Any) -> list[Any]:
        return [(2, 1, 6, "", ("127.0.0.1", port)), (2, 1, 6, "", ("10.0.0.1", port))]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", both)
    endpoint(shop, f"http://hooks.example:{there.port}/in")
    post(shop)
    carry(tried(1))
    assert (delivery().last_outcome, there.got) == ("blocked", [])


def test_a_redirect_is_not_followed(shop: Shop, there: Receiver) -> None:
    endpoint(shop, there.url)
    there.answers = [(302, {"location": f"http://127.0.0.1:{there.port}/inside"}, b"")]
    post(shop)
    carry(tried(1))
    found = delivery()
    assert (found.state, found.last_outcome, found.last_status) == ("waiting", "redirected", 302)
    assert [got.path for got in there.got] == ["/in"]


def test_a_receiver_that_is_not_there_or_does_not_answer_is_tried_again(
    shop: Shop, there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = endpoint(shop, f"http://127.0.0.1:{free_port()}/")
    post(shop)
    carry(tried(1))
    assert (delivery().state, delivery().last_outcome) == ("waiting", "unreachable")
    looked_up(monkeypatch, {})
    with inside():
        Endpoint.objects.filter(pk=made).update(url="http://nowhere.example/")
    due_now()
    carry(tried(2))
    assert delivery().last_answer == "The host's name cannot be resolved."
    shop.verified = False


def test_a_slow_receiver_has_ten_seconds_and_keeps_no_other_waiting(
    shop: Shop, there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.notices.sending.TIMEOUT_SECONDS", 3.0)
    there.hold = threading.Event()
    with receiver() as quick:
        endpoint(shop, there.url)
        endpoint(shop, quick.url)
        post(shop)
        carry(lambda: outcomes() == ["delivered", "timeout"])
    assert len(quick.got) == 1


def outcomes() -> list[str]:
    """Give how the last attempts ended."""
    with inside():
        return sorted(Delivery.objects.exclude(last_outcome="").values_list("last_outcome", flat=True))


def test_what_was_sealed_under_another_key_is_never_sent_unsigned(shop: Shop, there: Receiver, settings: Any) -> None:
    made, _ = endpoint(shop, there.url)
    post(shop)
    settings.SECRET_KEY = "another" * 10
    carry(tried(1))
    assert (delivery().state, delivery().last_outcome, there.got) == ("dead", "unreadable", [])
    _, secret = endpoints.renew(shop.actor("dora"), made, key="renew")
    endpoints.send_again(shop.actor("dora"), delivery().pk, key="again")
    carry(tried(2))
    assert (delivery().state, len(there.got), secret[:6]) == ("delivered", 1, "whsec_")


def test_a_stopped_endpoint_is_sent_nothing_more(shop: Shop, there: Receiver) -> None:
    made, _ = endpoint(shop, there.url)
    post(shop)
    endpoints.stop(shop.actor("dora"), made, key="stop")
    carry(tried(1))
    assert (delivery().state, delivery().last_outcome, there.got) == ("dead", "stopped", [])
    with pytest.raises(endpoints.EndpointStopped):
        endpoints.send_again(shop.actor("dora"), delivery().pk, key="again")


# Mail


@pytest.fixture
def mailed(settings: Any) -> Any:
    """Settings with a mail server at this port."""

    def at(port: int) -> None:
        settings.EMAIL_IS_SENT = True
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, 5

    return at


def test_mail_goes_to_the_member_with_one_message_id(shop: Shop, mailed: Any, settings: Any) -> None:
    settings.PUBLIC_URL = "https://app.example.com"
    with post_office() as office:
        mailed(office.port)
        post(shop)
        carry(tried(1))
    sent = delivery()
    ((to, said),) = office.got
    assert (to, sent.state, sent.channel) == ("oscar@shop.example", "delivered", "email")
    assert f"Message-ID: <{sent.pk}@shop.example>" in said
    assert "Subject: Unknown for 15 min: Pay 10 EUR to bob" in said
    assert "Find out.\n\nhttps://app.example.com/effects/7" in said


def test_mail_that_is_refused_or_finds_no_server_is_tried_again(shop: Shop, mailed: Any) -> None:
    with post_office() as office:
        mailed(office.port)
        office.refuses = 550
        post(shop)
        carry(tried(1))
        assert (delivery().last_outcome, delivery().last_status) == ("refused", 550)
        assert "no such mailbox" in delivery().last_answer
    due_now()
    carry(tried(2))
    assert (delivery().state, delivery().last_outcome) == ("waiting", "unreachable")


def test_somebody_who_was_stopped_gets_no_more_mail(shop: Shop, mailed: Any) -> None:
    with post_office() as office:
        mailed(office.port)
        post(shop)
        shop.change("oscar", active=False)
        carry(tried(1))
    assert (delivery().last_outcome, office.got) == ("stopped", [])


def test_a_worker_without_a_mail_server_leaves_mail_to_others(shop: Shop, there: Receiver, mailed: Any) -> None:
    mailed(1)
    endpoint(shop, there.url)
    post(shop)
    carry(lambda: outcomes() == ["delivered"], channels=["webhook"])
    with inside():
        assert Delivery.objects.get(channel="email").sent_times == 0


def test_of_mail_no_more_is_taken_than_threads_are_free(
    shop: Shop, there: Receiver, mailed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, begun = threading.Event(), list[Any]()

    def slow(letter: Any, _: float) -> Answer:
        begun.append(letter.delivery_id)
        held.wait(100)
        return Answer("delivered")

    monkeypatch.setattr("console.notices.courier.mail", slow)
    mailed(1)
    endpoint(shop, there.url)
    for number in range(3 * mailing.THREADS):
        post(shop, f"k{number}")

    def webhooks_went() -> bool:
        with inside():
            return Delivery.objects.filter(channel="webhook", state="waiting").count() == 0

    def looked() -> bool:
        if not (len(begun) == mailing.THREADS and webhooks_went()):
            return False
        with inside():
            taken = Delivery.objects.filter(channel="email", sent_times__gt=0).count()
        assert taken == mailing.THREADS
        held.set()
        return True

    carry(looked)
    assert len(begun) == len(set(begun))


def test_a_mail_server_that_drips_its_answer_is_cut_off_before_the_letter_is_anybody_elses(
    shop: Shop, mailed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mailing.LONGEST_SECONDS + mailing.CUT_SECONDS < TAKEN_SECONDS
    monkeypatch.setattr(mailing, "LONGEST_SECONDS", 1.0)
    with post_office() as office:
        office.drips = 0.5  # each step is quick enough for the mail client, and there is no end of steps
        mailed(office.port)
        post(shop)
        carry(tried(1))
    assert (delivery().state, delivery().last_outcome, delivery().attempts) == ("waiting", "timeout", 1)


def test_a_thread_that_hangs_keeps_its_place_and_its_letter_is_settled(
    shop: Shop, mailed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = threading.Event()

    def hangs(*_: Any) -> Answer:
        held.wait(100)
        return Answer("delivered")

    monkeypatch.setattr("console.notices.courier.mail", hangs)
    monkeypatch.setattr(mailing, "LONGEST_SECONDS", 0.1)
    monkeypatch.setattr(mailing, "CUT_SECONDS", 0.1)
    mailed(1)
    post(shop)

    async def work() -> int:
        courier = Courier(env.dsn("DATABASE_WORKER_URL"), "worker:a", ["email"], poll_seconds=0.05)
        task = asyncio.create_task(courier.run())
        await asyncio.to_thread(wait_for, tried(1))
        free = courier.postmen["email"].free
        held.set()
        courier.end()
        await task
        return free

    assert asyncio.run(asyncio.wait_for(work(), 120)) == mailing.THREADS - 1
    assert delivery().last_outcome == "timeout"


def test_what_is_answered_after_the_notice_was_erased_is_not_kept(shop: Shop, there: Receiver) -> None:
    endpoint(shop, there.url)
    post(shop)

    async def work() -> bool:
        line = outbox.Outbox(env.dsn("DATABASE_WORKER_URL"), "worker:slow")
        try:
            (letter,) = await line.take(["webhook"], 5, 30)
            await asyncio.to_thread(erase_it, shop)
            return await line.settle(letter, Answer("delivered", 200, "bob, thanks"), fate.Fate("delivered"))
        finally:
            await line.close()

    assert asyncio.run(work())
    assert (delivery().state, delivery().last_answer) == ("delivered", "")


def erase_it(shop: Shop) -> None:
    """Erase what the notices say, on a connection of this thread's own."""
    try:
        with inside(shop.tenant.pk):
            erasing.erase_about(shop.tenant.pk, [UUID(int=7)])
    finally:
        connections.close_all()


def test_what_a_run_said_is_erased_from_its_notices_too(shop: Shop, there: Receiver) -> None:
    endpoint(shop, there.url)
    there.answers = [(200, {}, b"Pay 10 EUR to bob, thanks")]
    post(shop)
    carry(tried(1))
    with inside(shop.tenant.pk):
        assert erasing.erase_about(shop.tenant.pk, [UUID(int=7)]) == 1
    with inside():
        assert (Notice.objects.get().title, Notice.objects.get().text, delivery_answer()) == ("[erased]", "", "")


def delivery_answer() -> str:
    """Give what was answered, inside a transaction."""
    return Delivery.objects.get().last_answer


def test_the_waits_between_attempts_grow_are_spread_and_end() -> None:
    gone = Answer("refused", 500)
    for attempt in range(1, MOST_ATTEMPTS):
        span = min(fate.LONGEST_SECONDS, fate.FIRST_SECONDS * fate.FACTOR ** (attempt - 1))
        drawn = [fate.fate(gone, attempt).delay or 0 for _ in range(200)]
        assert all(fate.LEAST_SECONDS <= each <= span for each in drawn)
        assert max(drawn) > span * 0.8
        assert min(drawn) < max(span * 0.2, fate.LEAST_SECONDS + 1)
    assert fate.fate(gone, MOST_ATTEMPTS).state == "dead"
    for outcome in fate.FINAL:
        assert fate.fate(Answer(outcome), 1) == fate.Fate("dead")
