"""What a run type says of waits, signals, drivers, cancellation and limits: how it is read, told, compared and refused."""

from decimal import Decimal
from typing import Any

import pytest

from console.documents import Document
from runs.contracts import RunTypeDocument, normalise, run_type_document, validate
from runs.contracts.comparing import Change, changes
from runs.contracts.stopping import EffectCancellation
from runs.contracts.telling import told
from runs.contracts.together import together
from runs.contracts.waiting import Expiry
from tests.runs.contract_documents import changed, example, examples, faults_of, read, refund_with


def case_with(**changes: Any) -> Document:
    """Give the run type of customers' cases, changed; `__` stands for the dots of a path."""
    return changed(example("customer-case", "RunType"), {path.replace("__", "."): new for path, new in changes.items()})


def read_case(**changes: Any) -> RunTypeDocument:
    document = case_with(**changes)
    assert validate(document) == []
    return run_type_document(normalise(document).value)


def says(document: Document) -> str:
    return " ".join(said for line in told(normalise(document)) for said in line.says)


def test_a_wait_expires_as_its_name_says_and_otherwise_as_the_run_type_says():
    waiting = read_case(waiting={"expires_seconds": 600, "named": {"reply": {"on_expiry": "fail"}}}).waiting
    assert waiting.expiry("reply") == Expiry(600, "fail")
    assert waiting.expiry("another") == Expiry(600, "escalate")


def test_a_signal_names_its_secret_and_what_it_is_about():
    rule = read_case().signals["customer-replied"]
    assert (rule.secret, rule.keep_seconds) == ("shop-webhooks", 172800)
    assert rule.correlation.text({"headers": {}, "body": {"order": "1042"}}) == "1042"
    assert read_case(signals={"paid": {"secret": "bank", "correlation": "{body.id}"}}).signals["paid"].keep_seconds == (
        30 * 86400
    )


@pytest.mark.parametrize(
    ("drivers", "other", "stranger"), [("*", True, True), ([], False, False), (["night-bot"], True, False)]
)
def test_those_drivers_may_take_over_that_the_contract_names(drivers, other, stranger):
    found = read_case(ownership__drivers=drivers)
    assert (found.may_take_over("night-bot"), found.may_take_over("another-bot")) == (other, stranger)


def test_limits_are_exact():
    limits = read_case(limits={"attempts": 3, "cost": Decimal("0.1"), "wall_seconds": 60}).limits
    assert (limits.attempts, limits.cost, limits.tokens, limits.wall_seconds) == (3, Decimal("0.1"), None, 60)


REFUSED = {
    "a signal about the same in every message": (
        {"signals__customer-replied__correlation": "orders"},
        ("bad_template", "/signals/customer-replied/correlation"),
    ),
    "a signal about what no message has": (
        {"signals__customer-replied__correlation": "{status}"},
        ("unknown_fact", "/signals/customer-replied/correlation"),
    ),
    "clean-up that such runs may not use": (
        {"cancellation__cleanup": ["transfer"]},
        ("unknown_name", "/cancellation/cleanup/0"),
    ),
    "a budget of time beyond the deadline": (
        {"limits__wall_seconds": 259201},
        ("out_of_range", "/limits/wall_seconds"),
    ),
    "a named wait that says nothing": ({"waiting__named__reply": {}}, ("wrong_length", "/waiting/named/reply")),
    "an expiry that there is not": ({"waiting__on_expiry": "forget"}, ("not_allowed", "/waiting/on_expiry")),
}


@pytest.mark.parametrize(("change", "fault"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused(change, fault):
    assert fault in faults_of(case_with(**change))


def test_clean_up_of_a_run_type_that_may_use_anything_is_an_operation_that_there_is():
    with_any = case_with(operations="*", cancellation__cleanup=["sweep"])
    others = [each for each in examples() if each.name != "customer-case"]
    found = [(fault.code, fault.path) for document, fault in together([*others, with_any]) if document is with_any]
    assert found == [("unknown_name", "/cancellation/cleanup/0")]


def test_it_is_told_in_sentences():
    said = says(example("customer-case", "RunType"))
    for sentence in (
        "A wait expires after 2 days, unless it says otherwise; then a person is called, and the run stays waiting.",
        "The wait reply expires after 1 day; then the run goes on without it.",
        "The signal customer-replied may come in a message signed with the secret shop-webhooks, about {body.order};",
        "without a wait it is kept for 2 days.",
        "Only its own agent may take a run over.",
        "At most: 5000 attempts, 2000000 tokens, 10 child runs and a cost of 20.",
        "When one runs out, the run is held until somebody gives more or ends it.",
        "It can be cancelled by the run's driver, an operator or an administrator.",
        "Its driver then has 1 min to finish in order, unless whoever cancels says otherwise.",
        "An agent's state may have 262144 bytes; that of the newest 20 is kept.",
    ):
        assert sentence in said
    assert "Any agent of the tenant may take a run over." in says(example("close-invoice", "RunType"))
    assert "Meanwhile it may still clean up with cancel_booking." in says(example("trip", "RunType"))


def test_a_mode_that_is_immediate_or_without_grace_takes_the_run_at_once():
    for change in ({"cancellation__mode": "immediate"}, {"cancellation__grace_seconds": 0}):
        assert "Its driver then loses the run at once" in says(case_with(**change))


def test_two_versions_differ_at_the_place_that_was_changed():
    before, after = case_with(), case_with(waiting__named__reply={"expires_seconds": 60}, limits__attempts=5)
    assert changes(normalise(before).value, normalise(after).value) == [
        Change("waiting.named.reply.expires_seconds", "86400", "60"),
        Change("limits.attempts", "5000", "5"),
        Change("waiting.named.reply.on_expiry", "wake", None),
    ]


def test_an_operation_says_whether_the_other_side_is_asked_to_stop():
    cancel = {"who": ["operator"], "scopes": ["effect"], "in_flight": "let_finish", "late_result": "recorded"}
    found = read(refund_with(cancellation=cancel)).cancellation
    assert found == EffectCancellation(frozenset({"operator"}), frozenset({"effect"}), "graceful", asks=False)
    call = {
        "method": "POST",
        "url": "{dependency.base_url}/stop",
        "attempt_timeout_seconds": 5,
        "outcomes": [{"when": {"path": "status", "op": "eq", "value": 200}, "outcome": "pending"}],
    }
    assert read(
        refund_with(cancellation={**cancel, "in_flight": "request_cancel"}, http__cancel=call)
    ).cancellation.asks
