"""Our identities go on every call, and a contract cannot speak for them."""

import datetime

import pytest

from runs.wire import RESERVED_HEADERS, WireRequest, stamped

NOON = datetime.datetime(2026, 3, 2, 13, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))


def test_key_fence_and_deadline_are_ours():
    said = stamped({"Authorization": "Bearer t"}, key="k", fence=7, deadline=NOON)
    assert said["Idempotency-Key"] == "k"
    assert said["Fencing-Token"] == "7"
    assert said["Request-Deadline"] == "2026-03-02T12:00:00.000000Z"
    assert said["Authorization"] == "Bearer t"


@pytest.mark.parametrize("name", sorted(RESERVED_HEADERS))
def test_reserved_headers_of_a_contract_are_not_sent(name):
    for spelled in (name, name.title(), name.upper()):
        assert "theirs" not in stamped({spelled: "theirs"}, key="k", fence=1, deadline=NOON).values()


def test_a_contract_may_say_content_type_and_user_agent_in_any_spelling_once():
    said = stamped({"content-type": "application/vnd.bank+json", "USER-AGENT": "shop"}, key=None)
    assert said["Content-Type"] == "application/vnd.bank+json"
    assert said["User-Agent"] == "shop"
    assert len({name.lower() for name in said}) == len(said)


def test_what_is_not_there_is_not_said():
    assert not {"Idempotency-Key", "Fencing-Token", "Request-Deadline"} & set(stamped({}, key=None))


def test_secrets_are_the_values_of_secret_headers_and_what_follows_their_scheme():
    headers = {"authorization": "Bearer s3cr3t-token", "X-Pin": "1234", "Accept": "application/json"}
    request = WireRequest(
        "GET", "http://x/", headers, None, 1, secret_headers=frozenset({"Authorization", "X-Pin", "X-No"})
    )
    assert request.secrets() == ["Bearer s3cr3t-token", "s3cr3t-token"]
