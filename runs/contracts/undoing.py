"""How effects of an operation are made good for: by which operation, when, in what order, and who answers for it (R-J1)."""

from dataclasses import dataclass
from typing import Any, Final

from console.exact.paths import Path, path_of
from console.exact.value import Object
from runs.contracts.stopping import EVERYBODY
from runs.contracts.templates import Shape, Template, shape, template

ROOTS: Final = frozenset({"arguments", "result", "effect", "reason"})  # what templates of the section may name
CAUSES: Final = ("cancelled", "failed", "expired", "partial")  # for which it can be planned without being asked for
OWNER: Final = "operators"
LADDER: Final = ((0, OWNER), (86_400, "admins"))


@dataclass(frozen=True, slots=True)
class Expected:
    """What must stand at one place of the answer of the compensating operation's `read`, for the world to be as the effect left it."""

    path: Path
    equals: Template


@dataclass(frozen=True, slots=True)
class Rung:
    """A step of the ladder: so many seconds after it needs somebody, this group is told."""

    after_seconds: int
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """The section `compensation`, read; what it leaves open has the careful default that stands here. Spans in seconds.

    Without `operation` people do it: `instructions` and `checklist` are theirs. Without `on` nothing is planned unless somebody asks."""

    operation: str | None = None
    why_none: str = ""
    arguments: Shape | None = None
    on: frozenset[str] = frozenset()
    need: str = "required"
    after: tuple[str, ...] = ()  # operations whose effects are made good for first
    unchanged: tuple[Expected, ...] = ()
    plan_first: bool = False  # somebody approves the plan before anything runs
    who: frozenset[str] = EVERYBODY
    of_compensation: bool = False  # it may be made good for although it makes good for something itself
    second_person: bool = False  # to resolve by hand, or to waive
    deadline_seconds: int | None = None
    when: str = ""
    authority: str = ""
    residue: tuple[str, ...] = ()
    verification: str = ""
    owner: str = OWNER
    ladder: tuple[Rung, ...] = tuple(Rung(*each) for each in LADDER)
    instructions: str = ""
    checklist: tuple[str, ...] = ()


def undoing(section: Any, *, consequential: bool) -> Undoing:
    """Read the section in normal form; None where the contract has none. What came after 0.1.0 may be absent."""
    if section is None:
        return Undoing(second_person=consequential)
    get = section.get
    seconds = get("deadline_seconds")
    return Undoing(
        operation=get("operation"),
        why_none=get("why_none") or "",
        arguments=shape(get("arguments"), ROOTS) if get("arguments") is not None else None,
        on=frozenset(get("on", ())),
        need=get("need", "required"),
        after=tuple(get("after", ())),
        unchanged=tuple(_expected(each) for each in get("unchanged", ())),
        plan_first=get("plan_first", False),
        who=frozenset(get("who", EVERYBODY)),
        of_compensation=get("of_compensation", False),
        second_person=get("second_person", consequential),
        deadline_seconds=None if seconds is None else int(seconds),
        when=get("when") or "",
        authority=get("authority") or "",
        residue=tuple(get("residue", ())),
        verification=get("verification") or "",
        owner=get("owner", OWNER),
        ladder=tuple(Rung(int(each["after_seconds"]), each["to"]) for each in get("ladder", ()))
        or (Rung(0, get("owner", OWNER)), *(Rung(*each) for each in LADDER[1:])),
        instructions=get("instructions", ""),
        checklist=tuple(get("checklist", ())),
    )


def _expected(section: Object) -> Expected:
    place: Any = section["path"]
    equals: Any = section["equals"]
    return Expected(path_of(place), template(equals, ROOTS))
