"""What a rule asks of people: who must approve, by which clocks, what they may change, and what may stand in for them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from console.exact import canonical, decode
from console.exact.value import Object

NOBODY = "[]"  # the panels of what a policy allowed by itself
LET_FINISH, ASK_TO_CANCEL, COMPENSATE = "let_finish", "ask_to_cancel", "compensate"


@dataclass(frozen=True, slots=True)
class Panel:
    """So many different people of these groups; where roles are named, each has one of them besides being an approver."""

    groups: tuple[str, ...]
    quorum: int
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finish:
    """In how many seconds from its first use the work has to end, and what follows when it has not."""

    within_seconds: int
    then: str


@dataclass(frozen=True, slots=True)
class Escalate:
    """Which groups are asked too after so many seconds."""

    after_seconds: int
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extend:
    """By how many seconds at most, and how often, the deadline may be put off."""

    by_seconds: int
    times: int


@dataclass(frozen=True, slots=True)
class Narrowable:
    """An argument that approvers may tighten; `towards` is less or more."""

    path: str
    towards: str


@dataclass(frozen=True, slots=True)
class GrantBounds:
    """How wide a standing approval may be: uses, seconds, and a sum over one argument ("": none is needed)."""

    uses: int
    within_seconds: int
    amount_path: str
    amount_most: Decimal | None


@dataclass(frozen=True, slots=True)
class BreakGlassTerms:
    """Who may release it over the heads of its approvers, and for how many seconds at most."""

    groups: tuple[str, ...]
    within_seconds: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Whom to ask, how many of them must approve, the clocks, and what else holds of their approval."""

    panels: tuple[Panel, ...]
    decide_within_seconds: int
    use_within_seconds: int
    finish: Finish | None = None
    escalate: Escalate | None = None
    extend: Extend | None = None
    reason_required: bool = False
    step_up_within_seconds: int | None = None
    narrow: tuple[Narrowable, ...] = ()
    grants: GrantBounds | None = None
    break_glass: BreakGlassTerms | None = None
    compensation_too: bool = False  # whoever approves it approves making good for it too, as they are shown

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of all panels, each once."""
        return tuple(dict.fromkeys(group for panel in self.panels for group in panel.groups))

    @property
    def quorum(self) -> int:
        """How many different people must approve in all."""
        return sum(panel.quorum for panel in self.panels)


def ask_document(section: Object) -> Ask:
    """Read the `ask` of a rule, valid and in normal form."""
    finish, escalate, extend, step_up = (section.get(name) for name in ("finish", "escalate", "extend", "step_up"))
    glass = section.get("break_glass")
    return Ask(
        panels=tuple(_panel(each) for each in section.get("panels") or [section]),
        decide_within_seconds=int(section["decide_within_seconds"]),
        use_within_seconds=int(section["use_within_seconds"]),
        finish=Finish(int(finish["within_seconds"]), finish["then"]) if finish else None,
        escalate=Escalate(int(escalate["after_seconds"]), tuple(escalate["to"])) if escalate else None,
        extend=Extend(int(extend["by_seconds"]), int(extend["times"])) if extend else None,
        reason_required=bool(section.get("reason_required")),
        step_up_within_seconds=int(step_up["within_seconds"]) if step_up else None,
        narrow=tuple(Narrowable(each["path"], each["towards"]) for each in section.get("narrow") or ()),
        grants=_bounds(section.get("grants")),
        break_glass=BreakGlassTerms(tuple(glass["groups"]), int(glass["within_seconds"])) if glass else None,
        compensation_too=bool(section.get("compensation_too")),
    )


def panels_text(ask: Ask) -> str:
    """Write the panels as a request keeps them: canonical, and empty where one panel asks nothing but groups and a quorum."""
    if len(ask.panels) == 1 and not ask.panels[0].roles:
        return ""
    return panels_written(ask.panels)


def panels_written(panels: Sequence[Panel]) -> str:
    """Write panels in canonical form."""
    return canonical([{"groups": list(p.groups), "roles": list(p.roles), "quorum": p.quorum} for p in panels])


def panels_of(text: str, groups: list[str], quorum: int) -> tuple[Panel, ...]:
    """Read the panels of a request."""
    if not text:
        return (Panel(tuple(groups), quorum),)
    found = decode(text)
    if not isinstance(found, list):
        raise TypeError("panels are a list")
    return tuple(_panel(each) for each in found)


def _panel(section: Object) -> Panel:
    return Panel(tuple(section["groups"]), int(section.get("quorum", 1)), tuple(section.get("roles") or ()))


def _bounds(section: Object | None) -> GrantBounds | None:
    if section is None:
        return None
    amount = section.get("amount") or {}
    most = amount.get("most")
    return GrantBounds(
        int(section["uses"]),
        int(section["within_seconds"]),
        amount.get("path", ""),
        None if most is None else Decimal(str(most)),
    )
