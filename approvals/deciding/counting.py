"""How many of the approvals that a policy asks for are there, counted by the database: by the same function that the claim asks."""

from django.db.models import Func, IntegerField

from approvals.models import Request
from approvals.policy_asks import Ask, panels_text
from console.database import rows

FILLED = "select approvals_filled(%s, %s, %s::text[], %s) as filled"


class Counted(Func):
    """`approvals_counted` inside a query: how many seats of a request's panels its standing approvals fill now."""

    function = "approvals_counted"
    arity = 1
    output_field = IntegerField()


def counted(request: Request) -> int:
    """Count the seats that are filled now, nobody in two; a request that was read with its votes knows."""
    if "filled" in vars(request):
        return int(vars(request)["filled"])
    return int(rows("select approvals_counted(%s) as counted", [request.pk])[0]["counted"])


def would_satisfy(request: Request, ask: Ask) -> bool:
    """Tell whether the approvals of a request would be enough if this were what the policy asks of people."""
    found = rows(FILLED, [request.pk, panels_text(ask), list(ask.groups), ask.quorum])[0]
    return int(found["filled"]) >= ask.quorum
