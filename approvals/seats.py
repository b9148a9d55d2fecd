"""Who fills a seat of what a request asks: the panels that are asked, and whether somebody's word is one of theirs."""

from collections.abc import Collection

from approvals.models import Request
from approvals.policy_asks import Panel, panels_of
from console.identity.models import Member


def panels(request: Request) -> tuple[Panel, ...]:
    """Give the panels that are asked."""
    return panels_of(request.panels, request.groups, request.quorum)


def may_fill(member: Member, groups: Collection[str], request: Request) -> bool:
    """Tell whether the word of this active member, speaking for these groups, fills a seat of some panel."""
    return "approver" in member.roles and any(fills(member, groups, panel) for panel in panels(request))


def fills(member: Member, groups: Collection[str], panel: Panel) -> bool:
    """Tell whether a member who speaks for these groups is one of those whom a panel asks."""
    return bool(set(groups) & set(panel.groups)) and (not panel.roles or bool(set(panel.roles) & set(member.roles)))
