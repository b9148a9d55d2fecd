"""Whether people could satisfy what a policy asks: enough different ones for all its panels together. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from uuid import UUID

from approvals.policy_asks import Ask, Panel
from approvals.policy_document import ASK, PolicyDocument, Rule
from console.documents import Fault
from console.exact.conditions import AllOf, Undecided, parse, satisfiable


@dataclass(frozen=True, slots=True)
class Person:
    """An active member, with what counts: roles and approver groups."""

    id: UUID
    name: str
    roles: frozenset[str]
    groups: frozenset[str]

    def may_speak_for(self, panel: Panel) -> bool:
        """Tell whether they are an approver of one of the panel's groups, and have one of its roles where it names any."""
        in_it = "approver" in self.roles and not self.groups.isdisjoint(panel.groups)
        return in_it and (not panel.roles or not self.roles.isdisjoint(panel.roles))


@dataclass(frozen=True, slots=True)
class Owned:
    """An active agent, with whoever answers for it, who decides nothing that it asks."""

    name: str
    owner_id: UUID


def short_of(panels: Sequence[Panel], people: Sequence[Person]) -> tuple[tuple[Panel, ...], int] | None:
    """Give the panels that cannot be satisfied together, and how many people there are for them; None: all can.

    Nobody counts for two panels. By Hall's theorem all can be satisfied exactly when each selection of them has, in all, as many people
    as it asks."""
    for size in range(1, len(panels) + 1):
        for some in combinations(panels, size):
            able = sum(1 for person in people if any(person.may_speak_for(panel) for panel in some))
            if able < sum(panel.quorum for panel in some):
                return some, able
    return None


def people_faults(policy: PolicyDocument, people: Sequence[Person], agents: Sequence[Owned]) -> Iterator[Fault]:
    """Give what nobody could satisfy: silence would then be the only answer.

    A rule is looked at for each agent that it may hold of, because the owner of that one does not count."""
    for place, rule in enumerate(policy.rules):
        if rule.then == ASK and rule.ask is not None:
            at = f"/rules/{place}/ask"
            yield from _panel_faults(rule, rule.ask, people, agents, at)
            yield from _named_faults(rule.ask, people, at)


def _panel_faults(rule: Rule, ask: Ask, people: Sequence[Person], agents: Sequence[Owned], at: str) -> Iterator[Fault]:
    found = short_of(ask.panels, people)
    if found is not None:
        panels, able = found
        yield _nobody(
            at,
            panels,
            f"{able} active approvers are in it" if len(panels) == 1 else f"there are {able} for all of that",
        )
        return
    for agent in agents:
        found = short_of(ask.panels, [person for person in people if person.id != agent.owner_id])
        if found is not None and holds_of(rule, agent.name):
            panels, able = found
            yield _nobody(
                at, panels, f"{able} besides the owner of {agent.name}, who does not decide what that agent asks"
            )
            return


def _nobody(at: str, panels: Sequence[Panel], there: str) -> Fault:
    asks = " and ".join(f"{panel.quorum} of {whom(panel)}" for panel in panels)
    different = ", all different people" if len(panels) > 1 else ""
    return Fault(at, "nobody_can_satisfy", f"It asks {asks}{different}, and {there}. Add approvers first.")


def whom(panel: Panel) -> str:
    """Say who may speak for a panel: finance or legal, who are operators."""
    groups = " or ".join(panel.groups)
    return f"{groups} (who are also {' or '.join(panel.roles)})" if panel.roles else groups


def _named_faults(ask: Ask, people: Sequence[Person], at: str) -> Iterator[Fault]:
    """Find groups that would be asked too, or may break the glass, in which there is nobody who could."""
    if ask.escalate and not any(person.may_speak_for(Panel(ask.escalate.to, 1)) for person in people):
        names = " or ".join(ask.escalate.to)
        yield Fault(f"{at}/escalate/to", "nobody_there", f"No active approver is in {names}. Add one first.")
    if ask.break_glass and not any(not person.groups.isdisjoint(ask.break_glass.groups) for person in people):
        names = " or ".join(ask.break_glass.groups)
        yield Fault(f"{at}/break_glass/groups", "nobody_there", f"No active member is in {names}. Add one first.")


def holds_of(rule: Rule, agent: str) -> bool:
    """Tell whether the rule may hold of what this agent asks; what cannot be proven counts as true."""
    try:
        return satisfiable(AllOf((parse({"path": "agent", "op": "eq", "value": agent}), rule.when)))
    except Undecided:
        return True
