"""What must be true of contracts together: the names that they use of each other exist and fit.

Asked of all the documents that will be in force at once, so of those already in force with the new ones in their place.
"""

from collections.abc import Iterable, Iterator

from approvals.policy_checks import may_allow
from approvals.policy_checks import normalise as normal_policy
from approvals.policy_document import EVERY, policy_document
from console.documents import Document, Fault
from console.exact.value import Object
from runs.contracts.policy_fit import finish_faults, path_faults
from runs.contracts.undoing_fit import undoing_faults

Found = tuple[Document, Fault]


class Shelf:
    """Valid documents by kind and name."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = list(documents)

    def of(self, kind: str) -> dict[str, Document]:
        """Give the documents of a kind by name."""
        return {each.name: each for each in self.documents if each.kind == kind}


def together(documents: Iterable[Document]) -> list[Found]:
    """Give what does not fit, each fault with the document that it stands in."""
    shelf = Shelf(documents)
    found = [*_operation_faults(shelf), *_run_type_faults(shelf), *_policy_faults(shelf)]
    return sorted(found, key=lambda each: (each[0].kind, each[0].name, each[1]))


def _operation_faults(shelf: Shelf) -> Iterator[Found]:
    operations, dependencies = shelf.of("Operation"), shelf.of("Dependency")
    for operation in operations.values():
        value = operation.value
        dependency = value.get("dependency")
        if dependency is not None and dependency not in dependencies:
            yield operation, Fault("/dependency", "unknown_name", f"There is no dependency {dependency}.")
        elif dependency is not None:
            limit = dependencies[dependency].value["timeout_seconds"]
            if value.get("http", {}).get("attempt_timeout_seconds", 0) > limit:
                message = f"The dependency {dependency} allows at most {limit}."
                yield operation, Fault("/http/attempt_timeout_seconds", "out_of_range", message)
    values = {name: each.value for name, each in operations.items()}
    yield from ((operations[name], fault) for name, fault in undoing_faults(values))


def _run_type_faults(shelf: Shelf) -> Iterator[Found]:
    operations = shelf.of("Operation")
    for run_type in shelf.of("RunType").values():
        names = run_type.value["operations"]
        listed = list(operations) if names == EVERY else names
        for name in listed:
            if name not in operations:
                yield run_type, Fault("/operations", "unknown_name", f"There is no operation {name}.")
            elif operations[name].value["consequential"] and not run_type.value.get("consequential", True):
                message = f"Runs that may use {name} are consequential."
                yield run_type, Fault("/consequential", "contradiction", message)
        if names == EVERY:  # of those that are named, the list of operations has said so
            for index, name in enumerate(run_type.value.get("cancellation", {}).get("cleanup", [])):
                if name not in operations:
                    at = f"/cancellation/cleanup/{index}"
                    yield run_type, Fault(at, "unknown_name", f"There is no operation {name}.")


def _policy_faults(shelf: Shelf) -> Iterator[Found]:
    operations = shelf.of("Operation")
    governed: dict[str, str] = {}
    for policy in shelf.of("Policy").values():
        for name in policy.value["operations"]:
            if name != EVERY and name not in operations:
                yield policy, Fault("/operations", "unknown_name", f"There is no operation {name}.")
            if name in governed:
                message = f"The policy {governed[name]} governs {name} already."
                yield policy, Fault("/operations", "doubled", message)
            governed.setdefault(name, policy.name)
    for name, operation in operations.items():
        governing = governed.get(name, governed.get(EVERY))
        if governing is not None and operation.value.get("irreversible"):
            yield from _unasked(shelf.of("Policy")[governing], operation.value)

        if governing is not None:
            policy = shelf.of("Policy")[governing]
            yield from ((policy, fault) for fault in finish_faults(policy.value, operation.value))
    for policy in shelf.of("Policy").values():
        governs = [
            each.value for name, each in operations.items() if governed.get(name, governed.get(EVERY)) == policy.name
        ]
        yield from ((policy, fault) for fault in path_faults(policy.value, governs))


def _unasked(policy: Document, operation: Object) -> Iterator[Found]:
    known = {"operation": operation["name"], "irreversible": True, "tier": operation["tier"]}
    if may_allow(policy_document(normal_policy(policy).value), known):
        message = f"{operation['name']} is irreversible, and some of it would be allowed without asking anybody."
        yield policy, Fault("/rules", "irreversible_unasked", message)
