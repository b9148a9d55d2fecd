"""Turning drafts into effects: read by their contracts, judged by policy, asked about where the policy asks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from uuid_utils.compat import uuid7

from approvals.ask import Question, ask
from approvals.policies import Ruling, rulings
from approvals.policy_document import ASK, DENY
from console.bulk import insert
from console.clock import instant
from console.database import rows
from console.exact import Object, Value, canonical, digest
from console.http.refusals import InvalidContent, KeyReused, Refusal
from console.identity.models import Agent
from console.ledger.actors import Actor
from console.telemetry import traces
from runs import catalogue, record
from runs.catalogue import Operation, RunType
from runs.drafts import EffectDraft
from runs.models import Effect, Run
from runs.states import AWAITING_APPROVAL, BLOCKED, DENIED, IN_VAIN, OPEN, READY, SUCCEEDED, UNKNOWN

HOLD_KEYS = "select pg_advisory_xact_lock(hashtextextended(%s || ' ' || key, 0)) from unnest(%s::text[]) as key"


class NotForThisRunType(InvalidContent):
    """This type of run may not use that operation."""

    code = "operation_not_in_run_type"


class UnknownPredecessor(InvalidContent):
    """`after` and `supersedes` name effects of the same run, by id or by key, that were proposed before."""

    code = "unknown_effect"


class PredecessorNotDone(Refusal):
    """What this would wait for has ended without being done."""

    code = "predecessor_not_done"


class StillOpen(Refusal):
    """What this would replace is not over; what may have happened is replaced only where its contract allows that."""

    code = "superseded_still_open"


class AlreadyReplaced(Refusal):
    """Another effect takes the place of this one already, and is not over in vain."""

    code = "already_replaced"


@dataclass(frozen=True, slots=True)
class Plan:
    """A draft on its way into a run."""

    run: Run
    run_type: RunType
    draft: EffectDraft


@dataclass(frozen=True, slots=True)
class Read:
    """A draft as its contract reads it: what would be done, exactly."""

    plan: Plan
    operation: Operation
    arguments: Object
    target: str
    summary: str
    after: list[Effect]
    supersedes: Effect | None
    effect_digest: bytes


@dataclass(frozen=True, slots=True)
class Made:
    """An effect on its way into the record, with what its contract made of the draft."""

    read: Read
    effect: Effect


class Reader:
    """Reads drafts by their contracts, one after the other; each may name those of its run that were read before it.

    `standing` are effects that the drafts may name, `taken` those that hold keys of the whole tenant."""

    def __init__(
        self, operations: Mapping[str, Operation], standing: Iterable[Effect], taken: Iterable[Effect], now: datetime
    ) -> None:
        self.operations, self.now = operations, now
        self.names: dict[tuple[UUID, str], Effect] = {}
        self.keys: dict[tuple[UUID, str], Effect] = {}
        self.taken = {effect.key: effect for effect in taken}
        for effect in standing:
            self._remember(effect)

    def read(self, plans: Sequence[Plan], highest: int) -> list[Made]:
        """Read drafts into one run, all or none, numbered above `highest`. Raises what the contract, the graph or the key refuses."""
        made: list[Made] = []
        try:
            for number, plan in enumerate(plans, highest + 1):
                made.append(self._one(plan, number))
        except Refusal:
            for each in made:
                self._forget(each.effect)
            raise
        return made

    def _one(self, plan: Plan, number: int) -> Made:
        try:
            read = _read(plan, catalogue.named(self.operations, plan.draft.operation), self.names)
        except InvalidContent as refusal:
            refusal.facts["key"] = plan.draft.key  # which of them: `path` counts from the draft
            raise
        effect = _effect(read, number, self.now)
        standing = self.keys.get((effect.run_id, effect.key))
        if standing is None and effect.key_scope == "tenant":
            standing = self.taken.get(effect.key)
        if standing is not None:
            raise _reused(effect, standing)
        self._remember(effect)
        return Made(read, effect)

    def _remember(self, effect: Effect) -> None:
        self.keys[effect.run_id, effect.key] = effect
        self.names[effect.run_id, effect.key] = self.names[effect.run_id, str(effect.pk)] = effect
        if effect.key_scope == "tenant":
            self.taken[effect.key] = effect

    def _forget(self, effect: Effect) -> None:
        del self.keys[effect.run_id, effect.key], self.names[effect.run_id, effect.key]
        del self.names[effect.run_id, str(effect.pk)]
        if effect.key_scope == "tenant":
            del self.taken[effect.key]


def write(by: Actor, made: Sequence[Made], now: datetime) -> list[Effect]:
    """Accept effects into runs that the caller has locked or just made, each in its first state."""
    if not made:
        return []
    effects, reads = [each.effect for each in made], [each.read for each in made]
    _judge(by, effects, reads, now)
    _check_all_written(effects, insert(effects))
    record.write([(each.effect.run_id, "effect.proposed", _facts(each)) for each in made], by, now)
    denied = sorted({effect.run_id for effect in effects if effect.state == DENIED})
    if denied:
        rows("select runs_after_endings(%s::uuid[], %s, %s)", [denied, str(by), now])
    return effects


def keys_of_the_tenant(
    tenant_id: UUID, drafts: Iterable[EffectDraft], operations: Mapping[str, Operation]
) -> list[Effect]:
    """Hold, until the commit, the keys that these drafts would take in the whole tenant, and give the effects that have them.

    Runs do not stand in each other's way, so of two requests at once the second waits here."""
    wide = {draft.key for draft in drafts if _is_wide(operations.get(draft.operation))}
    if not wide:
        return []
    rows(HOLD_KEYS, [str(tenant_id), sorted(wide)])
    return list(Effect.objects.filter(tenant_id=tenant_id, key_scope="tenant", key__in=wide))


def _is_wide(operation: Operation | None) -> bool:
    return operation is not None and operation.document.key.scope == "tenant"


def _read(plan: Plan, operation: Operation, names: Mapping[tuple[UUID, str], Effect]) -> Read:
    if not plan.run_type.document.may_use(operation.document.name):
        raise NotForThisRunType(path="/operation", operation=operation.document.name)
    arguments = operation.effective(plan.draft.arguments)
    target = operation.target(arguments, plan.draft.target)
    after = [_named(plan, name, names, f"/after/{place}") for place, name in enumerate(plan.draft.after)]
    supersedes = _superseded(plan, names)
    for effect in after:
        if effect.state not in OPEN and effect.state != SUCCEEDED:
            raise PredecessorNotDone(effect=str(effect.pk), state=effect.state, version=plan.run.ledger_seq)
    bound: Object = {
        "contract": operation.document.digest.hex(), "operation": operation.document.name, "target": target, "arguments": arguments,
        "preconditions": operation.document.preconditions,
    }  # fmt: skip
    return Read(plan, operation, arguments, target, operation.summary(arguments), after, supersedes, digest(bound))


def _superseded(plan: Plan, names: Mapping[tuple[UUID, str], Effect]) -> Effect | None:
    """Give what a draft takes the place of: over and not done, or unknown where its own contract says that it may be replaced (R-B3)."""
    if plan.draft.supersedes is None:
        return None
    found = _named(plan, str(plan.draft.supersedes), names, "/supersedes")
    over = found.state not in OPEN and found.state != SUCCEEDED
    if not over and not (found.state == UNKNOWN and _may_be_superseded(found)):
        raise StillOpen(effect=str(found.pk), state=found.state, version=plan.run.ledger_seq)
    _check_not_replaced(plan, found, names)
    return found


def _check_not_replaced(plan: Plan, effect: Effect, names: Mapping[tuple[UUID, str], Effect]) -> None:
    """Refuse a second effect in the place of one while the first may be done (R-A3). The run is locked."""
    here = (each for each in names.values() if each.supersedes_id == effect.pk and each.state not in IN_VAIN)
    standing = Effect.objects.filter(run_id=plan.run.pk, supersedes_id=effect.pk).exclude(state__in=IN_VAIN)
    replacing = next(here, None) or standing.first()
    if replacing is not None:
        raise AlreadyReplaced(
            effect=str(effect.pk), by_key=replacing.key, state=replacing.state, version=plan.run.ledger_seq
        )


def _may_be_superseded(effect: Effect) -> bool:
    """Tell whether the contract that the effect was accepted under lets another take its place while it is unknown."""
    contract = catalogue.operations_by_id([effect.operation_id])[effect.operation_id].document
    return contract.unknown.may_be_superseded


def _named(plan: Plan, name: str, names: Mapping[tuple[UUID, str], Effect], path: str) -> Effect:
    found = names.get((plan.run.pk, name))
    if found is None:
        raise UnknownPredecessor(path=path, name=name)
    return found


def _effect(read: Read, number: int, now: datetime) -> Effect:
    draft, contract, run = read.plan.draft, read.operation.document, read.plan.run
    deadline = now + timedelta(seconds=draft.deadline_seconds or contract.deadline_seconds)
    return Effect(
        id=uuid7(), tenant_id=run.tenant_id, run_id=run.pk, number=number, key=draft.key, key_scope=contract.key.scope,
        operation_id=read.operation.id, operation_name=contract.name, executor=contract.executor, dependency_name=contract.dependency or "",
        summary=read.summary, target=read.target, arguments=canonical(read.arguments), reason=draft.reason,
        required=contract.required if draft.required is None else draft.required,
        consequential=contract.consequential, irreversible=contract.irreversible, after=[effect.pk for effect in read.after],
        supersedes_id=read.supersedes.pk if read.supersedes else None, intent_digest=draft.digest(), effect_digest=read.effect_digest,
        state=READY, state_reason="", verdict=DENY, rule="", fence=0, attempts_count=0, outcome="", operation_reference="",
        deadline_at=min(deadline, run.deadline_at) if run.deadline_at else deadline,
        key_expires_at=now + timedelta(seconds=contract.key.retention_seconds), created_at=now,
        traceparent=traces.traceparent(),
    )  # fmt: skip


def _judge(by: Actor, effects: list[Effect], reads: list[Read], now: datetime) -> None:
    """Put each effect into its first state, and open the requests of those that ask and whose turn has come."""
    tenant_id = effects[0].tenant_id
    agents = Agent.objects.in_bulk({read.plan.run.agent_id for read in reads})
    facts = [
        facts_for_policy(
            read.operation, read.target, read.arguments, read.plan.run_type, agents[read.plan.run.agent_id]
        )
        for read in reads
    ]
    asking: list[Effect] = []
    questions: list[Question] = []
    for effect, read, ruling in zip(effects, reads, rulings(tenant_id, facts), strict=True):
        effect.verdict, effect.policy_id, effect.rule = ruling.verdict, ruling.policy_id, ruling.rule
        if ruling.verdict == DENY:
            effect.state, effect.state_reason, effect.ended_at = DENIED, ruling.reason, now
        elif any(earlier.state != SUCCEEDED for earlier in read.after):
            effect.state = BLOCKED
        elif ruling.verdict == ASK:
            effect.state = AWAITING_APPROVAL
            asking.append(effect)
            questions.append(
                question(effect, read.operation, agents[read.plan.run.agent_id], read.plan.run_type, ruling)
            )
        else:
            effect.state, effect.next_attempt_at = READY, now
    for effect, request in zip(asking, ask(by, tenant_id, questions, now), strict=True):
        effect.request_id = request.pk


def facts_for_policy(operation: Operation, target: str, arguments: Object, run_type: RunType, agent: Agent) -> Object:
    """Give what a policy may look at."""
    return {
        "operation": operation.document.name, "target": target, "arguments": arguments, "run_type": run_type.document.name,
        "agent": agent.name, "tier": operation.document.tier, "irreversible": operation.document.irreversible,
    }  # fmt: skip


def question(effect: Effect, operation: Operation, agent: Agent, run_type: RunType, ruling: Ruling) -> Question:
    """Put an effect as the question that people are asked."""
    contract = operation.document
    shown: Object = {
        "contract": f"{contract.name}, version {contract.version}", "run_type": run_type.document.name,
        "executor": contract.executor, "description": contract.description, "residue": list(contract.residue),
        "if_it_goes_wrong": contract.if_it_goes_wrong,
    }  # fmt: skip
    return Question(
        subject=effect.pk, subject_digest=bytes(effect.effect_digest), operation=contract.name, summary=effect.summary,
        target=effect.target, arguments=effect.arguments, shown=canonical(shown), reason=effect.reason, tier=contract.tier,
        irreversible=effect.irreversible, agent_id=agent.pk, owner_id=agent.owner_id, ruling=ruling,
        traceparent=effect.traceparent,
        deadline_at=effect.deadline_at,
    )  # fmt: skip


def _check_all_written(effects: list[Effect], written: set[UUID]) -> None:
    """Make sure that every effect came in: its keys were free when the caller looked, and are held."""
    for effect in effects:
        if effect.pk not in written:
            scope = {"tenant_id": effect.tenant_id} if effect.key_scope == "tenant" else {"run_id": effect.run_id}
            raise _reused(effect, Effect.objects.get(key=effect.key, key_scope=effect.key_scope, **scope))


def _reused(effect: Effect, standing: Effect) -> KeyReused:
    """Make the refusal of a key that stands for another effect: one of another run, or an earlier one of the same request."""
    mine = standing.run_id == effect.run_id
    detail = KeyReused.__doc__ if mine else "This key already stands for an effect of another run."
    stands: Object = {} if standing._state.adding else {"existing": str(standing.pk), "state": standing.state}
    return KeyReused(detail, key=effect.key, path=f"/effects/{effect.number - 1}/key", **stands)


def _facts(made: Made) -> Object:
    effect, replaced = made.effect, made.read.supersedes
    after: list[Value] = [str(earlier) for earlier in effect.after]
    return {
        "effect": str(effect.pk), "number": effect.number, "key": effect.key, "key_scope": effect.key_scope,
        "operation": str(effect.operation_id), "operation_name": effect.operation_name, "executor": effect.executor,
        "dependency_name": effect.dependency_name,
        "summary": effect.summary, "target": effect.target, "arguments": effect.arguments, "reason": effect.reason,
        "required": effect.required, "consequential": effect.consequential, "irreversible": effect.irreversible, "after": after,
        "supersedes": str(replaced.pk) if replaced else None, "supersedes_state": replaced.state if replaced else None,
        "intent_digest": effect.intent_digest.hex(),
        "effect_digest": effect.effect_digest.hex(), "to": effect.state, "verdict": effect.verdict,
        "policy": str(effect.policy_id) if effect.policy_id else None, "rule": effect.rule,
        "request": str(effect.request_id) if effect.request_id else None, "deadline_at": instant(effect.deadline_at),
        "key_expires_at": instant(effect.key_expires_at), "state_reason": effect.state_reason,
    }  # fmt: skip
