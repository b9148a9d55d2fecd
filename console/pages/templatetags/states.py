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
        "waiting": Look("clock", "wait", "It waits for a person, a time or a signal."),
        "closing": Look("closing", "act", "It is ending. What is in flight is let finish first."),
        "succeeded": Look("check", "good", "Every required effect happened."),
        "succeeded_with_unresolved": Look("partial", "wait", "It ended with something named as unresolved."),
        "failed": Look("cross", "bad", "It ended without reaching its goal."),
        "cancelled": Look("withdrawn", "plain", "It was stopped, and nothing is in flight or unknown."),
        "expired": Look("hourglass", "bad", "Its deadline passed before it ended."),
        "quarantined": Look("warn", "bad", "It is set aside until a person decides what becomes of it."),
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
        "rerouted": Look("fork", "plain", "The policy changed, so it was asked again."),
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
    "outcome": {
        "succeeded": Look("check", "good", "It happened."),
        "accepted": Look("clock", "act", "Taken. The other side will say later how it ended."),
        "partial": Look("partial", "wait", "Some of it happened, and some did not."),
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


def shown(noun: str, state: object) -> Shown:
    """Give how to show this state; one that this version does not know is neutral and says so."""
    word = str(state or "")
    look = LOOKS.get(noun, {}).get(word)
    if look is None:
        what = f"unknown state: {word}" if word else "unknown state"
        return Shown(what, "dotted", "plain", "This version of the console does not know this state.", known=False)
    return Shown(look.word or word.replace("_", " "), look.icon, look.tone, look.meaning)
