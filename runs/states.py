"""The words for runs, effects and attempts, and the tables of legal moves.

The database's guards (runs/sql/guard_*.sql), docs/states.md, the buttons and the refusals are derived from these tables; a
test compares them. A state that is not listed here is shown and never acted on."""

from typing import Final

# Effects: the logical intent.
PROPOSED: Final = "proposed"
BLOCKED: Final = "blocked"
AWAITING_APPROVAL: Final = "awaiting_approval"
READY: Final = "ready"
DISPATCHED: Final = "dispatched"
ACCEPTED: Final = "accepted"
UNKNOWN: Final = "unknown"
SUCCEEDED: Final = "succeeded"
REJECTED: Final = "rejected"
FAILED: Final = "failed"
PARTIAL: Final = "partial"
DENIED: Final = "denied"
LAPSED: Final = "lapsed"
EXPIRED: Final = "expired"
WITHDRAWN: Final = "withdrawn"

# Runs.
QUEUED: Final = "queued"
RUNNING: Final = "running"
WAITING: Final = "waiting"
CLOSING: Final = "closing"
SUCCEEDED_WITH_UNRESOLVED: Final = "succeeded_with_unresolved"
CANCELLED: Final = "cancelled"
QUARANTINED: Final = "quarantined"
EXHAUSTED: Final = "exhausted"  # a budget ran out: nothing more begins until somebody gives more or ends the run

# Attempts.
ENDED: Final = "ended"
LOST: Final = "lost"

Moves = dict[str, tuple[frozenset[str], frozenset[str]]]

UNSTARTED: Final = frozenset({PROPOSED, BLOCKED, AWAITING_APPROVAL, READY})
IN_FLIGHT: Final = frozenset({DISPATCHED, ACCEPTED})
OPEN: Final = UNSTARTED | IN_FLIGHT | {UNKNOWN}
IN_VAIN: Final = frozenset({REJECTED, FAILED, DENIED, LAPSED, EXPIRED, WITHDRAWN})  # over, and not done
SETTLED: Final = frozenset({SUCCEEDED, REJECTED, FAILED, PARTIAL})
EFFECT_STATES: Final = (
    PROPOSED, BLOCKED, AWAITING_APPROVAL, READY, DISPATCHED, ACCEPTED, UNKNOWN,
    SUCCEEDED, REJECTED, FAILED, PARTIAL, DENIED, LAPSED, EXPIRED, WITHDRAWN,
)  # fmt: skip
EFFECT_INITIAL: Final = frozenset({BLOCKED, AWAITING_APPROVAL, READY, DENIED})
EFFECT_MOVES: Final[Moves] = {
    "unblock": (frozenset({BLOCKED}), frozenset({READY, PROPOSED})),
    "judge": (frozenset({PROPOSED}), frozenset({READY, AWAITING_APPROVAL, DENIED})),
    "judge_again": (frozenset({AWAITING_APPROVAL, READY}), frozenset({PROPOSED})),
    "release": (frozenset({AWAITING_APPROVAL}), frozenset({READY})),
    "deny": (frozenset({AWAITING_APPROVAL, READY}), frozenset({DENIED})),
    "lapse": (frozenset({AWAITING_APPROVAL, READY}), frozenset({LAPSED})),
    "expire": (UNSTARTED, frozenset({EXPIRED})),
    "withdraw": (UNSTARTED, frozenset({WITHDRAWN})),
    "dispatch": (frozenset({READY}), frozenset({DISPATCHED})),
    "settle": (frozenset({DISPATCHED}), SETTLED | {ACCEPTED, UNKNOWN}),
    "reconcile": (frozenset({ACCEPTED, UNKNOWN}), SETTLED | {UNKNOWN}),
    "be_told": (
        frozenset({READY}),
        frozenset({SUCCEEDED, REJECTED, PARTIAL, ACCEPTED}),
    ),  # by a signed message about what was sent before; accepted where it is verified first
    "do_again": (frozenset({UNKNOWN}), frozenset({READY})),
    "retry": (frozenset({DISPATCHED}), frozenset({READY})),
}

RUN_STATES: Final = (
    QUEUED, RUNNING, WAITING, EXHAUSTED, QUARANTINED, CLOSING, SUCCEEDED, SUCCEEDED_WITH_UNRESOLVED, FAILED, CANCELLED, EXPIRED,
)  # fmt: skip
RUN_ENDED: Final = frozenset({SUCCEEDED, SUCCEEDED_WITH_UNRESOLVED, FAILED, CANCELLED, EXPIRED})
RUN_GOING: Final = frozenset({RUNNING, WAITING})  # their effects are begun as they come due
RUN_OPEN: Final = RUN_GOING | {EXHAUSTED, QUARANTINED}
RUN_INITIAL: Final = frozenset({RUNNING})
RUN_MOVES: Final[Moves] = {
    "complete": (frozenset({RUNNING}), frozenset({SUCCEEDED, SUCCEEDED_WITH_UNRESOLVED})),
    "wait": (frozenset({RUNNING}), frozenset({WAITING})),
    "wake": (frozenset({WAITING}), frozenset({RUNNING})),
    "quarantine": (RUN_GOING, frozenset({QUARANTINED})),
    "release": (frozenset({QUARANTINED}), RUN_GOING),
    "exhaust": (RUN_GOING, frozenset({EXHAUSTED})),
    "extend": (frozenset({EXHAUSTED}), RUN_GOING),
    "fail": (RUN_OPEN, frozenset({FAILED, CLOSING})),
    "expire": (RUN_OPEN, frozenset({EXPIRED, CLOSING})),
    "cancel": (RUN_OPEN, frozenset({CANCELLED, CLOSING})),
    "close": (frozenset({CLOSING}), frozenset({FAILED, EXPIRED, CANCELLED})),
    "reopen": (frozenset({FAILED, EXPIRED, CANCELLED}), frozenset({RUNNING})),
}

# The states that a run can come into with these moves; the others have their names for what is to come.
RUN_REACHED: Final = tuple(
    state for state in RUN_STATES if state in RUN_INITIAL.union(*(targets for _, targets in RUN_MOVES.values()))
)

ATTEMPT_STATES: Final = (RUNNING, ENDED, LOST)
ATTEMPT_INITIAL: Final = frozenset({RUNNING})
ATTEMPT_MOVES: Final[Moves] = {
    "end": (frozenset({RUNNING}), frozenset({ENDED})),
    "lose": (frozenset({RUNNING}), frozenset({LOST})),
}

# What becomes of an attempt is asked in these ways; a resend is an act about an effect that stays unknown until the answer says otherwise.
ACT, RESEND, STATUS, READ = "act", "resend", "status", "read"
VERIFY: Final = "verify"  # the world is read, because an answer that says "done" proves little; only then it is done
CHECK: Final = "check"  # the world is read before a compensation acts: it must be as the effect left it
CANCEL: Final = "cancel"  # the other side is asked to stop what it has taken; what became of it is found out as ever
OVERDUE: Final = "overdue"  # the step of what nothing can be asked about: unknown when no message came in its time
ACTS: Final = (ACT, RESEND)
LOOKS: Final = (STATUS, READ, VERIFY)
ATTEMPT_KINDS: Final = (*ACTS, *LOOKS, CHECK, CANCEL)
CHECKED: Final = "checked"  # the step of what was checked and acts next

# Resolutions: what a person found out about an effect that nothing else could tell.
HAPPENED: Final = "happened"
DID_NOT_HAPPEN: Final = "did_not_happen"
STILL_PENDING: Final = "still_pending"
MUST_BE_UNDONE: Final = "must_be_undone"
CANNOT_TELL: Final = "cannot_tell"
REST_SETTLED: Final = "rest_settled"  # of a partial effect
RESOLUTION_EXITS: Final = (HAPPENED, DID_NOT_HAPPEN, STILL_PENDING, MUST_BE_UNDONE, CANNOT_TELL, REST_SETTLED)
RESOLUTION_PROPOSED, IN_FORCE, DECLINED, OVERTAKEN = "proposed", "in_force", "declined", "overtaken"
RESOLUTION_STATES: Final = (RESOLUTION_PROPOSED, IN_FORCE, DECLINED, WITHDRAWN, OVERTAKEN)
RESOLUTION_INITIAL: Final = frozenset({RESOLUTION_PROPOSED, IN_FORCE})
RESOLUTION_MOVES: Final[Moves] = {
    "confirm": (frozenset({RESOLUTION_PROPOSED}), frozenset({IN_FORCE})),
    "decline": (frozenset({RESOLUTION_PROPOSED}), frozenset({DECLINED})),
    "withdraw": (frozenset({RESOLUTION_PROPOSED}), frozenset({WITHDRAWN})),
    "overtake": (frozenset({RESOLUTION_PROPOSED}), frozenset({OVERTAKEN})),
}

# Callbacks: what the other side told us by itself.
CALLBACK_RECORDED: Final = "recorded"
CALLBACK_STATES: Final = (CALLBACK_RECORDED, "applied", "late", "unmatched", "unclear")
CALLBACK_INITIAL: Final = frozenset({CALLBACK_RECORDED})
CALLBACK_MOVES: Final[Moves] = {
    "apply": (frozenset({CALLBACK_RECORDED}), frozenset({"applied", "late", "unmatched", "unclear"})),
}

PACES: Final = (
    "looks",
    "retries",
    "drain",
    "breaker",
)  # what a dependency's token buckets are for; a breaker's has none while it holds

# Waits: what a run waits for, as a row with a condition. Signals: news from outside, kept until a wait takes them.
TIMER, CLOCK_TIME, SIGNAL, CHILDREN, EFFECTS = "timer", "clock_time", "signal", "children", "effects"
DEPENDENCY, RATE_WINDOW = "dependency", "rate_window"
WAIT_KINDS: Final = (TIMER, CLOCK_TIME, SIGNAL, CHILDREN, EFFECTS, DEPENDENCY, RATE_WINDOW)
WAIT_OPEN, MET = "open", "met"
WAIT_STATES: Final = (WAIT_OPEN, MET, EXPIRED, WITHDRAWN)
WAIT_INITIAL: Final = frozenset({WAIT_OPEN, MET})  # what came before its wait meets it at once
WAIT_MOVES: Final[Moves] = {
    "meet": (frozenset({WAIT_OPEN}), frozenset({MET})),
    "expire": (frozenset({WAIT_OPEN}), frozenset({EXPIRED})),
    "withdraw": (frozenset({WAIT_OPEN}), frozenset({WITHDRAWN})),
}
ESCALATE: Final = "escalate"  # the wait stays open: a person is told, and what comes late still ends it
ON_EXPIRY: Final = ("wake", ESCALATE, "fail", "cancel")

SIGNAL_RECORDED, KEPT, TAKEN, LATE = "recorded", "kept", "taken", "late"
SIGNAL_STATES: Final = (SIGNAL_RECORDED, KEPT, TAKEN, LATE, EXPIRED)
SIGNAL_INITIAL: Final = frozenset({SIGNAL_RECORDED})
SIGNAL_MOVES: Final[Moves] = {
    "keep": (frozenset({SIGNAL_RECORDED}), frozenset({KEPT})),
    "take": (frozenset({SIGNAL_RECORDED, KEPT}), frozenset({TAKEN})),
    "come_late": (frozenset({SIGNAL_RECORDED, KEPT}), frozenset({LATE})),
    "expire": (frozenset({KEPT}), frozenset({EXPIRED})),
}

# Cancellations, in their three parts: requested, being resolved, proven.
REQUESTED, RESOLVING, PROVEN = "requested", "resolving", "proven"
CANCELLATION_SCOPES: Final = ("effect", "run", "tree")
CANCELLATION_MODES: Final = ("graceful", "immediate")
CANCELLATION_STATES: Final = (REQUESTED, RESOLVING, PROVEN, OVERTAKEN)
CANCELLATION_INITIAL: Final = frozenset({REQUESTED, RESOLVING, PROVEN, OVERTAKEN})
CANCELLATION_MOVES: Final[Moves] = {
    "resolve": (frozenset({REQUESTED}), frozenset({RESOLVING})),
    "prove": (frozenset({REQUESTED, RESOLVING}), frozenset({PROVEN})),
    "overtake": (frozenset({REQUESTED, RESOLVING}), frozenset({OVERTAKEN})),  # it ended otherwise
}

# Where a run stands with its compensation, beside its state: nothing to do, to be planned, work items open, over.
TO_PLAN, TO_UNDO, UNDONE = "due", "open", "over"
COMPENSATION: Final = ("", TO_PLAN, TO_UNDO, UNDONE)
# What compensation wants to hear of an effect: nothing, its next change of state, and that there was one.
UNWATCHED, WATCHED, CHANGED = 0, 1, 2

PAUSE_SCOPES: Final = ("run", "operation", "run_type", "tenant")
RESUME_DECISIONS: Final = ("continue", "replan", "wait", "compensate", "escalate", "terminate", "quarantine")
STALLED: Final = "stalled"  # nothing will wake the run
OVERDUE_WAIT: Final = "overdue_wait"  # what it waits for did not come in its time
ATTENTION: Final = (STALLED, "decision", "quarantined", "exhausted", OVERDUE_WAIT, "late")
BOUNDARIES: Final = ("driver", "transition", "before_effect", "after_effect", "wait", "approval", "hand_over")
