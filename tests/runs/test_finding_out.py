"""Finding out what became of a call: by asking, by reading back, by sending it once more under its key (R-F2, R-F6, UNK-01, UNK-02).

The step that is due is a row, so that it survives whoever takes it."""

import pytest

from console.database import rows
from runs import history
from runs.contracts.operation import read_operation
from runs.effect_keys import effect_key
from runs.finding_out import finding_out
from tests import clock
from tests.cast import inside
from tests.record import kinds, told
from tests.runs.at_work import once, work
from tests.runs.banking import Bank, bank
from tests.shop import Shop, draft, operation
from tests.work import LEASE, WORKER, claim, claimed, end_leases, sweep

__all__ = ["bank"]
OLD = ("act", "status")  # what workers of the release before know
UNKNOWN = "unknown: {{owner: operators, age_objective_seconds: 600, resolve: {resolve}, resend_same_key: {resends}}}\n"
READ_BACK = """  read_back:
    method: GET
    url: "{dependency.base_url}/effects/{effect.key}"
    headers: {Authorization: "Bearer {secret.bank-token}"}
    attempt_timeout_seconds: 20
    every_seconds: 5
    objective_seconds: 300
    absence_is_proof: false
    proof: [{path: body.key, equals: "{effect.key}"}, {path: body.amount, equals: "{amount}"}]
    outcomes:
      - {when: {path: status, op: eq, value: 200}, outcome: succeeded, result: {receipt: "{body.id}"}}
      - {when: {path: status, op: eq, value: 404}, outcome: absent}
"""


def contract(name: str, resolve: str, *, resends: bool = False, proves: bool = False, attempts: int = 3) -> str:
    """Write the contract of an operation whose outcome is found out in one way."""
    text = operation(name, timeout="3").replace("attempts: 3", f"attempts: {attempts}")
    act, _, rest = text.partition("  status:\n")
    status, _, others = rest.partition("retry: ")
    looks = {"status": f"  status:\n{status}", "read_back": READ_BACK}.get(resolve, "")
    act = act if looks else "".join(line for line in act.splitlines(keepends=True) if "accepted" not in line)
    found = act + looks + UNKNOWN.format(resolve=resolve, resends=str(resends).lower()) + "retry: " + others
    return found.replace("absence_is_proof: false", f"absence_is_proof: {str(proves).lower()}")


ASKED = contract("asked", "status", proves=True)
READ = contract("read", "read_back")
REPEATED = contract("repeated", "resend", resends=True)
SOUGHT = contract("sought", "status", resends=True)
LEFT = contract("left", "person")
ALL = {"asked": ASKED, "read": READ, "repeated": REPEATED, "sought": SOUGHT, "left": LEFT}


def unknown(shop: Shop, bank: Bank, name: str, behaviour: str) -> "Known":
    """Have an effect become unknown because of how the bank behaves."""
    assert not [found.faults for found in shop.apply(ALL[name]) if found.faults]
    bank.behave(behaviour)
    found = Known(shop, name)
    once()
    assert found.state == "unknown"
    return found


class Known:
    """An effect, and what is known of it."""

    def __init__(self, shop: Shop, operation: str) -> None:
        self.shop, self.run = shop, shop.accept(draft("a", operation=operation))

    @property
    def state(self) -> str:
        return self.shop.states(self.run)["a"]

    @property
    def reason(self) -> str:
        return self.shop.effect(self.run, "a").state_reason

    @property
    def due(self) -> tuple[str, bool]:
        """The step that is due, and whether there is a time for it."""
        effect = self.shop.effect(self.run, "a")
        return effect.next_step, effect.next_attempt_at is not None

    @property
    def kinds(self) -> list[str]:
        return [attempt.kind for attempt in self.shop.attempts(self.run, "a")]


# The database knows the first step as the contract says it


@pytest.mark.parametrize("name", ALL)
def test_the_first_step_is_one_rule_whoever_asks(shop: Shop, name: str) -> None:
    shop.apply(ALL[name])
    with inside():
        found = rows(
            "select document, runs_first_step(document) as step from runs_operationcontract where name = %s", [name]
        )[0]
    wanted = {"asked": "status", "read": "read", "repeated": "resend", "sought": "status", "left": ""}[name]
    assert (found["step"], finding_out(read_operation(found["document"])).first_step) == (wanted, wanted)


def test_it_is_one_rule_for_every_contract_of_the_shop(shop: Shop) -> None:
    with inside():
        found = rows("select document, runs_first_step(document) as step from runs_operationcontract")
    assert [row["step"] for row in found] == [finding_out(read_operation(row["document"])).first_step for row in found]


@pytest.mark.parametrize("name", ALL)
def test_a_write_that_nobody_answered_for_is_found_out_by_that_step(shop: Shop, name: str) -> None:
    shop.apply(ALL[name])
    effect = Known(shop, name)
    claimed()
    end_leases(WORKER)
    step = {"asked": "status", "read": "read", "repeated": "resend", "sought": "status", "left": ""}[name]
    assert (effect.state, effect.due) == ("unknown", (step, step != ""))


# A timeout is no failure (UNK-01)


def test_what_was_done_behind_a_timeout_is_unknown_and_found_and_never_done_twice(shop: Shop, bank: Bank) -> None:
    shop.apply(ASKED.replace("every_seconds: 5", "every_seconds: 60"))
    bank.behave("commit_and_hang")
    effect = Known(shop, "asked")
    once()
    assert (effect.state, len(bank.entries())) == ("unknown", 1)
    for seconds in (1, 2, 4):
        with clock.at(seconds):  # three intervals of retries
            sweep()
            assert claim() == []
    assert bank.calls() == 1
    with clock.at(61):
        once()
    assert (effect.state, effect.kinds, bank.calls(), len(bank.entries())) == ("succeeded", ["act", "status"], 1, 1)


# Absence


def test_absence_that_is_proof_lets_it_be_done_again_with_the_same_key(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "asked", "drop_before_commit")
    with clock.at(6):
        once()
        assert (effect.state, effect.due[0]) == ("unknown", "status")
        assert effect.reason == "Nothing is found of it yet, which proves nothing so early."
    with clock.at(40):
        once()
        assert (effect.state, effect.reason) == (
            "ready",
            "Nothing is found of it, which proves that it did not happen.",
        )
    with clock.at(42):
        once()
    (entry,) = bank.entries()
    key = effect_key(shop.effect(effect.run, "a").pk)
    assert (effect.state, entry["key"], bank.calls()) == ("succeeded", key, 2)
    assert effect.kinds == ["act", "status", "status", "act"]
    assert [attempt.fence for attempt in shop.attempts(effect.run, "a")] == [1, 1, 1, 2]


def test_what_provably_did_not_happen_has_failed_when_there_is_no_time_left_and_says_why(
    shop: Shop, bank: Bank
) -> None:
    effect = unknown(shop, bank, "asked", "drop_before_commit")
    with clock.at(200):
        once()
    proof = "Nothing is found of it, which proves that it did not happen."
    assert (effect.state, effect.reason) == ("failed", f"{proof} The time for attempts is used up.")
    assert told(f"run:{effect.run}")[-1][1]["reason"] == effect.reason


def test_a_new_unknown_after_a_proof_has_an_age_of_its_own(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "asked", "drop_before_commit")
    first = shop.effect(effect.run, "a").unknown_since
    with clock.at(40):
        once()
    bank.behave("drop_before_commit")
    with clock.at(42):
        once()
    stored = shop.effect(effect.run, "a")
    assert (stored.state, stored.alerts, stored.escalated_at, stored.objective_at) == ("unknown", 0, None, None)
    assert first is not None
    assert stored.unknown_since is not None
    assert stored.unknown_since > first
    assert stored.next_alert_at == stored.unknown_since


# Reading back


def test_what_is_read_back_and_proven_to_be_ours_settles_it(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "read", "commit_and_drop")
    assert effect.due == ("read", True)
    with clock.at(6):
        once()
    assert (effect.state, effect.kinds, bank.calls()) == ("succeeded", ["act", "read"], 1)
    assert shop.effect(effect.run, "a").result == '{"receipt":"ef_000001"}'
    assert "Looked at the other side for what became of" in story(shop, effect)


def story(shop: Shop, effect: Known) -> str:
    """Tell a run's history in sentences."""
    run = shop.run(effect.run)
    with inside():
        return " ".join(line.sentence for line in history.story(run, None, 100).lines)


@pytest.mark.parametrize("found", [{"id": "ef_9", "key": "another", "amount": "10"}, {"id": "ef_9", "amount": "10"}])
def test_what_looks_alike_and_is_not_proven_to_be_ours_is_for_a_person(
    shop: Shop, bank: Bank, found: dict[str, str]
) -> None:
    effect = unknown(shop, bank, "read", "drop_before_commit")
    bank.answer_questions(
        {"do": "answer", "status": 200, "body": found, "headers": {"Content-Type": "application/json"}}
    )
    with clock.at(6):
        assert once().outcome == "conflict"
    assert (effect.state, effect.due) == ("unknown", ("", False))
    with clock.at(clock.DAY):
        sweep()
        assert claim() == []
    assert bank.calls() == 1


def test_all_of_the_proof_must_hold(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "read", "drop_before_commit")
    key = effect_key(shop.effect(effect.run, "a").pk)
    other = {"id": "ef_9", "key": key, "amount": "11"}
    bank.answer_questions(
        {"do": "answer", "status": 200, "body": other, "headers": {"Content-Type": "application/json"}}
    )
    with clock.at(6):
        assert once().outcome == "conflict"
    assert effect.state == "unknown"


# Sending again


def test_it_is_sent_again_under_the_same_key_and_stays_unknown_meanwhile(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "repeated", "drop_before_commit")
    assert effect.due == ("resend", True)
    with clock.at(2):
        row = claimed()
        assert (row["kind"], row["fence"], effect.state) == ("resend", 2, "unknown")
        work([row])
    (entry,) = bank.entries()
    key = effect_key(shop.effect(effect.run, "a").pk)
    assert (effect.state, entry["key"], entry["fence"]) == ("succeeded", key, 2)
    assert effect.kinds == ["act", "resend"]
    assert "Sent again, under the same key, effect 1 (attempt 2)." in story(shop, effect)


def test_a_refusal_of_the_repetition_proves_nothing_of_the_first(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "repeated", "commit_and_drop")
    bank.behave({"do": "reject", "reason": "Seen before."})
    with clock.at(2):
        once()
    assert (effect.state, effect.due) == ("unknown", ("", False))
    assert effect.reason == "Seen before. It was sent again and refused, which proves nothing about the first time."


def test_a_repetition_that_was_lost_leaves_it_unknown(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "repeated", "drop_before_commit")
    with clock.at(2):
        claimed()
    with clock.at(LEASE + 3):
        assert sweep()["leases ended"] == 1
        assert (effect.state, effect.due) == ("unknown", ("resend", True))
        assert [attempt.state for attempt in shop.attempts(effect.run, "a")] == ["ended", "lost"]
    with clock.at(LEASE + 10):
        once()
    assert (effect.state, len(bank.entries())) == ("succeeded", 1)


def test_repetitions_count_as_attempts(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "repeated", "drop_before_commit")
    bank.behave("drop_before_commit", "drop_before_commit")
    for seconds in (5, 10):
        with clock.at(seconds):
            once()
    assert (effect.state, effect.due, bank.calls()) == ("unknown", ("", False), 3)
    assert effect.reason.endswith("It is not sent again: Given up after 3 attempts.")


def test_a_look_that_could_be_made_comes_first_and_what_proves_nothing_leads_to_the_repetition(
    shop: Shop, bank: Bank
) -> None:
    effect = unknown(shop, bank, "sought", "drop_before_commit")
    with clock.at(6):
        once()
        assert effect.due == ("resend", True)
    with clock.at(50):
        once()
    assert (effect.state, effect.kinds, bank.calls()) == ("succeeded", ["act", "status", "resend"], 2)


def test_what_was_done_is_found_and_not_sent_again(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "sought", "commit_and_drop")
    with clock.at(6):
        once()
    assert (effect.state, effect.kinds, bank.calls()) == ("succeeded", ["act", "status"], 1)


NOT_SENT_AGAIN = "effect.not_resent"


def test_nothing_is_sent_again_in_a_run_that_is_closing(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "repeated", "drop_before_commit")
    shop.fail(effect.run)
    with clock.at(5):
        assert claim() == []
    assert (effect.state, effect.due, bank.calls()) == ("unknown", ("", False), 1)
    assert effect.reason == "It was not sent again: its run is closing."
    assert kinds(f"run:{effect.run}")[-1] == NOT_SENT_AGAIN
    assert "Effect 1 stays unknown. It was not sent again: its run is closing." in story(shop, effect)


def test_nothing_is_sent_again_after_its_deadline(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "repeated", "drop_before_commit")
    with clock.at(3601):
        assert claim() == []
    assert effect.reason == "It was not sent again: its deadline has passed."


def test_nothing_is_sent_again_once_the_time_for_attempts_is_used_up(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "repeated", "drop_before_commit")
    with clock.at(121):
        assert claim() == []
    assert (effect.state, effect.reason) == ("unknown", "It was not sent again: the time for attempts is used up.")


def test_nothing_is_sent_again_under_a_permission_that_does_not_hold_any_more(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "sought", "drop_before_commit")
    with clock.at(6):
        once()
        shop.apply(
            "{apiVersion: counterfoil/v1, kind: Policy, name: rest, version: 2, description: Nothing more., operations: ['*'],"
            " rules: [], otherwise: deny}"
        )
    with clock.at(50):
        assert claim() == []
    assert (effect.state, effect.due) == ("unknown", ("status", True))
    assert effect.reason == "It was not sent again: its permission does not hold any more (policy changed)."


def test_what_may_not_be_sent_again_is_still_asked_about(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "sought", "drop_before_commit")
    with clock.at(6):
        once()
        shop.fail(effect.run)
    with clock.at(50):
        assert claim() == []
        assert effect.due == ("status", True)
    with clock.at(50 + 901):
        assert claimed()["kind"] == "status"


# Whoever does not know a step leaves it


@pytest.mark.parametrize(("name", "step"), [("read", "read"), ("repeated", "resend")])
def test_a_worker_of_the_release_before_is_never_given_what_it_does_not_know(
    shop: Shop, bank: Bank, name: str, step: str
) -> None:
    unknown(shop, bank, name, "drop_before_commit")
    with clock.at(6):
        assert claim(kinds=OLD) == []
        with inside():
            old = rows("select kind from runs_claim(%s, 30, array[gen_random_uuid()], '{}')", [WORKER])
        assert old == []
        assert claimed()["kind"] == step


def test_a_worker_of_the_release_before_asks_and_settles_in_its_own_words(shop: Shop, bank: Bank) -> None:
    effect = unknown(shop, bank, "asked", "drop_before_commit")
    with clock.at(6), inside():
        row = rows("select * from runs_claim(%s, 30, array[gen_random_uuid()], '{}')", [WORKER])[0]
        assert (row["kind"], "granted" in row) == ("status", False)
        rows(
            """select * from runs_settle(array[%s]::uuid[], array[%s]::bigint[], array['absent'], array['unknown'], array[10.0],
               array[404]::smallint[], array[true], array[''], array[null]::text[], array[''], array['{}'], %s)""",
            [row["attempt_id"], row["fence"], WORKER],
        )  # fmt: skip
    assert (effect.state, effect.due) == ("unknown", ("", True))
    with clock.at(17):
        assert claimed()["kind"] == "status"
