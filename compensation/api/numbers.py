"""How compensation does, by REST: for boards and for whoever answers for it."""

from typing import Final
from zoneinfo import available_timezones

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from compensation import numbers
from compensation.api import documents, present
from compensation.numbers import DAY, LONGEST_DAYS, PERIODS
from console import clock
from console.database import transaction
from console.http.asked import Asked
from console.http.describing import QUERY, described
from console.identity.door import CompensationDoor, actor

DAYS: Final = 30
OF_DAYS: Final = OpenApiParameter(
    "days", {"type": "integer", "minimum": 1, "maximum": LONGEST_DAYS, "default": DAYS}, QUERY,
    description="What ended in the last so many days, today among them. Of weeks, from the Monday before.",
)  # fmt: skip
BY: Final = OpenApiParameter(
    "by", {"type": "string", "enum": list(PERIODS), "default": DAY}, QUERY, description="How the time is divided."
)
ZONE: Final = OpenApiParameter(
    "zone", {"type": "string", "minLength": 1, "default": "UTC"}, QUERY,
    description="By the clock of which zone days begin, as Europe/Berlin."
)  # fmt: skip


class Numbers(CompensationDoor):
    """The figures of a tenant."""

    @described(
        "get_compensation_numbers", "Count compensation: what is open, what became of the rest, how long it took and what remained",
        gives={200: documents.NumbersDocument}, parameters=[OF_DAYS, BY, ZONE],
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, ("days", "by", "zone"))
        days, zone = asked.whole("days", DAYS, least=1, most=LONGEST_DAYS), asked.text("zone") or "UTC"
        if zone not in available_timezones():
            raise asked.bad("zone", "is no zone of the IANA database")
        period = asked.word("by", PERIODS) or DAY
        with transaction(by.tenant_id):
            found = numbers.numbers(by.tenant, clock.now(), days=days or DAYS, by=period, zone=zone)
        return Response(present.numbers(found))
