"""The contracts in force: found by name, read once per process (a version never changes), refused by name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from console.exact import Object, decode
from console.http.refusals import InvalidContent
from runs.contracts import arguments
from runs.contracts.operation import OperationDocument, operation_document
from runs.contracts.run_type import RunTypeDocument, run_type_document
from runs.models import OperationContract, RunTypeContract


class UnknownOperation(InvalidContent):
    """No contract of this name is in force."""

    code = "unknown_operation"


class UnknownRunType(InvalidContent):
    """No type of run of this name is in force."""

    code = "unknown_run_type"


class BadArguments(InvalidContent):
    """The arguments are not what the contract takes."""

    code = "bad_arguments"


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation's contract as it stands in the record."""

    id: UUID
    document: OperationDocument

    def effective(self, given: Object) -> Object:
        """Give the arguments as they would take effect. Raises BadArguments."""
        try:
            return arguments.effective(self.document, given)
        except arguments.BadArguments as refused:
            raise _refusal(refused) from None

    def target(self, effective: Object, given: str | None) -> str:
        """Give the target. Raises BadArguments."""
        try:
            return arguments.target(self.document, effective, given)
        except arguments.BadArguments as refused:
            raise _refusal(refused) from None

    def summary(self, effective: Object) -> str:
        """Give the sentence of what will happen."""
        return arguments.summary(self.document, effective)


@dataclass(frozen=True, slots=True)
class RunType:
    """A run type's contract as it stands in the record."""

    id: UUID
    document: RunTypeDocument


def operations(tenant_id: UUID, names: Iterable[str]) -> dict[str, Operation]:
    """Give those of the named operations that are in force, by name."""
    wanted = set(names)
    if not wanted:
        return {}
    found = OperationContract.objects.filter(tenant_id=tenant_id, name__in=wanted, retired_at=None)
    return {contract.name: Operation(contract.pk, _operation(contract.pk, contract.document)) for contract in found}


def named(operations: Mapping[str, Operation], name: str) -> Operation:
    """Give the operation of this name. Raises UnknownOperation."""
    operation = operations.get(name)
    if operation is None:
        raise UnknownOperation(path="/operation", operation=name)
    return operation


def operations_by_id(ids: Iterable[UUID]) -> dict[UUID, Operation]:
    """Give operations by id, in force or not: an effect keeps the version that it was accepted under."""
    found = OperationContract.objects.filter(pk__in=set(ids))
    return {contract.pk: Operation(contract.pk, _operation(contract.pk, contract.document)) for contract in found}


def run_types(tenant_id: UUID, names: Iterable[str]) -> dict[str, RunType]:
    """Give those of the named run types that are in force, by name."""
    found = RunTypeContract.objects.filter(tenant_id=tenant_id, name__in=set(names), retired_at=None)
    return {contract.name: RunType(contract.pk, _run_type(contract.pk, contract.document)) for contract in found}


def run_type_named(types: Mapping[str, RunType], name: str) -> RunType:
    """Give the run type of this name. Raises UnknownRunType."""
    if name not in types:
        raise UnknownRunType(path="/run_type", run_type=name)
    return types[name]


def run_type(run_type_id: UUID) -> RunType:
    """Give one run type by id."""
    return _run_type_of(run_type_id)


@lru_cache(maxsize=512)
def _run_type_of(run_type_id: UUID) -> RunType:
    contract = RunTypeContract.objects.get(pk=run_type_id)
    return RunType(contract.pk, _run_type(contract.pk, contract.document))


@lru_cache(maxsize=2048)
def _operation(contract_id: UUID, text: str) -> OperationDocument:
    return operation_document(decode(text.encode(), levels=128))


@lru_cache(maxsize=512)
def _run_type(contract_id: UUID, text: str) -> RunTypeDocument:
    return run_type_document(decode(text.encode(), levels=128))


def _refusal(refused: arguments.BadArguments) -> BadArguments:
    first = refused.faults[0]
    return BadArguments(
        first.message,
        path=first.path,
        errors=[{"path": fault.path, "code": fault.code, "detail": fault.message} for fault in refused.faults],
    )
