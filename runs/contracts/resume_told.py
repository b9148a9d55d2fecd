"""The resume contract in sentences: one teller for each line of the list; what it says nothing about, it gives nothing of."""

from collections.abc import Callable, Iterator
from typing import Any

from console.exact import number_text
from console.exact.value import Object
from runs.contracts.keeping import checkpoint_rule
from runs.contracts.recovery_told import BY
from runs.contracts.spans import in_words
from runs.contracts.stopping import limits, run_cancellation
from runs.contracts.waiting import Waiting, waiting

PINNED = {"continue": "the run goes on", "decide": "a person decides", "quarantine": "the run is set aside"}
UNKNOWN = {"reconcile": "Each is reconciled before the run goes on.", "ask_a_person": "A person decides about each."}
EXPIRED = {
    "wake": "the run goes on without it",
    "escalate": "a person is called, and the run stays waiting",
    "fail": "the run ends as failed",
    "cancel": "the run is cancelled",
}
EXHAUSTED = {"hold": "the run is held until somebody gives more or ends it", "fail": "the run ends as failed"}


def is_for(contract: Object) -> Iterator[str]:
    """Say what runs of this type may do."""
    operations: Any = contract["operations"]
    named = "any operation" if operations == "*" else f"only {', '.join(operations)}" if operations else "no operation"
    yield f"Such runs may use {named}."
    yield (
        "They may do what costs something outside."
        if contract.get("consequential")
        else "They do nothing that costs something outside."
    )
    lenient = contract.get("complete_with_unresolved")
    yield (
        "One may complete with a required effect unresolved, if it names it."
        if lenient
        else "None completes while a required effect is unresolved."
    )


def _persisted(contract: Object) -> Iterator[str]:
    section: Any = contract.get("persisted") or {}
    if section.get("state"):
        yield f"State: {section['state']}"
    if section:
        yield "History: every accepted change is an entry of the run's record."
    if section.get("artifacts"):
        yield f"Artifacts: {section['artifacts']}"
    version: Any = (contract.get("checkpoint") or {}).get("schema_version")
    if version:
        yield f"The agent's own state has schema version {version}."


def _checkpoints(contract: Object) -> Iterator[str]:
    section: Any = contract.get("checkpoint") or {}
    if section.get("boundaries"):
        yield f"Written at: {', '.join(each.replace('_', ' ') for each in section['boundaries'])}."
    if section.get("max_lost_progress"):
        yield f"A break loses at most: {section['max_lost_progress']}"
    if section:
        rule = checkpoint_rule(section)
        age = f", each for {in_words(rule.keep_seconds)} at most" if rule.keep_seconds else ""
        yield f"An agent's state may have {rule.max_bytes} bytes; that of the newest {rule.keep} is kept{age}."


def _waits(contract: Object) -> Iterator[str]:
    section: Any = contract.get("waits")
    if not section:
        return
    for name, words in (("timers", "Timers"), ("subscriptions", "Events from outside"), ("children", "Child runs")):
        yield f"{words}: {'; '.join(section[name]) or 'none'}."
    if contract.get("ownership"):
        yield "One driver owns a run at a time."
    yield from _expiries(waiting(contract.get("waiting")))
    for name, rule in (contract.get("signals") or {}).items():
        yield (
            f"The signal {name} may come in a message signed with the secret {rule['secret']}, about {rule['correlation']}; "
            f"without a wait it is kept for {in_words(rule['keep_seconds'])}."
        )


def _expiries(rule: Waiting) -> Iterator[str]:
    yield f"A wait expires after {in_words(rule.otherwise.seconds)}, unless it says otherwise; then {EXPIRED[rule.otherwise.follows]}."
    for name, own in rule.named.items():
        yield f"The wait {name} expires after {in_words(own.seconds)}; then {EXPIRED[own.follows]}."


def _ownership(contract: Object) -> Iterator[str]:
    section: Any = contract.get("ownership")
    if section:
        yield f"A driver holds a run for {in_words(section['lease_seconds'])} without a heartbeat."
        yield f"At once: {section.get('concurrency', 'one driver')}."
        yield "Every write carries the driver's token, and a stale one is refused."
        drivers: Any = section.get("drivers") or []
        others = "Any agent of the tenant" if drivers == "*" else f"Beside its own agent, {_listed(drivers)}"
        yield f"{others} may take a run over." if drivers else "Only its own agent may take a run over."


def _pins(contract: Object) -> Iterator[str]:
    pins: Any = contract.get("pins") or {}
    for what, follows in PINNED.items():
        names = [name for name, pin in pins.items() if pin == what]
        if names:
            yield f"When another {' or '.join(sorted(names))} is in use: {follows}."
    migrations: Any = contract.get("migrations")
    if migrations == []:
        yield "No older checkpoints need migrating."
    for step in migrations or []:
        yield f"From schema version {step['from']} to {step['to']}: {step['by']}"


def _checked_again(contract: Object) -> Iterator[str]:
    checked: Any = contract.get("revalidate")
    if checked:
        yield f"Checked again before a run goes on: {', '.join(checked)}."


def _unknown(contract: Object) -> Iterator[str]:
    section: Any = contract.get("unknown")
    if section:
        yield UNKNOWN[section["before_continue"]]


def _objectives(contract: Object) -> Iterator[str]:
    section: Any = contract.get("objectives")
    if section:
        yield f"After a break a run goes on within {in_words(section['recovery_seconds'])}."
        yield f"A backlog is taken up at {section['drain_per_second']} runs a second at most."


def _quarantine(contract: Object) -> Iterator[str]:
    section: Any = contract.get("quarantine")
    if section:
        yield f"What cannot be resumed goes to {section['to']}."
        yield f"By hand: {section['path']}"


def _evidence(contract: Object) -> Iterator[str]:
    section: Any = contract.get("evidence")
    if section:
        yield f"Restored: {section['restore']}"
        yield f"Broken on purpose: {section['failure_injection']}"


def _success(contract: Object) -> Iterator[str]:
    criteria: Any = contract.get("success_criteria") or []
    yield from map(str, criteria)
    seconds: Any = contract.get("deadline_seconds")
    if seconds:
        yield f"It ends within {in_words(seconds)} of its start."
    yield from _limits(contract.get("limits"))
    if criteria or seconds:
        yield from _cancellation(contract.get("cancellation"))


def _limits(section: Any) -> Iterator[str]:
    rule = limits(section)
    spans = [
        f"{value} {name if value != 1 else one}"
        for value, name, one in (
            (rule.attempts, "attempts", "attempt"),
            (rule.tokens, "tokens", "token"),
            (rule.children, "child runs", "child run"),
        )
        if value is not None
    ]
    spans += [f"a cost of {number_text(rule.cost)}"] if rule.cost is not None else []
    spans += [f"{in_words(rule.wall_seconds)} after its start"] if rule.wall_seconds is not None else []
    if spans:
        yield f"At most: {_listed(spans)}. When one runs out, {EXHAUSTED[rule.on_exhaustion]}."


def _cancellation(section: Any) -> Iterator[str]:
    rule = run_cancellation(section)
    yield f"It can be cancelled by {_listed([BY[who] for who in BY if who in rule.who], 'or')}."
    grace = f"has {in_words(rule.grace_seconds)} to finish in order" if rule.grace_seconds else "loses the run at once"
    yield f"Its driver then {grace if rule.mode == 'graceful' else 'loses the run at once'}, unless whoever cancels says otherwise."
    if rule.cleanup:
        yield f"Meanwhile it may still clean up with {_listed(sorted(rule.cleanup), 'or')}."
    left = "cancelled with it" if rule.children == "cancel" else "left to go on"
    yield f"The runs that it started are {left}, unless whoever cancels says otherwise."


def _listed(words: list[str], last: str = "and") -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


RESUME_TOLD: dict[str, Callable[[Object], Iterator[str]]] = {
    "Persisted state, history, artifacts, schema version": _persisted,
    "Checkpoint boundaries and lost progress": _checkpoints,
    "Timers, subscriptions, children, ownership": _waits,
    "Lease, concurrency, fencing": _ownership,
    "Pinned configuration and migration": _pins,
    "Revalidation of identity, approval, policy, secret, state": _checked_again,
    "Unknown effects before going on": _unknown,
    "Recovery time and drain": _objectives,
    "Quarantine and manual recovery": _quarantine,
    "Restore and failure-injection evidence": _evidence,
    "Success criteria and deadline": _success,
}
