"""APR-20: mail scanners, previews and prefetching browsers follow every link, and nothing comes of it."""

import re
from uuid import UUID

import pytest
from django.test import Client

from approvals.models import Request
from console.notices.models import Notice
from runs.pausing import alone
from tests.api.desk import key_for, members_key
from tests.api.test_who_asks import routes
from tests.approvals.test_alone import PAY
from tests.cast import Company, inside, signed_in
from tests.whole import changed, everything

SCANNERS: tuple[dict[str, str], ...] = (
    {},
    {"Sec-Purpose": "prefetch;prerender", "Purpose": "prefetch"},
    {"X-Moz": "prefetch", "User-Agent": "Mozilla/5.0 (compatible; SafeLinks)"},
    {"HX-Request": "true"},
    {"Accept": "image/*,*/*", "User-Agent": "Slackbot-LinkExpanding 1.0"},
)
ABOUT_APPROVALS = ("approvals", "notices", "grants", "policies", "delegations", "break-glass", "glass", "tasks")


@pytest.fixture
def requests(acme: Company) -> list[UUID]:
    """Requests as they stand at every point of their way: waiting, approved, used, denied, and one that stands alone."""
    run = acme.run()
    effects = [acme.propose(run, key=f"refund-{number}") for number in range(4)]
    acme.approve("ann", effects[1])
    acme.approve("ann", effects[2])
    acme.deny("ann", effects[3])
    asked = alone.ask_alone(acme.bot, PAY, key="alone")
    found = [effect.request_id for effect in effects if effect.request_id]
    return [*found, UUID(asked["approval"])]


def links(requests: list[UUID], prefix: str) -> list[str]:
    """Give every address about approvals, of every request where it names one, also those that only a POST is for."""
    found = []
    for route in routes():
        path = route.removeprefix("^").removesuffix("$")
        if not path.removeprefix(prefix).startswith(ABOUT_APPROVALS) or not path.startswith(prefix):
            continue
        path = re.sub(r"<int:\w+>", "1", re.sub(r"<(?:slug|str):\w+>", "money", path))
        found += (
            [f"/{re.sub(r'<uuid:[a-z_]+>', str(each), path)}" for each in requests]
            if "<uuid:" in path
            else [f"/{path}"]
        )
    return found


def messages() -> list[str]:
    """Give the links that were put into messages."""
    with inside():
        return [f"/approvals/{pk}" for pk in Notice.objects.values_list("about", flat=True)]


def follow(client: Client, addresses: list[str], **key: str) -> None:
    """Follow every link five times, as one and another of them does, now by GET and now by HEAD."""
    for place, address in enumerate(addresses):
        for number, headers in enumerate(SCANNERS):
            method = client.head if (place + number) % 2 else client.get
            answer = method(address, headers={**headers, **key})
            assert answer.status_code < 500, (address, headers, answer.status_code)


def test_apr_20_following_the_links_of_pages_changes_nothing(acme: Company, requests: list[UUID]) -> None:
    """Neither without a session nor with that of somebody who may decide: no table has another row, and none is marked as seen."""
    waiting, *_, by_hand = requests
    addresses = [*links([waiting, by_hand], ""), *messages()]
    assert len(addresses) > 10
    browser = signed_in(acme.ann)
    before = everything()
    for client in (Client(), browser):
        follow(client, addresses)
        assert changed(before) == []
    with inside():
        assert Request.objects.filter(state="pending").count() == 2


def test_apr_20_following_the_addresses_of_the_api_changes_nothing(acme: Company, requests: list[UUID]) -> None:
    addresses = links(requests, "api/v1/")
    assert len(addresses) > 10
    keys = [key_for(acme), members_key(acme, "ann")]
    for key in keys:
        Client().get("/api/v1/approvals", headers={"Authorization": f"Bearer {key}"})  # that it is in use is noted now
    before = everything()
    for key in ["", *keys]:
        follow(Client(), addresses, **({"Authorization": f"Bearer {key}"} if key else {}))
        assert changed(before) == []


def test_apr_20_a_decision_needs_a_post_with_a_forms_token_from_somebody_entitled(
    acme: Company, requests: list[UUID]
) -> None:
    with inside():
        digest = Request.objects.get(pk=requests[0]).subject_digest.hex()
    form = {"verdict": "approve", "shown_digest": digest, "reason": "", "idempotency_key": "k"}
    address = f"/approvals/{requests[0]}/decide"
    browser, forged = signed_in(acme.ann), signed_in(acme.ann, enforce_csrf_checks=True)
    before = everything()
    assert forged.post(address, form).status_code == 403
    assert Client().post(address, form).status_code in {302, 303}
    for method in ("get", "head", "put", "delete", "options"):
        assert getattr(browser, method)(address).status_code in {302, 303, 405}
    assert changed(before) == []
