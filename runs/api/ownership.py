"""Who drives a run, by REST: taken over, kept, let go; and what was refused to those who drive it no more."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from console.clock import instant
from console.database import transaction
from console.exact import Object
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, TOKEN, described
from console.http.listing import page
from console.identity.door import Door, actor, key, token
from console.ledger.models import Refusal
from runs.api import examples, present, queries
from runs.api import ownership_documents as documents
from runs.api.content import Nothing
from runs.api.documents import RunPage
from runs.ownership import acquiring, releasing, renewing
from runs.ownership import queries as owned


class Acquire(Door):
    """The taking over of a run."""

    http_method_names = ["post"]

    @described(
        "acquire_run", "Take a run over, if nobody has it: get its token, and a lease",
        takes=documents.Taking, gives={200: documents.TakenDocument}, parameters=[KEY], examples=examples.TAKING,
        problems=["run_held", "run_ended", "bad_holder"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, named, sent = actor(request), key(request), content.read(documents.Taking, request)
        return Response(acquiring.acquire(by, id, holder=sent["holder"], key=named))


class Renew(Door):
    """A driver's sign of life."""

    http_method_names = ["post"]

    @described(
        "renew_run", "Give a sign of life: the run is yours for another lease",
        gives={200: documents.RenewedDocument}, parameters=[TOKEN], problems=["stale_token", "run_ended"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        content.read(Nothing, request)
        return Response(renewing.renew(actor(request), id, epoch=token(request)))


class Release(Door):
    """The letting go of a run."""

    http_method_names = ["post"]

    @described(
        "release_run", "Let a run go: somebody else can take it at once, and the token is no longer good",
        gives={200: documents.ReleasedDocument}, parameters=[KEY, TOKEN], problems=["stale_token", "run_ended"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, epoch = actor(request), key(request), token(request)
        content.read(Nothing, request)
        return Response(releasing.release(by, id, epoch=epoch, key=named))


class Refusals(Door):
    """What was refused about a run."""

    @described(
        "list_refusals", "List what was refused about a run, newest first: the writes of those who drive it no more, and others",
        gives={200: documents.RefusedPage}, parameters=[LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("refusals", by.tenant_id, id)
        before = None if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            found = owned.refusals(queries.run(id), before, limit + 1)
        return Response(page(found, limit, _refused, lambda refusal: cursors.of_number(refusal.pk), binding))


class Children(Door):
    """The runs below a run."""

    @described(
        "list_children", "List the runs below a run, newest first", gives={200: RunPage}, parameters=[LIMIT, CURSOR]
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("children", by.tenant_id, id)
        before = None if cursor is None else cursors.time_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            found = owned.children(queries.run(id).pk, before, limit + 1)
        return Response(page(found, limit, present.run, lambda run: cursors.of_time(run.created_at, run.pk), binding))


def _refused(refusal: Refusal) -> Object:
    return {
        "at": instant(refusal.at), "actor": refusal.actor, "verb": refusal.verb, "code": refusal.type, "detail": refusal.detail,
    }  # fmt: skip
