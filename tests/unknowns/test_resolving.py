"""Resolving an unknown: each exit, what it leads to, and who may (R-F3, R-F4, R-F5, RET-05)."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError

from console.http.evidence import LARGEST_FILE, BadEvidence, Upload
from console.http.refusals import KeyReused, NotFound, StaleVersion
from console.ledger.models import Refusal as KeptRefusal
from runs.models import Effect, EvidenceFile, Resolution
from runs.unknowns import overtaking, owning, resolving
from runs.unknowns.findings import BadFinding, Finding
from runs.unknowns.resolving import (
    AttemptsUsedUp,
    ExitNotAllowed,
    FindingWaits,
)
from runs.unknowns.seconding import FindingDecided, FindingOutdated, NotYourFinding, SecondPerson
from runs.unknowns.standing import NotAnOperator, NotUnknown
from tests import clock
from tests.cast import inside
from tests.record import findings, forger, kinds, told
from tests.shop import Shop, draft, operation
from tests.unsure import confirm, decline, find, findings_of, key, stored, take_back, unknown, with_careful
from tests.work import claim, claimed, end_leases, settle, sweep

TOMORROW = datetime.now(UTC) + timedelta(days=1)  # from when the tests were collected, which may be hours ago


def in_an_hour() -> datetime:
    """Give the moment in an hour."""
    return datetime.now(UTC) + timedelta(hours=1)


def used_up(shop: Shop) -> Effect:
    """Have an effect whose one attempt is used up."""
    once = operation("once").replace("attempts: 3", "attempts: 1")
    assert not [applied for applied in shop.apply(once) if applied.faults]
    return unknown(shop, "once")


def test_it_happened_and_the_run_ends(shop: Shop) -> None:
    effect = unknown(shop, completes_itself=True)
    receipt = find(shop, effect, "happened", result={"receipt": "r-77"}, reference="r-77")
    assert (receipt["state"], receipt["finding"], shop.state(effect.run_id)) == ("succeeded", "in_force", "succeeded")
    after = stored(effect)
    assert (after.result, after.operation_reference, after.ended_at is not None) == ('{"receipt":"r-77"}', "r-77", True)
    assert kinds(f"run:{effect.run_id}")[-3:] == ["resolution.made", "effect.resolved", "run.ended"]


def test_it_happened_and_what_waits_for_it_comes_to_its_turn(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", after=["a"]))
    settle(claim(), "unknown", http=None)
    find(shop, shop.effect(run, "a"))
    assert shop.states(run) == {"a": "succeeded", "b": "ready"}


def test_it_did_not_happen_and_is_sent_again_with_the_same_key(shop: Shop) -> None:
    effect = unknown(shop)
    before = stored(effect)
    find(shop, effect, "did_not_happen", "retry")
    assert (stored(effect).state, stored(effect).key, stored(effect).fence > before.fence) == (
        "ready",
        before.key,
        True,
    )
    again = claimed()
    assert (again["kind"], again["fence"] > before.fence) == ("act", True)
    settle(again)
    assert shop.states(effect.run_id) == {"a": "succeeded"}


def test_it_did_not_happen_and_is_given_up(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", after=["a"]), completes_itself=True)
    settle(claim(), "unknown", http=None)
    find(shop, shop.effect(run, "a"), "did_not_happen", "give_up")
    assert (shop.states(run), shop.state(run)) == ({"a": "failed", "b": "withdrawn"}, "failed")
    assert claim() == []


def test_still_pending_is_asked_again_at_the_moment_that_was_named(shop: Shop) -> None:
    effect = unknown(shop, delay=5)
    then = in_an_hour()
    find(shop, effect, "still_pending", look_again_at=then)
    assert (stored(effect).state, stored(effect).next_attempt_at) == ("unknown", then)
    assert claim() == []
    with clock.at(3700):
        assert claimed()["kind"] == "status"


def test_what_must_be_undone_has_happened_and_is_marked(shop: Shop) -> None:
    effect = unknown(shop)
    find(shop, effect, "must_be_undone")
    after = stored(effect)
    assert (after.state, "must be undone" in after.state_reason) == ("succeeded", True)
    assert [(each.exit, each.state) for each in findings_of(effect)] == [("must_be_undone", "in_force")]


def test_what_cannot_be_told_is_handed_to_a_group_and_stays_unknown(shop: Shop) -> None:
    effect = unknown(shop)
    find(shop, effect, "cannot_tell", to_group="finance")
    after = stored(effect)
    assert (after.state, after.owner_group, after.owner_id) == ("unknown", "finance", None)
    assert after.escalated_at is None, "the contract's escalation comes at its age all the same"
    find(shop, effect, "happened", by="ann")  # ann is of finance, and no operator
    assert stored(effect).state == "succeeded"


def test_nobody_is_handed_what_nobody_would_find(shop: Shop) -> None:
    with pytest.raises(BadFinding):
        find(shop, unknown(shop), "cannot_tell", to_group="astronauts")


def test_evidence_is_needed_and_is_kept_with_its_files(shop: Shop) -> None:
    effect = unknown(shop)
    for bad in ("", "   ", "x" * 4001):
        with pytest.raises(BadEvidence):
            find(shop, effect, evidence=bad)
    other_hosts = (
        "https://bank.example@evil.example/",
        "https://bank.example:pw@evil.example/",
        "https://a.example\\@b.example/",
    )
    no_addresses = "javascript:alert(1)", "ftp://bank.example", "https://", "https://bank example", "https://[", "x"
    for link in (*no_addresses, *other_hosts):
        with pytest.raises(BadEvidence):
            find(shop, effect, link=link)
    for file in (
        Upload("", "", b"x"),
        Upload("a", "", b""),
        Upload("a/b", "", b"x"),
        Upload("a", "", b"x" * (LARGEST_FILE + 1)),
    ):
        with pytest.raises(BadEvidence):
            find(shop, effect, files=[file])
    with pytest.raises(BadEvidence):
        find(shop, effect, files=[Upload(str(n), "", b"x") for n in range(6)])
    assert findings_of(effect) == []
    find(shop, effect, link="https://bank.example/77", files=[Upload("seen.html", "text/html", b"<b>paid</b>")])
    with inside():
        kept = EvidenceFile.objects.get()
    assert (kept.name, kept.media_type, bytes(kept.content or b"")) == ("seen.html", "text/html", b"<b>paid</b>")


def test_whoever_alters_a_file_is_found_out(shop: Shop) -> None:
    find(shop, unknown(shop), files=[Upload("seen.txt", "text/plain", b"paid")])
    shop.verified = False

    assert findings() == []
    with forger() as hand:
        hand.execute("update runs_evidencefile set content = 'not paid'")
    assert ["content" in str(finding) for finding in findings()] == [True]


@pytest.mark.parametrize(
    ("exit_", "then", "more"),
    [
        ("happened", "retry", {}), ("did_not_happen", "", {}), ("vanished", "", {}), ("still_pending", "", {}),
        ("happened", "", {"look_again_at": TOMORROW}), ("still_pending", "", {"look_again_at": TOMORROW - timedelta(days=2)}),
        ("still_pending", "", {"look_again_at": TOMORROW + timedelta(days=100)}), ("happened", "", {"to_group": "finance"}),
        ("happened", "", {"extra_attempts": 1, "reason": "x"}), ("did_not_happen", "retry", {"extra_attempts": 1}),
        ("did_not_happen", "retry", {"extra_attempts": 11, "reason": "x"}),
        ("did_not_happen", "retry", {"extra_attempts": -1, "reason": "x"}),
        ("did_not_happen", "give_up", {"result": {}}), ("happened", "", {"result": "x" * 70000}), ("happened", "", {"reason": "x" * 2001}),
        ("still_pending", "", {"look_again_at": TOMORROW, "reference": "r"}),
    ],
)  # fmt: skip
def test_what_does_not_fit_its_exit_is_refused_and_changes_nothing(
    shop: Shop, exit_: str, then: str, more: dict[str, Any]
) -> None:
    effect = unknown(shop)
    before = shop.run(effect.run_id).ledger_seq
    with pytest.raises(BadFinding):
        find(shop, effect, exit_, then, **more)
    assert (shop.run(effect.run_id).ledger_seq, stored(effect).state) == (before, "unknown")


def test_neither_strangers_nor_others_resolve(shop: Shop, rival: Shop) -> None:
    effect = unknown(shop)
    for name in ("ann", "dora"):  # of finance, and an auditor: neither operates, and nobody handed it to them
        with pytest.raises(NotAnOperator):
            find(shop, effect, by=name)

    for outsider, refused in ((rival.actor("oscar"), NotFound), (shop.bot, NotAnOperator)):
        with pytest.raises(refused):
            resolving.resolve(outsider, effect.pk, Finding("happened", evidence="x"), version=1, key="k")
    shop.change("oscar", active=False)
    with pytest.raises(NotAnOperator):
        find(shop, effect)
    assert stored(effect).state == "unknown"


def test_what_is_settled_is_not_resolved_again_and_says_how_it_was(shop: Shop) -> None:
    effect = unknown(shop)
    find(shop, effect)
    with pytest.raises(NotUnknown) as refused:
        find(shop, effect, "did_not_happen", "give_up")
    facts = refused.value.facts
    assert (facts["state"], facts["exit"], facts["by"], facts["version"]) == (
        "succeeded", "happened", "Oscar Wren", shop.run(effect.run_id).ledger_seq,
    )  # fmt: skip
    with inside():
        assert list(KeptRefusal.objects.values_list("type", flat=True)) == ["not_unknown"]


def test_the_same_key_gives_the_same_receipt_and_another_content_is_refused(shop: Shop) -> None:
    effect = unknown(shop)
    first = find(shop, effect, key="k-1")
    assert find(shop, effect, key="k-1") == {**first, "replayed": True}
    with pytest.raises(KeyReused):
        find(shop, effect, "did_not_happen", "give_up", key="k-1")
    with pytest.raises(KeyReused):
        find(shop, effect, key="k-1", files=[Upload("a", "text/plain", b"x")])
    assert len(findings_of(effect)) == 1


def test_nobody_resolves_what_changed_since_they_looked(shop: Shop) -> None:
    effect = unknown(shop, delay=0)
    seen = shop.run(effect.run_id).ledger_seq
    settle(claim(), "absent", http=404, delay=0)
    with pytest.raises(StaleVersion) as refused:
        find(shop, effect, version=seen)
    assert refused.value.facts == {"state": "unknown", "version": shop.run(effect.run_id).ledger_seq}
    with pytest.raises(StaleVersion):
        find(shop, effect, version=10_000)


def test_a_question_answered_as_before_and_other_effects_are_no_news(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("other"))
    rows = claim()
    settle([row for row in rows if row["key"] == "a"], "unknown", http=None, delay=0)
    settle(claim(), "pending", http=202, delay=0)
    seen = shop.run(run).ledger_seq
    settle(claim(), "pending", http=202, delay=0)
    settle([row for row in rows if row["key"] == "other"])
    assert shop.run(run).ledger_seq > seen
    find(shop, shop.effect(run, "a"), version=seen)
    assert shop.states(run)["a"] == "succeeded"


def test_a_status_query_that_is_under_way_is_late_evidence(shop: Shop) -> None:
    effect = unknown(shop, delay=0)
    look = claimed()
    find(shop, effect, "did_not_happen", "give_up")
    assert settle(look, "succeeded") == [look["attempt_id"]]
    after = shop.attempts(effect.run_id, "a")[-1]
    assert (after.state, after.late_outcome, stored(effect).state) == ("lost", "succeeded", "failed")
    assert kinds(f"run:{effect.run_id}")[-4:] == ["resolution.made", "attempt.lost", "effect.resolved", "attempt.late"]
    end_leases()
    assert stored(effect).state == "failed"


def test_nothing_is_tried_again_in_a_run_that_closes_or_past_a_deadline(shop: Shop) -> None:
    closing, late = unknown(shop), unknown(shop)
    shop.fail(closing.run_id)
    with pytest.raises(ExitNotAllowed) as refused:
        find(shop, closing, "did_not_happen", "retry")
    assert "closing" in refused.value.facts["why"]
    find(shop, closing, "did_not_happen", "give_up")
    assert shop.state(closing.run_id) == "failed"
    with clock.at(2 * clock.HOUR):
        with pytest.raises(ExitNotAllowed) as refused:
            find(shop, late, "did_not_happen", "retry", extra_attempts=1, reason="x")
        assert "deadline passed" in refused.value.facts["why"]
        find(shop, late, "did_not_happen", "give_up")


def test_what_another_effect_took_the_place_of_is_not_tried_again(shop: Shop) -> None:
    rule = "unknown: {owner: operators, age_objective_seconds: 600, resolve: status, may_be_superseded: true}\n"
    assert not shop.apply(operation("shout") + rule)[0].faults
    effect = unknown(shop, "shout")
    shop.propose(effect.run_id, draft("b", operation="shout", supersedes=effect.pk))
    with pytest.raises(ExitNotAllowed) as refused:
        find(shop, effect, "did_not_happen", "retry")
    assert refused.value.facts["why"] == "Another effect took its place."
    shop.withdraw(effect.run_id, "b")
    find(shop, effect, "did_not_happen", "retry")
    assert stored(effect).state == "ready"


def test_ret_05_attempts_that_are_used_up_come_only_with_a_reason(shop: Shop) -> None:
    effect = used_up(shop)
    for _ in range(5):
        with pytest.raises(AttemptsUsedUp) as refused:
            find(shop, effect, "did_not_happen", "retry")
        assert (refused.value.facts["attempts_allowed"], refused.value.facts["attempts_left"]) == (1, 0)
    assert (stored(effect).attempts_granted, claim()) == (0, [])
    find(shop, effect, "did_not_happen", "retry", extra_attempts=1, reason="The bank was down.")
    for _ in range(4):
        with pytest.raises(NotUnknown):
            find(shop, effect, "did_not_happen", "retry", extra_attempts=1, reason="The bank was down.")
    assert stored(effect).attempts_granted == 1
    settle(claimed(), "unknown", http=None)
    with pytest.raises(AttemptsUsedUp):
        find(shop, effect, "did_not_happen", "retry")
    assert len(shop.attempts(effect.run_id, "a")) == 2


class TestASecondPerson:
    """What a mistake about costs something takes two who differ (R-N2)."""

    @pytest.fixture
    def careful(self, shop: Shop) -> Shop:
        """The shop with such an operation, and two who operate."""
        shop.change("amir", roles=["operator"], groups=[])
        return with_careful(shop)

    def test_nothing_changes_until_another_member_confirms(self, careful: Shop) -> None:
        effect = unknown(careful, "move", completes_itself=True)
        proposed = find(careful, effect)
        assert (proposed["finding"], proposed["state"], careful.state(effect.run_id)) == (
            "proposed",
            "unknown",
            "running",
        )
        with pytest.raises(SecondPerson):
            confirm(careful, proposed, "oscar")
        with pytest.raises(NotAnOperator):
            confirm(careful, proposed, "ann")
        receipt = confirm(careful, proposed, "amir", reason="I see it too.")
        assert (receipt["finding"], receipt["state"], careful.state(effect.run_id)) == (
            "in_force",
            "succeeded",
            "succeeded",
        )
        with pytest.raises(FindingDecided):
            confirm(careful, proposed, "amir")

    def test_the_row_itself_says_that_the_two_differ(self, careful: Shop) -> None:
        effect = unknown(careful, "move")
        find(careful, effect)
        with pytest.raises(IntegrityError), inside():
            Resolution.objects.update(state="in_force", decided_by=careful.members["oscar"])
        with pytest.raises(IntegrityError), inside():
            Resolution.objects.update(state="in_force")

    def test_a_finding_is_declined_or_taken_back_and_the_effect_stays(self, careful: Shop) -> None:
        effect = unknown(careful, "move")
        first = find(careful, effect)
        with pytest.raises(FindingWaits):
            find(careful, effect, "did_not_happen", "give_up", by="amir")
        with pytest.raises(SecondPerson):
            decline(careful, first, "oscar")
        decline(careful, first, "amir")
        second = find(careful, effect)
        with pytest.raises(NotYourFinding):
            take_back(careful, second, "amir")
        take_back(careful, second)
        assert [each.state for each in findings_of(effect)] == ["declined", "withdrawn"]
        assert stored(effect).state == "unknown"
        assert "effect.resolved" not in kinds(f"run:{effect.run_id}")

    def test_a_finding_whose_effect_something_else_settled_is_overtaken(self, careful: Shop) -> None:
        effect, other = unknown(careful, "move", delay=0), unknown(careful, "move", delay=0)
        first, second = find(careful, effect), find(careful, other, "did_not_happen", "give_up")
        settle(claim(), "succeeded")
        with pytest.raises(NotUnknown):
            confirm(careful, first, "amir")
        assert [each.state for each in findings_of(effect)] == ["overtaken"]
        assert sweep() == {"findings overtaken": 1}
        assert [(each.state, each.decided_by_id) for each in findings_of(other)] == [("overtaken", None)]
        with pytest.raises(FindingDecided):
            confirm(careful, second, "amir")
        assert stored(other).state == "succeeded"

    def test_a_finding_from_before_it_was_done_again_is_overtaken(self, careful: Shop) -> None:
        effect, other = unknown(careful, "move", delay=0), unknown(careful, "move", delay=0)
        first, second = find(careful, effect), find(careful, other, "did_not_happen", "give_up")
        settle(claim(), "absent", to="ready", delay=0)
        settle(claim(), "unknown")
        assert (stored(effect).state, stored(other).state) == ("unknown", "unknown")
        with pytest.raises(FindingOutdated):
            confirm(careful, first, "amir")
        assert [each.state for each in findings_of(effect)] == ["overtaken"]
        assert sweep()["findings overtaken"] == 1
        with pytest.raises(FindingDecided):
            confirm(careful, second, "amir")
        assert (stored(effect).state, stored(other).state) == ("unknown", "unknown")

    def test_whom_the_first_person_handed_it_to_is_no_second_person(self, careful: Shop) -> None:
        effect = unknown(careful, "move")
        proposed = find(careful, effect, "did_not_happen", "give_up")
        owning.hand_over(careful.actor("oscar"), effect.pk, to_group="finance", reason="Look at it.", key=key())
        with pytest.raises(NotAnOperator):
            confirm(careful, proposed, "ann")
        assert (stored(effect).state, [each.state for each in findings_of(effect)]) == ("unknown", ["proposed"])

    def test_what_is_not_open_any_more_is_not_confirmed(self, careful: Shop) -> None:
        effect = unknown(careful, "move")
        proposed = find(careful, effect, "did_not_happen", "retry")
        careful.fail(effect.run_id)
        with pytest.raises(ExitNotAllowed):
            confirm(careful, proposed, "amir")
        assert (stored(effect).state, [each.state for each in findings_of(effect)]) == ("unknown", ["proposed"])

    def test_whoever_found_it_must_still_be_one_who_may(self, careful: Shop) -> None:
        effect = unknown(careful, "move")
        proposed = find(careful, effect)
        careful.change("oscar", active=False)
        with pytest.raises(ExitNotAllowed):
            confirm(careful, proposed, "amir")

    def test_what_settles_nothing_needs_nobody_else(self, careful: Shop) -> None:
        effect = unknown(careful, "move")
        assert find(careful, effect, "still_pending", look_again_at=TOMORROW)["finding"] == "in_force"
        assert find(careful, effect, "cannot_tell")["finding"] == "in_force"

    def test_a_finding_of_another_tenant_is_not_there(self, careful: Shop, rival: Shop) -> None:
        proposed = find(careful, unknown(careful, "move"))
        for does in (confirm, decline, take_back):
            with pytest.raises(NotFound):
                does(rival, proposed, "oscar")
        with pytest.raises(NotFound):
            confirm(careful, {"resolution": str(uuid4())}, "amir")


def test_unk_04_no_age_no_restart_and_no_cancel_turns_an_unknown_into_failed(shop: Shop) -> None:
    effect = unknown(shop)
    for seconds in (clock.HOUR, clock.DAY, 30 * clock.DAY):
        with clock.at(seconds):
            sweep()
            end_leases()
            assert stored(effect).state == "unknown"
    if shop.state(effect.run_id) == "running":
        shop.fail(effect.run_id)
    assert (stored(effect).state, shop.state(effect.run_id)) == ("unknown", "closing")


def test_the_record_tells_who_found_what_and_by_what(shop: Shop) -> None:
    effect = unknown(shop)
    find(shop, effect, link="https://bank.example/77")
    made, resolved = told(f"run:{effect.run_id}")[-2:]
    assert made[1]["evidence"] == "The bank's statement of 10:02 shows it."
    assert (made[1]["link"], made[1]["by"]) == ("https://bank.example/77", str(shop.members["oscar"].pk))
    assert (resolved[1]["to"], resolved[1]["resolution"]) == ("succeeded", made[1]["resolution"])


def test_of_many_findings_that_wait_each_is_looked_at_in_its_turn(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    careful = with_careful(shop)
    monkeypatch.setattr(overtaking, "LOOKED_AT", 2)
    monkeypatch.setattr(overtaking, "_round", overtaking._Round())
    effects = [unknown(careful, "move", delay=0) for _ in range(5)]
    for effect in effects:
        find(careful, effect)
    for minute in range(5):  # so many looks at once are more than the pace of the dependency lets through
        with clock.at(60 * minute):
            while looks := claim():
                settle(looks, "succeeded")
    assert [sweep().get("findings overtaken", 0) for _ in range(3)] == [2, 2, 1]
    assert {each.state for effect in effects for each in findings_of(effect)} == {"overtaken"}


REPEATED = "unknown: {owner: operators, age_objective_seconds: 900, resolve: resend, resend_same_key: true, second_person: true}\n"


@pytest.fixture
def repeating(shop: Shop) -> Shop:
    """The shop, with an operation that is sent again to find out, and wants a second person for a finding."""
    assert not [fault for each in shop.apply(operation("repeat") + REPEATED) for fault in each.faults]
    return shop


def due_again(shop: Shop) -> Effect:
    """Have an unknown effect that is to be sent again now."""
    effect = unknown(shop, "repeat")
    with inside():
        Effect.objects.filter(pk=effect.pk).update(next_step="resend", next_attempt_at=datetime.now(UTC))
    return effect


def test_nothing_is_sent_again_while_a_finding_waits_for_a_second_person(repeating: Shop) -> None:
    effect = due_again(repeating)
    proposed = find(repeating, effect, "did_not_happen", "give_up")
    assert claim() == []
    take_back(repeating, proposed)
    with clock.at(10):
        [row] = claim()
    assert (row["kind"], stored(effect).state) == ("resend", "unknown")


def test_still_pending_keeps_it_from_being_sent_again_until_then(repeating: Shop) -> None:
    effect = due_again(repeating)
    find(repeating, effect, "still_pending", look_again_at=in_an_hour())
    with clock.at(1800):
        assert claim() == []
    with clock.at(3700):
        assert [row["kind"] for row in claim()] == ["status"], "what can be asked is asked before it is sent again"
