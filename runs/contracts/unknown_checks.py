"""Faults of how a contract finds out what became of a call: what resolves it exists, and what is found is proven (R-F2)."""

from collections.abc import Iterator
from itertools import pairwise

from console.documents import Fault
from console.exact.paths import Path
from console.exact.value import Object
from runs.contracts.placeholders import AFTERWARDS, Place, path_faults, template_faults
from runs.contracts.proof import IDENTITIES
from runs.contracts.request import ROOTS
from runs.contracts.templates import BadTemplate, template

RESOLVE = "/unknown/resolve"


def unknown_faults(contract: Object) -> Iterator[Fault]:
    """Give the faults of what is said about an unknown outcome."""
    yield from _resolve_faults(contract)
    yield from _resend_faults(contract)
    yield from _age_faults(contract)
    if "read_back" in contract.get("http", {}):
        yield from _proof_faults(contract["http"]["read_back"]["proof"], Place(contract["arguments"], AFTERWARDS))
    yield from _wait_faults(contract)


def _resolve_faults(contract: Object) -> Iterator[Fault]:
    executor = contract["executor"]
    acting: Object = contract.get(executor, {})
    unknown: Object = contract.get("unknown", {})
    resolve = unknown.get("resolve")
    if resolve == "status" and "status" not in acting:
        yield Fault(RESOLVE, "needs_status", f"There is no {executor}.status to ask.")
    if resolve == "read_back" and "read_back" not in contract.get("http", {}):
        yield Fault(RESOLVE, "needs_read_back", "There is no http.read_back, with its proof, to find it out by.")
    if resolve == "resend" and not unknown["resend_same_key"]:
        yield Fault(
            RESOLVE, "contradiction", "Nothing is sent again unless unknown.resend_same_key says that it may be."
        )


def _resend_faults(contract: Object) -> Iterator[Fault]:
    if not contract.get("unknown", {}).get("resend_same_key"):
        return
    at = "/unknown/resend_same_key"
    if contract["executor"] not in {"http", "python"}:
        yield Fault(
            at, "contradiction", "What an agent or a person does is sent by nobody, so it cannot be sent again."
        )
    if contract.get("retry", {}).get("attempts", 1) < 2:
        yield Fault(at, "needs_attempts", "Sending again is an attempt: retry.attempts must be above 1.")


def _age_faults(contract: Object) -> Iterator[Fault]:
    unknown: Object = contract.get("unknown", {})
    ages = [unknown.get("age_objective_seconds", 0), *unknown.get("reminders_seconds", [])]
    for place, (earlier, later) in enumerate(pairwise(ages)):
        if later <= earlier:
            why = "Reminders ascend, and come after age_objective_seconds."
            yield Fault(f"/unknown/reminders_seconds/{place}", "out_of_range", why)
    after = unknown.get("escalate_after_seconds")
    if after is None:
        return
    if after <= ages[0]:
        yield Fault(
            "/unknown/escalate_after_seconds",
            "out_of_range",
            "It is escalated after age_objective_seconds, not before.",
        )
    if "to" not in contract.get("escalation", {}):
        yield Fault(
            "/unknown/escalate_after_seconds", "needs_escalation", "There is no escalation.to whom it would go to."
        )


def _proof_faults(sections: list[Object], place: Place) -> Iterator[Fault]:
    named: set[Path] = set()
    for index, each in enumerate(sections):
        at = f"/http/read_back/proof/{index}"
        yield from template_faults(each["equals"], place, f"{at}/equals", needs_text=True)
        yield from path_faults(each["path"], f"{at}/path")
        try:
            named.update(template(each["equals"], ROOTS).paths)
        except BadTemplate:  # told of above
            return
    if not named & IDENTITIES:
        why = "Nothing here names this intent: one proof must equal effect.key, effect.id, effect.operation_id or effect.fingerprint."
        yield Fault("/http/read_back/proof", "needs_identity", why)


def _wait_faults(contract: Object) -> Iterator[Fault]:
    executor = contract["executor"]
    for name in ("status", "read_back"):
        section: Object = contract.get(executor, {}).get(name, {})
        if section and section["every_seconds"] > section.get("max_seconds", section["every_seconds"]):
            yield Fault(f"/{executor}/{name}/every_seconds", "out_of_range", "This must be within max_seconds.")
