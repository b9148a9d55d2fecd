"""What a checkpoint is told from: the recorded columns of a run and of all that belongs to it, read from rows or folded from the record."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import Model, QuerySet

from approvals.fold import REDUCERS as OF_REQUESTS
from approvals.models import Decision, Policy, Request
from console.ledger.folding import Columns, Fact, Folded, Reducer, fold, plain, read
from console.ledger.models import Entry
from runs import catalogue
from runs.contracts.run_type import RunTypeDocument
from runs.fold import REDUCERS as OF_RUNS
from runs.models import (
    Attempt,
    Cancellation,
    Checkpoint,
    Correction,
    Effect,
    EvidenceFile,
    OperationContract,
    Resolution,
    Resumption,
    Run,
    Signal,
    Wait,
)

Rows = dict[str, Columns]  # by id
# Which recorded columns a checkpoint needs; texts and contents stay where they are.
COLUMNS: Final[Mapping[str, tuple[type[Model], tuple[str, ...]]]] = {
    "effect": (Effect, (
        "number", "key", "operation_id", "operation_name", "executor", "required", "consequential", "irreversible", "after", "after_waits",
        "supersedes_id", "effect_digest", "state", "state_reason", "verdict", "policy_id", "rule", "request_id", "fence", "attempts_count",
        "attempts_granted", "outcome", "operation_reference", "deadline_at", "ended_at", "unknown_since", "owner_id", "owner_group",
        "cleanup", "cancel_asked_at", "reconciled_at", "compensates_id",
    )),
    "attempt": (Attempt, (
        "effect_id", "number", "kind", "fence", "worker", "state", "outcome", "sent", "evidence_digest", "started_at", "ended_at",
        "late_outcome", "late_evidence_digest",
    )),
    "resolution": (Resolution, ("effect_id", "number", "exit", "state")),
    "evidence": (EvidenceFile, ("effect_id", "name", "media_type", "size", "digest", "uploaded_at")),
    "wait": (Wait, (
        "number", "name", "kind", "subject_name", "correlation", "subjects", "due_at", "expires_at", "on_expiry", "parks", "state",
        "opened_at", "ended_at",
    )),
    "signal": (Signal, ("name", "correlation", "wait_id", "state", "body_digest", "received_at")),
    "checkpoint": (Checkpoint, (
        "number", "seq", "boundary", "epoch", "written_at", "schema_version", "state_digest", "artifacts", "dropped_at",
    )),
    "resumption": (Resumption, ("number", "checkpoint_id", "epoch", "decision", "resumed_at")),
    "correction": (Correction, ("number", "made_at", "made_by", "source", "text", "contradicts", "invalidated")),
    "cancellation": (Cancellation, (
        "number", "scope", "effect_id", "mode", "reason", "asked_at", "asked_by", "state", "grace_until", "proven_at",
    )),
}  # fmt: skip
OF_REQUEST: Final = (
    "subject", "subject_digest", "operation", "tier", "policy_id", "rule", "groups", "quorum", "state", "decide_by", "use_within_seconds",
    "use_by", "created_at", "decided_at", "consumed_at",
)  # fmt: skip
# Not what a child is to do: that is erased with the child, and this is kept with its parent.
OF_CHILD: Final = ("key", "state", "epoch", "created_at", "ended_at")


@dataclass(frozen=True, slots=True)
class Facts:
    """Recorded columns as the record writes them: ids and digests as text, instants in its form."""

    run_id: str
    tenant_id: str
    seq: int  # how long the run's stream was
    run: Columns
    of: Mapping[str, Rows]  # table → rows by id
    requests: Rows
    decisions: Rows
    children: Rows
    run_type: RunTypeDocument
    operations: Mapping[str, int]  # id of a contract → its version
    policies: Mapping[str, str]  # id → name and version


def now(run: Run) -> Facts:
    """Read the rows of a run that the caller has locked, in a constant number of queries."""
    of = {
        name: _rows(model._default_manager.filter(run_id=run.pk), columns) for name, (model, columns) in COLUMNS.items()
    }
    asked = Request.objects.filter(subject__in=[UUID(effect) for effect in of["effect"]], tenant_id=run.tenant_id)
    requests = _rows(asked, OF_REQUEST)
    decided = Decision.objects.filter(request_id__in=[UUID(request) for request in requests])
    return _facts(
        run, run.ledger_seq, {name: plain(getattr(run, name)) for name in Run.recorded}, of, requests,
        _rows(decided, ("request_id", "verdict")), _rows(Run.objects.filter(parent_id=run.pk), OF_CHILD),
    )  # fmt: skip


class NotTold(Exception):
    """What the record said up to there was erased."""


def then(run: Run, entry: Entry) -> Facts:
    """Fold the record as it stood when an entry of the run's stream had been written. Raises NotTold."""
    story = _folded(Entry.objects.filter(stream=run.stream(), seq__lte=entry.seq), OF_RUNS)
    folded = story[run.stream()]
    of = {name: _told(folded, name) for name in COLUMNS}
    subjects = [UUID(effect) for effect in of["effect"]]
    asked = Request.objects.filter(subject__in=subjects, tenant_id=run.tenant_id, created_at__lte=entry.at)
    born = Run.objects.filter(parent_id=run.pk, created_at__lte=entry.at)
    until = Entry.objects.filter(at__lte=entry.at)
    requests = _folded(until.filter(stream__in=[each.stream() for each in asked.only("pk")]), OF_REQUESTS)
    children = _folded(until.filter(stream__in=[each.stream() for each in born.only("pk")]), OF_RUNS)
    return _facts(
        run, entry.seq, folded.rows["run", str(run.pk)], of, _all(requests, "request"), _all(requests, "decision"),
        _all(children, "run"),
    )  # fmt: skip


def _rows(found: "QuerySet[Any]", columns: tuple[str, ...]) -> Rows:
    """Read some columns, written as the record writes them."""
    return {
        str(row["pk"]): {name: plain(row[name]) for name in columns}
        for row in found.order_by("pk").values("pk", *columns)
    }


def _folded(entries: "QuerySet[Entry]", reducers: Mapping[str, Reducer]) -> dict[str, Folded]:
    """Fold streams; gives what each amounts to. Raises NotTold."""
    facts: dict[str, list[Fact]] = defaultdict(list)
    found = entries.order_by("stream", "seq").values("stream", "seq", "kind", "at", "actor", "payload__body")
    for entry in found:
        if entry["payload__body"] is None:
            raise NotTold
        facts[entry["stream"]].append(read({**entry, "body": entry["payload__body"]}))
    return {stream: fold(stream.partition(":")[2], each, reducers) for stream, each in facts.items()}


def _told(folded: Folded, table: str) -> Rows:
    return {key: columns for (name, key), columns in folded.rows.items() if name == table}


def _all(folded: Mapping[str, Folded], table: str) -> Rows:
    return {key: columns for each in folded.values() for key, columns in _told(each, table).items()}


def _facts(
    run: Run, seq: int, columns: Columns, of: Mapping[str, Rows], requests: Rows, decisions: Rows, children: Rows
) -> Facts:
    """Read beside these what never changes: the versions of contracts and policies."""
    operations = {str(effect["operation_id"]) for effect in of["effect"].values()}
    policies = {str(row["policy_id"]) for row in (*of["effect"].values(), *requests.values()) if row["policy_id"]}
    contracts = OperationContract.objects.filter(pk__in=operations).values_list("pk", "version")
    published = Policy.objects.filter(pk__in=policies).values_list("pk", "name", "version")
    return Facts(
        run_id=str(run.pk), tenant_id=str(run.tenant_id), seq=seq, run=columns, of=of, requests=requests, decisions=decisions,
        children=children, run_type=catalogue.run_type(run.run_type_id).document,
        operations={str(pk): version for pk, version in contracts},
        policies={str(pk): f"{name}, version {version}" for pk, name, version in published},
    )  # fmt: skip
