"""The recovery contract in sentences: one teller for each line of the list; what it says nothing about, it gives nothing of."""

from collections.abc import Callable, Iterator
from typing import Any

from console.exact.conditions import parse, sentence
from console.exact.value import Object
from runs.contracts.follows import RESOLVED
from runs.contracts.operation import VERIFIED_WITHIN_SECONDS, VERIFY_EVERY_SECONDS
from runs.contracts.spans import in_words
from runs.contracts.undoing_told import undoing_told

CHECKPOINTS = {(True, True): "before the effect is begun and after its outcome is known", (True, False): "before the effect is begun",
               (False, True): "after the effect's outcome is known"}  # fmt: skip
BY = {"driver": "the run's driver", "operator": "an operator", "admin": "an administrator"}
IN_FLIGHT = {
    "let_finish": "A call in flight is let finish.",
    "request_cancel": "The other side is asked to stop what it accepted.",
}


def does(contract: Object) -> Iterator[str]:
    """Say what the operation does and by whom it is carried out."""
    executor = str(contract.get("executor", "http"))
    section: Any = contract.get(executor) or {}
    if executor == "http" and section:
        yield f"Counterfoil calls {section['method']} {section['url']}."
    elif executor == "python" and section:
        yield f"Counterfoil calls the function {section['function']}, which is registered in its workers."
    elif executor == "agent":
        yield "The run's agent does it itself, under a permit that it asks for when it begins."
    elif executor == "human" and section:
        yield f"A person does it, {_of_groups(section.get('groups'))}, told: {section['instructions']}"
    if contract.get("dependency"):
        yield f"It goes to {contract['dependency']}, within that dependency's limits."
    reads = contract.get("access") == "read"
    yield (
        "It only reads, so it may always be repeated."
        if reads
        else "It changes something, so it is never repeated unless that is safe."
    )
    yield "A mistake costs something outside." if contract.get("consequential") else "A mistake costs nothing outside."
    if not contract.get("required", True):
        yield "A run may succeed without it, unless the effect says otherwise."
    if contract.get("irreversible"):
        yield "It cannot be undone."


def _of_groups(groups: Any) -> str:
    return f"one of {_listed(groups, 'or')}" if groups else "an operator"


def _identity(contract: Object) -> Iterator[str]:
    if contract.get("summary"):
        yield f"What will happen is written as “{contract['summary']}”."
    key: Any = contract.get("key")
    if key:
        where = {"run": "its run", "tenant": "the whole tenant"}[key.get("scope", "run")]
        yield f"One key within {where} is one effect, however often it is sent."


def _standing(contract: Object) -> Iterator[str]:
    if contract.get("principal"):
        yield str(contract["principal"])
    yield f"The target is {contract['target']}." if contract.get("target") else "Whoever proposes it names the target."
    conditions: Any = contract.get("preconditions")
    if conditions == []:
        yield "Nothing need be true beforehand."
    for condition in conditions or []:
        says = condition if isinstance(condition, str) else sentence(parse(condition))
        yield f"Beforehand: {says.rstrip('.')}."


def _state_version(contract: Object) -> Iterator[str]:
    section: Any = contract.get("state_version") or {}
    if section.get("from"):
        yield f"The version of the target that is approved and acted on is {section['from']}, as it was read."
    if section.get("why_none"):
        yield f"No version is read. {section['why_none']}"
    read: Any = (contract.get("http") or {}).get("read")
    if read:
        yield f"The target is read by {read['method']} {read['url']}, at most {in_words(read['max_age_seconds'])} before the call."


def _outcomes(contract: Object) -> Iterator[str]:
    section: Any = contract.get(str(contract.get("executor", "http"))) or {}
    if section.get("outcomes"):
        names = list(dict.fromkeys(rule if isinstance(rule, str) else rule["outcome"] for rule in section["outcomes"]))
        yield f"Told apart: {_listed(names)}; the table below says by what."
    if section.get("evidence_required"):
        yield "A report comes with evidence."
    partial: Any = contract.get("partial")
    if partial:
        how = partial.get("recognised_by")
        told = how if isinstance(how, str) else sentence(parse(how)) if how else ""
        yield (
            f"Done in part: told by this, that {told}. {partial['then']}"
            if told
            else f"Done in part: {partial['then']}"
        )
        kept = [f"{name} = {value}" for name, value in (partial.get("parts") or {}).items()]
        if kept:
            yield f"Kept of what was done in part: {_joined(kept)}."
    yield from _unknown(contract)


def _unknown(contract: Object) -> Iterator[str]:
    unknown: Any = contract.get("unknown")
    if not unknown:
        return
    yield (
        f"Unknown: {unknown['owner']} own it, it is overdue after {in_words(unknown['age_objective_seconds'])}, and it is found out "
        f"{RESOLVED[unknown['resolve']]}. It never turns into failed."
    )
    ages = [in_words(age) for age in unknown.get("reminders_seconds", [])]
    if ages:
        yield f"People are told when it is overdue, and again after {_listed(ages)}."
    if unknown.get("second_person", contract.get("consequential")):
        yield "What a person found out about it counts when a second person has confirmed it."
    else:
        yield "What one person found out about it, with evidence, counts."
    if unknown.get("may_be_superseded"):
        yield "Another effect may replace it while it is unknown; it stays unknown all the same."
    else:
        yield "No other effect may replace it while it is unknown."


def _times(contract: Object) -> Iterator[str]:
    section: Any = contract.get(str(contract.get("executor", "http"))) or {}
    if section.get("attempt_timeout_seconds"):
        yield f"One attempt takes at most {in_words(section['attempt_timeout_seconds'])}."
    if section.get("lease_seconds"):
        yield f"Whoever does it gives a sign of life at least every {in_words(section['lease_seconds'])}, or it is unknown."
    if contract.get("deadline_seconds"):
        yield f"Everything is done within {in_words(_any(contract['deadline_seconds']))} of its acceptance, or not begun."


def _retries(contract: Object) -> Iterator[str]:
    retry: Any = contract.get("retry")
    if not retry:
        return
    again, never, backoff = retry["retryable"], retry["non_retryable"], retry["backoff"]
    yield f"Tried again after {_listed(again)}." if again else "Never tried again."
    if never:
        yield f"Not tried again after {_listed(never)}."
    yield f"At most {_times_over(retry['attempts'])}, all begun within {in_words(retry['total_seconds'])}."
    yield (
        f"The wait between two is drawn evenly between nothing and {in_words(backoff['base_seconds'])}, "
        f"times {backoff['factor']} for each attempt after that, up to {in_words(backoff['max_seconds'])}."
    )
    yield (
        "The other side's Retry-After lengthens the wait."
        if retry["honour_retry_after"]
        else "Retry-After is not heeded."
    )
    yield f"When no attempt is left, it has {retry['exhausted']}. No other layer tries again."


def _key(contract: Object) -> Iterator[str]:
    key: Any = contract.get("key")
    if not key:
        return
    where = {"run": "the run", "tenant": "the tenant"}[key.get("scope", "run")]
    yield f"A key is unique within {where}."
    if key.get("equivalence"):
        yield f"Two requests with one key are the same when: {key['equivalence']}"
    if key.get("storage"):
        yield f"Keys are kept in the {key['storage']}."
    if key.get("retention_seconds"):
        yield f"A key is kept for {in_words(key['retention_seconds'])} after the effect ended; a reuse after that is refused as expired."


def _finding_out(contract: Object) -> Iterator[str]:
    calls: Any = contract.get(str(contract.get("executor", "http"))) or {}
    status: Any = calls.get("status")
    if status:
        asked = f"The function {status['function']}" if "function" in status else f"{status['method']} {status['url']}"
        yield from _asked(status, f"{asked} is asked")
    read_back: Any = calls.get("read_back")
    if read_back:
        yield from _asked(read_back, f"{read_back['method']} {read_back['url']} is read back")
        proof = [f"{each['path']} is {each['equals']}" for each in read_back["proof"]]
        yield f"What is found counts only when {_joined(proof)}; otherwise it is not ours, and a person decides."
    callback: Any = calls.get("callback")
    if callback:
        names = _joined([callback[name] for name in ("effect_key", "operation_id") if name in callback])
        yield f"The other side may tell it by itself, in a message signed with the secret {callback['secret']} that names it by {names}."
        if not status and not read_back:
            wait = in_words(callback["objective_seconds"])
            yield f"Where nothing was told {wait} after it was accepted, it is unknown, and people find out."
    unknown: Any = contract.get("unknown")
    if unknown:
        yield f"An unknown outcome is resolved {RESOLVED[unknown['resolve']]}."
        if unknown.get("resend_same_key"):
            yield "The same call may be sent again under the same key, which the other side keeps. A look that can be made comes first."
        else:
            yield "The call is not sent again while its outcome is unknown."


def _asked(section: Any, asked: str) -> Iterator[str]:
    growth, most = section.get("backoff_factor", 2), in_words(section.get("max_seconds", 3600))
    yield (
        f"{asked} every {in_words(section['every_seconds'])} to begin with, times {growth} from one to the next up to {most}; "
        f"the outcome should be known within {in_words(section['objective_seconds'])}."
    )
    proof = "proves nothing: it may be on its way"
    if section["absence_is_proof"]:
        after = in_words(section.get("absence_after_seconds", 30))
        proof = f"proves that nothing happened, {after} or more after the call"
    yield f"That the other side never saw it {proof}."


def _joined(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _checkpoints(contract: Object) -> Iterator[str]:
    section: Any = contract.get("checkpoint")
    if section:
        when = CHECKPOINTS.get((section["before"], section["after"]))
        yield f"The agent writes one {when}." if when else "None is written around this effect."


def _cancellation(contract: Object) -> Iterator[str]:
    section: Any = contract.get("cancellation")
    if not section:
        return
    yield f"It can be cancelled by {_listed([BY.get(who, who) for who in section['who']], 'or')}."
    yield IN_FLIGHT[section["in_flight"]]
    yield "A late result is recorded, and never revives what was cancelled."
    if section.get("cleanup"):
        yield f"All the same: {section['cleanup']}"
    if section.get("closed_by"):
        yield f"The cancellation is complete when: {section['closed_by']}"


def _compensation(contract: Object) -> Iterator[str]:
    section: Any = contract.get("compensation") or {}
    if section.get("operation"):
        yield f"The world is put right by {section['operation']}, which is an effect of its own."
        for name, words in (("when", "When"), ("authority", "Ordered by"), ("order", "Order"), ("verification", "Verified"),
                            ("escalation", "If it fails")):  # fmt: skip
            if section.get(name):
                yield f"{words}: {section[name]}"
        if section.get("deadline_seconds"):
            yield f"Within {in_words(section['deadline_seconds'])}."
    elif section.get("why_none"):
        yield f"Nothing undoes it. {section['why_none']}"
    yield from undoing_told(section)
    for remains in section.get("residue", []):
        yield f"What remains: {remains}"
    verify: Any = contract.get("verify")
    if verify:
        every = in_words(verify.get("every_seconds", VERIFY_EVERY_SECONDS))
        within = in_words(verify.get("objective_seconds", VERIFIED_WITHIN_SECONDS))
        yield f"It counts only after {verify['method']} {verify['url']} has shown it."
        yield f"That is read at once, then every {every}, ever more seldom; it should be shown within {within}."
    elif "verify" in contract:
        yield "The answer counts; nothing verifies it afterwards."


def _no_return(contract: Object) -> Iterator[str]:
    yield "It cannot be undone." if contract.get("irreversible") else "It can be put right or replaced afterwards."
    if contract.get("irreversible_point"):
        yield f"The point of no return: {contract['irreversible_point']}"
    elif "irreversible_point" in contract:
        yield "There is no point of no return."
    yield f"Of people it asks what the {contract.get('tier', 'normal')} tier asks."


def _escalation(contract: Object) -> Iterator[str]:
    section: Any = contract.get("escalation")
    if section:
        yield f"What nothing else resolves goes to {section['to']}."
        after: Any = (contract.get("unknown") or {}).get("escalate_after_seconds")
        how = f"by itself after {in_words(after)}" if after else "when a person hands it over"
        yield f"An unknown outcome goes there {how}."
        yield f"What settles it: {section['evidence']}"


def _any(value: Any) -> Any:
    return value


def _times_over(attempts: Any) -> str:
    return "1 attempt" if attempts == 1 else f"{attempts} attempts"


def _listed(names: list[str], last: str = "and") -> str:
    words = [str(name).replace("_", " ") for name in names]
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


RECOVERY_TOLD: dict[str, Callable[[Object], Iterator[str]]] = {
    "Intent and effect identity": _identity,
    "Principal, tenant, target, preconditions": _standing,
    "Authoritative state version": _state_version,
    "Success, rejection, partial, unknown": _outcomes,
    "Attempt timeout and deadline": _times,
    "Retries: conditions, owner, attempts, backoff, jitter, budget": _retries,
    "Key: scope, equivalence, storage, retention": _key,
    "Status query and reconciliation": _finding_out,
    "Checkpoints before and after": _checkpoints,
    "Cancellation and late results": _cancellation,
    "Compensation: action, authority, order, verification": _compensation,
    "Irreversible point and approval": _no_return,
    "Escalation and evidence": _escalation,
}
