"""Compensation in numbers: what is open, what became of the rest, how long it took, and what remained."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse

from compensation import numbers as counting
from compensation.numbers import DAY, WEEK, Outcomes
from console.exact import number_text
from console.notices.hours import known
from console.notices.models import Wishes
from console.pages.answers import whole
from console.pages.room import MemberRequest, page
from console.pages.templatetags.times import span

# What the form offers: its word, what it is called, how many days, and by what they are told.
SPANS: Final = (
    ("7d", "7 days", 7, DAY),
    ("30d", "30 days", 30, DAY),
    ("13w", "13 weeks", 91, WEEK),
    ("52w", "52 weeks", 364, WEEK),
)


@dataclass(frozen=True, slots=True)
class Line:
    """What became of work items, as a row shows it; `bar` is how much of the widest row it is, in a hundredth."""

    name: str
    outcomes: Outcomes
    open: int = 0
    bar: int = 0

    @property
    def success(self) -> str:
        """Give the share that was done."""
        return _share(self.outcomes.success_rate)

    @property
    def escalation(self) -> str:
        """Give the share about which somebody was called."""
        return _share(self.outcomes.escalation_rate)

    @property
    def median(self) -> str:
        """Give how long half of them took at most."""
        return _span(self.outcomes.median_seconds)

    @property
    def p95(self) -> str:
        """Give how long nearly all of them took at most."""
        return _span(self.outcomes.p95_seconds)


@page("span")
def compensation_numbers(request: MemberRequest) -> HttpResponse:
    """Show how compensation does, by the clock of the member's own zone."""
    word = request.GET.get("span", "")
    chosen = next((each for each in SPANS if each[0] == word), SPANS[1])
    wishes = Wishes.objects.filter(member=request.member).only("time_zone").first()
    zone = known(wishes.time_zone).key if wishes is not None else "UTC"
    found = counting.numbers(request.member.tenant_id, request.now, days=chosen[2], by=chosen[3], zone=zone)
    most = max((each.ended for _, each in found.periods), default=0)
    context = {
        "found": found, "spans": SPANS, "chosen": chosen[0], "whole": Line("", found.whole),
        "fees": [{"currency": each.currency, "amount": number_text(each.amount), "counted": each.counted} for each in found.fees],
        "oldest": _span(found.backlog.oldest_seconds), "states": sorted(found.backlog.by_state.items()),
        "operations": [Line(each.name, each.outcomes, each.open) for each in found.operations],
        "periods": [Line(day.strftime("%a %-d %b"), each, bar=_bar(each, most)) for day, each in reversed(found.periods)],
    }  # fmt: skip
    return whole(request, "compensation/numbers.html", context)


def _bar(found: Outcomes, most: int) -> int:
    return round(100 * found.ended / most) if most else 0


def _share(found: float | None) -> str:
    return "—" if found is None else f"{100 * found:.0f} %"


def _span(seconds: float | None) -> str:
    return "—" if seconds is None else span(seconds)
