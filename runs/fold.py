"""What the facts of a run amount to: the reducers of its stream, one per kind of entry."""

from console.exact import Value
from console.ledger.folding import Fact, Folded, Reducer
from console.ledger.verification import Book, Table
from runs.cancelling import fold as cancelling
from runs.checkpoints import fold as checkpoints
from runs.checkpoints import reading
from runs.compensating import fold as compensating
from runs.corrections import fold as corrections
from runs.limits import fold as limits
from runs.models import (
    Attempt,
    Callback,
    Cancellation,
    Checkpoint,
    Correction,
    Effect,
    EvidenceFile,
    Pause,
    Resolution,
    Resumption,
    Run,
    Signal,
    Wait,
)
from runs.ownership import fold as ownership
from runs.pausing import fold as pausing
from runs.resuming import fold as resuming
from runs.signals import fold as signals
from runs.states import (
    ACT,
    ACTS,
    CANCEL,
    CHECK,
    CLOSING,
    DENIED,
    DISPATCHED,
    ENDED,
    LOST,
    PARTIAL,
    PROPOSED,
    READY,
    RUNNING,
    SETTLED,
    UNKNOWN,
    WITHDRAWN,
)
from runs.unknowns import fold as unknowns
from runs.waits import fold as waits

EFFECT_FACTS = (
    "number", "key", "key_scope", "operation_name", "executor", "dependency_name", "summary", "target", "arguments", "reason", "required",
    "consequential", "irreversible", "after", "intent_digest", "effect_digest", "verdict", "rule", "state_reason", "deadline_at",
    "key_expires_at",
)  # fmt: skip

OVER = SETTLED | {WITHDRAWN}  # what an answer can bring an effect to, and nothing follows

# What an effect begins with, and what facts of before it could be owned do not say.
UNOWNED: dict[str, Value] = {
    "owner_id": None, "owner_group": "", "owned_at": None, "alerts": 0, "escalated_at": None, "attempts_granted": 0, "reconciled_at": None,
    "after_waits": [], "cleanup": False, "cancel_asked_at": None, "grant_id": None,
    "compensates_id": None, "expects": "", "approved_with_id": None,
}  # fmt: skip

# What a run begins with, and what facts of before it could wait, change hands and be stopped do not say.
UNTOUCHED: dict[str, Value] = {
    "parent_id": None, "lease_holder": "", "resume_due": False, "attention": "", "attention_since": None, "attention_reason": "",
    "versions": "", "limits": "", "used_tokens": 0, "used_cost": 0, "corrections_count": 0, "corrections_seen": 0,
    "compensation": "", "residue": "",
}  # fmt: skip
# What an acceptance says only where it is not what a run, or an effect, begins with.
RUN_MAY_SAY = ("lease_holder", "versions", "limits")
EFFECT_MAY_SAY = ("after_waits", "cleanup", "expects")
MAY_NAME = {"grant_id": "grant", "compensates_id": "compensates", "approved_with_id": "approved_with"}


def _accepted(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "run", run, key=says["key"], intent_digest=says["intent_digest"], agent_id=says["agent"], run_type_id=says["run_type"],
        goal=says["goal"], completes_itself=says["completes_itself"], state=RUNNING, closing_toward="", closing_reason="",
        epoch=says["epoch"], driver_id=says["driver"], deadline_at=says["deadline_at"], key_expires_at=says["key_expires_at"],
        result=None, unresolved=[], created_at=fact.at, ended_at=None, hold="", erased_at=None,
        **UNTOUCHED | {"parent_id": says.get("parent")} | {name: says[name] for name in RUN_MAY_SAY if name in says},
    )  # fmt: skip


def _completed(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "run", run, state=says["to"], result=says["result"], unresolved=says["unresolved"], ended_at=fact.at
    )


def _closing(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(
        fact, "run", run, state=CLOSING, closing_toward=fact.says["toward"], closing_reason=fact.says["reason"], attention="",
        attention_since=None, attention_reason="",
    )  # fmt: skip


def _run_ended(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    left = says.get("attention", "")
    folded.set(
        fact, "run", run, state=says["to"], closing_reason=says["reason"], ended_at=fact.at, attention=left,
        attention_since=fact.at if left else None, attention_reason=says.get("attention_reason", ""),
    )  # fmt: skip


def _proposed(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    copied: dict[str, Value] = {name: says[name] for name in EFFECT_FACTS}
    folded.set(
        fact, "effect", says["effect"], run_id=run, operation_id=says["operation"], supersedes_id=says["supersedes"],
        policy_id=says["policy"], request_id=says["request"], state=says["to"], fence=0, attempts_count=0, outcome="", result=None,
        operation_reference="", created_at=fact.at, ended_at=fact.at if says["to"] == DENIED else None, unknown_since=None,
        **UNOWNED | {column: says.get(name) for column, name in MAY_NAME.items()}
        | {name: says[name] for name in EFFECT_MAY_SAY if name in says}, **copied,
    )  # fmt: skip


def _judged(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "effect", says["effect"], state=says["to"], verdict=says["verdict"], policy_id=says["policy"], rule=says["rule"],
        request_id=says["request"], grant_id=says.get("grant"), approved_with_id=says.get("approved_with"), state_reason=says["reason"],
        ended_at=fact.at if says["to"] == DENIED else None,
    )  # fmt: skip


def _goes_on(state: str) -> Reducer:
    def reduce(folded: Folded, run: str, fact: Fact) -> None:
        folded.set(fact, "effect", fact.says["effect"], state=state, state_reason=fact.says["reason"])

    return reduce


def _unblocked(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "effect", fact.says["effect"], state=fact.says["to"], state_reason=fact.says["reason"])


def _ends(state: str) -> Reducer:
    def reduce(folded: Folded, run: str, fact: Fact) -> None:
        folded.set(fact, "effect", fact.says["effect"], state=state, state_reason=fact.says["reason"], ended_at=fact.at)

    return reduce


def _dispatched(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "attempt", says["attempt"], effect_id=says["effect"], run_id=run, number=says["number"], kind=says["kind"],
        fence=says["fence"], worker=fact.actor, state=RUNNING, outcome="", http_status=None, sent=None, reason="",
        evidence_digest=None, started_at=fact.at, ended_at=None, late_outcome="", late_evidence_digest=None, late_at=None,
    )  # fmt: skip
    folded.set(fact, "effect", says["effect"], attempts_count=says["number"])
    if says["kind"] in ACTS:
        folded.set(fact, "effect", says["effect"], fence=says["fence"])
    if says["kind"] == ACT:
        folded.set(fact, "effect", says["effect"], state=DISPATCHED, state_reason="")
    if says["kind"] == CANCEL and folded.get("effect", says["effect"], "cancel_asked_at") is None:
        folded.set(fact, "effect", says["effect"], cancel_asked_at=fact.at)


def _settled(folded: Folded, run: str, fact: Fact) -> None:
    says, effect = fact.says, fact.says["effect"]
    _ages(folded, effect, fact)
    folded.set(
        fact, "attempt", says["attempt"], state=ENDED, outcome=says["outcome"], http_status=says["http_status"], sent=says["sent"],
        reason=says["reason"], evidence_digest=says["evidence_digest"], ended_at=fact.at,
    )  # fmt: skip
    folded.set(
        fact,
        "effect",
        effect,
        state=says["to"],
        state_reason=says["reason"],
        ended_at=fact.at if says["to"] in OVER else None,
    )
    kind = folded.get("attempt", says["attempt"], "kind")
    # What is said to a wish to stop, or read before anything is done, is no outcome of the effect.
    if kind != CANCEL and not (kind == CHECK and says["to"] == READY):
        folded.set(fact, "effect", effect, outcome=says["outcome"])
    if says["result"] is not None:
        folded.set(fact, "effect", effect, result=says["result"])
    if says["reference"]:
        folded.set(fact, "effect", effect, operation_reference=says["reference"])


def _lost(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact,
        "attempt",
        says["attempt"],
        state=LOST,
        outcome=says["outcome"],
        sent=says["sent"],
        reason=says["reason"],
        ended_at=fact.at,
    )
    if folded.get("attempt", says["attempt"], "kind") == ACT:
        _ages(folded, says["effect"], fact)
        folded.set(
            fact, "effect", says["effect"], state=says["to"], state_reason=says["reason"], outcome=says["outcome"],
            ended_at=fact.at if says["to"] in SETTLED else None,
        )  # fmt: skip


def _ages(folded: Folded, effect: str, fact: Fact) -> None:
    """Give what becomes unknown, or is done in part, a new age, of which nobody has been told yet; one that stays unknown keeps its own."""
    to, was_unknown = fact.says["to"], folded.get("effect", effect, "state") == UNKNOWN
    if to == UNKNOWN and not was_unknown:
        folded.set(fact, "effect", effect, unknown_since=fact.at)
    if to == PARTIAL or (to == UNKNOWN and not was_unknown):
        folded.set(fact, "effect", effect, alerts=0, escalated_at=None)
        if not was_unknown:
            folded.set(fact, "effect", effect, owner_group="")


def _overdue(folded: Folded, run: str, fact: Fact) -> None:
    _ages(folded, fact.says["effect"], fact)
    folded.set(fact, "effect", fact.says["effect"], state=fact.says["to"], state_reason=fact.says["reason"])


def _not_resent(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "effect", fact.says["effect"], state_reason=fact.says["reason"])


def _late(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact,
        "attempt",
        says["attempt"],
        late_outcome=says["outcome"],
        late_evidence_digest=says["evidence_digest"],
        late_at=fact.at,
    )


def _heard(state: str) -> Reducer:
    """Take the fact of a message from the other side: it tells all of the message's row."""

    def reduce(folded: Folded, run: str, fact: Fact) -> None:
        says = fact.says
        folded.set(
            fact, "callback", says["callback"], run_id=run, effect_id=says["effect"], operation_name=says["operation"],
            message_id=says["message_id"], signed_at=says["signed_at"], received_at=says["received_at"], secrets=says["secrets"],
            body_digest=says["body_digest"], note=says["note"], state=state, outcome=says.get("outcome", ""),
            settled_at=None if state == "recorded" else fact.at,
        )  # fmt: skip

    return reduce


def _callback_noted(folded: Folded, run: str, fact: Fact) -> None:
    _heard(fact.says["state"])(folded, run, fact)


def _callback_applied(folded: Folded, run: str, fact: Fact) -> None:
    says, effect = fact.says, fact.says["effect"]
    _heard("applied")(folded, run, fact)
    _ages(folded, effect, fact)
    folded.set(
        fact, "effect", effect, state=says["to"], state_reason=says["reason"], outcome=says["outcome"],
        ended_at=fact.at if says["to"] in SETTLED else None,
    )  # fmt: skip
    if says["result"] is not None:
        folded.set(fact, "effect", effect, result=says["result"])


def _held(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "run", run, hold=fact.says["hold"])


def _erased(folded: Folded, run: str, fact: Fact) -> None:
    """Take what remains of the run: the facts before are erased, so that this one, and one for each effect, say everything anew."""
    folded.set(fact, "run", run, **UNTOUCHED | fact.says["remains"])
    for wait, remains in fact.says.get("waits", {}).items():
        folded.set(fact, "wait", wait, **remains)


def _remains(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "effect", fact.says["effect"], **UNOWNED | fact.says["remains"])
    for table, rows in (
        ("attempt", "attempts"),
        ("resolution", "resolutions"),
        ("evidence", "files"),
        ("callback", "callbacks"),
    ):
        for row, remains in fact.says.get(rows, {}).items():
            folded.set(fact, table, row, **remains)


def _alerted(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "effect", fact.says["effect"], alerts=fact.says["alerts"])


def _escalated(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "effect", fact.says["effect"], owner_group=fact.says["to"], escalated_at=fact.at)


REDUCERS: dict[str, Reducer] = {
    "run.accepted": _accepted,
    "run.completed": _completed,
    "run.closing": _closing,
    "run.ended": _run_ended,
    "run.held": _held,
    "run.erased": _erased,
    "effect.remains": _remains,
    "effect.proposed": _proposed,
    "effect.judged": _judged,
    "effect.sent_back": _goes_on(PROPOSED),
    "effect.released": _goes_on(READY),
    "effect.unblocked": _unblocked,
    "effect.denied": _ends("denied"),
    "effect.lapsed": _ends("lapsed"),
    "effect.expired": _ends("expired"),
    "effect.withdrawn": _ends("withdrawn"),
    "effect.alerted": _alerted,
    "effect.escalated": _escalated,
    "effect.not_resent": _not_resent,
    "effect.overdue": _overdue,
    "attempt.dispatched": _dispatched,
    "attempt.settled": _settled,
    "attempt.lost": _lost,
    "attempt.late": _late,
    **unknowns.REDUCERS,
    **checkpoints.REDUCERS,
    **pausing.REDUCERS,
    **ownership.REDUCERS,
    **corrections.REDUCERS,
    **waits.REDUCERS,
    **resuming.REDUCERS,
    **limits.REDUCERS,
    **cancelling.REDUCERS,
    **compensating.REDUCERS,
    **signals.REDUCERS,
    "callback.waits": _heard("recorded"),
    "callback.noted": _callback_noted,
    "callback.late": _heard("late"),
    "callback.applied": _callback_applied,
}
BOOK = Book(
    "run", Run, REDUCERS,
    [
        Table("run", Run, "id", Run.recorded),
        Table("effect", Effect, "run_id", Effect.recorded),
        Table(
            "attempt", Attempt, "run_id", Attempt.recorded,
            proofs=[("evidence", "evidence_digest"), ("late_evidence", "late_evidence_digest")],
        ),
        Table("resolution", Resolution, "run_id", Resolution.recorded),
        Table("evidence", EvidenceFile, "run_id", EvidenceFile.recorded, contents=[("content", "digest")]),
        Table("callback", Callback, "run_id", Callback.recorded, proofs=[("body", "body_digest")]),
        Table("wait", Wait, "run_id", Wait.recorded),
        Table("signal", Signal, "run_id", Signal.recorded, proofs=[("body", "body_digest")]),
        Table(
            "checkpoint", Checkpoint, "run_id", Checkpoint.recorded, proofs=[("authoritative", "authoritative_digest")],
            sealed=[("state", reading.fault)],
        ),
        Table("resumption", Resumption, "run_id", Resumption.recorded, proofs=[("brief", "brief_digest")]),
        Table("correction", Correction, "run_id", Correction.recorded),
        Table("cancellation", Cancellation, "run_id", Cancellation.recorded),
        Table("pause", Pause, "run_id", Pause.recorded),
    ],
)  # fmt: skip
