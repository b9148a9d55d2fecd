"""Callbacks (R-F6, SEC-11): whoever signs is heard, once for each id, on record first; early ones wait, late ones change nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from console.crashpoint import CrashPointHit, arm
from runs.callbacks import naming
from runs.callbacks.queries import callbacks_of, unmatched_lately, unnamed
from runs.callbacks.receiving import receive
from runs.callbacks.signing import Message, signature
from runs.models import Effect
from tests import clock
from tests.cast import inside
from tests.hearing import SECRET, VARIABLE, heard, message, said, states, tell, told_of
from tests.record import findings, kinds
from tests.shop import Shop, draft
from tests.work import claim, claimed, end_leases, follow, settle, sweep


@pytest.fixture
def hears(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    """The shop, with an operation of which the bank tells by itself."""
    monkeypatch.setenv(VARIABLE, SECRET)
    shop.apply(told_of("send"))
    yield shop
    arm("")


def accepted(shop: Shop, reference: str = "op_1", key: str = "rent") -> tuple[UUID, Effect]:
    """Have an effect that the bank took on."""
    run = shop.accept(draft(key, operation="send"))
    settle(claimed(), "accepted", to="accepted", delay=5, http=202, reference=reference)
    return run, shop.effect(run, key)


def test_a_signed_callback_settles_what_was_accepted(hears: Shop) -> None:
    run, effect = accepted(hears)
    status, document = said(tell(message(effect.pk)))
    assert (status, set(document)) == (202, {"callback"})
    effect = hears.effect(run, "rent")
    assert (effect.state, effect.outcome, effect.result) == ("succeeded", "succeeded", '{"receipt":"re_1"}')
    assert (effect.next_attempt_at, effect.next_step) == (None, "")
    assert kinds(f"run:{run}")[-1] == "callback.applied"
    [callback] = heard()
    assert (callback.state, callback.outcome, callback.effect_id, callback.run_id) == (
        "applied", "succeeded", effect.pk, run,
    )  # fmt: skip
    with inside():
        assert callbacks_of(effect) == [callback]
    assert claim() == []


@pytest.mark.parametrize(
    ("status", "state", "reason"),
    [("refused", "rejected", "No such account."), ("partial", "partial", "No such account.")],
)
def test_the_contracts_table_says_what_a_message_means(hears: Shop, status: str, state: str, reason: str) -> None:
    run, effect = accepted(hears)
    tell(message(effect.pk, status, reason=reason))
    effect = hears.effect(run, "rent")
    assert (effect.state, effect.state_reason) == (state, reason)


def test_an_unknown_effect_is_settled_too(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    settle(claimed(), "unknown", to="unknown", delay=5, http=None)
    tell(message(hears.effect(run, "rent").pk))
    assert hears.states(run) == {"rent": "succeeded"}


def test_an_effect_is_found_by_the_other_sides_own_name(hears: Shop) -> None:
    run, _ = accepted(hears, "op_7")
    tell(message("", operation="op_7"))
    assert hears.states(run) == {"rent": "succeeded"}


def test_a_name_that_two_effects_have_names_neither(hears: Shop) -> None:
    first, _ = accepted(hears, "op_7")
    second, _ = accepted(hears, "op_7")
    tell(message("", operation="op_7"))
    with clock.at(16 * 60):
        sweep()
    assert (hears.states(first)["rent"], hears.states(second)["rent"]) == ("accepted", "accepted")
    assert states() == ["unmatched"]


def test_however_many_versions_there_are_a_message_takes_the_same_queries(hears: Shop) -> None:
    _, effect = accepted(hears, "op_7")
    tell(message("", operation="op_8"))
    one = asked_for(effect)
    for version in range(2, 7):
        hears.apply(told_of("send", version=version))
    with inside():
        assert len(naming.versions(hears.tenant.pk, "send")) == 6
    assert asked_for(effect) == one <= 2


def asked_for(effect: Effect) -> int:
    """Count the queries by which it is found out what a message names, by its key and by a name that nothing has."""
    (callback,) = heard()
    with inside(effect.tenant_id):
        rules = naming.versions(effect.tenant_id, "send")
        with CaptureQueriesContext(connections["default"]) as seen:
            assert naming.told(callback, rules) is None
    return len(seen)


def test_pending_is_only_noted(hears: Shop) -> None:
    run, effect = accepted(hears)
    tell(message(effect.pk, "pending"))
    after = hears.effect(run, "rent")
    assert (after.state, after.next_attempt_at) == ("accepted", effect.next_attempt_at)
    assert kinds(f"run:{run}")[-1] == "callback.noted"
    assert states() == ["applied"]


def test_what_the_table_does_not_know_teaches_nothing(hears: Shop) -> None:
    run, effect = accepted(hears)
    tell(message(effect.pk, "who-knows"))
    assert hears.states(run) == {"rent": "accepted"}
    assert states() == ["unclear"]


def test_what_is_not_ours_goes_to_a_person(hears: Shop) -> None:
    run, effect = accepted(hears)
    tell(message(effect.pk, "somebody-elses"))
    after = hears.effect(run, "rent")
    assert (after.state, after.outcome, after.next_attempt_at) == ("unknown", "conflict", None)
    assert after.unknown_since == after.next_alert_at is not None
    with clock.at(120):
        assert claim() == []


# Who is heard (SEC-11)


def refusals(hears: Shop, body: bytes, effect_id: UUID) -> list[Any]:
    """Send what must not be heard: everything that can be wrong, one thing at a time."""
    good = "webhook-id", "webhook-timestamp", "webhook-signature"
    return [
        *(tell(body, headers={name: None}) for name in good),
        *(tell(body, headers={name: ""}) for name in good),
        tell(body, headers={"webhook-id": "another"}),
        tell(body, headers={"webhook-id": "x" * 256}),
        tell(body, headers={"webhook-timestamp": "soon"}),
        tell(body, headers={"webhook-timestamp": "9" * 12}),
        tell(body, headers={"webhook-signature": "v1,AAAA"}),
        tell(body, headers={"webhook-signature": "v1a,AAAA v2,é"}),
        tell(body, secret="whsec_" + "A" * 32),
        tell(body, at=-301),
        tell(body, at=302),
        tell(body, slug="nobody"),
        tell(body, operation="pay"),
        tell(body, operation="none-such"),
        tell(body, operation="a b"),
        tell(body, operation="send%00"),
        tell(body, slug="shop%00"),
        tell(body, slug="a%00b"),
        tell(body, slug="s" * 300),
        tell(body, operation="s%C3%A9nd"),
    ]


def test_sec_11_whatever_is_wrong_is_refused_alike_and_changes_nothing(hears: Shop, rival: Shop) -> None:
    run, effect = accepted(hears)
    answers = refusals(hears, message(effect.pk), effect.pk)
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.content for answer in answers}) == 1
    assert (
        len({tuple(sorted((n, v) for n, v in answer.headers.items() if n != "X-Request-ID")) for answer in answers})
        == 1
    )
    assert heard() == []
    assert hears.states(run) == {"rent": "accepted"}


def test_sec_11_a_captured_callback_that_is_sent_again_does_nothing(hears: Shop) -> None:
    run, effect = accepted(hears)
    body = message(effect.pk)
    assert said(tell(body, ident="m"))[0] == 202
    entries = kinds(f"run:{run}")
    for _ in range(5):
        assert said(tell(body, ident="m")) == (200, {"duplicate": True})
    assert tell(body, ident="m", headers={"webhook-timestamp": None}).status_code == 401
    assert tell(body, ident="m", headers={"webhook-id": None}).status_code == 401
    assert tell(body, ident="m", headers={"webhook-id": "n"}).status_code == 401
    assert tell(body, ident="m", at=-600).status_code == 401
    assert tell(body[:-1] + b" ", ident="m", headers={"webhook-signature": "v1,x"}).status_code == 401
    assert kinds(f"run:{run}") == entries
    assert states() == ["applied"]


def test_the_time_is_the_databases(hears: Shop) -> None:
    _, effect = accepted(hears)
    with clock.at(3600):
        assert tell(message(effect.pk)).status_code == 401
        assert tell(message(effect.pk), at=3600).status_code == 202


def test_one_of_several_signatures_is_enough(hears: Shop) -> None:
    run, effect = accepted(hears)
    body = message(effect.pk)
    stamp = int(datetime.now(UTC).timestamp())
    several = f"v1,AAAA {signature(SECRET, 'k', stamp, body)} v2,x"
    sent = {"webhook-timestamp": str(stamp), "webhook-signature": several}
    assert tell(body, ident="k", headers={**sent}).status_code == 202
    assert hears.states(run) == {"rent": "succeeded"}


def test_while_a_secret_is_changed_the_one_of_before_signs_too(hears: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    run, effect = accepted(hears)
    monkeypatch.setenv(VARIABLE, "a new one, in plain words")
    assert tell(message(effect.pk)).status_code == 401
    monkeypatch.setenv(f"{VARIABLE}_PREVIOUS", SECRET)
    assert tell(message(effect.pk, "pending")).status_code == 202
    assert tell(message(effect.pk), secret="a new one, in plain words").status_code == 202
    assert hears.states(run) == {"rent": "succeeded"}


def test_without_a_secret_nobody_is_heard(hears: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    _, effect = accepted(hears)
    monkeypatch.delenv(VARIABLE)
    assert tell(message(effect.pk)).status_code == 401
    assert tell(message(effect.pk), secret="").status_code == 401


def test_another_versions_secret_tells_nothing_of_an_effect(hears: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which version is asked is the effect's own: who has the secret of another tells of that one's effects only."""
    run, effect = accepted(hears)
    hears.apply(told_of("send", version=2).replace("secret: bank-callback", "secret: bank-later"))
    monkeypatch.setenv("COUNTERFOIL_SECRET_BANK_LATER", "another")
    assert tell(message(effect.pk), secret="another").status_code == 202
    assert hears.states(run) == {"rent": "accepted"}
    assert states() == ["unmatched"]
    assert tell(message(effect.pk)).status_code == 202
    assert hears.states(run) == {"rent": "succeeded"}


def test_another_tenants_effect_is_not_named(hears: Shop, rival: Shop) -> None:
    rival.apply(told_of("send"))
    run, effect = accepted(hears)
    assert tell(message(effect.pk), slug=rival.tenant.slug).status_code == 202
    assert hears.states(run) == {"rent": "accepted"}
    assert states() == ["unmatched"]


def test_a_body_is_bounded_and_text(hears: Shop) -> None:
    assert said(tell(b"x" * 65_537))[1]["code"] == "message_too_large"
    assert tell(b"x" * 65_536).status_code == 202
    for raw in (b"\xff", b'{"a": "\x00"}'):
        assert said(tell(raw))[1]["code"] == "unreadable_message"
    assert tell(b"x" * 65_537, secret="wrong").status_code == 413


# What names nothing


@pytest.mark.parametrize("body", [b"no json", b"[]", b"{}", b'{"data": {"key": "cf-nothing"}}', message(uuid4())])
def test_what_names_no_effect_is_kept_and_seen(hears: Shop, body: bytes) -> None:
    assert tell(body).status_code == 202
    [callback] = heard()
    assert (callback.state, callback.note) == ("unmatched", "It names no effect of this operation.")
    with inside():
        assert unnamed(hears.tenant.pk, None, 10) == [callback]
        assert unmatched_lately(hears.tenant.pk, 10) == 1
    with clock.at(25 * 3600), inside():
        assert unmatched_lately(hears.tenant.pk, 10) == 0


# Early, late, in any order


def test_a_callback_that_comes_before_the_answer_waits_for_it(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    attempt = claimed()
    effect = hears.effect(run, "rent")
    tell(message(effect.pk))
    assert (hears.states(run), states()) == ({"rent": "dispatched"}, ["recorded"])
    assert kinds(f"run:{run}")[-1] == "callback.waits"
    with inside():
        assert len(callbacks_of(effect)) == 1
    with clock.at(3):
        sweep()
    assert states() == ["recorded"]
    settle(attempt, "accepted", to="accepted", delay=5, http=202, reference="op_1")
    with clock.at(10):
        assert sweep()["callbacks applied"] == 1
    assert (hears.states(run), states()) == ({"rent": "succeeded"}, ["applied"])
    assert kinds(f"run:{run}").count("callback.waits") == 1


def test_an_early_callback_that_names_only_the_operation_waits_for_the_name(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    attempt = claimed()
    tell(message("", operation="op_1"))
    assert states() == ["recorded"]
    with inside():
        assert [each.state for each in unnamed(hears.tenant.pk, None, 10)] == ["recorded"], "seen while it waits"
        assert unmatched_lately(hears.tenant.pk, 10) == 0
    settle(attempt, "accepted", to="accepted", delay=5, http=202, reference="op_1")
    with clock.at(10):
        sweep()
    assert (hears.states(run), states()) == ({"rent": "succeeded"}, ["applied"])
    with inside():
        assert unnamed(hears.tenant.pk, None, 10) == []


def test_an_early_callback_about_an_attempt_that_was_lost_settles_the_unknown(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    claimed()
    tell(message(hears.effect(run, "rent").pk))
    with clock.at(31):
        end_leases()
        assert hears.states(run) == {"rent": "unknown"}
    with clock.at(60):
        sweep()
    assert hears.states(run) == {"rent": "succeeded"}


def test_what_is_late_is_kept_and_changes_nothing(hears: Shop) -> None:
    run, effect = accepted(hears)
    tell(message(effect.pk))
    before = hears.effect(run, "rent")
    tell(message(effect.pk, "refused", reason="No."))
    after = hears.effect(run, "rent")
    assert (after.state, after.ended_at, after.state_reason) == (before.state, before.ended_at, before.state_reason)
    assert states() == ["applied", "late"]
    assert kinds(f"run:{run}")[-1] == "callback.late"


@pytest.mark.parametrize(
    "order", [["committed", "pending"], ["pending", "committed"], ["committed", "committed", "pending"]]
)
@pytest.mark.parametrize("early", [True, False])
def test_in_whatever_order_they_come_the_end_is_the_same(hears: Shop, order: list[str], early: bool) -> None:
    run = hears.accept(draft("rent", operation="send"))
    attempt, effect = claimed(), hears.effect(run, "rent")
    if not early:
        settle(attempt, "accepted", to="accepted", delay=5, http=202)
    for status in order:
        tell(message(effect.pk, status))
    if early:
        settle(attempt, "accepted", to="accepted", delay=5, http=202)
        with clock.at(10):
            sweep()
    after = hears.effect(run, "rent")
    assert (after.state, after.result, after.outcome) == ("succeeded", '{"receipt":"re_1"}', "succeeded")
    assert "recorded" not in states()


def to_be_done_again(shop: Shop) -> tuple[UUID, Effect]:
    """Have an effect that went out, of which it was found that it did not happen, to be done again in a minute."""
    run = shop.accept(draft("rent", operation="send"))
    settle(claimed(), "unknown", to="unknown", delay=0, http=None)
    look = claimed()
    assert look["kind"] == "status"
    settle(look, "absent", to="ready", delay=60, http=404)
    return run, shop.effect(run, "rent")


@pytest.mark.parametrize(
    ("status", "state"), [("committed", "succeeded"), ("partial", "partial"), ("refused", "rejected")]
)
def test_proof_that_comes_while_it_is_to_be_done_again_settles_it_and_nothing_is_sent(
    hears: Shop, status: str, state: str
) -> None:
    run, effect = to_be_done_again(hears)
    assert effect.state == "ready"
    tell(message(effect.pk, status, reason="No."))
    assert (hears.states(run), states()) == ({"rent": state}, ["applied"])
    assert hears.effect(run, "rent").next_attempt_at is None
    with clock.at(120):
        assert claim() == []


@pytest.mark.parametrize("status", ["pending", "somebody-elses", "who-knows"])
def test_what_proves_nothing_leaves_it_to_be_done_again(hears: Shop, status: str) -> None:
    run, effect = to_be_done_again(hears)
    tell(message(effect.pk, status))
    assert hears.states(run) == {"rent": "ready"}
    assert "recorded" not in states()
    with clock.at(61):
        assert claimed()["kind"] == "act"


def test_what_was_told_of_before_the_answer_is_taken_before_it_is_sent_again(hears: Shop) -> None:
    """The message waits for the answer, which says that it was too busy; then the message counts, and not the retry."""
    run = hears.accept(draft("rent", operation="send"))
    first = claimed()
    tell(message(hears.effect(run, "rent").pk))
    settle(first, "overload", to="ready", delay=0, http=503)
    assert (hears.states(run), states()) == ({"rent": "ready"}, ["recorded"])
    assert claim() == []
    with clock.at(10):
        sweep()
        assert claim() == []
    assert (hears.states(run), states()) == ({"rent": "succeeded"}, ["applied"])


def test_a_message_about_what_never_went_out_waits(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    tell(message(hears.effect(run, "rent").pk, "refused", reason="No."))
    assert (hears.states(run), states()) == ({"rent": "ready"}, ["recorded"])
    assert claimed()["kind"] == "act"


@pytest.mark.parametrize(
    ("status", "state", "became"), [("refused", "accepted", "late"), ("pending", "accepted", "late"), ("committed", "succeeded", "applied")]
)  # fmt: skip
def test_a_message_that_was_signed_before_it_was_done_again_is_no_word_about_that(
    hears: Shop, status: str, state: str, became: str
) -> None:
    run, effect = to_be_done_again(hears)
    with clock.at(90):
        settle(claimed(), "accepted", to="accepted", delay=600, http=202)
        tell(message(effect.pk, status, reason="No."), at=30)
        assert (hears.states(run), states()) == ({"rent": state}, [became])
        assert kinds(f"run:{run}")[-1] == f"callback.{became}"
        tell(message(effect.pk, "refused", reason="No."), at=95)
    assert hears.states(run) == {"rent": "rejected" if state == "accepted" else "succeeded"}


def test_the_permission_of_what_was_done_already_is_not_left_to_be_used(hears: Shop) -> None:
    run, effect = to_be_done_again(hears)
    asks = "{name: all, then: ask, ask: {groups: [finance], quorum: 1, decide_within_seconds: 1800, use_within_seconds: 900}}"
    refused = hears.apply(
        "{apiVersion: counterfoil/v1, kind: Policy, name: rest, version: 2, description: The rest is asked., operations: ['*'],"
        f" rules: [{asks}], otherwise: deny}}"
    )[0].faults
    assert not refused
    sweep()
    hears.approve(hears.request(run, "rent"), "ann")
    follow()
    assert (hears.states(run), hears.request(run, "rent").state) == ({"rent": "ready"}, "approved")
    tell(message(effect.pk))
    assert (hears.states(run), hears.request(run, "rent").state) == ({"rent": "succeeded"}, "lapsed")
    assert findings() == []


def test_a_conflict_that_was_told_of_is_not_undone_by_a_look_that_was_under_way(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    settle(claimed(), "unknown", to="unknown", delay=0, http=None)
    look, effect = claimed(), hears.effect(run, "rent")
    tell(message(effect.pk, "somebody-elses"))
    assert settle(look, "absent", to="ready", delay=0, http=404) == [look["attempt_id"]]
    after = hears.effect(run, "rent")
    assert (after.state, after.outcome, after.next_attempt_at) == ("unknown", "conflict", None)
    assert [attempt.state for attempt in hears.attempts(run, "rent")] == ["ended", "lost"]
    with clock.at(120):
        sweep()
        assert claim() == []


def test_a_message_whose_name_two_effects_have_meanwhile_ends_in_the_record(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    settle(claimed(), "overload", to="ready", delay=0, http=503, reference="op_7")
    claimed()
    tell(message("", operation="op_7"))
    assert kinds(f"run:{run}")[-1] == "callback.waits"
    other = hears.accept(draft("gas", operation="send"))
    settle(claimed(), "accepted", to="accepted", delay=600, http=202, reference="op_7")
    with clock.at(10):
        sweep()
    assert states() == ["unclear"]
    assert kinds(f"run:{run}")[-1] == "callback.noted"
    assert (hears.states(run), hears.states(other)) == ({"rent": "dispatched"}, {"gas": "accepted"})
    assert findings() == []


def test_a_callback_lets_a_run_that_closes_come_to_its_end(hears: Shop) -> None:
    run, effect = accepted(hears)
    hears.fail(run)
    assert hears.state(run) == "closing"
    tell(message(effect.pk))
    assert hears.state(run) == "failed"
    assert hears.states(run) == {"rent": "succeeded"}


def test_can_01_a_callback_never_revives_a_run(hears: Shop) -> None:
    run = hears.accept(draft("rent", operation="send"))
    effect = hears.effect(run, "rent")
    hears.fail(run)
    assert (hears.state(run), hears.states(run)) == ("failed", {"rent": "withdrawn"})
    tell(message(effect.pk))
    assert (hears.state(run), hears.states(run)) == ("failed", {"rent": "withdrawn"})
    assert states() == ["late"]


# A crash between the two


def test_what_a_crash_left_on_record_is_applied_by_the_clock(hears: Shop) -> None:
    run, effect = accepted(hears)
    arm("callback.recorded_before_apply:1:raise")
    with pytest.raises(CrashPointHit):
        tell_through(message(effect.pk))
    assert (hears.states(run), states()) == ({"rent": "accepted"}, ["recorded"])
    with clock.at(1):
        assert "callbacks applied" not in sweep()
    with clock.at(3):
        assert sweep()["callbacks applied"] == 1
    assert (hears.states(run), states()) == ({"rent": "succeeded"}, ["applied"])
    assert said(tell(message(effect.pk), ident="the-one")) == (200, {"duplicate": True})


def tell_through(body: bytes) -> None:
    """Take a message in without the door, which would answer for the crash."""
    stamp = int(datetime.now(UTC).timestamp())
    headers = {
        "webhook-id": "the-one", "webhook-timestamp": str(stamp), "webhook-signature": signature(SECRET, "the-one", stamp, body),
    }  # fmt: skip
    receive("shop", "send", Message.read(headers, body))
