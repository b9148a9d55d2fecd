"""Pauses by REST: read, made and lifted by members' tools; and what stops a run, for the agent that drives it."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from console.database import transaction
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, QUERY, described
from console.http.listing import page
from console.http.refusals import NotFound
from console.identity.door import Door, RecoveryDoor, actor, key
from runs.api import pause_documents as documents
from runs.api import queries
from runs.api.pause_content import Lifting, NewPause
from runs.models import Pause
from runs.pausing import pausing, standing
from runs.pausing.pausing import Subject

IS_STANDING = OpenApiParameter("standing", bool, QUERY, description="`true`: only those that are not lifted.")
OF_AN_OPERATION = OpenApiExample(
    "an operation",
    value={"scope": "operation", "name": "refund", "reason": "The bank counts twice."},
    request_only=True,
)
EMERGENCY = OpenApiExample(
    "the emergency stop",
    value={"scope": "tenant", "emergency": True, "reason": "Money goes the wrong way."},
    request_only=True,
)
LIFTING = OpenApiExample("lifted", value={"reason": "The bank counts right again."}, request_only=True)


class Pauses(RecoveryDoor):
    """What is paused in a tenant, and was."""

    @described(
        "list_pauses", "List pauses, the latest first", gives={200: documents.PausePage},
        parameters=[IS_STANDING, LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, {"standing", "limit", "cursor"})
        only, limit, cursor = asked.yes("standing"), asked.limit(), asked.text("cursor")
        binding = ("pauses", by.tenant_id, only)
        before = None if cursor is None else cursors.time_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            found = standing.history(by.tenant, before, limit + 1, only_standing=only)
        return Response(page(found, limit, documents.pause, _place, binding))

    @described(
        "make_pause", "Pause a run, an operation, a run type or everything: nothing more of it begins",
        takes=NewPause, gives={200: documents.PausedReceipt}, parameters=[KEY], examples=[OF_AN_OPERATION, EMERGENCY],
        problems=["not_to_pause", "not_found", "bad_pause", "already_paused", "run_ended", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, named, sent = actor(request), key(request), content.read(NewPause, request)
        subject = Subject(sent["scope"], run=sent["run"], name=sent["name"], emergency=sent["emergency"])
        return Response(pausing.pause(by, subject, reason=sent["reason"], key=named))


class OnePause(RecoveryDoor):
    """A pause."""

    @described("get_pause", "Look at a pause", gives={200: documents.PauseDocument})
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        with transaction(by.tenant_id):
            found = standing.one(by.tenant, id)
        if found is None:
            raise NotFound
        return Response(documents.pause(found))


class Lift(RecoveryDoor):
    """The end of a pause."""

    http_method_names = ["post"]

    @described(
        "lift_pause", "Lift a pause: what it had stopped is due again, a wide one's in batches",
        takes=Lifting, gives={200: documents.LiftedReceipt}, parameters=[KEY], examples=[LIFTING],
        problems=["not_to_pause", "already_lifted", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(Lifting, request)
        return Response(pausing.lift(by, id, reason=sent["reason"], key=named))


class RunPauses(Door):
    """What stops something of a run."""

    http_method_names = ["get", "head"]

    @described(
        "list_run_pauses", "See which pauses stop something of a run now", gives={200: documents.StandingPauses}
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by = actor(request)
        with transaction(by.tenant_id):
            found = standing.of_run(queries.run(id))
        shown: list[dict[str, Any]] = [documents.pause(each) for each in found]
        return Response({"items": shown})


def _place(found: Pause) -> bytes:
    return cursors.of_time(found.paused_at, found.pk)
