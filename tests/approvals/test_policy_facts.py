"""What a policy may look at besides the intent itself: the owner, the time on the wall of its zone, and what was spent."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from approvals.policy_checks import normalise, validate
from approvals.policy_document import PolicyDocument, judge, policy_document
from approvals.policy_facts import NotAnAmount, Window, amount_of, meter, spends, spent_facts, time_facts
from console import env
from console.documents import Document, load

TODAY: dict[str, Any] = {"name": "today", "path": "arguments.amount", "within_seconds": 86400, "per": "agent"}
OFFICE: dict[str, Any] = {
    "apiVersion": "counterfoil/v1",
    "kind": "Policy",
    "name": "office",
    "version": 1,
    "operations": ["pay"],
    "time_zone": "Europe/Berlin",
    "spend": [TODAY],
    "rules": [
        {"name": "night", "when": {"path": "time.hour", "op": "lt", "value": 8}, "then": "deny"},
        {"name": "weekend", "when": {"path": "time.weekday", "op": "gte", "value": 6}, "then": "deny"},
        {"name": "new-year", "when": {"path": "time.date", "op": "eq", "value": "2026-01-01"}, "then": "deny"},
        {"name": "own", "when": {"path": "owner", "op": "eq", "value": "Ben Osei"}, "then": "allow"},
        {"name": "too-much", "when": {"path": "spent.today", "op": "gt", "value": 5000}, "then": "deny"},
        {"name": "rest", "then": "allow"},
    ],
}


def policy(**changes: Any) -> PolicyDocument:
    document = Document({**OFFICE, **changes})
    assert validate(document) == []
    return policy_document(normalise(document).value)


def faults(**changes: Any) -> set[tuple[str, str]]:
    return {(fault.code, fault.path) for fault in validate(Document({**OFFICE, **changes}))}


def rule(when: Any) -> list[Any]:
    return [{"name": "only", "when": when, "then": "deny"}]


def facts(**more: Any) -> dict[str, Any]:
    return {"operation": "pay", "target": "payee:bob", "arguments": {"amount": "10"}, "agent": "bot", **more}


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        ("2026-03-29T00:59Z", (1, 59, 7, "2026-03-29")),  # the clocks are put forward: after 01:59 comes 03:00
        ("2026-03-29T01:00:00+00:00", (3, 0, 7, "2026-03-29")),
        ("2026-10-25T00:30:00+00:00", (2, 30, 7, "2026-10-25")),  # and back: 02:30 comes twice
        ("2026-10-25T01:30:00+00:00", (2, 30, 7, "2026-10-25")),
        ("2026-12-31T23:30:00+00:00", (0, 30, 5, "2027-01-01")),
    ],
)
def test_the_time_is_what_a_clock_on_the_wall_shows_also_when_clocks_are_changed(at: str, shown: Any) -> None:
    assert tuple(time_facts(datetime.fromisoformat(at), "Europe/Berlin").values()) == shown


def test_without_a_zone_the_time_is_utc() -> None:
    assert "time_zone" not in normalise(Document({k: v for k, v in OFFICE.items() if k != "time_zone"})).value
    assert policy_document({**OFFICE, "description": "", "otherwise": "deny"}).time_zone == "Europe/Berlin"
    assert time_facts(datetime(2026, 7, 1, 12, tzinfo=UTC), "UTC")["hour"] == 12


@pytest.mark.parametrize(
    ("at", "decides"),
    [
        (datetime(2026, 3, 30, 5, 59, tzinfo=UTC), "night"),  # 07:59 in summer
        (datetime(2026, 3, 30, 6, 0, tzinfo=UTC), "rest"),
        (datetime(2026, 1, 5, 6, 59, tzinfo=UTC), "night"),  # 07:59 in winter
        (datetime(2026, 1, 5, 7, 0, tzinfo=UTC), "rest"),
        (datetime(2026, 1, 3, 12, 0, tzinfo=UTC), "weekend"),
        (datetime(2026, 1, 1, 12, 0, tzinfo=UTC), "new-year"),
    ],
)
def test_office_hours_can_be_said(at: datetime, decides: str) -> None:
    assert judge(policy(), facts(time=time_facts(at, "Europe/Berlin"))).rule == decides


def test_the_owner_of_the_agent_can_be_named() -> None:
    assert judge(policy(), facts(owner="Ben Osei")).rule == "own"


def test_what_would_be_spent_counts_this_one_too_and_not_one_digit_is_rounded() -> None:
    found = spends("office", policy().spend, facts(arguments={"amount": "0.0000000000000000000000000000001"}))
    spent = spent_facts(found, {"today": Decimal(5000)})
    assert spent == {"today": Decimal("5000.0000000000000000000000000000001")}
    assert judge(policy(), facts(spent=spent)).rule == "too-much"
    assert judge(policy(), facts(spent={"today": Decimal(5000)})).rule == "rest"


@pytest.mark.parametrize(
    ("arguments", "amount"),
    [
        ({"amount": "12.50"}, "12.50"),
        ({"amount": 7}, "7"),
        ({}, "0"),
        ({"amount": None}, "0"),
        ({"amount": "-9000"}, "0"),
    ],
)
def test_nobody_makes_room_by_a_negative_amount(arguments: Any, amount: str) -> None:
    window = Window("today", "arguments.amount", 60, "agent")
    assert amount_of(window, facts(arguments=arguments)) == Decimal(amount)


@pytest.mark.parametrize("odd", ["1e3", "12,5", True, {"a": 1}, [1]])
def test_what_is_no_exact_decimal_is_not_taken_for_nothing(odd: Any) -> None:
    with pytest.raises(NotAnAmount):
        amount_of(Window("today", "arguments.amount", 60, "agent"), facts(arguments={"amount": odd}))


def test_each_agent_each_target_and_the_tenant_have_sums_of_their_own() -> None:
    bot, other = facts(), facts(agent="other", target="payee:eve")
    for per, same in (("agent", False), ("target", False), ("tenant", True)):
        window = Window("w", "arguments.amount", 60, per)
        assert (meter("office", window, bot) == meter("office", window, other)) is same
    longer = Window("month", "arguments.amount", 2_592_000, "agent")
    assert meter("office", longer, bot) == meter("office", Window("day", "arguments.amount", 86400, "agent"), bot)


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"time_zone": "Mars/Olympus"}, "unknown_time_zone", "/time_zone"),
        ({"time_zone": "localtime"}, "unknown_time_zone", "/time_zone"),
        ({"spend": [TODAY, TODAY]}, "doubled", "/spend/1/name"),
        ({"spend": [{**TODAY, "per": "moon"}]}, "not_allowed", "/spend/0/per"),
        ({"spend": [{**TODAY, "path": "target"}]}, "bad_format", "/spend/0/path"),
        ({"rules": rule({"path": "spent.week", "op": "gt", "value": 1})}, "unknown_fact", "/rules/0/when"),
        ({"rules": rule({"path": "spent", "op": "exists", "value": True})}, "unknown_fact", "/rules/0/when"),
        ({"rules": rule({"path": "time.year", "op": "eq", "value": 2026})}, "unknown_fact", "/rules/0/when"),
        ({"rules": rule({"path": "time.hour", "op": "gt", "value": 23})}, "never_holds", "/rules/0/when"),
        ({"rules": rule({"path": "time.weekday", "op": "eq", "value": 0})}, "never_holds", "/rules/0/when"),
    ],
)  # fmt: skip
def test_what_is_never_known_or_never_so_is_refused(changes: Any, code: str, path: str) -> None:
    assert (code, path) in faults(**changes)


def test_a_rule_that_the_hours_before_leave_nothing_to_is_refused() -> None:
    morning = {"name": "am", "when": {"path": "time.hour", "op": "lt", "value": 12}, "then": "allow"}
    afternoon = {"name": "pm", "when": {"path": "time.hour", "op": "gte", "value": 12}, "then": "allow"}
    late = {"name": "late", "when": {"path": "time.hour", "op": "eq", "value": 23}, "then": "deny"}
    assert ("never_reached", "/rules/2") in faults(rules=[morning, afternoon, late])


@pytest.mark.parametrize(
    "name", ["on_timeout", "on_expiry", "auto_approve_after_seconds", "if_nobody_answers", "default"]
)
def test_nothing_in_the_language_can_approve_by_silence(name: str) -> None:
    ask = {"groups": ["finance"], "decide_within_seconds": 60, "use_within_seconds": 60, name: "approve"}
    assert faults(rules=[{"name": "a", "then": "ask", "ask": ask}]) == {
        ("silence_never_approves", f"/rules/0/ask/{name}")
    }


def test_others_are_asked_too_only_while_there_is_time_left() -> None:
    escalate = {"after_seconds": 60, "to": ["finance"]}
    ask = {"groups": ["finance"], "decide_within_seconds": 60, "use_within_seconds": 60, "escalate": escalate}
    assert faults(rules=[{"name": "a", "then": "ask", "ask": ask}]) == {
        ("out_of_range", "/rules/0/ask/escalate/after_seconds")
    }


def test_the_example_of_the_page_is_a_policy() -> None:
    page = (env.BASE_DIR / "docs" / "policies.md").read_text(encoding="utf-8")
    (document,) = load(page.split("```yaml\n")[1].split("```")[0])
    assert validate(document) == []


def test_a_policy_of_the_first_release_has_the_digest_that_it_had() -> None:
    first = {"groups": ["finance"], "decide_within_seconds": 60, "use_within_seconds": 60}
    document = normalise(Document({**OFFICE, "rules": [{"name": "a", "then": "ask", "ask": first}]}))
    assert set(document.value["rules"][0]["ask"]) == {*first, "quorum"}
