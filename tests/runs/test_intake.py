"""Intake: what is accepted is there with its first entries, in its first state; what is refused has left nothing behind (R-A1)."""

import dataclasses
from typing import Any
from uuid import UUID, uuid4

import pytest

from approvals.models import Coverage, Policy
from console.database import crossing_tenants, rows
from console.http.refusals import InvalidContent, NotFound, Refusal, StaleToken, StaleVersion
from console.identity import administration
from runs import intake
from runs.catalogue import BadArguments, UnknownOperation, UnknownRunType
from runs.driver import RunEnded, RunOutOfTime
from runs.intake import NotAnAgent, NothingToComplete, TooMany
from runs.proposals import NotForThisRunType, PredecessorNotDone, StillOpen, UnknownPredecessor
from tests import clock
from tests.cast import inside
from tests.record import forger, kinds, told
from tests.shop import Shop, draft, operation
from tests.work import claim, claimed, settle

KEPT = ("runs_run", "runs_effect", "approvals_request", "ledger_entry", "ledger_payload", "http_idempotencyrecord")


def everything() -> dict[str, int]:
    """Count what a refused request could have left behind."""
    with inside():
        return {table: int(rows(f"select count(*) as n from {table}")[0]["n"]) for table in KEPT}


def test_a_run_is_accepted_with_its_effects_each_in_its_first_state(shop: Shop) -> None:
    run = shop.accept(
        draft("small"), draft("large", "250"), draft("unlucky", "13", required=False), draft("after", after=["small"])
    )
    assert shop.states(run) == {"small": "ready", "large": "awaiting_approval", "unlucky": "denied", "after": "blocked"}
    assert shop.state(run) == "running"
    assert kinds(f"run:{run}") == ["run.accepted", *["effect.proposed"] * 4]


def test_the_agent_drives_its_run_from_epoch_one(shop: Shop) -> None:
    run = shop.run(shop.accept())
    assert (run.epoch, run.driver_id, run.agent_id) == (1, shop.agent.pk, shop.agent.pk)


def test_epochs_begin_above_what_an_earlier_life_of_the_database_gave_out(shop: Shop) -> None:
    with forger() as hand:
        hand.execute("update ledger_incarnation set number = 1")
        try:
            run = shop.run(shop.accept())
        finally:
            hand.execute("update ledger_incarnation set number = 0")
    assert run.epoch == (1 << 40) + 1


def test_what_takes_effect_is_bound_not_what_was_sent(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250.00"))
    request = shop.request(run, "dear")
    effect = shop.effect(run, "dear")
    assert effect.arguments == request.arguments == '{"amount":"250","currency":"EUR","to":"bob"}'
    assert (effect.summary, effect.target) == ("Pay 250.00 EUR to bob", "payee:bob")
    assert request.subject_digest == effect.effect_digest
    twin = shop.accept(draft("dear", "250"))
    assert shop.effect(twin, "dear").effect_digest == effect.effect_digest


@pytest.mark.parametrize(
    "other", [draft("dear", "251"), draft("dear", "250", to="eve"), draft("dear", "250", operation="wire")]
)
def test_the_digest_of_what_would_be_done_is_another_for_anything_else(shop: Shop, other: Any) -> None:
    one, two = shop.accept(draft("dear", "250")), shop.accept(other)
    assert shop.effect(one, "dear").effect_digest != shop.effect(two, "dear").effect_digest


def test_the_digest_is_another_under_another_version_of_the_contract(shop: Shop) -> None:
    one = shop.accept(draft("dear"))
    shop.apply(operation("pay", version=2))
    two = shop.accept(draft("dear"))
    assert shop.effect(one, "dear").effect_digest != shop.effect(two, "dear").effect_digest


def test_a_reason_is_shown_and_not_bound(shop: Shop) -> None:
    one, two = shop.accept(draft("a", reason="Rent.")), shop.accept(draft("a", reason="Something else."))
    assert shop.effect(one, "a").effect_digest == shop.effect(two, "a").effect_digest


def test_a_run_has_a_deadline_and_none_of_its_effects_a_later_one(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", deadline_seconds=60), deadline_seconds=600)
    due = shop.run(run)
    assert due.deadline_at is not None
    assert (due.deadline_at - due.created_at).total_seconds() == 600
    assert shop.effect(run, "a").deadline_at == due.deadline_at
    assert (shop.effect(run, "b").deadline_at - due.created_at).total_seconds() == 60


def test_several_runs_are_accepted_at_once_or_none(shop: Shop) -> None:
    made = intake.accept(shop.bot, [shop.draft(draft("a")), shop.draft(draft("a"), draft("b", after=["a"]))])
    assert [each.created for each in made] == [True, True]
    assert [len(each.effect_ids) for each in made] == [1, 2]
    before = everything()
    with pytest.raises(UnknownRunType):
        intake.accept(shop.bot, [shop.draft(draft("a")), shop.draft(draft("a"), run_type="unheard-of")])
    assert everything() == before


def test_a_run_of_which_a_required_effect_is_denied_has_failed_when_nothing_else_is_to_come(shop: Shop) -> None:
    run = shop.accept(draft("unlucky", "13"), draft("after", after=["unlucky"]), completes_itself=True)
    assert shop.states(run) == {"unlucky": "denied", "after": "withdrawn"}
    assert shop.state(run) == "failed"


def test_what_nothing_governs_is_denied(shop: Shop) -> None:
    with inside():
        Coverage.objects.filter(policy__name="rest").delete()
        assert Policy.objects.filter(name="rest", superseded_at=None).exists()
    run = shop.accept(draft("a", operation="look"))
    effect = shop.effect(run, "a")
    assert (effect.state, effect.policy_id, effect.state_reason) == (
        "denied",
        None,
        "No policy governs this operation.",
    )


# The graph


def test_an_effect_waits_for_another_by_its_key_or_its_id(shop: Shop) -> None:
    run = shop.accept(draft("first"))
    shop.propose(run, draft("by key", after=["first"]), draft("by id", after=[str(shop.effect(run, "first").pk)]))
    settle(claimed())
    assert shop.states(run) == {"first": "succeeded", "by key": "ready", "by id": "ready"}


def test_an_effect_that_waits_for_what_is_done_already_comes_to_its_turn_at_once(shop: Shop) -> None:
    run = shop.accept(draft("first"))
    settle(claimed())
    shop.propose(run, draft("second", after=["first"]), draft("asked", "250", after=["first"]))
    assert shop.states(run) == {"first": "succeeded", "second": "ready", "asked": "awaiting_approval"}


def test_an_effect_of_another_run_is_not_waited_for(shop: Shop) -> None:
    elsewhere = shop.accept(draft("elsewhere"))
    run = shop.accept()
    for name in ("elsewhere", str(shop.effect(elsewhere, "elsewhere").pk), "nowhere"):
        with pytest.raises(UnknownPredecessor) as refused:
            shop.propose(run, draft("a", after=[name]))
        assert refused.value.facts["path"] == "/after/0"


def test_an_effect_waits_only_for_what_came_before_it(shop: Shop) -> None:
    with pytest.raises(UnknownPredecessor):
        shop.accept(draft("a", after=["b"]), draft("b", after=["a"]))
    with pytest.raises(UnknownPredecessor):
        shop.accept(draft("a", after=["a"]))


def test_nothing_waits_for_what_has_ended_without_being_done(shop: Shop) -> None:
    run = shop.accept(draft("first"), draft("other"))
    shop.withdraw(run, "first")
    with pytest.raises(PredecessorNotDone) as refused:
        shop.propose(run, draft("a", after=["first"]))
    assert refused.value.facts["state"] == "withdrawn"


# Changed strategies (R-B3)


def test_what_was_refused_is_replaced_by_another_effect_that_names_it(shop: Shop) -> None:
    run = shop.accept(draft("first"))
    settle(claimed(), "rejected")
    shop.propose(run, draft("second", "9", supersedes=shop.effect(run, "first").pk))
    assert shop.effect(run, "second").supersedes_id == shop.effect(run, "first").pk


@pytest.mark.parametrize("outcome", ["succeeded", "unknown", "accepted"])
def test_what_may_have_happened_is_not_replaced(shop: Shop, outcome: str) -> None:
    run = shop.accept(draft("first"))
    settle(claimed(), outcome)
    with pytest.raises(StillOpen):
        shop.propose(run, draft("second", supersedes=shop.effect(run, "first").pk))


def test_an_effect_of_another_run_is_not_replaced(shop: Shop) -> None:
    elsewhere = shop.accept(draft("elsewhere"))
    shop.withdraw(elsewhere, "elsewhere")
    with pytest.raises(UnknownPredecessor):
        shop.propose(shop.accept(), draft("a", supersedes=shop.effect(elsewhere, "elsewhere").pk))


# Who, and at which point


def test_only_an_agent_accepts_runs(shop: Shop) -> None:
    with pytest.raises(NotAnAgent):
        intake.accept(shop.actor("ann"), [shop.draft(draft("a"))])


def test_another_agent_of_the_tenant_and_another_tenant_propose_nothing(shop: Shop, rival: Shop) -> None:
    run = shop.accept()
    with crossing_tenants():
        second = administration.add_agent(shop.office, "second-bot", shop.members["ben"])
    other = dataclasses.replace(shop.bot, id=second.pk, name=second.name)
    for by in (other, rival.bot):
        with pytest.raises(NotFound):
            intake.propose(by, run, [draft("a")], epoch=1)
    assert shop.states(run) == {}


def test_another_epoch_or_version_than_the_runs_own_proposes_nothing(shop: Shop) -> None:
    run = shop.accept()
    with pytest.raises(StaleToken) as stale:
        shop.propose(run, draft("a"), epoch=2)
    assert stale.value.facts["epoch"] == 1
    with pytest.raises(StaleVersion):
        intake.propose(shop.bot, run, [draft("a")], epoch=1, version=7)
    intake.propose(shop.bot, run, [draft("a")], epoch=1, version=1)


def test_a_run_that_has_ended_takes_nothing_more(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed())
    shop.complete(run)
    with pytest.raises(RunEnded) as refused:
        shop.propose(run, draft("b"))
    assert refused.value.facts["state"] == "succeeded"


def test_a_run_whose_time_is_up_takes_nothing_more_although_no_clock_has_passed(shop: Shop) -> None:
    run = shop.accept(deadline_seconds=60)
    with clock.at(61), pytest.raises(RunOutOfTime):
        shop.propose(run, draft("a"))


# Refused by name, and nothing stored


REFUSED: dict[str, tuple[Any, type[Refusal], str]] = {
    "an operation that is not in force": (draft("a", operation="conjure"), UnknownOperation, "/operation"),
    "an operation that this type of run may not use": (draft("a"), NotForThisRunType, "/operation"),
    "a missing argument": (dataclasses.replace(draft("a", operation="look"), arguments={"to": "bob"}), BadArguments, "/arguments/amount"),
    "an unknown argument": (
        dataclasses.replace(draft("a", operation="look"), arguments={"to": "bob", "amount": "1", "tip": "1"}),
        BadArguments, "/arguments/tip",
    ),
    "an amount of nothing": (draft("a", "0", operation="look"), BadArguments, "/arguments/amount"),
    "an amount that is no number": (draft("a", "ten", operation="look"), BadArguments, "/arguments/amount"),
    "another target than the arguments have": (draft("a", operation="look", target="payee:eve"), BadArguments, "/target"),
    "an unknown predecessor": (draft("a", operation="look", after=["b"]), UnknownPredecessor, "/after/0"),
    "an unknown effect to replace": (draft("a", operation="look", supersedes=uuid4()), UnknownPredecessor, "/supersedes"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_says_where_and_leaves_nothing_behind(shop: Shop, what: str) -> None:
    faulty, refusal, path = REFUSED[what]
    run = shop.accept(run_type="narrow")
    before = everything()
    with pytest.raises(refusal) as alone:
        shop.accept(draft("fine", operation="look"), faulty, run_type="narrow")
    assert alone.value.facts["path"] == path
    with pytest.raises(refusal):
        shop.propose(run, draft("fine", operation="look"), faulty)
    assert everything() == before


def test_a_run_that_completes_by_itself_says_what_it_consists_of(shop: Shop) -> None:
    before = everything()
    with pytest.raises(NothingToComplete):
        shop.accept(completes_itself=True)
    assert everything() == before


def test_more_than_five_hundred_at_once_are_refused(shop: Shop) -> None:
    many = [draft(str(number)) for number in range(501)]
    run = shop.accept()
    before = everything()
    for refused in (lambda: shop.accept(*many), lambda: shop.propose(run, *many)):
        with pytest.raises(TooMany):
            refused()
    with pytest.raises(TooMany):
        intake.accept(shop.bot, [shop.draft() for _ in range(501)])
    assert everything() == before


def test_refusals_of_content_are_no_part_of_the_record_and_those_of_authority_are_kept(shop: Shop) -> None:
    run = shop.accept()
    with pytest.raises(InvalidContent):
        shop.propose(run, draft("a", "0"))
    with pytest.raises(StaleToken):
        shop.propose(run, draft("a"), epoch=9)
    with inside():
        kept = rows("select verb, subject, type, actor from ledger_refusal")
    assert kept == [{"verb": "propose", "subject": str(run), "type": "stale_token", "actor": str(shop.bot)}]


def test_the_first_entries_tell_everything_that_was_accepted(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250", reason="The landlord asked."), goal="Pay the rent")
    effect = shop.effect(run, "dear")
    (_, accepted), (_, proposed) = told(f"run:{run}")
    assert accepted["goal"] == "Pay the rent"
    assert {name: proposed[name] for name in ("effect", "key", "summary", "to", "verdict", "rule", "request")} == {
        "effect": str(effect.pk), "key": "dear", "summary": "Pay 250.00 EUR to bob", "to": "awaiting_approval", "verdict": "ask",
        "rule": "middling", "request": str(effect.request_id),
    }  # fmt: skip
    assert UUID(proposed["operation"]) == effect.operation_id


def test_an_effect_keeps_the_version_of_the_contract_under_which_it_was_accepted(shop: Shop) -> None:
    run = shop.accept(draft("old"))
    shop.apply(operation("pay", version=2))
    shop.propose(run, draft("new"))
    assert shop.effect(run, "old").operation_id != shop.effect(run, "new").operation_id
    assert {row["operation_id"] for row in claim()} == {shop.effect(run, key).operation_id for key in ("old", "new")}
