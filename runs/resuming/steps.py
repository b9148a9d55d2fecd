"""The nine steps of a resume (R-H1). Each looks at the facts and says what it found; none reads or writes anything."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from runs.contracts.run_type import PINNED
from runs.resuming import made_good, pins
from runs.resuming.facts import Facts, Finding, Step, Taken
from runs.states import (
    ACCEPTED,
    CANCELLED,
    CLOSING,
    DENIED,
    DISPATCHED,
    EXHAUSTED,
    EXPIRED,
    FAILED,
    LAPSED,
    MET,
    PARTIAL,
    QUARANTINED,
    RUN_ENDED,
    UNKNOWN,
    WAIT_OPEN,
    WAITING,
    WITHDRAWN,
)

PASSED, CHANGED, FAULTY = "passed", "changed", "failed"
WORST: Final = (FAULTY, CHANGED, PASSED)
CONTINUE, REPLAN, WAIT, COMPENSATE = "continue", "replan", "wait", "compensate"
ESCALATE, TERMINATE, QUARANTINE = "escalate", "terminate", "quarantine"
# What weighs more comes first: where several are asked for, the first of them is decided.
WEIGHT: Final = (TERMINATE, QUARANTINE, ESCALATE, WAIT, COMPENSATE, REPLAN, CONTINUE)
NAMES: Final = (
    "schema", "ownership", "authoritative", "effects", "permissions", "compatibility", "news", "context", "decision",
)  # fmt: skip
MOST_NAMED: Final = 20  # how many of a kind a step names one by one


def schema(facts: Facts) -> Iterator[Finding]:
    """1. The checkpoint's schema is valid, or was migrated by a tested path."""
    kept = facts.kept
    if kept is None:
        yield Finding(PASSED, "No checkpoint was kept; the record alone says how things stand.")
        return
    number = kept.checkpoint.number
    if facts.left_aside:
        yield Finding(
            CHANGED, f"A person released the run after checkpoint {number}: its state is left aside, and the record alone counts.", REPLAN
        )  # fmt: skip
        return
    if kept.fault:
        yield Finding(FAULTY, f"Checkpoint {number} cannot be used: {kept.fault}", QUARANTINE)
        return
    if number != facts.newest_checkpoint:
        yield Finding(CHANGED, f"Checkpoint {number} is not the last one, which is {facts.newest_checkpoint}.", REPLAN)
    if not kept.has_state:
        if kept.checkpoint.state_digest is not None:
            yield Finding(CHANGED, f"The agent's own state in checkpoint {number} is no longer kept.", REPLAN)
        else:
            yield Finding(PASSED, f"Checkpoint {number} holds no state of the agent's own.")
    elif kept.migrated_from is not None:
        yield Finding(
            CHANGED, f"Checkpoint {number} was migrated from schema {kept.migrated_from} to {kept.schema_version}."
        )
    else:
        yield Finding(PASSED, f"Checkpoint {number} is whole, in schema {kept.schema_version}.")


def ownership(facts: Facts, taken: Taken) -> Iterator[Finding]:
    """2. The run is this driver's, by a fencing token."""
    holder = f" by {taken.holder}" if taken.holder else ""
    if taken.how == "acquired":
        yield Finding(PASSED, f"Taken{holder} with token {taken.epoch}; every earlier token is refused.")
    elif taken.how == "held":
        yield Finding(PASSED, f"Held{holder} with token {taken.epoch}.")
    elif taken.how == "looked" and taken.until is not None and taken.until > facts.now:
        yield Finding(
            CHANGED,
            f"Held{holder} with token {taken.epoch} until {_clock(taken.until)}; a resume is refused until then.",
        )
    elif taken.how == "looked":
        yield Finding(PASSED, f"Nobody holds it; the next to resume gets a token above {taken.epoch}.")
    else:
        yield Finding(
            CHANGED, f"Not taken: the run is {_words(facts.run.state)}, and token {taken.epoch} stays the last."
        )


def authoritative(facts: Facts) -> Iterator[Finding]:
    """3. The state is the record's own, and what the agent's state says otherwise does not count (R-G1, RES-04)."""
    moved = sum(facts.news.counts.values())
    if moved:
        yield Finding(
            CHANGED,
            f"Reloaded as of entry {facts.stream_seq}; {_some(moved, 'entry', 'entries')} since it was last driven.",
        )
    else:
        yield Finding(PASSED, f"Reloaded as of entry {facts.stream_seq}; nothing came since it was last driven.")
    if facts.contradictions and facts.kept is not None and not facts.left_aside:
        told = "; ".join(_contradiction(facts, each) for each in facts.contradictions[:MOST_NAMED])
        number = facts.kept.checkpoint.number
        yield Finding(CHANGED, f"Checkpoint {number} claims what was not so, and the record counts: {told}.", REPLAN)


def effects(facts: Facts) -> Iterator[Finding]:
    """4. What is in flight or unknown is reconciled, never repeated."""
    in_flight = facts.counts.get(DISPATCHED, 0) + facts.counts.get(ACCEPTED, 0)
    if in_flight:
        yield Finding(
            CHANGED, f"{_some(in_flight, 'effect')} in flight; each is settled by its answer and not begun again."
        )
    unknown = [effect for effect in facts.unresolved if effect.state == UNKNOWN and effect.pk not in facts.replaced]
    if unknown:
        named = _named([effect.number for effect in unknown])
        if facts.contract.before_continue == "ask_a_person":
            yield Finding(FAULTY, f"Unknown, and by contract a person decides: {named}.", ESCALATE)
        else:
            yield Finding(FAULTY, f"Unknown, and reconciled before the run goes on: {named}.", WAIT)
    partial = [effect for effect in facts.unresolved if effect.state == PARTIAL]
    if partial:
        yield Finding(
            CHANGED, f"Done in part, and the rest not settled: {_named([effect.number for effect in partial])}.", REPLAN
        )
    if facts.to_undo:
        yield Finding(
            CHANGED,
            f"To be undone, as a person found or its policy says: {_named([effect.number for effect in facts.to_undo])}.",
            COMPENSATE,
        )
    compensation = list(_compensation(facts))
    yield from compensation
    if not (in_flight or unknown or partial or facts.to_undo or compensation):
        yield Finding(PASSED, "Nothing is in flight, unknown or done in part.")


def _compensation(facts: Facts) -> Iterator[Finding]:
    """Say what is being made good for, and what was since and is not there any more."""
    if facts.run.compensation in made_good.UNDER_WAY:
        named = [each.compensates.number for each in made_good.under_way(facts.making_good) if each.compensates]
        of = f" ({_named(named)})" if named else ""
        yield Finding(CHANGED, f"{made_good.SAYS[facts.run.compensation].rstrip('.')}{of}.", COMPENSATE)
    lately = made_good.gone([each for each in facts.making_good if _lately(facts, each.ended_at)])
    if lately:
        told = _named([each.number for each in lately])
        yield Finding(CHANGED, f"Made good for since it was last driven, and not there any more: {told}.", REPLAN)


def permissions(facts: Facts) -> Iterator[Finding]:
    """5. Identity, permission, policy, approvals, secrets and access to data hold now (R-H2)."""
    agent = facts.run.agent
    if not agent.active:
        yield Finding(FAULTY, f"The agent {agent.name} is stopped.", ESCALATE)
    elif not agent.owner.active:
        yield Finding(CHANGED, f"{agent.owner.user.name}, who answers for {agent.name}, is no active member.", ESCALATE)
    else:
        yield Finding(PASSED, f"{agent.name} is active, and somebody answers for it.")
    altered = [each for each in facts.approvals if not each.same_arguments]
    if altered:
        yield Finding(
            FAULTY,
            f"Approved for something else than what would be done: {_named([each.effect.number for each in altered])}.",
            ESCALATE,
        )
    newer = [each for each in facts.approvals if not each.same_policy]
    if newer:
        yield Finding(
            CHANGED,
            f"Judged again by the policy in force before it begins: {_named([each.effect.number for each in newer])}.",
        )
    gone = [
        effect
        for effect in facts.ended
        if effect.state in (LAPSED, DENIED, EXPIRED) and _lately(facts, effect.ended_at)
    ]
    if gone:
        told = ", ".join(f"{effect.number} {effect.state}" for effect in gone[:MOST_NAMED])
        yield Finding(CHANGED, f"No longer permitted since it was last driven: effect {told}.", REPLAN)
    late = [
        each for each in facts.approvals
        if each.effect.request and each.effect.request.use_by and each.effect.request.use_by <= facts.now
    ]  # fmt: skip
    if late:
        yield Finding(
            CHANGED, f"Approved, and not used in time: {_named([each.effect.number for each in late])}.", REPLAN
        )
    standing = len(facts.approvals) - len(altered) - len(late)
    if standing:
        yield Finding(PASSED, f"{_some(standing, 'approval')} asked for or given stand for exactly what would be done.")
    yield Finding(PASSED, "Each permission, secret and access is judged once more when an effect begins.")


def compatibility(facts: Facts) -> Iterator[Finding]:
    """6. What the driver runs with, and what is in force here, is what it was, or the contract says what follows."""
    found = pins.differences(facts.contract, facts.before, facts.asked.versions if facts.asked else None, facts.ours)
    for each in found:
        now = each.now or "not said"
        if each.pin == pins.QUARANTINE:
            yield Finding(
                FAULTY, f"{each.name} was {each.was} and is {now}; by contract the run is set aside.", QUARANTINE
            )
        elif each.pin == pins.DECIDE:
            yield Finding(FAULTY, f"{each.name} was {each.was} and is {now}; by contract a person decides.", ESCALATE)
        else:
            yield Finding(CHANGED, f"{each.name} was {each.was} and is {now}; by contract the run goes on.", REPLAN)
    if facts.run_type_now not in (None, facts.contract.version):
        yield Finding(
            CHANGED,
            f"{facts.contract.name} is in version {facts.run_type_now} now; this run goes by its version {facts.contract.version}.",
        )
    if not any(facts.before.get(name) for name in PINNED):
        yield Finding(PASSED, "Nothing was kept of what it ran with before.")
    elif not found:
        yield Finding(PASSED, "Every version is what it was.")


def news(facts: Facts) -> Iterator[Finding]:
    """7. Corrections, cancellation, deadlines and newer events are applied."""
    run = facts.run
    yield from _standing(facts)
    if run.state not in RUN_ENDED and run.deadline_at is not None:
        if run.deadline_at <= facts.now:
            yield Finding(FAULTY, f"Its deadline was {_clock(run.deadline_at)}.", TERMINATE)
        else:
            yield Finding(PASSED, f"Its deadline is {_clock(run.deadline_at)}.")
    if facts.corrections:
        yield Finding(CHANGED, f"{_some(len(facts.corrections), 'correction')} that no driver has seen.", REPLAN)
    for each in facts.cancellations:
        of = f"effect {_number(facts, each.effect_id)}" if each.effect_id else f"the {each.scope}"
        yield Finding(CHANGED, f"A cancellation of {of} is {each.state}.", REPLAN if each.effect_id else "")
    for paused in facts.pauses:
        yield Finding(CHANGED, f"Paused: {paused}. Nothing of it begins until that is lifted.")
    over = [wait for wait in facts.waits if wait.state != WAIT_OPEN]
    if over:
        told = ", ".join(f"{wait.name} {wait.state}" for wait in over[:MOST_NAMED])
        yield Finding(CHANGED, f"Waits that ended: {told}.", "" if all(wait.state == MET for wait in over) else REPLAN)
    lost = sum(number for state, number in facts.children.items() if state in (FAILED, CANCELLED, EXPIRED))
    if lost:
        yield Finding(CHANGED, f"{_some(lost, 'child run')} ended without success.", REPLAN)
    taken_back = [effect for effect in facts.ended if effect.state == WITHDRAWN and _lately(facts, effect.ended_at)]
    if taken_back:
        yield Finding(
            CHANGED, f"Withdrawn since it was last driven: {_named([effect.number for effect in taken_back])}.", REPLAN
        )


def _standing(facts: Facts) -> Iterator[Finding]:
    """Say what the run's own state asks for."""
    run = facts.run
    if run.state in RUN_ENDED:
        yield Finding(
            FAULTY, f"The run has ended as {_words(run.state)}; this came too late and changes nothing.", TERMINATE
        )
    elif run.state == CLOSING:
        yield Finding(FAULTY, f"The run is closing and ends as {_words(run.closing_toward)}.", TERMINATE)
    elif run.state == QUARANTINED:
        yield Finding(FAULTY, "The run is set aside until a person releases it.", QUARANTINE)
    elif run.state == EXHAUSTED:
        yield Finding(FAULTY, "A budget has run out; a person gives more or ends the run.", ESCALATE)
    elif run.state == WAITING:
        names = ", ".join(wait.name for wait in facts.waits if wait.state == WAIT_OPEN and wait.parks)
        yield Finding(CHANGED, f"The run waits{f' for {names}' if names else ''}; it is woken when that comes.", WAIT)


def context(facts: Facts, size: int, left_out: int) -> Iterator[Finding]:
    """8. What the driver is told is rebuilt from records, and bounded."""
    cut = f", {left_out} lines left out" if left_out else ""
    yield Finding(PASSED, f"A brief of {size} bytes from the record as of entry {facts.stream_seq}{cut}.")


def step(name: str, found: Sequence[Finding]) -> Step:
    """Put what a step found in one: the worst result, the weightiest decision, and why."""
    result = min((each.result for each in found), key=WORST.index, default=PASSED)
    asking = [each for each in found if each.asks_for]
    first = min(asking, key=lambda each: WEIGHT.index(each.asks_for), default=None)
    told = sorted(found, key=lambda each: WORST.index(each.result))
    return Step(
        name, result, " ".join(each.detail for each in told) or "Nothing came up.", first.asks_for if first else "",
        first.detail if first else "",
    )  # fmt: skip


def decide(steps: Sequence[Step]) -> tuple[str, str]:
    """9. Decide, and say why: the weightiest of what the steps ask for; continue where none asks for anything."""
    asking = [each for each in steps if each.asks_for]
    if not asking:
        return CONTINUE, "Nothing stands in the way."
    first = min(asking, key=lambda each: WEIGHT.index(each.asks_for))
    return first.asks_for, " ".join(each.because for each in asking if each.asks_for == first.asks_for)


def outcome(decision: str) -> str:
    """Give the ninth step's result: passed where the run goes on as it was, changed where it does otherwise, failed where it does not."""
    return PASSED if decision == CONTINUE else CHANGED if decision in (REPLAN, COMPENSATE) else FAULTY


def _clock(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _lately(facts: Facts, at: Any) -> bool:
    return at is not None and at > facts.news.since_at


def _number(facts: Facts, effect_id: object) -> str:
    every = (*facts.unresolved, *facts.unstarted, *facts.ended)
    return next((str(effect.number) for effect in every if effect.pk == effect_id), str(effect_id))


def _contradiction(facts: Facts, claim: Any) -> str:
    every = (*facts.unresolved, *facts.unstarted, *facts.ended)
    number = next(
        (f"effect {effect.number}" for effect in every if str(effect.pk) == claim.get("effect")), claim.get("effect")
    )
    about = "" if claim.get("claim") == "state" else f", its {claim.get('claim')}"
    return f"{number}{about}: {claim.get('is') or 'not there'}, not {claim.get('claimed')}"


def _named(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, sorted(numbers)[:MOST_NAMED]))
    more = f" and {len(numbers) - MOST_NAMED} more" if len(numbers) > MOST_NAMED else ""
    return f"effect{'s' if len(numbers) > 1 else ''} {shown}{more}"


def _some(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or f'{one}s'}"


def _words(state: str) -> str:
    return state.replace("_", " ")
