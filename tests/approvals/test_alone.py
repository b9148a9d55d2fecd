"""What an agent asks and does by itself: asked once, judged again when used, and reported, or unknown."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from approvals.alone import asking, outcomes, own, using, withdrawing
from approvals.alone.draft import Draft
from approvals.models import Request
from console.exact import canonical, digest
from console.http.refusals import KeyReused, NotFound
from console.identity import administration
from runs.pausing import alone
from runs.pausing.standing import EmergencyStop, Paused
from tests import clock
from tests.cast import inside
from tests.halting import EMERGENCY, EVERYTHING, lift, pause
from tests.record import kinds, told
from tests.shop import Shop, money
from tests.work import claim, follow, sweep

PAY = Draft(
    "pay",
    "payee:bob",
    {"to": "bob", "amount": "250"},
    "Pay bob 250 EUR by hand",
    "The bank's portal takes only people.",
)
SMALL = replace(PAY, arguments={"to": "bob", "amount": "10"}, summary="Pay bob 10 EUR by hand")


def ask(shop: Shop, draft: Draft = PAY, key: str | None = None) -> Request:
    """Have the agent ask."""
    asked = alone.ask_alone(shop.bot, draft, key=key or f"key-{uuid4()}")
    return stored(UUID(asked["approval"]))


def stored(request: Request | UUID) -> Request:
    """Read a request anew."""
    with inside():
        return Request.objects.get(pk=request if isinstance(request, UUID) else request.pk)


def use(shop: Shop, request: Request, key: str | None = None, digest: str | None = None) -> dict[str, Any]:
    """Have the agent use what was approved."""
    shown = bytes(request.subject_digest).hex() if digest is None else digest
    return alone.consume(shop.bot, request.pk, digest=shown, key=key or f"key-{uuid4()}")


def tell(shop: Shop, request: Request, outcome: str = "succeeded", detail: str = "") -> dict[str, Any]:
    """Have the agent say what became of it."""
    return outcomes.report(shop.bot, request.pk, outcome=outcome, detail=detail, key=f"key-{uuid4()}")


@pytest.fixture
def asked(shop: Shop) -> Request:
    """Something that one of finance has to approve."""
    return ask(shop)


@pytest.fixture
def used(shop: Shop, asked: Request) -> Request:
    """The same, approved and used."""
    shop.approve(asked)
    use(shop, asked)
    return stored(asked)


def test_it_is_asked_approved_used_and_reported(shop: Shop, asked: Request) -> None:
    assert (asked.state, asked.alone, asked.groups, asked.quorum) == ("pending", True, ["finance"], 1)
    shop.approve(asked)
    permit = use(shop, asked)
    assert (permit["receipt"], permit["arguments"], permit["target"]) == ("consumed", PAY.arguments, "payee:bob")
    consumed = stored(asked)
    assert consumed.consumed_at is not None
    assert (consumed.finish_by - consumed.consumed_at).total_seconds() == 3600 if consumed.finish_by else False
    tell(shop, asked, "succeeded", "Receipt 77.")
    assert (stored(asked).outcome, stored(asked).outcome_detail) == ("succeeded", "Receipt 77.")
    assert kinds(asked.stream()) == [
        "request.opened", "request.decided", "request.approved", "request.consumed", "request.outcome",
    ]  # fmt: skip


def test_what_is_bound_is_what_the_documents_say(asked: Request) -> None:
    bound = {
        "alone": True, "operation": "pay", "target": "payee:bob", "arguments": {"amount": "250", "to": "bob"}, "tier": "normal",
        "irreversible": False,
    }  # fmt: skip
    assert bytes(asked.subject_digest) == digest(bound)
    assert asked.arguments == canonical(PAY.arguments)


def test_the_same_key_and_content_is_the_same_request(shop: Shop) -> None:
    assert ask(shop, key="k").pk == ask(shop, key="k").pk
    for other in (
        replace(PAY, arguments={"to": "eve", "amount": "250"}),
        replace(PAY, summary="Pay bob nothing"),
        replace(PAY, reason="Another."),
        replace(PAY, tier="low"),
        replace(PAY, deadline_seconds=60),
    ):
        with pytest.raises(KeyReused):
            ask(shop, other, key="k")


def test_what_the_policy_allows_is_approved_by_it_and_by_nobody_else(shop: Shop) -> None:
    """EXP-03: what no person decided names no person."""
    request = ask(shop, SMALL)
    assert (request.state, request.groups, request.panels) == ("approved", [], "[]")
    assert [kind for kind, _ in told(request.stream())] == ["request.opened", "request.approved"]
    use(shop, request)
    assert stored(request).state == "consumed"


def test_what_the_policy_denies_is_refused_and_nothing_is_asked(shop: Shop) -> None:
    with pytest.raises(asking.DeniedByPolicy, match="Never thirteen") as refused:
        ask(shop, replace(PAY, arguments={"to": "bob", "amount": "13"}), key="k")
    assert (refused.value.facts["rule"], refused.value.facts["may_resubmit"]) == ("unlucky", False)
    with inside():
        assert not Request.objects.filter(alone=True).exists()
    ask(shop, key="k")  # the key is free: it stands for nothing


def test_the_contract_of_that_name_says_how_much_care_it_takes(shop: Shop) -> None:
    assert ask(shop, replace(PAY, tier="low")).tier == "normal"
    assert ask(shop, replace(PAY, tier="high")).tier == "high"
    assert ask(shop, replace(SMALL, operation="unheard-of", tier="low")).tier == "low"


def test_its_time_runs_out_and_nobody_decided(shop: Shop) -> None:
    """EXP-03: an expired request says so, names nobody and changes nothing."""
    request = ask(shop, replace(PAY, deadline_seconds=60))
    with clock.at(61):
        with pytest.raises(using.NotCovered) as late:  # and is told so before the clock came by (EXP-01)
            use(shop, request)
        assert late.value.facts["verdict"] == "expired"
        sweep()
    ended = stored(request)
    assert (ended.state, ended.closing_reason, ended.narrowing) == ("expired", "nobody decided in time", "")
    assert "request.decided" not in kinds(request.stream())
    with pytest.raises(using.NotCovered) as refused:
        use(shop, request)
    assert refused.value.facts["verdict"] == "expired"


def test_an_approval_that_is_not_used_in_time_lapses(shop: Shop, asked: Request) -> None:
    shop.approve(asked)
    with clock.at(901):
        with pytest.raises(using.NotCovered) as refused:
            use(shop, asked)
        assert refused.value.facts["verdict"] == "lapsed"
        sweep()
        assert stored(asked).state == "lapsed"


def test_a_withdrawn_one_is_not_decided_and_not_used(shop: Shop, asked: Request) -> None:
    took = withdrawing.withdraw(shop.bot, asked.pk, reason="It was paid.", key="w")
    assert withdrawing.withdraw(shop.bot, asked.pk, reason="It was paid.", key="w") == {**took, "replayed": True}
    assert (stored(asked).state, stored(asked).closing_reason) == ("withdrawn", "It was paid.")
    with pytest.raises(using.NotCovered):
        use(shop, asked)
    with pytest.raises(withdrawing.NotWithdrawable):
        withdrawing.withdraw(shop.bot, asked.pk, reason="", key="again")


def test_what_was_used_cannot_be_withdrawn(shop: Shop, used: Request) -> None:
    with pytest.raises(withdrawing.NotWithdrawable):
        withdrawing.withdraw(shop.bot, used.pk, reason="", key="w")


def test_it_is_not_used_before_it_is_decided(shop: Shop, asked: Request) -> None:
    with pytest.raises(using.NotDecidedYet):
        use(shop, asked)


def test_it_is_used_once(shop: Shop, asked: Request) -> None:
    """With its key the permit comes again while it holds; with another key it is refused: whoever lost the permit reports."""
    shop.approve(asked)
    permit = use(shop, asked, key="once")
    assert use(shop, asked, key="once") == {**permit, "replayed": True}
    with pytest.raises(using.AlreadyUsed):
        use(shop, asked, key="twice")
    with clock.at(3601), pytest.raises(using.FinishPassed):
        use(shop, asked, key="once")
    tell(shop, asked)
    with pytest.raises(using.AlreadyUsed):
        use(shop, asked, key="once")


@pytest.mark.parametrize("digest", ["", "00" * 32, "no hex", "ab"])
def test_another_digest_covers_nothing(shop: Shop, asked: Request, digest: str) -> None:
    shop.approve(asked)
    with pytest.raises(using.NotCovered) as refused:
        use(shop, asked, digest=digest)
    assert refused.value.facts["verdict"] == "digest_mismatch"
    assert stored(asked).state == "approved"


def test_a_yes_of_somebody_who_may_approve_no_more_does_not_count_when_it_is_used(shop: Shop, asked: Request) -> None:
    """The quorum is counted again at use; what lost it ends, as an effect's does."""
    shop.approve(asked, "ann")
    shop.change("ann", roles=[])
    with pytest.raises(using.NotCovered) as refused:
        use(shop, asked)
    assert refused.value.facts["verdict"] == "quorum_lost"
    assert (stored(asked).state, stored(asked).closing_reason) == ("lapsed", "quorum_lost")


def test_what_a_new_policy_says_in_the_same_words_stands(shop: Shop) -> None:
    pending, approved, allowed = ask(shop), ask(shop), ask(shop, SMALL)
    shop.approve(approved)
    shop.apply(money(version=2))
    assert sweep()["requests alone judged again"] == 3
    for request in (approved, allowed):
        use(shop, request)
    shop.approve(pending)


def test_a_new_policy_ends_what_it_does_not_ask_so(shop: Shop) -> None:
    pending, approved, used, allowed = ask(shop), ask(shop), ask(shop), ask(shop, SMALL)
    for request in (approved, used):
        shop.approve(request)
    use(shop, used)
    shop.apply(money(version=2, middling="5", large="200"))
    with pytest.raises(using.NotCovered) as refused:
        use(shop, approved)
    assert refused.value.facts["verdict"] == "policy_changed"
    sweep()
    states = [stored(each).state for each in (pending, approved, allowed, used)]
    assert states == ["rerouted", "rerouted", "rerouted", "consumed"]


def test_an_emergency_stop_denies(shop: Shop, asked: Request) -> None:
    shop.approve(asked)
    pause(shop, EMERGENCY)
    for draft in (PAY, SMALL):
        with pytest.raises(EmergencyStop):
            ask(shop, draft)
    with pytest.raises(EmergencyStop):
        use(shop, asked)
    assert stored(asked).state == "approved"


def test_a_paused_operation_is_asked_about_and_not_begun(shop: Shop, asked: Request) -> None:
    shop.approve(asked)
    paused = pause(shop, EVERYTHING)
    ask(shop)
    with pytest.raises(Paused):
        use(shop, asked)
    lift(shop, paused)
    use(shop, asked)


def test_what_is_not_reported_is_unknown(shop: Shop, used: Request) -> None:
    with clock.at(3601):
        assert sweep()["outcomes not reported"] == 1
        assert sweep() == {}
    unknown = stored(used)
    assert (unknown.outcome, unknown.outcome_detail, unknown.state) == (
        "unknown",
        "nothing was reported in time",
        "consumed",
    )


def test_what_is_unknown_becomes_known_by_evidence_and_never_failed_without(shop: Shop, used: Request) -> None:
    tell(shop, used, "unknown")
    for outcome in ("failed", "succeeded", "partial"):
        with pytest.raises(outcomes.HowIsItKnown):
            tell(shop, used, outcome)
    with pytest.raises(outcomes.OutcomeStands):
        tell(shop, used, "unknown", "still")
    tell(shop, used, "succeeded", "The bank's statement shows it.")
    for outcome in outcomes.OUTCOMES:
        with pytest.raises(outcomes.OutcomeStands):
            tell(shop, used, outcome, "no, wait")


def test_a_failure_says_what_failed(shop: Shop, used: Request) -> None:
    with pytest.raises(outcomes.HowIsItKnown):
        tell(shop, used, "failed")
    tell(shop, used, "failed", "The portal refused the IBAN.")
    assert stored(used).outcome == "failed"


def test_nothing_comes_of_what_was_not_used(shop: Shop, asked: Request) -> None:
    with pytest.raises(outcomes.NotUsed):
        tell(shop, asked)


def test_it_is_the_agents_own(shop: Shop, asked: Request) -> None:
    shop.approve(asked)
    other = administration.add_agent(shop.office, "other-bot", shop.members["ben"])
    theirs = replace(shop.bot, id=other.pk, name="other-bot")
    digest = bytes(asked.subject_digest).hex()
    for move in (
        lambda: alone.consume(theirs, asked.pk, digest=digest, key="a"),
        lambda: withdrawing.withdraw(theirs, asked.pk, reason="", key="b"),
        lambda: outcomes.report(theirs, asked.pk, outcome="succeeded", detail="", key="c"),
        lambda: withdrawing.withdraw(shop.actor("ann"), asked.pk, reason="", key="d"),
    ):
        with pytest.raises(NotFound):
            move()
    with pytest.raises(asking.NotAnAgent):
        alone.ask_alone(shop.actor("ann"), PAY, key="e")


def test_what_is_asked_about_an_effect_is_not_the_agents_to_use(shop: Shop) -> None:
    from tests.shop import draft

    request = shop.request(shop.accept(draft("dear", "250")), "dear")
    shop.approve(request)
    for move in (lambda: use(shop, request), lambda: withdrawing.withdraw(shop.bot, request.pk, reason="", key="w")):
        with pytest.raises(own.NotAlone):
            move()


def test_workers_take_no_notice_of_it(shop: Shop, asked: Request) -> None:
    """Its news goes to no effect, and is heard at once."""
    shop.approve(asked)
    follow()
    assert claim() == []
    assert stored(asked).heard_at is not None
