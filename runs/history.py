"""A run's story: the entries of its stream and of its requests' streams, merged by time, each as a sentence with who and when."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from approvals.models import Request
from console.database import rows
from console.exact import Value
from console.ledger import queries as ledger
from console.ledger.models import Entry
from console.ledger.queries import Place
from runs.models import Effect, Run

# Every name in the record is that of an agent, a member, or one of our own processes.
NAMES = """
select 'agent:' || id as actor, name from identity_agent where tenant_id = %s and id = any (%s::uuid[])
union all
select 'member:' || m.id, u.name from identity_member m join identity_user u on u.id = m.user_id
where m.tenant_id = %s and m.id = any (%s::uuid[])
"""
Facts: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """One entry as people read it. `seq` is the entry's number; one of a request's stream carries that request's short name before it."""

    seq: str
    kind: str
    sentence: str
    actor_name: str
    at: datetime
    hash_short: str
    detail: Value


@dataclass(frozen=True, slots=True)
class About:
    """What the sentences need to know of the run around an entry: its effects' numbers and summaries, by id and by request."""

    numbers: Mapping[str, int]
    summaries: Mapping[str, str]
    subjects: Mapping[str, str]

    def effect(self, effect_id: object) -> str:
        """Name an effect: effect 2."""
        number = self.numbers.get(str(effect_id))
        return "an effect" if number is None else f"effect {number}"

    def summary(self, effect_id: object) -> str:
        """Give what the effect does, in its own words."""
        return self.summaries.get(str(effect_id), "")


def story(run: Run, before: Place | None, limit: int) -> tuple[list[Line], Place | None]:
    """Give the last entries before a place, oldest first, and the place of the first when there are earlier ones."""
    effects = Effect.objects.filter(run=run)
    about_effects = list(effects.values_list("pk", "number", "summary"))
    requests = dict(Request.objects.filter(subject__in=effects.values("pk")).values_list("pk", "subject"))
    about = About(
        {str(pk): number for pk, number, _ in about_effects},
        {str(pk): summary for pk, _, summary in about_effects},
        {f"request:{pk}": str(subject) for pk, subject in requests.items()},
    )
    found = ledger.latest([run.stream(), *about.subjects], before, limit + 1)
    entries = found[-limit:]
    names = _names(run.tenant_id, {entry.actor for entry in entries})
    earlier = (entries[0].at, entries[0].pk) if len(found) > limit else None
    return [_line(entry, about, names) for entry in sorted(entries, key=_order)], earlier


def _order(entry: Entry) -> tuple[datetime, bool, str, int]:
    """Order by time; what happened in one transaction is told from the run's side first."""
    return entry.at, entry.stream.startswith("request:"), entry.stream, entry.seq


def _line(entry: Entry, about: About, names: Mapping[str, str]) -> Line:
    detail = ledger.said(entry)
    facts = detail if isinstance(detail, dict) else {}
    subject = about.subjects.get(entry.stream)
    if subject is not None:
        facts = {"effect": subject, **facts}
    number = f"{entry.stream[-4:]}.{entry.seq}" if subject is not None else str(entry.seq)
    digest = entry.hash.hex()
    return Line(
        seq=number, kind=entry.kind, sentence=sentence(entry.kind, facts, about), actor_name=names.get(entry.actor, _process(entry.actor)),
        at=entry.at, hash_short=f"{digest[:4]}…{digest[-4:]}", detail=detail,
    )  # fmt: skip


def _names(tenant_id: UUID, actors: Iterable[str]) -> dict[str, str]:
    ids: dict[str, list[str]] = {"agent": [], "member": []}
    for actor in actors:
        kind, _, identity = actor.partition(":")
        if kind in ids and _is_id(identity):
            ids[kind].append(identity)
    found = rows(NAMES, [tenant_id, ids["agent"], tenant_id, ids["member"]])
    return {row["actor"]: row["name"] for row in found}


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _process(actor: str) -> str:
    kind, _, name = actor.partition(":")
    return f"worker {name}" if kind == "worker" else f"the {name}" if kind == "system" else actor


def sentence(kind: str, facts: Facts, about: About) -> str:
    """Say one entry; a kind that this version does not know is named and left at that."""
    tell = SENTENCES.get(kind)
    return tell(facts, about) if tell else f"Recorded “{kind}”, which this version does not know."


def _because(facts: Facts) -> str:
    reason = str(facts.get("reason") or "").strip().rstrip(".")
    return f": {_words(reason)}." if reason else "."


def _words(text: object) -> str:
    return str(text or "").replace("_", " ")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _on(verb: str) -> Callable[[Facts, About], str]:
    return lambda facts, about: _capital(f"{about.effect(facts.get('effect'))} {verb}{_because(facts)}")


def _proposed(facts: Facts, about: About) -> str:
    summary = about.summary(facts.get("effect"))
    verdicts = {"allow": "the policy allows it", "ask": "the policy asks people", "deny": "the policy denies it"}
    judged = verdicts.get(str(facts.get("verdict")), "")
    if facts.get("to") == "blocked":
        judged = "its turn comes later"
    return f"Proposed {about.effect(facts.get('effect'))}{f', “{summary}”' if summary else ''}{f'; {judged}' if judged else ''}."


def _judged(facts: Facts, about: About) -> str:
    outcomes = {
        "ready": "was judged: the policy allows it", "awaiting_approval": "was judged: the policy asks people",
        "denied": "was judged: the policy denies it", "blocked": "was judged again; its turn comes later",
    }  # fmt: skip
    return _capital(
        f"{about.effect(facts.get('effect'))} {outcomes.get(str(facts.get('to')), 'was judged')}{_because(facts)}"
    )


def _dispatched(facts: Facts, about: About) -> str:
    effect, number = about.effect(facts.get("effect")), facts.get("number")
    if facts.get("kind") == "status":
        return f"Asked the other side what became of {effect} (attempt {number})."
    return f"Began attempt {number} of {effect}; from here on it may have been sent."


def _settled(facts: Facts, about: About) -> str:
    effect, outcome, to = about.effect(facts.get("effect")), _words(facts.get("outcome")), _words(facts.get("to"))
    answer = (
        f"answered {facts['http_status']}"
        if facts.get("http_status")
        else "gave no answer"
        if outcome == "unknown"
        else "was called"
    )
    became = "may have happened or not; nobody knows yet" if to == "unknown" else f"is {to}"
    said = f" ({outcome})" if outcome not in {to, ""} else ""
    return f"The other side {answer}{said}: {effect} {became}{_because(facts)}"


def _lost(facts: Facts, about: About) -> str:
    effect, to = about.effect(facts.get("effect")), _words(facts.get("to"))
    became = (
        "may have happened or not; nobody knows yet"
        if to == "unknown"
        else f"is {to} again"
        if to == "ready"
        else f"stays {to}"
    )
    return f"The worker that had {effect} vanished; it {became}."


def _late(facts: Facts, about: About) -> str:
    outcome = _words(facts.get("outcome"))
    return (
        f"A late answer about {about.effect(facts.get('effect'))} ({outcome}) was kept as evidence; it changes nothing."
    )


def _asked(facts: Facts, about: About) -> str:
    groups = facts.get("groups")
    whom = " and ".join(map(str, groups)) if isinstance(groups, list) and groups else "people"
    quorum = facts.get("quorum")
    people = f"; {quorum} of them must approve" if isinstance(quorum, int) and quorum > 1 else ""
    return f"Asked {whom} to decide about {about.effect(facts.get('effect'))}{people}."


def _decided(facts: Facts, about: About) -> str:
    verb = {"approve": "Approved", "deny": "Denied"}.get(str(facts.get("verdict")), "Decided")
    reason = str(facts.get("reason") or "").strip()
    return f"{verb} {about.effect(facts.get('effect'))}{f', saying: {reason}' if reason else '.'}"


def _completed(facts: Facts, about: About) -> str:
    unresolved = facts.get("unresolved")
    named = " and ".join(about.effect(effect) for effect in unresolved) if isinstance(unresolved, list) else ""
    return f"Completed the run, with {named} named as unresolved." if named else "Completed the run."


SENTENCES: dict[str, Callable[[Facts, About], str]] = {
    "run.accepted": lambda facts, about: "Opened the run.",
    "run.closing": lambda facts, about: f"The run is closing toward {_words(facts.get('toward'))}{_because(facts)}",
    "run.completed": _completed,
    "run.ended": lambda facts, about: f"The run ended: {_words(facts.get('to'))}{_because(facts)}",
    "effect.proposed": _proposed,
    "effect.judged": _judged,
    "effect.unblocked": lambda facts, about: _capital(f"{about.effect(facts.get('effect'))} has come to its turn."),
    "effect.released": lambda facts, about: _capital(f"{about.effect(facts.get('effect'))} is released and may begin."),
    "effect.sent_back": _on("goes back to be judged again"),
    "effect.denied": _on("was denied and is not done"),
    "effect.expired": _on("expired and is not done"),
    "effect.lapsed": _on("lapsed and is not done"),
    "effect.withdrawn": _on("was withdrawn and is not done"),
    "attempt.dispatched": _dispatched,
    "attempt.settled": _settled,
    "attempt.lost": _lost,
    "attempt.late": _late,
    "request.opened": _asked,
    "request.decided": _decided,
    "request.approved": lambda facts, about: "With that the request is approved.",
    "request.denied": lambda facts, about: "With that the request is denied.",
    "request.consumed": lambda facts, about: f"The permission was used, for {about.effect(facts.get('effect'))} alone.",
    "request.expired": _on("was decided by nobody in time"),
    "request.lapsed": _on("was approved and not begun in time"),
    "request.withdrawn": lambda facts, about: (
        f"The question about {about.effect(facts.get('effect'))} was taken back{_because(facts)}"
    ),
    "request.rerouted": lambda facts, about: (
        f"The question about {about.effect(facts.get('effect'))} is asked anew{_because(facts)}"
    ),
}
