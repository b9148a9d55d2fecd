"""What is not confirmed by REST: by members' keys, and by the same rules as on pages (R-F4, UNK-07, IDM-01, IDM-03, IDM-05)."""

import base64
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from console.identity import own_keys
from runs.models import Effect
from tests.api.desk import Answer, Caller, key_for
from tests.races.at_once import at_once
from tests.shop import Shop, one_role, rival, shop
from tests.unsure import CAREFUL, stored, unknown, with_careful
from tests.work import claimed, settle

__all__ = ["one_role", "rival", "shop"]
BOTH = ["recovery:read", "recovery:write"]
SEEN = "The bank's statement of 10:02 shows it."
WRITES = {
    "effects/{0}/claim": None,
    "effects/{0}/release": {"reason": "My shift ends."},
    "effects/{0}/hand-over": {"to_group": "finance", "reason": "They see it."},
    "effects/{0}/ask": None,
    "effects/{0}/resolutions": {"exit": "happened", "evidence": SEEN},
}


def caller(of: Shop, name: str = "oscar", scopes: list[str] | None = None) -> Caller:
    """Give a member's tool, with a key of theirs."""
    _, text = own_keys.issue(of.proven(name), f"tool-{uuid4()}", days=1, scopes=scopes or BOTH, key=f"key-{uuid4()}")
    return Caller(text)


@pytest.fixture
def oscar(shop: Shop) -> Caller:
    """An operator's tool."""
    return caller(shop)


@pytest.fixture
def effect(shop: Shop) -> Effect:
    """An effect that was sent and not answered, and is asked about in a while."""
    return unknown(shop, delay=3600)


def resolve(who: Caller, effect: Effect, exit_: str = "happened", *, key: str | None = "", **body: Any) -> Answer:
    """Say what was found, having read the exits."""
    seen = who.get(f"effects/{effect.pk}/exits").headers["ETag"]
    return who.post(
        f"effects/{effect.pk}/resolutions", {"exit": exit_, "evidence": SEEN, **body}, key=key, If_Match=seen
    )


def test_the_queue_shows_what_is_not_confirmed_and_who_looks_after_it(
    shop: Shop, oscar: Caller, effect: Effect
) -> None:
    assert [item["id"] for item in oscar.get("unknown")["items"]] == [str(effect.pk)]
    oscar.post(f"effects/{effect.pk}/claim")
    item = oscar.get("unknown?owner=mine&sort=consequence&operation=pay&dependency=bank")["items"][0]
    assert (item["owner"]["name"], item["owner_group"], item["overdue"]) == ("Oscar Wren", "operators", False)
    assert oscar.get("unknown?owner=nobody")["items"] == oscar.get("unknown?overdue=true")["items"] == []
    assert oscar.get("unknown?state=partial")["items"] == []


def test_pages_of_the_queue_follow_each_other(shop: Shop, oscar: Caller) -> None:
    made = [str(unknown(shop, delay=3600).pk) for _ in range(5)]
    for sort in ("age", "consequence"):
        found, cursor = [], ""
        while True:
            page = oscar.get(f"unknown?sort={sort}&limit=2{cursor}")
            found += [item["id"] for item in page["items"]]
            if page["next_cursor"] is None:
                break
            cursor = f"&cursor={page['next_cursor']}"
        assert found == made
    assert oscar.get(f"unknown?sort=age&limit=2{cursor}").code == "bad_cursor"


def test_unk_07_there_is_no_plain_retry_and_each_exit_says_what_follows(oscar: Caller, effect: Effect) -> None:
    answer = oscar.get(f"effects/{effect.pk}/exits")
    assert answer.headers["ETag"] == f'"{answer["version"]}"'
    assert [(way["exit"], way["then"]) for way in answer["exits"]] == [
        ("happened", ""), ("did_not_happen", "retry"), ("did_not_happen", "give_up"), ("still_pending", ""), ("must_be_undone", ""),
        ("cannot_tell", ""),
    ]  # fmt: skip
    assert all(way["allowed"] and way["next"].endswith(".") for way in answer["exits"])
    again = answer["exits"][1]
    assert again["title"] == "It did not happen → try again with the same key"
    assert f"with the same key cf-{effect.pk}" in again["next"]
    assert (again["attempts_left"], "attempt 2 of 3" in again["next"]) == (2, True)


def test_it_happened_with_a_file_that_is_given_back_as_an_attachment(oscar: Caller, effect: Effect) -> None:
    page = b"<script>alert(1)</script>"
    file = {"name": "page “1”.html", "media_type": "text/html", "content": base64.b64encode(page).decode()}
    receipt = resolve(oscar, effect, files=[file], result={"receipt": "r-77"}, reference="r-77")
    assert (receipt.status, receipt["finding"], receipt["state"]) == (200, "in_force", "succeeded")
    kept = oscar.get(f"effects/{effect.pk}/resolutions")["items"]
    assert [(each["exit"], each["state"], each["proposed_by"]["name"]) for each in kept] == [
        ("happened", "in_force", "Oscar Wren")
    ]
    response = oscar.client.get(
        f"/api/v1/evidence/{kept[0]['files'][0]['id']}", headers={"Authorization": f"Bearer {oscar.bearer}"}
    )
    assert (response.status_code, response.content, response["Content-Type"]) == (200, page, "application/octet-stream")
    assert response["Content-Disposition"].startswith("attachment; filename*=utf-8''page")
    assert response["X-Content-Type-Options"] == "nosniff"


def test_five_files_of_two_mebibytes_come_in_one_body(oscar: Caller, effect: Effect) -> None:
    content = base64.b64encode(b"x" * 2 * 1024 * 1024).decode()
    files = [{"name": f"{number}.bin", "content": content} for number in range(5)]
    assert resolve(oscar, effect, files=files).status == 200
    too_large = [{"name": "a.bin", "content": base64.b64encode(b"x" * (2 * 1024 * 1024 + 1)).decode()}]
    assert resolve(oscar, effect, files=too_large).code == "bad_evidence"
    assert resolve(oscar, effect, files=[{"name": "a", "content": "not base64!"}]).code == "invalid"
    assert oscar.post(f"effects/{effect.pk}/claim", b'"' + b"x" * 1024 * 1024 + b'"').status == 413


def test_a_finding_without_the_version_that_was_seen_is_refused(shop: Shop, oscar: Caller, effect: Effect) -> None:
    body = {"exit": "happened", "evidence": SEEN}
    for tag in ({}, {"If_Match": "*"}):
        assert oscar.post(f"effects/{effect.pk}/resolutions", body, **tag).code == "missing_version"
    seen = oscar.get(f"effects/{effect.pk}/exits").headers["ETag"]
    oscar.post(f"effects/{effect.pk}/claim")
    stale = oscar.post(f"effects/{effect.pk}/resolutions", body, If_Match=seen)
    assert (stale.status, stale.code, stale["state"]) == (412, "stale_version", "unknown")
    assert stale["version"] == shop.run(effect.run_id).ledger_seq


def test_a_second_person_confirms_declines_and_the_first_takes_back(shop: Shop) -> None:
    shop.change("amir", roles=["operator"])
    with_careful(shop)
    oscar, amir, ann = caller(shop), caller(shop, "amir"), caller(shop, "ann")
    effect = unknown(shop, "move", delay=3600)
    first = resolve(oscar, effect)
    assert (first["finding"], first["state"]) == ("proposed", "unknown")
    assert oscar.get("unknown")["items"][0]["waiting_finding"] == first["resolution"]
    waits = resolve(amir, effect, "did_not_happen", then="give_up")
    assert (waits.code, waits["resolution"]) == ("finding_waits", first["resolution"])
    at = f"resolutions/{first['resolution']}"
    assert oscar.post(f"{at}/confirm", {}).code == "second_person"
    assert ann.post(f"{at}/confirm", {}).code == "not_an_operator"
    assert amir.post(f"{at}/withdraw", {}).code == "not_your_finding"
    assert amir.post(f"{at}/decline", {"reason": "Another one."})["finding"] == "declined"
    assert amir.post(f"{at}/confirm", {}).code == "finding_decided"
    second = resolve(oscar, effect)
    assert oscar.post(f"resolutions/{second['resolution']}/withdraw", {})["finding"] == "withdrawn"
    third = resolve(oscar, effect)
    confirmed = amir.post(f"resolutions/{third['resolution']}/confirm", {"reason": "I see it too."}, key="yes")
    assert (confirmed["finding"], confirmed["state"]) == ("in_force", "succeeded")
    assert (
        amir.post(f"resolutions/{third['resolution']}/confirm", {"reason": "I see it too."}, key="yes")["replayed"]
        is True
    )
    assert CAREFUL


def test_ask_now_is_answered_by_retry_after_when_it_was_asked(shop: Shop, oscar: Caller, effect: Effect) -> None:
    assert oscar.post(f"effects/{effect.pk}/ask")["step"] == "status"
    again = oscar.post(f"effects/{effect.pk}/ask")
    assert (again.status, again.code, 1 <= int(again.headers["Retry-After"]) <= 5) == (409, "asked_just_now", True)
    settle(claimed(), "succeeded")
    assert oscar.post(f"effects/{effect.pk}/ask").code == "not_unknown"


@pytest.mark.parametrize("path", WRITES)
def test_each_write_refuses_others_by_name(shop: Shop, rival: Shop, effect: Effect, path: str) -> None:
    address, body = path.format(effect.pk), WRITES[path]
    tag = {"If_Match": f'"{shop.run(effect.run_id).ledger_seq}"'} if path.endswith("resolutions") else {}
    approver, auditor, stranger = caller(shop, "ann"), caller(shop, "dora"), caller(rival)
    reader = caller(shop, scopes=["recovery:read"])
    agent = Caller(key_for(shop, shop.agent, lasts=timedelta(days=1)))  # type: ignore[arg-type]  # a shop is one too
    assert approver.post(address, body, **tag).code == "not_an_operator"
    assert auditor.post(address, body, **tag).code == "not_an_operator"
    assert stranger.post(address, body, **tag).code == "not_found"
    assert reader.post(address, body, **tag).code == "missing_scope"
    assert agent.post(address, body, **tag).code == "wrong_kind_of_key"
    assert Caller(None).post(address, body, **tag).code == "not_authenticated"
    assert reader.post(address, body, key=None, **tag).code == "missing_scope"
    assert caller(shop).post(address, body, key=None, **tag).code == "missing_key"
    for method in ("PUT", "DELETE"):
        assert caller(shop).call(method, address, None, {}).status == 405
    assert (stored(effect).state, stored(effect).owner_id) == ("unknown", None)


def test_strangers_find_nothing_to_read(rival: Shop, shop: Shop, effect: Effect, oscar: Caller) -> None:
    file = {"name": "a.txt", "media_type": "text/plain", "content": "eA=="}
    resolve(oscar, effect, files=[file])
    kept = oscar.get(f"effects/{effect.pk}/resolutions")["items"][0]["files"][0]["id"]
    stranger = caller(rival)
    assert stranger.get("unknown")["items"] == []
    for address in (f"effects/{effect.pk}/exits", f"effects/{effect.pk}/resolutions", f"evidence/{kept}"):
        assert stranger.get(address).code == "not_found"


def test_idm_05_a_key_with_another_content_is_refused(oscar: Caller, effect: Effect) -> None:
    oscar.post(f"effects/{effect.pk}/claim", key="k")
    assert oscar.post(f"effects/{effect.pk}/claim", key="k")["replayed"] is True
    assert oscar.post(f"effects/{effect.pk}/ask", key="k").code == "key_reused"
    assert resolve(oscar, effect, key="k").code == "key_reused"
    assert stored(effect).state == "unknown"


def test_idm_03_a_key_of_another_tenant_is_another_key(shop: Shop, rival: Shop, effect: Effect) -> None:
    other = unknown(rival, delay=3600)
    first, second = resolve(caller(shop), effect, key="k"), resolve(caller(rival), other, key="k")
    assert (first["effect"], second["effect"], "replayed" in second.document) == (str(effect.pk), str(other.pk), False)


def test_idm_01_many_at_once_with_one_key_make_one_finding(shop: Shop, oscar: Caller, effect: Effect) -> None:
    seen = oscar.get(f"effects/{effect.pk}/exits").headers["ETag"]
    body = {"exit": "happened", "evidence": SEEN}

    def post() -> Answer:
        return Caller(oscar.bearer).post(f"effects/{effect.pk}/resolutions", body, key="one", If_Match=seen)

    answers = at_once(*[post] * 6)
    assert {answer.status for answer in answers} == {200}
    assert len({answer["resolution"] for answer in answers}) == 1
    assert len(oscar.get(f"effects/{effect.pk}/resolutions")["items"]) == 1
