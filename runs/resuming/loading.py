"""Reading what a resume looks at: a constant number of queries, however long the run's history is."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Case, Count, Exists, Max, OuterRef, Q, When

from approvals.models import Coverage, Policy
from approvals.policy_asks import COMPENSATE
from approvals.policy_document import EVERY
from console.exact import Value, decode
from console.ledger import queries as ledger
from console.ledger.models import Entry
from runs import catalogue
from runs.contracts.run_type import RunTypeDocument
from runs.limits import budgets
from runs.models import (
    Attempt,
    Cancellation,
    Checkpoint,
    Correction,
    Effect,
    OperationContract,
    Pause,
    Resolution,
    Resumption,
    Run,
    RunTypeContract,
    Wait,
)
from runs.resuming import keeping, made_good
from runs.resuming.facts import Approved, Asked, Facts, News
from runs.sentences import About, sentence
from runs.states import (
    ACCEPTED,
    DISPATCHED,
    IN_FORCE,
    IN_VAIN,
    MUST_BE_UNDONE,
    PARTIAL,
    REQUESTED,
    RESOLVING,
    RUNNING,
    SUCCEEDED,
    UNKNOWN,
    UNSTARTED,
    WAIT_OPEN,
)

GOES_ON: Final = ("continue", "replan", "compensate")
MOST: Final = 100  # of each kind of row; what is counted is counted whole
LINES: Final = 30
RELEASED: Final = "quarantine.released"


def load(run: Run, now: datetime, asked: Asked | None) -> Facts:
    """Read everything that the steps, the decision and the brief are made from; `run` is read, and locked where something follows."""
    contract = contract_of(run)
    newest = Checkpoint.objects.filter(run=run).aggregate(newest=Max("number"))["newest"] or 0
    checkpoint = _checkpoint(run, (asked.checkpoint if asked else None) or newest)
    last = Resumption.objects.filter(run=run, decision__in=GOES_ON).order_by("-number").first()
    unresolved = _effects(run, Q(state__in=[UNKNOWN, DISPATCHED, ACCEPTED]) | Q(state=PARTIAL, reconciled_at=None))
    unstarted = _effects(run, Q(state__in=UNSTARTED))
    ended = list(_read(Effect.objects.filter(run=run, ended_at__isnull=False)).order_by("-ended_at", "-number")[:MOST])
    used = set(Effect.objects.filter(run=run).values_list("operation_name", flat=True).distinct())
    in_force = dict(
        OperationContract.objects.filter(tenant_id=run.tenant_id, name__in=used, retired_at=None).values_list("name", "version")
    )  # fmt: skip
    policies = _policies(run.tenant_id, used)
    since_seq, since_at = _since(run, checkpoint, last)
    kept = None if checkpoint is None else keeping.kept(contract, checkpoint, asked)
    return Facts(
        now=now, run=run, contract=contract, asked=asked, kept=kept, newest_checkpoint=newest,
        left_aside=checkpoint is not None and _released(run) > checkpoint.seq,
        before=_before(run, checkpoint), ours={"operations": in_force, "policies": _versions(policies)}, last=last,
        counts=_counts(run), unresolved=unresolved, replaced=_replaced(run), unstarted=unstarted, ended=ended,
        to_undo=_to_undo(run, since_at), making_good=made_good.load(run, MOST), approvals=_approvals(unstarted, policies, in_force),
        attempts={each.effect_id: each for each in Attempt.objects.filter(run=run, state=RUNNING)[:MOST]},
        contradictions=keeping.contradictions(checkpoint),
        waits=list(Wait.objects.filter(Q(state=WAIT_OPEN) | Q(ended_at__gt=since_at), run=run).order_by("-number")[:MOST])[::-1],
        corrections=list(Correction.objects.filter(run=run, number__gt=run.corrections_seen).order_by("number")[:MOST]),
        cancellations=list(Cancellation.objects.filter(run=run, state__in=[REQUESTED, RESOLVING]).order_by("number")[:MOST]),
        pauses=_pauses(run, contract.name, {effect.operation_name for effect in unstarted}),
        children=dict(Run.objects.filter(parent=run).values_list("state").annotate(n=Count("pk"))),
        budgets=budgets.of_run(run.pk, run.limits),
        news=_news(run, since_seq, since_at),
        run_type_now=RunTypeContract.objects.filter(tenant_id=run.tenant_id, name=contract.name, retired_at=None)
        .values_list("version", flat=True).first(),
    )  # fmt: skip


def contract_of(run: Run) -> RunTypeDocument:
    """Give the contract that a run was made under."""
    return catalogue.run_type(run.run_type_id).document


def _checkpoint(run: Run, number: int) -> Checkpoint | None:
    return Checkpoint.objects.filter(run=run, number=number).first() if number else None


def _read(found: Any) -> Any:
    return found.select_related("operation", "policy", "request", "request__policy")


def _effects(run: Run, which: Q) -> list[Effect]:
    """Read effects: first those that a decision hangs on, so that however many are in flight hide none of them."""
    weight = Case(When(state=UNKNOWN, then=0), When(state=PARTIAL, then=1), default=2)
    return list(_read(Effect.objects.filter(which, run=run)).order_by(weight, "number")[:MOST])


def _counts(run: Run) -> dict[str, int]:
    return dict(Effect.objects.filter(run=run).values_list("state").annotate(n=Count("pk")))


def _replaced(run: Run) -> frozenset[UUID]:
    """Give the unknown effects whose place another took that was done or may yet be."""
    others = Effect.objects.filter(supersedes=OuterRef("pk")).exclude(state__in=IN_VAIN)
    return frozenset(Effect.objects.filter(Exists(others), run=run, state=UNKNOWN).values_list("pk", flat=True)[:MOST])


def _to_undo(run: Run, since: datetime) -> list[Effect]:
    found = Resolution.objects.filter(run=run, exit=MUST_BE_UNDONE, state=IN_FORCE, decided_at__gt=since)
    by_people = [each.effect for each in found.select_related("effect").order_by("decided_at")[:MOST]]
    late = Effect.objects.filter(
        run=run,
        state__in=[SUCCEEDED, PARTIAL],
        ended_at__gt=since,
        request__finish_then=COMPENSATE,
        request__overran_at__isnull=False,
    )
    return [*by_people, *late.order_by("number")[:MOST]][:MOST]


def _since(run: Run, checkpoint: Checkpoint | None, last: Resumption | None) -> tuple[int, datetime]:
    """Say since when a driver may not know: its last checkpoint, or the last resume that went on."""
    times = [run.created_at]
    if checkpoint is not None:
        times.append(checkpoint.written_at)
    if last is not None:
        times.append(last.resumed_at)
    return checkpoint.seq if checkpoint else 0, max(times)


def _before(run: Run, checkpoint: Checkpoint | None) -> dict[str, Value]:
    """Give what it ran with: what the last resume kept, or a person accepted, before what the checkpoint says."""
    return {**_object(checkpoint.versions if checkpoint else ""), **_object(run.versions)}


def _object(text: str) -> dict[str, Value]:
    value = decode(text) if text else {}
    return value if isinstance(value, dict) else {}


def _policies(tenant_id: UUID, operations: Iterable[str]) -> dict[str, Policy]:
    """Give the policy in force that governs each of these operations."""
    names = set(operations)
    found = Coverage.objects.filter(tenant_id=tenant_id, operation__in=[*names, EVERY]).select_related("policy")
    by_name = {each.operation: each.policy for each in found}
    governing = {name: by_name.get(name) or by_name.get(EVERY) for name in names}
    return {name: policy for name, policy in governing.items() if policy is not None}


def _versions(policies: Mapping[str, Policy]) -> dict[str, Value]:
    return {policy.name: policy.version for policy in policies.values()}


def _approvals(
    unstarted: Sequence[Effect], policies: Mapping[str, Policy], in_force: Mapping[str, int]
) -> list[Approved]:
    return [
        Approved(
            effect, str(policies.get(effect.operation_name, "")), str(effect.request.policy), effect.operation.version,
            in_force.get(effect.operation_name),
        )
        for effect in unstarted
        if effect.request is not None
    ]  # fmt: skip


def _is_id(name: str) -> bool:
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False


def _released(run: Run) -> int:
    """Give the place of the entry by which a person last released the run from quarantine; 0 when nobody ever did."""
    found = (
        Entry.objects.filter(stream=run.stream(), kind=RELEASED).order_by("-seq").values_list("seq", flat=True).first()
    )
    return found or 0


def _pauses(run: Run, run_type: str, operations: Iterable[str]) -> list[str]:
    about = (
        Q(scope="tenant") | Q(scope="run", run=run) | Q(scope="run_type", name=run_type)
        | Q(scope="operation", name__in=list(operations))
    )  # fmt: skip
    found = Pause.objects.filter(about, tenant_id=run.tenant_id, lifted_at=None).order_by("paused_at")[:MOST]
    words = {"tenant": "everything", "run": "this run", "run_type": "runs of the type", "operation": "the operation"}
    return [f"{words.get(each.scope, each.scope)} {each.name}".strip() for each in found]


def _news(run: Run, since_seq: int, since_at: datetime) -> News:
    """Give what others wrote into the record since; what the driver did itself is no news to it."""
    found = Entry.objects.filter(stream=run.stream(), seq__gt=since_seq, at__gt=since_at)
    others = found.exclude(actor=f"agent:{run.driver_id}")
    counts = dict(others.values_list("kind").annotate(n=Count("pk")))
    newest = list(others.select_related("payload").order_by("-seq")[:LINES])[::-1]
    said = [(entry, ledger.said(entry)) for entry in newest]
    named = {str(says["effect"]) for _, says in said if isinstance(says, dict) and _is_id(str(says.get("effect")))}
    about = About(
        {str(pk): number for pk, number in Effect.objects.filter(pk__in=named).values_list("pk", "number")}, {}
    )
    lines = [
        (entry.seq, entry.at, sentence(entry.kind, says if isinstance(says, dict) else {}, about)) for entry, says in said
    ]  # fmt: skip
    return News(since_seq, since_at, counts, lines)


def whole(run_id: UUID, tenant_id: UUID) -> Run | None:
    """Give a run as the steps look at it: with its agent, who answers for that, and its type."""
    found = Run.objects.select_related("agent__owner__user", "run_type", "driver")
    return found.filter(pk=run_id, tenant_id=tenant_id).first()
