"""Contracts as documents: read, judged, brought to normal form, and made ready for the engine. Pure; no database."""

from console.documents import BadYAML, Document, Fault, load
from runs.contracts.dependency import DependencyDocument, dependency_document, read_dependency
from runs.contracts.gaps import Gap, gaps, publishable
from runs.contracts.kinds import KINDS, SCHEMAS, digest, normalise, validate
from runs.contracts.operation import OperationDocument, operation_document, read_operation
from runs.contracts.run_type import RunTypeDocument, read_run_type, run_type_document

__all__ = [
    "KINDS",
    "SCHEMAS",
    "BadYAML",
    "DependencyDocument",
    "Document",
    "Fault",
    "Gap",
    "OperationDocument",
    "RunTypeDocument",
    "dependency_document",
    "digest",
    "gaps",
    "load",
    "normalise",
    "operation_document",
    "publishable",
    "read_dependency",
    "read_operation",
    "read_run_type",
    "run_type_document",
    "validate",
]
