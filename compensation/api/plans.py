"""What a run makes good for, and its plans, by REST: read by its agent, by other agents of the tenant, and by people's tools."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from compensation.api import documents, present
from compensation.queries import plans
from console import clock
from console.database import transaction
from console.http.asked import Asked
from console.http.conditional import etag
from console.http.describing import described
from console.http.refusals import NotFound
from console.identity.door import Door, actor
from console.identity.scopes import FOR_AGENTS_AND_COMPENSATION


class OfRun(Door):
    """What a run makes good for."""

    opens = FOR_AGENTS_AND_COMPENSATION

    @described(
        "get_run_compensation", "See what a run makes good for: its plans with their work items, what remains, and what is unresolved",
        gives={200: documents.RunCompensationDocument},
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        Asked(request.query_params, ())
        with transaction(by.tenant_id):
            found, now = plans.of_run(by.tenant, id), clock.now()
        if found is None:
            raise NotFound
        return Response(present.of_run(found, now), headers={"ETag": etag(found.run.ledger_seq)})


class OnePlan(Door):
    """A plan."""

    opens = FOR_AGENTS_AND_COMPENSATION

    @described(
        "get_compensation_plan", "Look at a plan with its work items, in order",
        gives={200: documents.PlanWithItemsDocument},
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by = actor(request)
        Asked(request.query_params, ())
        with transaction(by.tenant_id):
            found, now = plans.plan(by.tenant, id), clock.now()
        if found is None:
            raise NotFound
        return Response(present.plan_with_items(found, now), headers={"ETag": etag(found.version)})
