"""Turning drafts into effects: read by their contracts, judged by policy, asked about where the policy asks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from uuid_utils.compat import uuid7

from approvals import spending
from approvals.ask import Question, bound
from approvals.policies import Ruling, rulings
from approvals.policy_document import ASK, DENY
from approvals.policy_facts import Spend
from console.bulk import insert
from console.clock import instant
from console.database import rows
from console.exact import Object, Value, canonical
from console.http.refusals import InvalidContent, KeyReused, Refusal
from console.identity.models import Agent
from console.ledger.actors import Actor
from console.telemetry import traces
from runs import catalogue, driving, record
from runs.catalogue import Operation, RunType
from runs.compensating import foreseen, together
from runs.compensating.foreseen import Around
from runs.compensating.guarding import refuse_making_good
from runs.compensating.together import Asked
from runs.corrections.contradicts import contradicted_by
from runs.drafts import EffectDraft
from runs.fitting import fitted_or_asked
from runs.granted import Came, granted
from runs.models import Correction, Effect, Run, Wait
from runs.pausing import standing
from runs.states import (
    AWAITING_APPROVAL,
    BLOCKED,
    DENIED,
    IN_VAIN,
    MET,
    OPEN,
    READY,
    SUCCEEDED,
    UNKNOWN,
    UNSTARTED,
    UNWATCHED,
    WAIT_OPEN,
    WATCHED,
    WITHDRAWN,
)

REPLACED = "another effect takes its place"
MAKES_GOOD = (
    "compensates:"  # begins the keys of effects that make good for others, so that nobody else's stand in their way
)
HOLD_KEYS = "select pg_advisory_xact_lock(hashtextextended(%s || ' ' || key, 0)) from unnest(%s::text[]) as key"


class NotForThisRunType(InvalidContent):
    """This type of run may not use that operation."""

    code = "operation_not_in_run_type"


class ReservedKey(InvalidContent):
    """Keys that begin with `compensates:` are those of effects that make good for others; take another."""

    code = "reserved_key"


class UnknownPredecessor(InvalidContent):
    """`after` and `supersedes` name effects of the same run, by id or by key, that were proposed before."""

    code = "unknown_effect"


class PredecessorNotDone(Refusal):
    """What this would wait for has ended without being done."""

    code = "predecessor_not_done"


class UnknownWait(InvalidContent):
    """`after_waits` names waits of the same run, by name or by id, that were opened before."""

    code = "unknown_wait"


class WaitedInVain(Refusal):
    """What this would wait for has ended and did not come."""

    code = "waited_in_vain"


class StillOpen(Refusal):
    """What this would replace was begun and is not over; what may have happened is replaced only where its contract allows that."""

    code = "superseded_still_open"


class ContradictsCorrection(Refusal):
    """A user corrected this run, and this is not what was said then."""

    code = "contradicts_correction"


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
    after_waits: list[Wait]
    supersedes: Effect | None
    effect_digest: bytes


@dataclass(frozen=True, slots=True)
class Made:
    """An effect on its way into the record, with what its contract made of the draft."""

    read: Read
    effect: Effect


class Reader:
    """Reads drafts by their contracts, one after the other; each may name those of its run that were read before it.

    `standing` are effects that the drafts may name, `taken` those that hold keys of the whole tenant, and `corrections` say what must not
    be; `waits` are the run's, by name and id."""

    def __init__(
        self,
        operations: Mapping[str, Operation],
        standing: Iterable[Effect],
        taken: Iterable[Effect],
        now: datetime,
        corrections: Sequence[Correction] = (),
        waits: Mapping[str, Wait] | None = None,
    ) -> None:
        self.operations, self.now, self.corrections, self.waits = operations, now, corrections, waits or {}
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
            read = _read(plan, catalogue.named(self.operations, plan.draft.operation), self.names, self.waits)
        except InvalidContent as refusal:
            refusal.facts["key"] = plan.draft.key  # which of them: `path` counts from the draft
            raise
        _check_corrected(read, self.corrections)
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
    replaced = _held([each.supersedes for each in reads if each.supersedes and is_unbegun(each.supersedes)])
    _judge(by, effects, reads, now)
    _check_all_written(effects, insert(effects))
    record.write([(each.effect.run_id, "effect.proposed", _facts(each)) for each in made], by, now)
    _withdraw(by, replaced, {effect.request_id for effect in effects}, now)
    ended = sorted({effect.run_id for effect in [*replaced, *effects] if effect in replaced or effect.state == DENIED})
    if ended:
        rows("select runs_after_endings(%s::uuid[], %s, %s)", [ended, str(by), now])
    return effects


def _held(replaced: list[Effect]) -> list[Effect]:
    """Lock what is replaced, before the requests: an approval that it stands on may be bound to what takes its place."""
    found = Effect.objects.filter(pk__in=[effect.pk for effect in replaced]).order_by("pk")
    return list(found.select_for_update(no_key=True)) if replaced else []


def _withdraw(by: Actor, replaced: list[Effect], standing_on: set[UUID | None], now: datetime) -> None:
    """Withdraw what was not begun and is not meant any more, with what it asked, in the transaction of what takes its place.

    An approval that was bound to something fitting instead (`standing_on`) is not its any more."""
    for effect in replaced:
        effect.request_id = None if effect.request_id in standing_on else effect.request_id
    driving.end_unstarted(by, replaced, WITHDRAWN, REPLACED, now)


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


def _read(
    plan: Plan, operation: Operation, names: Mapping[tuple[UUID, str], Effect], waits: Mapping[str, Wait]
) -> Read:
    if plan.draft.key.startswith(MAKES_GOOD) and plan.draft.compensates is None:
        raise ReservedKey(path="/key")
    if not plan.run_type.document.may_use(operation.document.name) and not plan.draft.cleanup:
        raise NotForThisRunType(path="/operation", operation=operation.document.name)
    arguments = operation.effective(plan.draft.arguments)
    target = operation.target(arguments, plan.draft.target)
    after = [_named(plan, name, names, f"/after/{place}") for place, name in enumerate(plan.draft.after)]
    supersedes = _superseded(plan, names)
    after_waits = _waited_for(plan, waits)
    for effect in after:
        if effect.state not in OPEN and effect.state != SUCCEEDED:
            raise PredecessorNotDone(effect=str(effect.pk), state=effect.state, version=plan.run.ledger_seq)
    document = operation.document
    binds = bound(document.digest.hex(), document.name, target, arguments, document.preconditions)
    return Read(plan, operation, arguments, target, operation.summary(arguments), after, after_waits, supersedes, binds)


def _waited_for(plan: Plan, waits: Mapping[str, Wait]) -> list[Wait]:
    """Give the waits that a draft stands back for. Raises UnknownWait, WaitedInVain."""
    found: dict[UUID, Wait] = {}
    for place, name in enumerate(plan.draft.after_waits):
        wait = waits.get(name)
        if wait is None:
            raise UnknownWait(path=f"/after_waits/{place}", name=name)
        if wait.state not in {WAIT_OPEN, MET}:
            raise WaitedInVain(wait=str(wait.pk), state=wait.state, version=plan.run.ledger_seq)
        found[wait.pk] = wait
    return list(found.values())


def _check_corrected(read: Read, corrections: Sequence[Correction]) -> None:
    """Refuse what a user's correction says must not be."""
    found = contradicted_by(corrections, read.operation.document.name, read.arguments)
    if found is not None:
        raise ContradictsCorrection(
            key=read.plan.draft.key, correction=found.number, text=found.text, state=read.plan.run.state,
            version=read.plan.run.ledger_seq,
        )  # fmt: skip


def _superseded(plan: Plan, names: Mapping[tuple[UUID, str], Effect]) -> Effect | None:
    """Give what a draft takes the place of: over and not done, not begun yet, or unknown where its own contract allows it (R-B3)."""
    if plan.draft.supersedes is None:
        return None
    found = _named(plan, str(plan.draft.supersedes), names, "/supersedes")
    if plan.draft.compensates is None:
        refuse_making_good(found, plan.run.ledger_seq)
    over = found.state not in OPEN and found.state != SUCCEEDED
    if not over and not is_unbegun(found) and not (found.state == UNKNOWN and _may_be_superseded(found)):
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


def is_unbegun(effect: Effect) -> bool:
    """Tell whether nothing was ever begun of it: it waits for its turn, for people or for a worker, so that another may still be meant."""
    return effect.state in UNSTARTED and effect.attempts_count == 0


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
        id=uuid7(), tenant_id=run.tenant_id, run_id=run.pk, number=number, key=draft.key,
        key_scope="run" if draft.compensates else contract.key.scope,  # its key says already for which effect it is
        operation_id=read.operation.id, operation_name=contract.name, executor=contract.executor, dependency_name=contract.dependency or "",
        summary=read.summary, target=read.target, arguments=canonical(read.arguments), reason=draft.reason,
        required=contract.required if draft.required is None else draft.required,
        consequential=contract.consequential, irreversible=contract.irreversible, after=[effect.pk for effect in read.after],
        after_waits=[wait.pk for wait in read.after_waits],
        supersedes_id=read.supersedes.pk if read.supersedes else None, intent_digest=draft.digest(), effect_digest=read.effect_digest,
        state=READY, state_reason="", verdict=DENY, rule="", fence=0, attempts_count=0, outcome="", operation_reference="",
        deadline_at=min(deadline, run.deadline_at) if run.deadline_at and not draft.cleanup else deadline, cleanup=draft.cleanup,
        compensates_id=draft.compensates, expects=draft.expects, watch=WATCHED if draft.compensates else UNWATCHED,
        key_expires_at=now + timedelta(seconds=contract.key.retention_seconds), created_at=now,
        traceparent=traces.traceparent(),
    )  # fmt: skip


def _judge(by: Actor, effects: list[Effect], reads: list[Read], now: datetime) -> None:
    """Put each effect into its first state, and open the requests of those that ask and whose turn has come."""
    tenant_id = effects[0].tenant_id
    agents = Agent.objects.select_related("owner__user").in_bulk({read.plan.run.agent_id for read in reads})
    facts = [
        facts_for_policy(
            read.operation, read.target, read.arguments, read.plan.run_type, agents[read.plan.run.agent_id]
        )
        for read in reads
    ]
    asking: list[tuple[Effect, Question]] = []
    found = standing.unasked(tenant_id, rulings(tenant_id, facts))
    came = (
        Came(effect, agents[read.plan.run.agent_id], read.plan.run_type.document.name, ruling)
        for effect, read, ruling in zip(effects, reads, found, strict=True)
        if _has_come(read)
    )
    grants = granted(tenant_id, came, now)
    asks = [(effect, read) for effect, read, ruling in zip(effects, reads, found, strict=True) if ruling.verdict == ASK]
    covered = together.approved_with(Asked(effect, read.operation) for effect, read in asks if _has_come(read))
    around = foreseen.around(tenant_id, ((effect, read.operation.document) for effect, read in asks))
    for effect, read, ruling in zip(effects, reads, found, strict=True):
        effect.verdict, effect.policy_id, effect.rule = ruling.verdict, ruling.policy_id, ruling.rule
        if ruling.verdict == DENY:
            effect.state, effect.state_reason, effect.ended_at = DENIED, ruling.reason, now
        elif not _has_come(read):
            effect.state = BLOCKED
        elif effect.pk in covered:
            effect.state, effect.next_attempt_at, effect.approved_with_id = READY, now, covered[effect.pk]
        elif effect.pk in grants:
            effect.state, effect.next_attempt_at, effect.grant_id = READY, now, grants[effect.pk]
        elif ruling.verdict == ASK:
            effect.state = AWAITING_APPROVAL
            who, run = agents[read.plan.run.agent_id], read.plan.run
            asked = question(effect, read.operation, who, read.plan.run_type, ruling, run.goal, around)
            asking.append((effect, asked))
        else:
            effect.state, effect.next_attempt_at = READY, now
    for (effect, _), request in zip(asking, fitted_or_asked(by, tenant_id, asking, now), strict=True):
        effect.request_id = request.pk
    spending.keep(tenant_id, counting(effects, found), now)


def counting(effects: Sequence[Effect], found: Sequence[Ruling]) -> Iterator[tuple[UUID, Sequence[Spend]]]:
    """Give what each effect that was not denied counts for in its policy's windows."""
    return ((effect.pk, ruling.spends) for effect, ruling in zip(effects, found, strict=True) if ruling.verdict != DENY)


def _has_come(read: Read) -> bool:
    """Tell whether everything is done that comes before."""
    earlier = all(effect.state == SUCCEEDED for effect in read.after)
    return earlier and all(wait.state == MET for wait in read.after_waits)


def facts_for_policy(operation: Operation, target: str, arguments: Object, run_type: RunType, agent: Agent) -> Object:
    """Give what a policy may look at."""
    return {
        "operation": operation.document.name, "target": target, "arguments": arguments, "run_type": run_type.document.name,
        "agent": agent.name, "owner": agent.owner.user.name, "tier": operation.document.tier,
        "irreversible": operation.document.irreversible,
    }  # fmt: skip


def question(
    effect: Effect,
    operation: Operation,
    agent: Agent,
    run_type: RunType,
    ruling: Ruling,
    goal: str,
    around: Around,
) -> Question:
    """Put an effect as the question that people are asked, shown with what stands around it."""
    contract = operation.document
    undone = around.said(effect, contract, together=bool(ruling.ask and ruling.ask.compensation_too))
    shown: Object = {
        "contract": f"{contract.name}, version {contract.version}", "run_type": run_type.document.name,
        "executor": contract.executor, "description": contract.description, "residue": list(contract.residue),
        "if_it_goes_wrong": contract.if_it_goes_wrong, "contract_digest": contract.digest.hex(), "preconditions": contract.preconditions,
    } | undone  # fmt: skip
    return Question(
        subject=effect.pk, subject_digest=bytes(effect.effect_digest), operation=contract.name, summary=effect.summary,
        target=effect.target, arguments=effect.arguments, shown=canonical(shown), reason=effect.reason, tier=contract.tier,
        irreversible=effect.irreversible, agent_id=agent.pk, owner_id=agent.owner_id, ruling=ruling,
        traceparent=effect.traceparent, deadline_at=effect.deadline_at, makes_good_for=effect.compensates_id, revises=_before(effect),
        read_within_seconds=contract.reader.max_age_seconds if contract.reader else None,
        topic=goal,
    )  # fmt: skip


def _before(effect: Effect) -> UUID | None:
    """Name the request before: the effect's own last one, else that of what it takes the place of."""
    if effect.request_id is not None or effect.supersedes_id is None:
        return effect.request_id
    return Effect.objects.filter(pk=effect.supersedes_id).values_list("request_id", flat=True).first()


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
    waits: list[Value] = [str(wait) for wait in effect.after_waits]
    facts: Object = {
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
    facts |= {"after_waits": waits} if waits else {}
    facts |= {"grant": str(effect.grant_id)} if effect.grant_id else {}
    facts |= {"approved_with": str(effect.approved_with_id)} if effect.approved_with_id else {}
    facts |= {"compensates": str(effect.compensates_id), "expects": effect.expects} if effect.compensates_id else {}
    return facts | ({"cleanup": True} if effect.cleanup else {})
