"""The desk and its work items by REST, for people's tools; an agent looks at one item, and waits for news of it."""

from typing import Final
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from compensation.api import documents, present
from compensation.queries import desk, items
from compensation.queries.desk import Place, Wanted
from compensation.queries.seen import Item
from compensation.states import NEEDS
from console import clock
from console.database import transaction
from console.http import attachments, cursors, fields, streams
from console.http.asked import Asked
from console.http.conditional import etag
from console.http.describing import CURSOR, LIMIT, QUERY, WAIT, described, known
from console.http.listing import page
from console.http.refusals import NotFound
from console.identity.door import CompensationDoor, Door, actor
from console.identity.models import Member
from console.identity.scopes import FOR_AGENTS_AND_COMPENSATION
from console.ledger.actors import Actor
from runs.api import queries as of_runs

FILTERS: Final = ("state", "owner", "operation", "need", "overdue", "run", "limit", "cursor")
STATE: Final = OpenApiParameter(
    "state", {"type": "string", "enum": list(desk.GROUPS), "default": desk.OPEN}, QUERY,
    description="`needs_somebody`: failed, escalated, or waiting for a person; `over`: newest first.",
)  # fmt: skip
OWNER: Final = OpenApiParameter(
    "owner", {"type": "string", "enum": list(desk.OWNERS)}, QUERY,
    description="`mine`: claimed by you; `nobody`: by nobody; `group`: handed to a group of yours.",
)  # fmt: skip
OPERATION: Final = OpenApiParameter(
    "operation", {"type": "string", "minLength": 1}, QUERY, description="A compensating operation's name."
)
NEED: Final = OpenApiParameter(
    "need", {"type": "string", "enum": list(NEEDS)}, QUERY, description="`required`: a run's end waits for it."
)
OVERDUE: Final = OpenApiParameter("overdue", bool, QUERY, description="`true`: only what is past its deadline.")
RUN: Final = OpenApiParameter("run", fields.ID_SCHEMA, QUERY, description="The id of a run.")


class Desk(CompensationDoor):
    """The work items of a tenant."""

    @described(
        "list_compensations", "List work items: what is to be made good for, by deadline and weight",
        gives={200: documents.WorkItemPage}, parameters=[STATE, OWNER, OPERATION, NEED, OVERDUE, RUN, LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, FILTERS)
        wanted = Wanted(
            group=asked.word("state", desk.GROUPS) or desk.OPEN, owner=asked.word("owner", desk.OWNERS) or "",
            operation=asked.text("operation") or "", need=asked.word("need", NEEDS) or "",
            overdue=asked.yes("overdue"), run=asked.id("run"),
        )  # fmt: skip
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("compensations", by.tenant_id, by.id, wanted)
        after = None if cursor is None else _place(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            member, now = _member(by), clock.now()
            found, counts = desk.desk(member, wanted, after, limit + 1), desk.counts(member)
        listed = page(found, limit, lambda each: present.item(each, now), lambda each: _sealed(wanted, each), binding)
        return Response({**listed, "counts": present.counts(counts)})


class OneItem(Door):
    """A work item."""

    opens = FOR_AGENTS_AND_COMPENSATION

    @described(
        "get_compensation", "Look at a work item, from the original intent to what remains, or wait for news of it",
        gives={200: documents.ChainDocument}, parameters=[WAIT, known("The state")],
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        streams.check(request.query_params)
        with transaction(by.tenant_id):
            found, now = items.item(by.tenant, id), clock.now()
            if found is None:
                raise NotFound
            named = [*found.tries, *([found.original] if found.original else [])]
            effects = of_runs.effects_of_ids([each.pk for each in named])
            shown = present.chain(found, effects, now)
        return Response(shown, headers={"ETag": etag(found.item.version)})


class EvidenceFile(CompensationDoor):
    """A file beside a work item."""

    @described(
        "get_compensation_file", "Save a file that stands beside a work item",
        gives={(200, attachments.BYTES): OpenApiTypes.BINARY},
        more="Always as an attachment, under the media type that it was kept with where that holds no script, else as bytes.",
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002
        by = actor(request)
        with transaction(by.tenant_id):
            found = items.file(by.tenant, id)
        if found is None or found.content is None:
            raise NotFound
        return attachments.attachment(found)


def _member(by: Actor) -> Member:
    return Member.objects.select_related("user").get(pk=by.principal, tenant_id=by.tenant)


def _sealed(wanted: Wanted, item: Item) -> bytes:
    place = desk.place_of(wanted, item)
    # Where there is no deadline, some time stands in its place and is not looked at.
    return bytes([place.at is None, place.weight]) + cursors.of_time(place.at or item.created_at, place.id)


def _place(sealed: bytes) -> Place:
    at, item_id = cursors.time_of(sealed[2:])
    return Place(None if sealed[0] else at, sealed[1], item_id)
