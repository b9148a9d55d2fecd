"""What is left of a request once approvers tightened it: the intersection of what each of them would allow."""

from collections.abc import Sequence
from typing import cast

from approvals.deciding import narrowing
from approvals.models import Decision, Request
from approvals.policy_asks import Narrowable
from console.exact import Object, Value, canonical, decode
from console.exact.conditions import document


def tightened(request: Request, constraints: Value, narrowable: Sequence[Narrowable]) -> str:
    """Give a narrowing of a request, proven, as it is kept. Raises NotNarrower, CannotBeSatisfied."""
    others = [narrowing.condition(text) for text in _standing(request)]
    read = narrowing.read(constraints, narrowable, arguments_of(request), others)
    return canonical(document(read))


def narrow(request: Request) -> dict[str, Value]:
    """Let the request say what its standing approvals allow together; gives what the record is told, when that changed."""
    left = narrowing.intersection(_standing(request))
    if left == request.narrowing:
        return {}
    request.narrowing = left
    Request.objects.filter(pk=request.pk).update(narrowing=left)
    return {"narrowing": left}


def satisfied(request: Request) -> bool:
    """Tell whether what was asked is within what its approvers allow."""
    return not request.narrowing or narrowing.allows(request.narrowing, arguments_of(request))


def arguments_of(request: Request) -> Object:
    """Give the arguments that were asked."""
    return cast("Object", decode(request.arguments, 128))


def _standing(request: Request) -> list[str]:
    said = Decision.objects.filter(request=request, verdict="approve", withdrawn_at=None).exclude(constraints="")
    return list(said.order_by("at", "id").values_list("constraints", flat=True))
