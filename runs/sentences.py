"""What an entry of the record says, as a sentence that a person reads. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from approvals.deciding import sentences as deciding
from runs.cancelling import sentences as cancelling
from runs.checkpoints import sentences as checkpoints
from runs.compensating import sentences as compensating
from runs.contracts.spans import in_words
from runs.corrections import sentences as corrections
from runs.limits import sentences as limits
from runs.ownership import sentences as ownership
from runs.pausing import sentences as pausing
from runs.resuming import sentences as resuming
from runs.signals import sentences as signals
from runs.states import PARTIAL
from runs.unknowns import sentences as unknowns
from runs.unknowns.sentences import SETTLED_MEANWHILE
from runs.waits import sentences as waits

Facts: TypeAlias = dict[str, Any]
# What an answer makes of an effect, as the end of a sentence.
BECAME = {
    "succeeded": "succeeded", "rejected": "was rejected and not done", "failed": "was not done", "partial": "was done in part",
    "accepted": "was taken, and its end is awaited", "ready": "will be tried again",
    "unknown": "may have happened or not; nobody knows yet", "withdrawn": "is not done",
}  # fmt: skip

# The same, where something was read or said that is no end yet: a check agreed, or what is said to be done is verified first.
BEFORE_IT_COUNTS = {
    "ready": "may be done, for its target is as it was left",
    "accepted": "is said to be done, and counts once the world shows it",
    "unknown": "is said to be done, and counts once the world shows it",
}


@dataclass(frozen=True, slots=True)
class About:
    """What the sentences need to know of the run around an entry: its effects' numbers and summaries, by id."""

    numbers: Mapping[str, int]
    summaries: Mapping[str, str]

    def effect(self, facts: Facts) -> str:
        """Name the effect that an entry is about: effect 2."""
        return self.named(facts.get("effect"))

    def named(self, effect_id: object) -> str:
        """Name an effect: effect 2."""
        number = self.numbers.get(str(effect_id))
        return "an effect" if number is None else f"effect {number}"


Teller: TypeAlias = Callable[[Facts, About], str]


def sentence(kind: str, facts: Facts, about: About) -> str:
    """Say one entry; a kind that this version does not know is named and left at that."""
    if kind in ERASED and not facts.keys() - {"effect"}:
        return ERASED[kind]
    tell = SENTENCES.get(kind)
    return tell(facts, about) if tell else f"Recorded “{kind}”, which this version does not know."


def _of_effect(verb: str) -> Teller:
    return lambda facts, about: _capital(f"{about.effect(facts)} {verb}{_because(facts)}")


def _of_question(verb: str) -> Teller:
    return lambda facts, about: f"The question about {about.effect(facts)} {verb}{_because(facts)}"


def _because(facts: Facts) -> str:
    reason = _words(facts.get("reason")).strip().rstrip(".")
    return f": {reason}." if reason else "."


def _words(text: object) -> str:
    return str(text or "").replace("_", " ")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _proposed(facts: Facts, about: About) -> str:
    verdicts = {"allow": "the policy allows it", "ask": "the policy asks people", "deny": "the policy denies it"}
    judged = "its turn comes later" if facts.get("to") == "blocked" else verdicts.get(str(facts.get("verdict")), "")
    if facts.get("state_reason") == pausing.STOPPED:
        judged = "everything is stopped, so nobody is asked, and it is denied"
    summary = about.summaries.get(str(facts.get("effect")), "")
    instead = _instead(facts, about)
    return f"Proposed {about.effect(facts)}{f', “{summary}”' if summary else ''}{instead}{f'; {judged}' if judged else ''}."


def _instead(facts: Facts, about: About) -> str:
    """Say of a changed strategy what it takes the place of, and whether that may have happened; and what an effect makes good for."""
    if facts.get("compensates"):
        again = f", in the place of {about.named(facts['supersedes'])}" if facts.get("supersedes") else ""
        return f", which makes good for {about.named(facts['compensates'])}{again}"
    if not facts.get("supersedes"):
        return ""
    old = about.named(facts["supersedes"])
    unsure = ", whose outcome is unknown and stays so" if facts.get("supersedes_state") == "unknown" else ""
    return f", another way than {old}{unsure}"


def _judged(facts: Facts, about: About) -> str:
    outcomes = {
        "ready": "was judged: the policy allows it", "awaiting_approval": "was judged: the policy asks people",
        "denied": "was judged: the policy denies it", "blocked": "was judged again; its turn comes later",
    }  # fmt: skip
    if facts.get("reason") == pausing.STOPPED:
        return _capital(
            f"{about.effect(facts)} was judged: everything is stopped, so nobody is asked, and it is denied."
        )
    if facts.get("stands"):
        return _capital(
            f"{about.effect(facts)} was judged by a later version of the policy, which says the same of it."
        )
    return _capital(f"{about.effect(facts)} {outcomes.get(str(facts.get('to')), 'was judged')}{_because(facts)}")


def _dispatched(facts: Facts, about: About) -> str:
    told = {
        "status": "Asked the other side what became of", "read": "Looked at the other side for what became of",
        "resend": "Sent again, under the same key,", "cancel": "Asked the other side to stop", "verify": "Read whether the world shows",
        "check": "Read, before it acts, whether it may still be done:",
    }.get(str(facts.get("kind")))  # fmt: skip
    if told:
        return f"{told} {about.effect(facts)} (attempt {facts.get('number')})."
    return f"Began attempt {facts.get('number')} of {about.effect(facts)}; from here on it may have happened."


def _settled(facts: Facts, about: About) -> str:
    outcome, to = _words(facts.get("outcome")), str(facts.get("to"))
    if facts.get("http_status"):
        answer = f"The other side answered {facts['http_status']}"
    elif facts.get("sent") is False:
        answer = "Nothing left us"
    elif outcome in {"unknown", "transient"}:
        answer = "There was no clear answer"
    else:
        answer = "What came of it was reported"
    said = f" ({outcome})" if outcome not in {_words(to), "not sent" if facts.get("sent") is False else "", ""} else ""
    became = BEFORE_IT_COUNTS.get(to) if outcome == "succeeded" else None
    return f"{answer}{said}: {about.effect(facts)} {became or BECAME.get(to, f'is {_words(to)}')}{_because(facts)}"


def _lost(facts: Facts, about: About) -> str:
    to = str(facts.get("to"))
    if facts.get("reason") == SETTLED_MEANWHILE:
        return f"Stopped waiting for an answer about {about.effect(facts)}, which a person settles; one that comes yet is late evidence."
    became = "stays accepted" if to == "accepted" else BECAME.get(to, f"is {_words(to)}")
    vanished, _, more = str(facts.get("reason")).partition("; ")
    if vanished == "the worker vanished":
        return f"The worker that had {about.effect(facts)} vanished: it {became}{f'; {more}' if more else ''}."
    return f"The lease of {about.effect(facts)} ended without a report: it {became}."


def _late(facts: Facts, about: About) -> str:
    return f"A late answer about {about.effect(facts)} ({_words(facts.get('outcome'))}) was kept as evidence; it changes nothing."


def _heard(facts: Facts, about: About) -> str:
    to, outcome = str(facts.get("to")), _words(facts.get("outcome"))
    if outcome == "conflict":
        return f"The other side told by itself of something that is not ours; a person decides about {about.effect(facts)}{_because(facts)}"
    return _capital(
        f"the other side told by itself: {about.effect(facts)} {BECAME.get(to, f'is {_words(to)}')}{_because(facts)}"
    )


def _noted(facts: Facts, about: About) -> str:
    learnt = "it is still under way" if facts.get("outcome") == "pending" else "nothing was learnt from it"
    return f"The other side told by itself about {about.effect(facts)}; {learnt}{_because(facts)}"


def _asked(facts: Facts, about: About) -> str:
    groups, quorum = facts.get("groups"), facts.get("quorum")
    whom = " and ".join(map(str, groups)) if isinstance(groups, list) and groups else "people"
    people = f"; {quorum} of them must approve" if isinstance(quorum, int) and quorum > 1 else ""
    return f"Asked {whom} to decide about {about.effect(facts)}{people}."


def _decided(facts: Facts, about: About) -> str:
    verb = {"approve": "Approved", "deny": "Denied"}.get(str(facts.get("verdict")), "Decided about")
    reason = str(facts.get("reason") or "").strip()
    return f"{verb} {about.effect(facts)}{f', saying: {reason}' if reason else '.'}"


def _alerted(facts: Facts, about: About) -> str:
    told = "whoever claimed it" if facts.get("owner") else _words(facts.get("group"))
    return f"Told {told}: {about.effect(facts)} has been {_stood(facts)} for {in_words(int(facts.get('age_seconds') or 0))}."


def _escalated(facts: Facts, about: About) -> str:
    age = in_words(int(facts.get("age_seconds") or 0))
    return _capital(
        f"{about.effect(facts)} has been {_stood(facts)} for {age} and passes from {facts.get('from')} to {facts.get('to')}."
    )


def _stood(facts: Facts) -> str:
    return "done in part" if facts.get("state") == PARTIAL else "unknown"


def _completed(facts: Facts, about: About) -> str:
    unresolved = facts.get("unresolved")
    named = " and ".join(map(about.named, unresolved)) if isinstance(unresolved, list) else ""
    return f"Completed the run, with {named} named as unresolved." if named else "Completed the run."


# What is left to say of an entry whose payload was erased, where its sentence needs more than its kind.
ERASED: dict[str, str] = {
    "attempt.dispatched": "Began an attempt; of which effect, and how, is erased.",
    "attempt.settled": "Wrote down what came of an attempt; what it was is erased.",
    "attempt.lost": "A worker vanished from an attempt; what it was is erased.",
    "attempt.late": "Kept a late answer as evidence; what it was is erased.",
    "callback.waits": "The other side told by itself of an effect before it was answered; what it said is erased.",
    "callback.noted": "The other side told by itself of an effect, which changed nothing; what it said is erased.",
    "callback.applied": "The other side told by itself what became of an effect; what it said is erased.",
    "callback.late": "The other side told by itself of an effect when it had ended; what it said is erased.",
    "effect.judged": "Judged an effect; what came of it is erased.",
    "effect.alerted": "Told the owner of an effect that it was unknown; of which is erased.",
    "effect.escalated": "Handed an unknown effect to others; to whom is erased.",
    "effect.not_resent": "Did not send an effect again; why is erased.",
    "effect.overdue": "An accepted effect became unknown, because nothing was told of it in its time; which is erased.",
    "request.decided": "Decided; what was said is erased.",
    **deciding.ERASED,
    "run.closing": "The run began to close; toward what is erased.",
    "run.ended": "The run ended.",
    **unknowns.ERASED,
    **checkpoints.ERASED,
    **pausing.ERASED,
    **signals.ERASED,
    **ownership.ERASED,
    **corrections.ERASED,
    **waits.ERASED,
    **resuming.ERASED,
    **limits.ERASED,
    **cancelling.ERASED,
    **compensating.ERASED,
}
SENTENCES: dict[str, Teller] = {
    "run.accepted": lambda facts, about: "Opened the run.",
    "run.closing": lambda facts, about: f"The run is closing, to end as {_words(facts.get('toward'))}{_because(facts)}",
    "run.completed": _completed,
    "run.ended": lambda facts, about: f"The run ended as {_words(facts.get('to'))}{_because(facts)}",
    "run.held": lambda facts, about: (
        f"{'Put the run on hold' if facts.get('hold') else 'Released the run from its hold'}{_because(facts)}"
    ),
    "run.erased": lambda facts, about: f"Erased what the run said, and kept what became of it{_because(facts)}",
    "effect.remains": lambda facts, about: f"Kept of {about.effect(facts)} its key, its digests and its outcome.",
    "effect.proposed": _proposed,
    "effect.judged": _judged,
    "effect.unblocked": lambda facts, about: _capital(f"{about.effect(facts)} has come to its turn."),
    "effect.released": lambda facts, about: _capital(f"{about.effect(facts)} is released and may begin."),
    "effect.sent_back": _of_effect("goes back to be judged again"),
    "effect.denied": _of_effect("was denied and is not done"),
    "effect.expired": _of_effect("expired and is not done"),
    "effect.lapsed": _of_effect("lapsed and is not done"),
    "effect.withdrawn": _of_effect("was withdrawn and is not done"),
    "effect.alerted": _alerted,
    "effect.escalated": _escalated,
    "effect.overdue": lambda facts, about: (
        f"{_capital(about.effect(facts))} is unknown from now on. {facts.get('reason') or ''}".rstrip()
    ),
    "effect.not_resent": lambda facts, about: (
        f"{_capital(about.effect(facts))} stays unknown. {facts.get('reason') or ''}".rstrip()
    ),
    "attempt.dispatched": _dispatched,
    "attempt.settled": _settled,
    "attempt.lost": _lost,
    "attempt.late": _late,
    **unknowns.SENTENCES,
    **checkpoints.SENTENCES,
    **pausing.SENTENCES,
    **signals.SENTENCES,
    **ownership.SENTENCES,
    **corrections.SENTENCES,
    **waits.SENTENCES,
    **resuming.SENTENCES,
    **limits.SENTENCES,
    **cancelling.SENTENCES,
    **compensating.SENTENCES,
    "callback.waits": lambda facts, about: (
        f"The other side told by itself about {about.effect(facts)}, before it was answered; the message waits for that."
    ),
    "callback.noted": _noted,
    "callback.applied": _heard,
    "callback.late": lambda facts, about: (
        f"The other side told by itself about {about.effect(facts)} ({_words(facts.get('outcome'))}), too late; "
        "that was kept as evidence and changes nothing."
    ),
    "request.opened": _asked,
    "request.decided": _decided,
    **deciding.SENTENCES,
    "request.denied": lambda facts, about: "With that the request is denied.",
    "request.consumed": lambda facts, about: f"The permission was used, for {about.effect(facts)} alone.",
    "request.erased": lambda facts, about: (
        f"Erased what was asked about {about.effect(facts)}, and kept the answer{_because(facts)}"
    ),
    "request.expired": _of_question("expired"),
    "request.lapsed": _of_question("was answered yes, and that lapsed"),
    "request.withdrawn": _of_question("was taken back"),
    "request.rerouted": _of_question("is asked anew"),
    "request.target_read": lambda facts, about: f"The target was read: version {facts.get('version')}.",
    "request.reruled": _of_question("stands under a later policy that asks the same"),
}
