"""The ten classes of failure, and what follows each."""

from django.http import HttpResponse

from console.pages.answers import part_or_page
from console.pages.room import MemberRequest, page
from runs.failures import FAILURES


@page()
def failures(request: MemberRequest) -> HttpResponse:
    """Show the table that the engine, the API and the pages read."""
    return part_or_page(request, "contracts/failures.html", {}, {"failures": FAILURES})
