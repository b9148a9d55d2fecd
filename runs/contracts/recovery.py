"""The recovery contract, line by line: what an operation's contract must say."""

from collections.abc import Iterable, Iterator

from console.exact.value import Object
from runs.contracts.lines import Line, has, present


def _state_version(contract: Object) -> Iterator[tuple[str, str]]:
    section = contract.get("state_version", {})
    if not section.get("from") and not section.get("why_none"):
        yield "state_version", "Which version of the target is approved and acted on, or why is none read?"


def _outcomes(contract: Object) -> Iterator[tuple[str, str]]:
    section = contract.get(contract.get("executor", "http"), {})
    table = section.get("outcomes", [])
    known = {rule["outcome"] if isinstance(rule, dict) else rule for rule in table}
    where = f"{contract.get('executor', 'http')}.outcomes"
    if not known & {"succeeded", "accepted"}:
        yield where, "Which answer says that it succeeded?"
    if not known & {"rejected", "denied"}:
        yield where, "Which answer says that it was refused?"
    if contract.get("access") == "read":
        return
    yield from present(
        ("partial", "Can it be done in part, how is that told, and what follows?"),
        ("unknown", "Who owns an unknown outcome, how old may it become, and how is it resolved?"),
    )(contract)
    partial = contract.get("partial", {})
    rules = [rule for rule in table if isinstance(rule, dict) and rule["outcome"] in {"partial", "succeeded"}]
    if (
        isinstance(partial.get("recognised_by"), dict)
        and "parts" not in partial
        and not any("result" in rule for rule in rules)
    ):
        yield "partial.parts", "What is kept of it: which parts were done, and which were not?"


def _timeouts(contract: Object) -> Iterator[tuple[str, str]]:
    executor = contract.get("executor", "http")
    yield from present(
        (f"{executor}.attempt_timeout_seconds", "How long may one attempt take?"),
        ("deadline_seconds", "By when must everything be done?"),
    )(contract)


def _reconciliation(contract: Object) -> Iterator[tuple[str, str]]:
    unknown = contract.get("unknown", {})
    resolve, executor = unknown.get("resolve"), contract.get("executor", "http")
    if executor not in {"http", "python"}:
        return
    section = contract.get(executor, {})
    looked_at = "status" in section or "read_back" in section
    if resolve not in {"person", "resend"} and not looked_at:
        question = "How is it found out what became of a call, or is that for a person (unknown.resolve)?"
        yield f"{executor}.status", question
    for name in ("status", "read_back"):
        look = section.get(name, {})
        if look.get("absence_is_proof") and "absence_after_seconds" not in look:
            yield (
                f"{executor}.{name}.absence_after_seconds",
                'How long after a call is "never seen" proof that nothing happened?',
            )


def _compensation(contract: Object) -> Iterator[tuple[str, str]]:
    section = contract.get("compensation")
    if section is None:
        yield "compensation", "Which operation puts the world right afterwards, or why is there none?"
    elif not section.get("operation"):
        if not section.get("why_none"):
            yield "compensation.why_none", "Why is there no compensating operation?"
        if section.get("on"):  # people do it, of themselves
            yield from _unanswered(section, ("deadline_seconds", "verification"))
    else:
        yield from _unanswered(section, _COMPENSATING)
    yield from present(("verify", "How is the effect verified before it counts (null: the answer counts)?"))(contract)


def _unanswered(section: Object, fields: Iterable[str]) -> Iterator[tuple[str, str]]:
    for field in fields:
        if not section.get(field) and not section.get(_ANSWERED_BY.get(field, field)):
            yield f"compensation.{field}", _COMPENSATING[field]


_ANSWERED_BY = {"order": "after", "escalation": "ladder"}
_COMPENSATING = {
    "when": "When is compensation allowed or required?",
    "authority": "Who may order it?",
    "deadline_seconds": "By when must it be done?",
    "order": "What must be compensated before or after it?",
    "verification": "How is it verified?",
    "escalation": "Who takes over when it fails?",
}


def _irreversible(contract: Object) -> Iterator[tuple[str, str]]:
    if not has(contract, "irreversible_point"):
        yield "irreversible_point", "Where is the point of no return (null: there is none)?"
    elif contract.get("irreversible") and not contract["irreversible_point"]:
        yield "irreversible_point", "It is irreversible: from which point on?"


RECOVERY = (
    Line(
        "Intent and effect identity",
        ("summary", "key"),
        present(("key", "What is one logical effect?")),
        of_reads=False,
    ),
    Line(
        "Principal, tenant, target, preconditions",
        ("principal", "target", "preconditions"),
        present(("preconditions", "What must be true beforehand (an empty list: nothing)?")),
        of_reads=False,
    ),
    Line("Authoritative state version", ("state_version", "http.read"), _state_version, of_reads=False),
    Line(
        "Success, rejection, partial, unknown",
        ("http.outcomes", "partial", "unknown.owner", "unknown.second_person", "unknown.reminders_seconds"),
        _outcomes,
    ),
    Line("Attempt timeout and deadline", ("http.attempt_timeout_seconds", "deadline_seconds"), _timeouts),
    Line(
        "Retries: conditions, owner, attempts, backoff, jitter, budget",
        ("retry",),
        present(("retry", "Which outcomes are tried again, how often, how long, by whom?")),
    ),
    Line(
        "Key: scope, equivalence, storage, retention",
        ("key.scope", "key.equivalence", "key.storage", "key.retention_seconds"),
        present(
            ("key.equivalence", "What makes two requests with one key the same?"),
            ("key.retention_seconds", "How long is a key kept?"),
        ),
        of_reads=False,
    ),
    Line(
        "Status query and reconciliation",
        ("http.status", "http.read_back", "http.callback", "unknown.resolve", "unknown.resend_same_key"),
        _reconciliation,
        of_reads=False,
    ),
    Line(
        "Checkpoints before and after",
        ("checkpoint.before", "checkpoint.after"),
        present(("checkpoint", "Is a checkpoint written before and after the effect?")),
        of_reads=False,
    ),
    Line(
        "Cancellation and late results",
        ("cancellation", "http.cancel"),
        present(("cancellation", "Who may cancel, what becomes of a call in flight, and of a late result?")),
        of_reads=False,
    ),
    Line(
        "Compensation: action, authority, order, verification",
        ("compensation", "verify"),
        _compensation,
        of_reads=False,
    ),
    Line(
        "Irreversible point and approval",
        ("irreversible", "irreversible_point", "tier"),
        _irreversible,
        of_reads=False,
    ),
    Line(
        "Escalation and evidence",
        ("escalation.to", "escalation.evidence", "unknown.escalate_after_seconds"),
        present(("escalation", "Who takes a case that nothing resolves, and what evidence settles it?")),
        of_reads=False,
    ),
)
