"""How each state looks: one table, so that a word has the same icon and colour wherever it is shown."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """An icon of the sprite, a tone (plain, act, wait, unknown, good, bad) and what the state means, in a sentence."""

    icon: str
    tone: str
    meaning: str
    word: str = ""  # where the record's own would mislead


@dataclass(frozen=True)
class Shown:
    """A state as the pages show it."""

    word: str
    icon: str
    tone: str
    meaning: str
    known: bool = True


OPEN = "It says nothing of what became of the effect."
LOOKS: dict[str, dict[str, Look]] = {
    "run": {
        "queued": Look("ring", "plain", "Accepted. No step has started yet."),
        "running": Look("half", "act", "It is open: its agent may go on with it, and what is due is carried out."),
        "waiting": Look("clock", "act", "It waits for a time, a signal or other work, and needs no process meanwhile."),
        "exhausted": Look(
            "hourglass", "wait", "A budget ran out. Nothing more begins until somebody gives it more, or ends it."
        ),
        "closing": Look("closing", "act", "It is ending. What is in flight is let finish first."),
        "succeeded": Look("check", "good", "Every required effect happened."),
        "succeeded_with_unresolved": Look("partial", "wait", "It ended with something named as unresolved."),
        "failed": Look("cross", "bad", "It ended without reaching its goal."),
        "cancelled": Look(
            "withdrawn", "plain", "It was stopped, and it is proven that nothing is in flight or unknown."
        ),
        "expired": Look("hourglass", "bad", "Its deadline passed before it ended."),
        "quarantined": Look("warn", "bad", "It is set aside until a person decides what becomes of it."),
    },
    # A run that is closing, by what it is closing toward.
    "closing": {
        "cancelled": Look(
            "closing", "act", "It is being cancelled. What is in flight is resolved first.", "cancelling"
        ),
        "failed": Look("closing", "act", "It is ending as failed. What is in flight is let finish first.", "failing"),
        "expired": Look("closing", "act", "Its time is up. What is in flight is let finish first.", "expiring"),
    },
    # What one of the nine checks of a resume came to, and what a resume decided.
    "resume_check": {
        "passed": Look("check", "good", "It is as it was, or as it should be."),
        "changed": Look("fork", "wait", "Something is not as it was."),
        "failed": Look("barred", "bad", "The run does not go on as it stands."),
    },
    "decision": {
        "continue": Look("arrow", "good", "The run goes on."),
        "replan": Look("fork", "act", "The run goes on, by a new plan."),
        "wait": Look("clock", "wait", "Something has to come or to be reconciled first."),
        "compensate": Look("withdrawn", "wait", "Something has to be undone first."),
        "escalate": Look("person", "wait", "A person has to decide."),
        "terminate": Look("cross", "plain", "The run is over or ending."),
        "quarantine": Look("warn", "bad", "The run is set aside until a person releases it."),
    },
    "effect": {
        "proposed": Look("dotted", "plain", "Recorded. Nothing has been asked or done yet."),
        "blocked": Look("pause", "plain", "Its turn has not come. It waits for effects before it."),
        "awaiting_approval": Look("person", "wait", "It waits for a person to allow it."),
        "ready": Look("ring", "act", "It may be carried out, and is about to be."),
        "dispatched": Look("arrow", "act", "An attempt is under way."),
        "accepted": Look("clock", "act", "The other side took it and will say later how it ended."),
        "unknown": Look("question", "unknown", "Not confirmed. It may have happened or not."),
        "succeeded": Look("check", "good", "It happened."),
        "rejected": Look("barred", "bad", "The other side refused it. It was not done."),
        "failed": Look("cross", "bad", "It was not done, and no further attempt will be made."),
        "partial": Look("partial", "wait", "Some of it happened, and some did not."),
        "denied": Look("barred", "bad", "A person or a policy refused it. It was not done."),
        "lapsed": Look("lapsed", "plain", "It was approved and not started in time. It was not done."),
        "expired": Look("hourglass", "plain", "Its time ran out. It was not done."),
        "withdrawn": Look("withdrawn", "plain", "It was taken back. It was not done."),
    },
    "request": {
        "pending": Look("person", "wait", "It waits for a person to decide."),
        "approved": Look("check", "act", "Approved, and not started yet."),
        "consumed": Look("check", "plain", "Approved, and the permission has been used.", "approved, used"),
        "denied": Look("barred", "bad", "Denied. It was not done."),
        "expired": Look("hourglass", "plain", "Nobody decided in time. It was not done."),
        "withdrawn": Look("withdrawn", "plain", "The question was taken back. It was not done."),
        "lapsed": Look("lapsed", "plain", "Approved, and not started in time. It was not done."),
        "rerouted": Look("fork", "plain", "The policy or the target changed, so it was asked again.", "asked again"),
        "revoked": Look("barred", "bad", "The approval was taken back. Nothing more begins under it."),
    },
    "grant": {
        "proposed": Look(
            "person", "wait", "It waits for a second person. Nothing goes by it yet.", "waits for a second person"
        ),
        "active": Look("check", "good", "It stands in for people, within its bounds.", "in force"),
        "declined": Look("barred", "plain", "A second person declined it. Nothing ever went by it."),
        "revoked": Look("barred", "bad", "It was ended before its time. Nothing more begins by it."),
        "ended": Look("hourglass", "plain", "It is used up, or its time is over."),
    },
    "grant_use": {
        "reserved": Look("hourglass", "wait", "It is not over, or nobody knows yet. The unit is held.", "held"),
        "spent": Look("check", "plain", "It happened. The unit is spent."),
        "returned": Look("withdrawn", "plain", "It did not happen. The unit was given back.", "given back"),
    },
    "attempt": {
        "running": Look("arrow", "act", "The call is under way."),
        "ended": Look("ring", "plain", "The call ended and its answer was recorded."),
        "lost": Look("lapsed", "unknown", "Its worker vanished before it could record an answer."),
    },
    "finding": {
        "proposed": Look(
            "person", "wait", "It waits for a second person, and nothing has changed yet.", "waits for a second person"
        ),
        "in_force": Look("check", "good", "It stands, and had its consequence."),
        "declined": Look("barred", "plain", "A second person declined it. Nothing changed."),
        "withdrawn": Look("withdrawn", "plain", "Whoever found it took it back. Nothing changed."),
        "overtaken": Look("fork", "plain", "Something else settled the effect first. Nothing changed by it."),
    },
    # What is made good for, one thing at a time; the plan that says so; and what people say ends one of them.
    "item": {
        "planned": Look("dotted", "plain", "It is planned. Nothing has been begun."),
        "waiting": Look("hourglass", "act", "It waits for something before it; its row says for what."),
        "person": Look("person", "wait", "Nothing goes on before somebody does something.", "needs a person"),
        "running": Look("arrow", "act", "It is being made good for, by an effect of its own."),
        "unknown": Look(
            "question",
            "unknown",
            "What makes good for it may have happened or not. That is found out first.",
            "not confirmed",
        ),
        "verifying": Look(
            "find", "act", "The other side said that it is done. The world is read before that is believed."
        ),
        "done": Look("check", "good", "It is made good for."),
        "failed": Look("cross", "bad", "It was not made good for, and somebody has to see to it."),
        "escalated": Look("flag", "bad", "Nobody has seen to it in time, so more people were told."),
        "resolved": Look(
            "seal", "good", "Somebody made good for it by hand, and said how that is known.", "resolved by hand"
        ),
        "waived": Look("person", "plain", "Somebody with authority waived it, and said why: it is not made good for."),
        "dropped": Look("withdrawn", "plain", "There is nothing to make good for.", "not needed"),
    },
    "plan": {
        "proposed": Look("person", "wait", "It waits for a person. Nothing of it begins before.", "to be approved"),
        "in_force": Look("check", "good", "It goes ahead: each work item begins when its turn comes.", "goes ahead"),
        "declined": Look("barred", "plain", "Somebody declined it. Nothing of it begins by itself."),
    },
    "ending": {
        "proposed": Look(
            "person", "wait", "It waits for a second person, and nothing has changed yet.", "waits for a second person"
        ),
        "in_force": Look("check", "good", "It stands: the work item is over by it.", "stands"),
        "declined": Look("barred", "plain", "A second person declined it. Nothing changed."),
        "withdrawn": Look("withdrawn", "plain", "Whoever said so took it back. Nothing changed."),
        "overtaken": Look("fork", "plain", "The work item went on, or was over, first. Nothing changed by it."),
    },
    "signal": {
        "recorded": Look("ring", "plain", "It has come, and is about to be taken or kept."),
        "kept": Look(
            "hourglass", "wait", "Nothing waits for it yet. It is kept for a wait that opens.", "kept for a wait"
        ),
        "taken": Look("check", "good", "A wait took it, and its run went on."),
        "late": Look(
            "lapsed", "plain", "The run had ended, or was ending. It is kept, and changes nothing.", "too late"
        ),
        "expired": Look("withdrawn", "plain", "No wait took it in its time.", "let go"),
    },
    "callback": {
        "recorded": Look("ring", "plain", "It has come. Which effect it is about is being found out."),
        "applied": Look("check", "good", "What it says was taken."),
        "late": Look("lapsed", "plain", "Its effect had ended. It is kept, and changes nothing.", "too late"),
        "unmatched": Look("question", "wait", "It names no effect of this operation. It is kept, and changes nothing."),
        "unclear": Look("question", "wait", "What it means for its effect is not known."),
    },
    "outcome": {
        "succeeded": Look("check", "good", "It happened."),
        "accepted": Look("clock", "act", "Taken. The other side will say later how it ended."),
        "partial": Look("partial", "wait", "Some of it happened, and some did not."),
        "failed": Look("cross", "bad", "It was tried, and did not happen."),
        "rejected": Look("barred", "bad", "The other side refused it."),
        "denied": Look("barred", "bad", "The other side does not let us do this."),
        "invalid": Look("cross", "bad", "The other side could not read the request."),
        "transient": Look("cross", "plain", "It failed for a passing reason."),
        "overload": Look("pause", "plain", "The other side had no room. Nothing was done."),
        "not_sent": Look("dotted", "plain", "Nothing left us."),
        "unknown": Look("question", "unknown", "Not confirmed. It may have happened or not."),
        "pending": Look("clock", "act", "The other side is still at it."),
        "conflict": Look("fork", "wait", "What is there is not what was to be done. A person decides."),
        "absent": Look("dotted", "plain", "The other side has no trace of it."),
    },
    # What a question brought: it tells of the effect only where the other side does, and is no failure of the effect (UNK-07).
    "answer": {
        "succeeded": Look("check", "good", "The other side says that it happened.", "it happened"),
        "accepted": Look("clock", "act", "The other side took it and has not done it yet.", "taken, not done yet"),
        "partial": Look("partial", "wait", "The other side says that some of it happened, and some did not."),
        "rejected": Look("barred", "bad", "The other side says that it refused it.", "refused"),
        "denied": Look("dotted", "plain", f"We were not let in to ask. {OPEN}", "not let in"),
        "invalid": Look("dotted", "plain", f"The question was not understood. {OPEN}", "not understood"),
        "transient": Look("dotted", "plain", f"Nothing came that answers the question. {OPEN}", "no usable answer"),
        "overload": Look("pause", "plain", f"The other side had no room for the question. {OPEN}", "no room to answer"),
        "not_sent": Look("dotted", "plain", f"The question did not leave us. {OPEN}", "not asked"),
        "unknown": Look("dotted", "plain", f"The answer was not clear. {OPEN}", "no clear answer"),
        "pending": Look("clock", "act", "The other side is still at it."),
        "conflict": Look("fork", "wait", "What is there is not what was to be done. A person decides."),
        "absent": Look("dotted", "plain", "The other side has no trace of it."),
    },
}


# What reading the world brought: before an effect acts that makes good for another, and after one said that it was done.
LOOKS["check"] = LOOKS["answer"] | {
    "succeeded": Look("check", "good", "What it would change is as the effect left it.", "as it was left"),
    "conflict": Look(
        "fork", "wait", "What it would change is not as the effect left it. A person decides.", "changed since"
    ),
}
LOOKS["verification"] = LOOKS["answer"] | {
    "succeeded": Look("check", "good", "The world shows that it happened.", "shown"),
}


def shown(noun: str, state: object) -> Shown:
    """Give how to show this state; one that this version does not know is neutral and says so."""
    word = str(state or "")
    look = LOOKS.get(noun, {}).get(word)
    if look is None:
        what = f"unknown state: {word}" if word else "unknown state"
        return Shown(what, "dotted", "plain", "This version of the console does not know this state.", known=False)
    return Shown(look.word or word.replace("_", " "), look.icon, look.tone, look.meaning)
