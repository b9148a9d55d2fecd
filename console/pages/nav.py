"""The places of the frame with their counts, each read only when it is shown, and by the very query of its page."""

from functools import cached_property

from django.conf import settings

from approvals.breaking import queries as glasses
from approvals.inbox import Wanted
from approvals.inbox import count as count_waiting
from approvals.models import BreakGlass
from compensation.queries.desk import count_needing
from console.identity.models import Member
from console.notices.queries import count_unread
from console.pages.banner import Stopped, stopped
from console.pages.counts import MOST, Count, if_readable
from console.pages.stops import Stop, stop
from runs.queries import count_open, count_tasks, count_unknown

NAMED = 5  # broken glasses that a banner names
ROLES = {"admin": "administrator"}


class Nav:
    """Whose pages these are, and what waits in each place; None where that could not be counted."""

    def __init__(self, member: Member) -> None:
        self.member = member
        self.member_name = member.user.name
        self.tenant_name = member.tenant.name

    @property
    def role(self) -> str:
        """Say what the member is here: finance approver and operator."""
        return " and ".join(map(self._role, self.member.roles)) or "member"

    @property
    def demo(self) -> bool:
        """Tell whether there is a tour here at all."""
        return bool(settings.DEMO)

    @cached_property
    def tour(self) -> Stop | None:
        """Give where the tour has come to for this member; None where there is none, or it was put away."""
        step = self.member.tour_step
        return stop(self.member.tenant_id, step) if self.demo and step is not None else None

    @property
    def single_keys(self) -> bool:
        """Tell whether single keys do something for this member."""
        return self.member.single_keys

    @property
    def sees_people(self) -> bool:
        """Tell whether this member is shown who belongs to the tenant."""
        return bool({"admin", "auditor"} & set(self.member.roles))

    def _role(self, role: str) -> str:
        groups = [*self.member.groups] if role == "approver" else []
        return " ".join([*(", ".join(groups).split()), ROLES.get(role, role)])

    @cached_property
    def stopped(self) -> Stopped | None:
        """Tell what is paused, to everybody; None where that could not be read."""
        return if_readable(lambda: stopped(self.member.tenant_id))

    @cached_property
    def broken(self) -> list[BreakGlass] | None:
        """Give what was released by breaking the glass and is open still, to everybody; None where that could not be read."""
        return if_readable(lambda: list(glasses.open_now(self.member.tenant_id)[:NAMED]))

    @cached_property
    def glass(self) -> Count | None:
        """Count the broken glasses that nobody has reviewed."""
        return if_readable(lambda: Count(glasses.count_to_review(self.member.tenant_id, MOST + 1)))

    @cached_property
    def approvals(self) -> Count | None:
        """Count what waits for this member's word."""
        return if_readable(lambda: Count(count_waiting(self.member, Wanted(), MOST + 1)))

    @cached_property
    def tasks(self) -> Count | None:
        """Count what this member may do as a person, or has begun."""
        return if_readable(lambda: Count(count_tasks(self.member, MOST + 1)))

    @cached_property
    def unknown(self) -> Count | None:
        """Count the effects that are not confirmed."""
        return if_readable(lambda: Count(count_unknown(self.member.tenant_id, MOST + 1)))

    @cached_property
    def compensation(self) -> Count | None:
        """Count the work items and plans that go no further without somebody."""
        return if_readable(lambda: Count(count_needing(self.member.tenant_id, MOST + 1)))

    @cached_property
    def notices(self) -> Count | None:
        """Count what this member was told and has not read."""
        return if_readable(lambda: Count(count_unread(self.member, MOST + 1)))

    @cached_property
    def runs(self) -> Count | None:
        """Count the open runs."""
        return if_readable(lambda: Count(count_open(self.member.tenant_id, MOST + 1)))
