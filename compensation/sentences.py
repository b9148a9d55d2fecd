"""What states of work items mean, and what entries of a plan's record say, as sentences that a person reads. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from compensation.states import (
    ASKED,
    BY_HAND,
    CANCELLED,
    EXPIRED,
    FOR_APPROVAL,
    FOR_ORDER,
    FOR_PAUSE,
    FOR_PERSON,
    FOR_PLAN,
    FOR_RECONCILIATION,
    MUST_BE_UNDONE,
    OVERRAN,
    PARTIAL,
    RUN_FAILED,
    WAITING,
)

Facts: TypeAlias = dict[str, Any]
CAUSES: Final = {
    CANCELLED: "the run was cancelled", RUN_FAILED: "the run failed", EXPIRED: "the run's time was up",
    ASKED: "somebody asked for it", PARTIAL: "an effect was done in part", MUST_BE_UNDONE: "somebody found that it must be undone",
    OVERRAN: "it ran past the time that its approval gave it", BY_HAND: "somebody added a work item",
}  # fmt: skip
STATES: Final = {
    "planned": "It is planned, and begins when its turn comes.", "waiting": "It waits.", "running": "It is being made good for.",
    "verifying": "It was done by what was answered; the world is being read to see that it is so.",
    "done": "It was made good for.", "failed": "It was not done: it needs somebody.",
    "escalated": "It was not done, and the next in line were told: it needs somebody.",
    "resolved": "Somebody made good for it in another way, and gave evidence.",
    "waived": "Somebody with the authority waived it: it is not made good for.",
    "dropped": "There is nothing to make good for.",
}  # fmt: skip
WAITS: Final = {
    FOR_PLAN: "It waits until the plan is approved.", FOR_ORDER: "It waits until what comes before it is over.",
    FOR_RECONCILIATION: "It waits until it is known whether the original happened.",
    FOR_APPROVAL: "It waits until people approve of it.", FOR_PERSON: "It waits for somebody.",
    FOR_PAUSE: "It waits until what holds it is lifted.",
}  # fmt: skip


def standing(state: str, waits_for: str = "") -> str:
    """Say in which state a work item is."""
    return WAITS.get(waits_for, STATES[WAITING]) if state == WAITING else STATES.get(state, f"It is {state}.")


def because(cause: str) -> str:
    """Say why a plan was made, as the end of a sentence."""
    return CAUSES.get(cause, cause.replace("_", " "))


@dataclass(frozen=True, slots=True)
class About:
    """What the sentences need to know around an entry: numbers of items, the item of each ending and file, and names of members, by id."""

    items: Mapping[str, int] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    endings: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, str] = field(default_factory=dict)

    def item_id(self, facts: Facts) -> str:
        """Give the id of the item that an entry is about, or nothing."""
        beside = self.beside.get(str(facts.get("ending") or facts.get("file")), "")
        return str(facts.get("item") or _is(facts).get("item_id") or beside)

    def item(self, facts: Facts) -> str:
        """Name the item that an entry is about: work item 2."""
        number = self.items.get(self.item_id(facts))
        return "a work item" if number is None else f"work item {number}"

    def person(self, member_id: object) -> str:
        """Name a member."""
        return self.people.get(str(member_id), "a member")


Teller: TypeAlias = Callable[[Facts, About], str]


def sentence(kind: str, facts: Facts, about: About) -> str:
    """Say one entry; a kind that this version does not know is named and left at that."""
    tell = SENTENCES.get(kind)
    return tell(facts, about) if tell else f"Recorded “{kind}”, which this version does not know."


def _is(facts: Facts) -> Facts:
    found = facts.get("is")
    return found if isinstance(found, dict) else {}


def _of(verb: str, reason: str = "state_reason") -> Teller:
    return lambda facts, about: _capital(
        f"{about.item(facts)} {verb}{_because(_is(facts).get(reason) or facts.get('reason'))}"
    )


def _ending(resolve: str, waive: str, reason: str) -> Teller:
    def tell(facts: Facts, about: About) -> str:
        ending = _is(facts).get("ending") or about.endings.get(str(facts.get("ending")), "")
        verb = waive if ending == "waive" else resolve
        return f"{verb.format(item=about.item(facts))}{_because(_is(facts).get(reason))}"

    return tell


def _because(reason: object) -> str:
    said = str(reason or "").strip().rstrip(".")
    return f": {said}." if said else "."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _made(facts: Facts, about: About) -> str:
    said = _is(facts)
    waits = "; it waits for somebody's approval" if said.get("state") == "proposed" else ""
    why = f"because {because(str(said.get('cause')))}{waits}{_because(said.get('reason'))}"
    return f"Planned what is to be made good for, {why}"


def _planned(facts: Facts, about: About) -> str:
    said = _is(facts)
    need = "may be" if said.get("need") == "allowed" else "must be"
    return f"Planned {about.item(facts)}, which {need} done: “{said.get('summary', '')}”."


def _waits(facts: Facts, about: About) -> str:
    what = {
        FOR_PLAN: "the plan's approval", FOR_ORDER: "what comes before it", FOR_RECONCILIATION: "word of what became of the original",
        FOR_APPROVAL: "people's approval", FOR_PERSON: "somebody",
        FOR_PAUSE: "a pause to be lifted",
    }.get(str(_is(facts).get("waits_for")), "its turn")  # fmt: skip
    return _capital(f"{about.item(facts)} waits for {what}{_because(_is(facts).get('state_reason'))}")


def _owned(facts: Facts, about: About) -> str:
    said = _is(facts)
    if said.get("owner_id"):
        return _capital(
            f"{about.item(facts)} is looked after by {about.person(said['owner_id'])}{_because(facts.get('reason'))}"
        )
    if said.get("owner_group"):
        return _capital(f"{about.item(facts)} was handed to {said['owner_group']}{_because(facts.get('reason'))}")
    return _capital(f"{about.item(facts)} was let go{_because(facts.get('reason'))}")


def _told(facts: Facts, about: About) -> str:
    said = _is(facts)
    if "owner_group" in said:
        return _capital(f"{about.item(facts)} needs somebody, and {said.get('owner_group', '')} were told.")
    reason = str(said.get("state_reason") or "").strip()
    if reason:
        return f"Learnt of {about.item(facts)}: {reason.rstrip('.')}."
    if said.get("state"):
        stands = standing(str(said["state"]), str(said.get("waits_for") or ""))
        return _capital(f"{about.item(facts)} stands so: {stands[:1].lower()}{stands[1:]}")
    return f"There was news of {about.item(facts)}."


def _asked_again(facts: Facts, about: About) -> str:
    went_on = ", as the world was found" if facts.get("accepted") else ""
    return _capital(f"somebody had {about.item(facts)} tried again{went_on}{_because(facts.get('reason'))}")


def _file(facts: Facts, about: About) -> str:
    return f"Put the file “{_is(facts).get('name', '')}” beside {about.item(facts)}."


SENTENCES: Final[dict[str, Teller]] = {
    "plan.made": _made,
    "plan.told": lambda facts, about: f"Nobody had decided about the plan; {facts.get('to', 'others')} were told.",
    "plan.approved": lambda facts, about: f"Approved the plan{_because(_is(facts).get('decided_reason'))}",
    "plan.declined": lambda facts, about: f"Declined the plan{_because(_is(facts).get('decided_reason'))}",
    "plan.emptied": lambda facts, about: "Nothing of the plan is left to do, so that nobody has to approve it any more.",
    "plan.erased": lambda facts, about: f"Erased what the plan and its work items said{_because(facts.get('reason'))}",
    "item.planned": _planned,
    "item.waits": _waits,
    "item.began": _of("began"),
    "item.verifying": _of("was done by what was answered; the world is read to see that it is so"),
    "item.done": _of("is done"),
    "item.failed": _of("was not done"),
    "item.escalated": _of("was escalated"),
    "item.resolved": lambda facts, about: _capital(f"{about.item(facts)} was resolved by hand."),
    "item.waived": lambda facts, about: _capital(f"{about.item(facts)} was waived."),
    "item.dropped": _of("was dropped"),
    "item.hurried": lambda facts, about: _capital(f"{about.item(facts)} was put forward: it is tried at once."),
    "item.asked_again": _asked_again,
    "item.tried_again": _of("is tried again"),
    "item.owned": _owned,
    "item.checked": _of("had its checklist ticked"),
    "item.told": _told,
    "item.remains": lambda facts, about: f"Kept of {about.item(facts)} when it was, in which states, and by whom; what was said is erased.",
    "ending.proposed": _ending(
        "Said how {item} was resolved by hand", "Asked that {item} be waived", "reason"
    ),
    "ending.confirmed": _ending("Confirmed that {item} was resolved", "Confirmed that {item} is waived", "decided_reason"),
    "ending.declined": _ending("Declined that {item} was resolved", "Declined that {item} be waived", "decided_reason"),
    "ending.withdrawn": _ending(
        "Took back that {item} was resolved", "Took back that {item} be waived", "decided_reason"
    ),
    "ending.overtaken": lambda facts, about: (
        f"What was said of the end of {about.item(facts)} is overtaken: it ended otherwise, or was tried again, before."
    ),
    "ending.remains": lambda facts, about: "Kept of an ending when it was said and by whom; what was said is erased.",
    "file.added": _file,
    "file.remains": lambda facts, about: "Kept of a file its name and digest; its bytes are erased.",
}  # fmt: skip
