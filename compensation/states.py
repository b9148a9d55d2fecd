"""The words for plans and work items of compensation, and the tables of their legal moves."""

from typing import Final

Moves = dict[str, tuple[frozenset[str], frozenset[str]]]

# Work items.
PLANNED, WAITING, RUNNING, VERIFYING = "planned", "waiting", "running", "verifying"
DONE, FAILED, ESCALATED, RESOLVED, WAIVED = "done", "failed", "escalated", "resolved", "waived"
DROPPED: Final = "dropped"  # there is nothing to make good for: it did not happen, or its plan was declined
ITEM_STATES: Final = (PLANNED, WAITING, RUNNING, VERIFYING, DONE, FAILED, ESCALATED, RESOLVED, WAIVED, DROPPED)
ITEM_OVER: Final = frozenset({DONE, RESOLVED, WAIVED, DROPPED})
ITEM_OPEN: Final = frozenset(ITEM_STATES) - ITEM_OVER
AT_WORK: Final = frozenset({RUNNING, VERIFYING})  # an effect is under way: nobody ends the item beside it
NEEDS_SOMEBODY: Final = frozenset({FAILED, ESCALATED})
ITEM_INITIAL: Final = frozenset({PLANNED, WAITING})
ITEM_MOVES: Final[Moves] = {
    "wait": (frozenset({PLANNED, RUNNING}), frozenset({WAITING})),
    "begin": (frozenset({PLANNED, WAITING, FAILED, ESCALATED, VERIFYING}), frozenset({RUNNING})),
    "verify": (frozenset({RUNNING, WAITING}), frozenset({VERIFYING})),
    "finish": (frozenset({WAITING, RUNNING, VERIFYING}), frozenset({DONE})),
    "fail": (frozenset({PLANNED, WAITING, RUNNING, VERIFYING}), frozenset({FAILED})),
    "escalate": (frozenset({FAILED}), frozenset({ESCALATED})),
    "try_again": (frozenset({FAILED, ESCALATED}), frozenset({WAITING})),
    "resolve": (frozenset({PLANNED, WAITING, FAILED, ESCALATED}), frozenset({RESOLVED})),
    "waive": (frozenset({PLANNED, WAITING, FAILED, ESCALATED}), frozenset({WAIVED})),
    "drop": (frozenset({PLANNED, WAITING}), frozenset({DROPPED})),
}

# What a waiting item waits for.
FOR_PLAN, FOR_ORDER, FOR_RECONCILIATION = "plan", "order", "reconciliation"
FOR_APPROVAL, FOR_PERSON = "approval", "person"
FOR_PAUSE: Final = "pause"  # its effect is ready, and what it would do is paused
WAITS_FOR: Final = ("", FOR_PLAN, FOR_ORDER, FOR_RECONCILIATION, FOR_APPROVAL, FOR_PERSON, FOR_PAUSE)

EFFECT, MANUAL = "effect", "manual"
KINDS: Final = (EFFECT, MANUAL)
REQUIRED, ALLOWED = "required", "allowed"
NEEDS: Final = (REQUIRED, ALLOWED)

# Why a plan was made.
CANCELLED, RUN_FAILED, EXPIRED = "cancelled", "failed", "expired"
ASKED, PARTIAL, MUST_BE_UNDONE, OVERRAN = "asked", "partial", "must_be_undone", "overran"
BY_HAND: Final = "by_hand"  # somebody added a work item
CAUSES: Final = (CANCELLED, RUN_FAILED, EXPIRED, ASKED, PARTIAL, MUST_BE_UNDONE, OVERRAN, BY_HAND)

# Plans.
PROPOSED, IN_FORCE, DECLINED = "proposed", "in_force", "declined"
PLAN_STATES: Final = (PROPOSED, IN_FORCE, DECLINED)
PLAN_INITIAL: Final = frozenset({PROPOSED, IN_FORCE})
PLAN_MOVES: Final[Moves] = {
    "approve": (frozenset({PROPOSED}), frozenset({IN_FORCE})),
    "decline": (frozenset({PROPOSED}), frozenset({DECLINED})),
}

# What somebody says ends a work item, and whether it stands.
RESOLVE, WAIVE = "resolve", "waive"
ENDINGS: Final = (RESOLVE, WAIVE)
WITHDRAWN: Final = "withdrawn"
OVERTAKEN: Final = "overtaken"  # the item ended otherwise, or was tried again, before anybody confirmed it
ENDING_STATES: Final = (PROPOSED, IN_FORCE, DECLINED, WITHDRAWN, OVERTAKEN)
ENDING_INITIAL: Final = frozenset({PROPOSED, IN_FORCE})
ENDING_MOVES: Final[Moves] = {
    "confirm": (frozenset({PROPOSED}), frozenset({IN_FORCE})),
    "decline": (frozenset({PROPOSED}), frozenset({DECLINED})),
    "withdraw": (frozenset({PROPOSED}), frozenset({WITHDRAWN})),
    "overtake": (frozenset({PROPOSED}), frozenset({OVERTAKEN})),
}
