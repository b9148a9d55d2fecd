"""Signals from outside (R-I1, SEC-11): whoever signs with the contract's secret is heard, once for each id; the message says what about."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.shop import Shop
from tests.signalling import (
    SECRET,
    VARIABLE,
    agreed,
    bodies,
    hearing_type,
    signals,
    states,
    tell,
    wait_for,
)


@pytest.fixture
def hears(shop: Shop) -> Iterator[Shop]:
    """The shop, with a type of run that hears signed messages."""
    shop.apply(hearing_type())
    with agreed():
        yield shop


def answer_of(answer: Any) -> tuple[int, Any]:
    return answer.status_code, answer.json()


def test_a_signed_message_wakes_the_run_that_waits_for_what_it_is_about(hears: Shop) -> None:
    run = hears.accept(goal="Wait", run_type="hearing")
    wait_for(hears, run, "paid", "1042")
    status, said = answer_of(tell({"order": "1042", "amount": 3}, ident="m-1"))
    (signal,) = signals()
    assert (status, said) == (202, {"signal": str(signal.pk)})
    assert (signal.source, signal.sender, signal.message_id) == ("webhook", "webhook:hearing", "m-1")
    assert (hears.state(run), bodies(run)) == ("running", [{"order": "1042", "amount": 3}])


def test_the_same_message_again_is_a_repetition_whatever_it_says(hears: Shop) -> None:
    tell({"order": "1042"}, ident="m-1")
    assert answer_of(tell({"order": "1042"}, ident="m-1")) == (200, {"duplicate": True})
    assert answer_of(tell({"order": "1043"}, ident="m-1")) == (200, {"duplicate": True})
    assert (len(signals()), states()) == (1, ["kept"])


def test_a_template_may_name_several_parts_of_the_message(hears: Shop) -> None:
    tell({"from": "here", "to": "there"}, name="moved")
    assert [signal.correlation for signal in signals()] == ["here to there"]


WRONG: dict[str, dict[str, Any]] = {
    "another secret": {"secret": "whsec_" + "A" * 32},
    "no signature": {"headers": {"webhook-signature": None}},
    "no id": {"headers": {"webhook-id": None}},
    "an old time": {"at": -400},
    "a time to come": {"at": 400},
    "a tenant that is not there": {"slug": "nobody"},
    "a run type that is not there": {"run_type": "nothing"},
    "a run type that hears nothing": {"run_type": "errand"},
    "a signal that the contract does not know": {"name": "stolen"},
}


@pytest.mark.parametrize("how", WRONG.values(), ids=WRONG)
def test_whatever_is_not_signed_for_here_is_refused_in_the_same_words_and_leaves_nothing(
    hears: Shop, how: dict[str, Any]
) -> None:
    answer = tell({"order": "1042"}, **how)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed")
    assert answer.json()["detail"] == tell(b"{}", secret="whsec_" + "B" * 32).json()["detail"]
    assert signals() == []


def test_without_the_secret_in_the_environment_nobody_is_heard(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.apply(hearing_type())
    monkeypatch.delenv(VARIABLE, raising=False)
    assert tell({"order": "1042"}).status_code == 401


def test_the_secret_of_before_is_still_good_while_it_is_changed(hears: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "whsec_" + "C" * 32)
    monkeypatch.setenv(f"{VARIABLE}_PREVIOUS", SECRET)
    assert tell({"order": "1042"}).status_code == 202


@pytest.mark.parametrize("body", [{"other": 1}, {"order": ""}, {"order": "x" * 256}, {"order": None}, [1], b"no json"])
def test_a_message_that_does_not_say_what_it_is_about_is_refused(hears: Shop, body: Any) -> None:
    answer = tell(body)
    assert (answer.status_code, answer.json()["code"]) == (422, "no_correlation")
    assert signals() == []


def test_a_message_that_is_no_text_is_refused(hears: Shop) -> None:
    assert tell(b"\xff{").json()["code"] == "unreadable_message"
    assert tell(b'{"order": "a\\u0000b"}').json()["code"] in {"unreadable_message", "no_correlation"}
    assert signals() == []


def test_a_message_that_is_too_large_is_refused(hears: Shop) -> None:
    answer = tell({"order": "1042", "more": "x" * 65_536})
    assert (answer.status_code, answer.json()["code"]) == (413, "message_too_large")


def test_the_address_takes_posts_only(hears: Shop) -> None:
    answer = Client().get("/api/v1/signals/shop/hearing/paid")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_runs_of_an_earlier_version_are_still_reached_by_what_it_says(hears: Shop) -> None:
    hears.apply(hearing_type(version=2).replace("shop-webhooks", "newer-secret"))
    assert tell({"order": "1042"}).status_code == 202


def test_it_says_how_long_it_is_kept(hears: Shop) -> None:
    tell({"order": "1042"})
    (signal,) = signals()
    assert signal.expires_at is not None
    assert (signal.expires_at - signal.received_at).total_seconds() == 3600
