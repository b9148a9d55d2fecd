"""What a run makes good for, and its plans, by REST: read by its agent, by other agents of the tenant, and by people's tools."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from compensation.api import documents, present
from compensation.queries import of_run, plans
from console import clock
from console.database import transaction
from console.http import cursors
from console.http.asked import Asked
from console.http.conditional import etag
from console.http.describing import CURSOR, LIMIT, described
from console.http.refusals import NotFound
from console.identity.door import Door, actor
from console.identity.scopes import FOR_AGENTS_AND_COMPENSATION


class OfRun(Door):
    """What a run makes good for."""

    opens = FOR_AGENTS_AND_COMPENSATION

    @described(
        "get_run_compensation", "See what a run makes good for: its plans with their work items, what remains, and what is unresolved",
        gives={200: documents.RunCompensationDocument}, parameters=[LIMIT, CURSOR],
        more="A page holds so many work items, by their numbers, within their plans: a plan that goes on stands on the next page too. "
        f"`unresolved` names the first {documents.MOST_UNRESOLVED}.",
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, asked = actor(request), Asked(request.query_params, ("limit", "cursor"))
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("run_compensation", by.tenant_id, id)
        after = 0 if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            found, now = of_run.of_run(by.tenant, id, after=after, limit=limit), clock.now()
            if found is None:
                raise NotFound
            unresolved = of_run.unresolved_ids(id, documents.MOST_UNRESOLVED)
        more = None if found.after is None else cursors.seal(cursors.of_number(found.after), binding)
        return Response(present.of_run(found, unresolved, more, now), headers={"ETag": etag(found.run.ledger_seq)})


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
