"""R-M1, R-E5: what finished runs said can be erased; that it was, what became of it and that nobody altered it can still be shown."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connections
from django.db.utils import ProgrammingError

from approvals.models import Decision, Request
from console import clock
from console.database import crossing_tenants
from console.exact import canonical
from console.http.models import IdempotencyRecord
from console.http.refusals import KeyExpired
from console.ledger.actors import Actor
from console.ledger.models import Entry, Payload
from runs import erasing
from runs.models import Attempt, Callback, Effect, Run
from runs.performing import PermitOver
from tests import pending
from tests.api.desk import Caller, key_for
from tests.cast import inside, later, signed_in
from tests.hearing import agreed, heard, message, tell, told_of
from tests.ledger.story import Story, altered
from tests.permits import begin, hand_back, ready, report, with_permits
from tests.record import findings, forger, kinds, told
from tests.shop import Shop, draft
from tests.work import claim, claimed, follow, settle

YEAR = {"days": 366}
WHY = "kept for a year, and that is over"


def clerk(shop: Shop) -> Actor:
    """The one whose admin role lets things be erased: dora."""
    return shop.actor("dora", via="command")


def erase(shop: Shop, run: UUID, by: Actor | None = None, reason: str = WHY) -> dict[str, Any]:
    """Erase a run, as the command does."""
    with crossing_tenants():
        return erasing.erase(by or clerk(shop), run, reason=reason)


def everything(run: UUID) -> str:
    """Give all that the rows and entries about a run say, as one text."""
    with inside():
        effects = list(Effect.objects.filter(run_id=run))
        asked = list(Request.objects.filter(subject__in=[effect.pk for effect in effects]))
        heard = Callback.objects.filter(run_id=run)
        rows: list[Any] = [*heard, *Run.objects.filter(pk=run), *effects, *asked, *Attempt.objects.filter(run_id=run)]
        rows += Decision.objects.filter(request__in=asked)
        streams = [f"run:{run}", *(request.stream() for request in asked)]
        said = Payload.objects.filter(entry__stream__in=streams, body__isnull=False).values_list("body", flat=True)
        return "\n".join([*(str(value) for row in rows for value in vars(row).values()), *map(str, said)])


@pytest.fixture
def said(shop: Shop) -> UUID:
    """A finished run in which every text there is says something that nobody else says."""
    run = shop.accept(
        draft("paid", "500", to="secret-payee", reason="secret-reason"), draft("lost", to="secret-second"),
        draft("denied", "400", to="secret-third"), goal="secret-goal", holder="secret-process",
    )  # fmt: skip
    shop.approve(shop.request(run, "paid"), "ann", "secret-approval")
    shop.deny(shop.request(run, "denied"), "amir", "secret-denial")
    follow()
    first, second = sorted(claim(), key=lambda row: str(row["key"]), reverse=True)
    settle(
        first,
        result={"receipt": "secret-receipt"},
        reason="secret-answer",
        reference="secret-ref",
        says="secret-evidence",
    )
    settle(second, "rejected", reason="secret-rejection", says="secret-refusal")
    shop.fail(run, "secret-giving-up")
    return run


def test_nothing_that_was_said_is_left_and_what_became_of_it_is(shop: Shop, said: UUID) -> None:
    assert everything(said).count("secret-") > 30
    before = {
        effect.pk: (effect.state, effect.effect_digest, effect.intent_digest, effect.key) for effect in _effects(said)
    }
    with later(**YEAR):
        receipt = erase(shop, said)
    assert "secret-" not in everything(said)
    assert {
        effect.pk: (effect.state, effect.effect_digest, effect.intent_digest, effect.key) for effect in _effects(said)
    } == before
    assert receipt["payloads"] > 10
    run = shop.run(said)
    assert (run.goal, run.state, run.erased_at is not None) == ("[erased]", "failed", True)
    assert all(attempt.evidence is None and attempt.evidence_digest for attempt in shop.attempts(said, "paid"))


def _effects(run: UUID) -> list[Effect]:
    with inside():
        return list(Effect.objects.filter(run_id=run).order_by("number"))


def test_what_the_other_side_told_by_itself_is_erased_and_that_it_did_remains(shop: Shop) -> None:
    shop.apply(told_of("send"))
    run = shop.accept(draft("post", operation="send"))
    sent, effect = claimed(), shop.effect(run, "post")
    settle(sent, "accepted", http=202, reference="op-8", delay=3600)
    with agreed():
        for status in ("refused", "committed"):
            tell(message(effect.pk, status, reason="secret-no"), slug=shop.tenant.slug)
    shop.fail(run)
    assert everything(run).count("secret-") > 4
    with later(**YEAR):
        erase(shop, run)
    assert "secret-" not in everything(run)
    assert [(each.state, each.outcome, each.body, bool(each.body_digest)) for each in heard()] == [
        ("applied", "rejected", None, True), ("late", "succeeded", None, True),
    ]  # fmt: skip
    assert findings() == []
    with later(**YEAR), agreed():
        tell(message(effect.pk, reason="secret-later"), slug=shop.tenant.slug, at=366 * 86400)
    assert heard()[-1].state == "late"
    assert "secret-" not in everything(run)
    assert findings() == []


def test_the_record_holds_and_says_who_erased_it_when_and_why(shop: Shop, said: UUID) -> None:
    with later(**YEAR):
        erase(shop, said)
    assert findings() == []
    with inside():
        entry = Entry.objects.select_related("payload").get(stream=f"run:{said}", kind="run.erased")
        erased = Payload.objects.filter(entry__stream=f"run:{said}", body=None)
        assert {payload.erased_at for payload in erased} == {entry.at}
    assert entry.actor == f"member:{shop.members['dora'].pk}"
    facts = dict(told(f"run:{said}"))["run.erased"]
    assert facts["reason"] == WHY
    assert kinds(f"run:{said}") == ["run.erased", *["effect.remains"] * 3]


def test_rows_of_every_kind_survive_it_and_verify_clean(story: Story) -> None:
    """Every table of the record has rows in this story; both of its runs are erased where nothing is left open."""
    shop = story.shop
    rent = shop.effect(story.run, "rent")
    assert rent.state == "unknown"
    with later(**YEAR):
        with pytest.raises(erasing.NotToErase) as refusal:
            erase(shop, story.run)
        assert refusal.value.facts["open"] == [str(rent.pk)]
        erase(shop, story.closed)
    assert findings() == []
    assert {row.erased_at is None for row in _requests(story.closed)} == {False}


def _requests(run: UUID) -> list[Request]:
    with inside():
        return list(Request.objects.filter(subject__in=Effect.objects.filter(run_id=run).values("pk")))


def test_whoever_alters_what_remains_is_still_found_out(shop: Shop, said: UUID) -> None:
    with later(**YEAR):
        erase(shop, said)
    paid = shop.effect(said, "paid")
    attempt, request = shop.attempts(said, "paid")[0], shop.request(said, "paid")
    with inside():
        decision = Decision.objects.get(request=request)
    for row, column in (
        (paid, "outcome"), (paid, "effect_digest"), (paid, "summary"), (attempt, "outcome"), (attempt, "evidence_digest"),
        (request, "rule"), (decision, "shown_digest"), (decision, "reason"), (shop.run(said), "goal"), (shop.run(said), "key"),
    ):  # fmt: skip
        with altered(row._meta.db_table, row.pk, column):
            assert [column in finding.where for finding in findings()] == [True], (row, column)
    assert findings() == []


def test_a_payload_that_went_without_an_entry_that_says_so_is_found(shop: Shop, said: UUID) -> None:
    with forger() as hand:
        hand.execute(
            "update ledger_payload set body = null, erased_at = now() "
            "where entry_id = (select max(id) from ledger_entry where stream = %s)",
            [f"run:{said}"],
        )
    found = findings()
    shop.verified = False
    assert "it was erased, and no entry says so" in {finding.detail for finding in found}


def test_nobody_erases_a_payload_by_hand(shop: Shop, said: UUID) -> None:
    with pytest.raises(ProgrammingError, match="append-only"), connections["owner"].cursor() as cursor:
        cursor.execute("update ledger_payload set body = null, erased_at = now()")


@pytest.mark.parametrize(
    "call",
    [
        "select ledger_erase(gen_random_uuid(), '{}', '{}', now())",
        "select ledger_forget_refusals(gen_random_uuid(), now(), 1)",
        "select approvals_erase_reasons('{}')",
    ],
)
def test_the_role_that_serves_may_not_erase(shop: Shop, call: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"), connections["default"].cursor() as cursor:
        cursor.execute(call)


def test_the_workers_role_erases_nothing_that_no_entry_announces(shop: Shop, said: UUID) -> None:
    call = "select ledger_erase(%s, array[%s], array[99::bigint], now())"
    with pytest.raises(ProgrammingError, match="append-only"), connections["worker"].cursor() as cursor:
        cursor.execute(call, [shop.tenant.pk, f"run:{said}"])


def test_a_decision_keeps_its_reason_until_its_request_is_erased(shop: Shop, said: UUID) -> None:
    with connections["worker"].cursor() as cursor:
        cursor.execute("select approvals_erase_reasons(array[%s])", [shop.request(said, "paid").pk])
        assert cursor.fetchone() == (0,)


def _running(shop: Shop) -> UUID:
    return shop.accept(draft("a"))


def _unknown(shop: Shop) -> UUID:
    run = shop.accept(draft("a"), run_type="lenient")
    settle(claimed(), "unknown", delay=10**7)
    shop.complete(run, accepting=[shop.effect(run, "a").pk])
    assert shop.state(run) == "succeeded_with_unresolved"
    return run


def _half_done(shop: Shop) -> UUID:
    run = shop.accept(draft("a"))
    settle(claimed(), "partial")
    shop.fail(run, "Half of it was paid.")
    assert (shop.state(run), shop.effect(run, "a").state) == ("failed", "partial")
    return run


def _half_done_and_accepted(shop: Shop) -> UUID:
    run = shop.accept(draft("a"), run_type="lenient")
    settle(claimed(), "partial")
    shop.complete(run, accepting=[shop.effect(run, "a").pk])
    assert shop.state(run) == "succeeded_with_unresolved"
    return run


def _held(shop: Shop) -> UUID:
    run = _done(shop)
    with crossing_tenants():
        erasing.hold(clerk(shop), run, reason="The court asks for it.")
    return run


def _done(shop: Shop) -> UUID:
    run = shop.accept(draft("a"))
    settle(claimed())
    shop.complete(run)
    return run


@pytest.mark.parametrize("make", [_running, _unknown, _half_done, _half_done_and_accepted, _held])
def test_nothing_is_erased_of_a_run_that_goes_on_or_is_unknown_or_half_done_or_on_hold(
    shop: Shop, make: Callable[[Shop], UUID]
) -> None:
    run = make(shop)
    with later(**YEAR), pytest.raises(erasing.NotToErase):
        erase(shop, run)
    assert shop.run(run).goal == "Pay bob"


def test_nothing_is_erased_while_a_key_of_the_run_is_good(shop: Shop) -> None:
    run = _done(shop)
    with pytest.raises(erasing.NotToErase), later(days=29):
        erase(shop, run)
    with later(days=31):
        erase(shop, run)


def test_a_hold_ends_with_its_release(shop: Shop) -> None:
    run = _held(shop)
    with crossing_tenants():
        erasing.release(clerk(shop), run, reason="The court is done.")
    with later(**YEAR):
        erase(shop, run)


@pytest.mark.parametrize("name", ["ann", "oscar"])
def test_only_an_admin_erases(shop: Shop, name: str) -> None:
    run = _done(shop)
    with later(**YEAR), pytest.raises(erasing.NotAnAdmin):
        erase(shop, run, shop.actor(name))


def test_an_admin_who_is_one_no_more_does_not_erase(shop: Shop) -> None:
    run, dora = _done(shop), clerk(shop)
    shop.change("ann", roles=["admin"])
    shop.change("dora", roles=[])
    with later(**YEAR), pytest.raises(erasing.NotAnAdmin):
        erase(shop, run, dora)


def test_an_agent_does_not_erase_its_own_traces(shop: Shop) -> None:
    run = _done(shop)
    with later(**YEAR), pytest.raises(erasing.NotAnAdmin):
        erase(shop, run, shop.bot)


def test_somebody_elses_run_is_not_there(shop: Shop, rival: Shop) -> None:
    from console.http.refusals import NotFound

    run = _done(shop)
    with later(**YEAR), pytest.raises(NotFound):
        erase(shop, run, rival.actor("dora"))


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_a_reason_is_needed(shop: Shop, reason: str) -> None:
    run = _done(shop)
    with later(**YEAR), pytest.raises(erasing.ReasonMissing):
        erase(shop, run, reason=reason)


def test_what_is_erased_is_erased_once(shop: Shop) -> None:
    run = _done(shop)
    with later(**YEAR):
        erase(shop, run)
        with pytest.raises(erasing.AlreadyErased):
            erase(shop, run)


def test_a_run_whose_record_does_not_hold_keeps_what_it_says(shop: Shop, said: UUID) -> None:
    paid = shop.effect(said, "paid")
    with later(**YEAR), altered("runs_effect", paid.pk, "summary"), pytest.raises(erasing.DoesNotHold) as refusal:
        erase(shop, said)
    assert "summary" in refusal.value.facts["first"]
    assert shop.run(said).erased_at is None


def test_the_run_key_is_not_taken_anew_after_the_contents_went(shop: Shop) -> None:
    run = shop.accept(draft("a"), key="the-key")
    settle(claimed())
    shop.complete(run)
    with later(**YEAR):
        erase(shop, run)
        with pytest.raises(KeyExpired):
            shop.accept(draft("a"), key="the-key")


def test_receipts_about_the_run_say_nothing_more_and_their_keys_do_nothing_anew(shop: Shop) -> None:
    """A permit holds the arguments and a report its reason; both are given again to whoever sends the key again."""
    effect = ready(with_permits(shop), to="secret-payee")
    other = ready(shop, to="another-payee")
    begin(shop.bot, other, key="begin-other")
    permit = begin(shop.bot, effect, key="begin-it")
    again = begin(shop.bot, effect, key="begin-it")
    hand_back(shop.bot, permit, "secret-reason")
    second = begin(shop.bot, effect, key="begin-again")
    report(shop.bot, second, "rejected", reason="secret-reason", key="report-it")
    shop.fail(effect.run_id, "secret-end")
    assert again["arguments"]["to"] == "secret-payee"
    with inside():
        assert "secret-" in "".join(IdempotencyRecord.objects.values_list("body", flat=True))
    with later(**YEAR), inside():
        IdempotencyRecord.objects.update(expires_at=clock.now() + timedelta(days=1))  # the keys themselves are good
    with later(**YEAR):
        erase(shop, effect.run_id)
        for send in (
            lambda: begin(shop.bot, effect, key="begin-it"),
            lambda: begin(shop.bot, effect, key="begin-again"),
            lambda: report(shop.bot, second, "rejected", reason="secret-reason", key="report-it"),
        ):
            with pytest.raises(KeyExpired) as refusal:
                send()
            assert refusal.value.status == 410
        with pytest.raises(PermitOver):  # of another run: its receipt is there, and its lease is over
            begin(shop.bot, other, key="begin-other")
    with inside():
        left = "".join(IdempotencyRecord.objects.values_list("body", flat=True))
        assert ("secret-" in left, "another-payee" in left) == (False, True)
        assert IdempotencyRecord.objects.filter(status=410).count() == 5
    assert len(shop.attempts(effect.run_id, "a")) == 2


def test_receipts_of_decisions_and_withdrawals_go_too(shop: Shop) -> None:
    run = shop.accept(draft("a", "500"), draft("b", "500"))
    shop.approve(shop.request(run, "a"), key="the decision")
    shop.withdraw(run, "b", "secret-change-of-mind")
    follow()
    settle(claimed())
    shop.fail(run, "secret-end")
    with later(**YEAR):
        erase(shop, run)
        with pytest.raises(KeyExpired):
            shop.approve(shop.request(run, "a"), key="the decision")
    with inside():
        assert set(IdempotencyRecord.objects.values_list("status", "body")) == {(410, "")}


def test_the_api_says_that_it_was_erased(shop: Shop, said: UUID) -> None:
    agent = Caller(key_for(shop, lasts=timedelta(days=800)))  # type: ignore[arg-type]
    with later(**YEAR):
        erase(shop, said)
        run, effects = agent.get(f"runs/{said}"), agent.get(f"runs/{said}/effects")
        request = agent.get(f"approvals/{shop.request(said, 'paid').pk}")
        history = agent.get(f"runs/{said}/history")
    assert (run["goal"], run["erased_at"] is not None) == ("[erased]", True)
    assert [(effect["summary"], effect["arguments"]) for effect in effects["items"]] == [("[erased]", None)] * 3
    assert (request["summary"], request["arguments"], request["shown"]) == ("[erased]", None, None)
    assert {entry["payload"] is None for entry in history["items"] if entry["erased_at"]} == {True}
    assert [entry["kind"] for entry in history["items"] if not entry["erased_at"]][:1] == ["run.erased"]
    assert "secret-" not in json.dumps(
        [run.raw.decode(), effects.raw.decode(), request.raw.decode(), history.raw.decode()]
    )


def test_the_pages_say_that_it_was_erased_and_by_whom(shop: Shop, said: UUID) -> None:
    with later(**YEAR):
        erase(shop, said)
        dora = signed_in(shop.members["dora"])
        run = dora.get(f"/runs/{said}").content.decode()
        card = dora.get(f"/approvals/{shop.request(said, 'paid').pk}").content.decode()
        listed = dora.get("/runs").content.decode()
    assert "What this run said was erased on" in run
    assert f"Erased what the run said, and kept what became of it: {WHY}." in run
    assert "Chain intact" in run
    assert "Began an attempt; of which effect, and how, is erased." in run
    assert "None" not in run
    assert "What was asked here was erased on" in card
    assert "[erased]" in listed
    assert not [page for page in (run, card, listed) if "secret-" in page]


def test_the_system_erases_by_the_settings(shop: Shop) -> None:
    run = _done(shop)
    clock = Actor("system", None, "clock", shop.tenant.pk, "clock")
    with later(**YEAR):
        erase(shop, run, clock)
    assert canonical(dict(told(f"run:{run}"))["run.erased"]["reason"]) == canonical(WHY)


def test_receipts_of_waits_that_were_taken_back_go_too(shop: Shop) -> None:
    run = shop.accept()
    pending.open_wait(shop, run, pending.signal(name="secret-name"))
    pending.take_back(shop, run, "secret-name")
    shop.fail(run)
    with later(**YEAR):
        erase(shop, run)
    with inside():
        assert set(IdempotencyRecord.objects.values_list("status", "body")) == {(410, "")}
