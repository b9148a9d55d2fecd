"""What a contract says of making good for its effects is sound: it names what exists, and is given what it needs (R-J1)."""

from typing import Any

import pytest

from console.documents import Document, load
from runs.contracts import gaps, normalise, publishable
from runs.contracts.telling import told
from runs.contracts.together import together
from tests.compensation.undoing import CONTRACTS
from tests.runs.contract_documents import DROP, changed, example, faults_of, read
from tests.shop import dependency, operation

LINE = "Compensation: action, authority, order, verification"
SHOP = load("\n---\n".join([CONTRACTS, dependency("bank"), operation("look", access="read")]))


def named(name: str) -> Document:
    """Give a contract of the shop."""
    return next(each for each in SHOP if each.name == name)


def says(name: str, **section: Any) -> Document:
    """Give a contract of the shop whose section says this instead; `__` stands for the dots of a path."""
    return changed(named(name), {f"compensation.{path.replace('__', '.')}": new for path, new in section.items()})


def fits(*documents: Document) -> set[tuple[str, str, str]]:
    """Give what does not fit when these documents stand in place of those of the same name."""
    new = {each.name for each in documents}
    kept = [each for each in SHOP if each.name not in new]
    found = together([normalise(each) for each in [*kept, *documents]])
    return {(where.name, fault.code, fault.path) for where, fault in found}


def test_the_contracts_of_the_shop_are_sound_and_fit() -> None:
    assert [faults_of(each) for each in SHOP if faults_of(each)] == []
    assert fits() == set()


@pytest.mark.parametrize(
    ("section", "fault"),
    [
        ({"arguments": {"receipt": "{result.ticket}"}}, ("unknown_result", "/compensation/arguments/receipt")),
        ({"arguments": {"receipt": "{arguments.nobody}"}}, ("unknown_argument", "/compensation/arguments/receipt")),
        ({"arguments": {"receipt": "{nobody}"}}, ("unknown_argument", "/compensation/arguments/receipt")),
        ({"arguments": {"receipt": "{effect.fence}"}}, ("not_here", "/compensation/arguments/receipt")),
        ({"arguments": {"receipt": "{result.receipt"}}, ("bad_template", "/compensation/arguments")),
        (
            {"arguments": {"list": [{"deep": "{result.ticket}"}]}},
            ("unknown_result", "/compensation/arguments/list/0/deep"),
        ),
        ({"unchanged": [{"path": "answer.status", "equals": "x"}]}, ("unknown_fact", "/compensation/unchanged/0/path")),
        ({"unchanged": [{"path": "body..x", "equals": "x"}]}, ("bad_path", "/compensation/unchanged/0/path")),
        ({"unchanged": [{"path": "body.x", "equals": "{reason}"}]}, ("not_here", "/compensation/unchanged/0/equals")),
        ({"operation": None}, ("not_here", "/compensation/arguments")),
        ({"residue": ["A fee.", "The bank keeps {result.fee}."]}, ("not_here", "/compensation/residue/1")),
        ({"checklist": ["Call {arguments.to}."]}, ("not_here", "/compensation/checklist/0")),
        ({"instructions": "Say why: {reason}."}, ("not_here", "/compensation/instructions")),
        ({"verification": "The statement of {effect.id}."}, ("not_here", "/compensation/verification")),
    ],
)
def test_what_it_names_exists(section: Any, fault: tuple[str, str]) -> None:
    assert fault in faults_of(says("reserve", **section))


def test_results_are_known_by_every_answer_and_by_the_parts_that_are_kept() -> None:
    parts = changed(
        named("reserve"), {"partial": {"recognised_by": None, "then": "Ask.", "parts": {"ticket": "{body.t}"}}}
    )
    with_condition = changed(parts, {"partial.recognised_by": {"path": "status", "op": "eq", "value": 207}})
    assert faults_of(changed(with_condition, {"compensation.arguments": {"receipt": "{result.ticket}"}})) == set()


def test_what_people_do_of_themselves_has_instructions() -> None:
    assert ("needs_instructions", "/compensation/on") in faults_of(says("notify", instructions=DROP))
    assert faults_of(says("notify", instructions=DROP, on=DROP)) == set()


def test_what_only_reads_has_nothing_to_make_good_for() -> None:
    section = {"operation": None, "why_none": "It reads.", "on": ["cancelled"], "instructions": "Nothing."}
    assert ("not_here", "/compensation/on") in faults_of(changed(named("look"), {"compensation": section}))


def test_what_is_irreversible_may_have_instructions_but_no_operation() -> None:
    section = {"on": ["cancelled"], "instructions": "Ask the payee.", "checklist": ["Ring."]}
    manual = changed(example("transfer"), {f"compensation.{name}": value for name, value in section.items()})
    assert faults_of(manual) == set()
    assert ("contradiction", "/compensation/operation") in faults_of(
        changed(manual, {"compensation.operation": "refund"})
    )


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        (says("reserve", operation="forget"), ("reserve", "unknown_name", "/compensation/operation")),
        (says("reserve", operation="look"), ("reserve", "not_allowed", "/compensation/operation")),
        (says("charge", arguments__amount=DROP), ("charge", "missing", "/compensation/arguments")),
        (says("charge", arguments__colour="red"), ("charge", "unknown_argument", "/compensation/arguments/colour")),
        (says("reserve", arguments=DROP), ("reserve", "missing", "/compensation/arguments")),
        (
            says("reserve", unchanged=[{"path": "body.x", "equals": "x"}]),
            ("reserve", "needs_read", "/compensation/unchanged"),
        ),
        (says("charge", after=["nobody"]), ("charge", "unknown_name", "/compensation/after/0")),
        (says("charge", after=["charge"]), ("charge", "circle", "/compensation/after")),
    ],
)
def test_it_fits_the_other_contracts(document: Document, fault: tuple[str, str, str]) -> None:
    assert fault in fits(document)


def test_what_can_be_absent_does_not_suffice() -> None:
    optional = changed(
        says("charge", arguments__amount="{arguments.tip}"), {"arguments.properties.tip": {"type": "string"}}
    )
    assert fits(optional) == {("charge", "may_be_absent", "/compensation/arguments/amount")}


def test_a_circle_is_told_of_each_that_is_in_it_and_of_no_other() -> None:
    circle = says("reserve", after=["book"]), says("book", after=["reserve"])
    assert {fault for fault in fits(*circle) if fault[1] == "circle"} == {
        ("reserve", "circle", "/compensation/after"), ("book", "circle", "/compensation/after"),
    }  # fmt: skip


def test_what_was_published_with_a_name_only_is_held_to_the_name() -> None:
    """Contracts of 0.1.0 named an operation and said the rest in words: none of that becomes a fault."""
    section = {"operation": "look", "when": "Always.", "order": "None."}
    assert fits(changed(named("reserve"), {"compensation": section})) == set()


def test_people_who_do_it_of_themselves_know_by_when_and_how_it_is_known_to_be_done() -> None:
    section = {"operation": None, "why_none": "Read is read.", "on": ["cancelled"], "instructions": "Call."}
    asked = changed(example("refund"), {"compensation": section})
    assert [gap.field for gap in gaps(asked)] == ["compensation.deadline_seconds", "compensation.verification"]
    assert not publishable(asked)
    answered = changed(asked, {"compensation.deadline_seconds": 60, "compensation.verification": "The list of calls."})
    assert publishable(answered)


def test_order_and_escalation_are_answered_by_what_the_engine_goes_by() -> None:
    section = {
        "operation": "charge", "when": "Always.", "authority": "Anybody.", "deadline_seconds": 60, "verification": "The statement.",
        "after": ["reserve"], "ladder": [{"after_seconds": 0, "to": "operators"}],
    }  # fmt: skip
    assert gaps(changed(example("refund"), {"compensation": section})) == []


def test_every_field_is_read_and_told() -> None:
    document = says(
        "book", need="allowed", after=["reserve"], plan_first=True, who=["operator"], of_compensation=True, second_person=True,
        owner="support", ladder=[{"after_seconds": 3600, "to": "finance"}], instructions="Ring.", checklist=["Done."],
    )  # fmt: skip
    undoing = read(document).compensation
    assert (undoing.need, undoing.after, undoing.plan_first, undoing.who) == (
        "allowed",
        ("reserve",),
        True,
        frozenset({"operator"}),
    )
    assert (undoing.owner, undoing.ladder[0].to, undoing.checklist) == ("support", "finance", ("Done.",))
    said = " ".join(next(line for line in told(normalise(document)) if line.name == LINE).says)
    for words in (
        "Planned without being asked for when its run is cancelled.", "The end of the run does not wait for it.",
        "Effects of reserve in the same run are made good for first.", "Somebody approves the plan before anything of it runs.",
        "It is given receipt = {result.receipt}.", "body.status is confirmed and body.to is {arguments.to}",
        "It is asked for by an operator.", "It may be made good for even where it made good for something itself.",
        "counts when a second person has confirmed it", "What people do: Ring.", "They tick off: Done.",
        "The group support looks after it.",
        "The group finance is told 1 h after it needs somebody.",
    ):  # fmt: skip
        assert words in said, said
