"""Cancelling by REST: asked for by whoever drives, listed with what it waits for; opened again by an operator's tool."""

from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from drf_spectacular.utils import OpenApiExample
from rest_framework.request import Request
from rest_framework.response import Response

from console import clock
from console.clock import instant
from console.database import transaction
from console.exact import Object, decode
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, TOKEN, VERSION, described
from console.http.listing import page
from console.identity.door import Door, RecoveryDoor, actor, key, token, version
from runs.api import cancel_documents as documents
from runs.api import queries
from runs.api.cancel_content import CancellingEffect, CancellingRun, Reopening, SeeingTo
from runs.api.content import Nothing
from runs.cancelling import cancel, desk, reopening
from runs.cancelling import queries as of_cancelling
from runs.models import Cancellation, Run

CALLED_OFF = OpenApiExample(
    "with its children", value={"reason": "The customer keeps it.", "scope": "tree"}, request_only=True
)
NOT_WANTED = OpenApiExample("not wanted", value={"reason": "The customer keeps it."}, request_only=True)
AGAIN = OpenApiExample(
    "go on", value={"reason": "It is wanted after all.", "deadline_seconds": 86400}, request_only=True
)
SEEN = OpenApiExample("seen to", value={"reason": "The refund was booked back by hand."}, request_only=True)


class CancelRun(Door):
    """A run that is to stop."""

    http_method_names = ["post"]

    @described(
        "cancel_run", "Cancel a run as its driver: it ends as cancelled once nothing is in flight or unknown",
        takes=CancellingRun, gives={200: documents.CancelReceipt}, parameters=[KEY, TOKEN, VERSION], examples=[CALLED_OFF],
        problems=["stale_token", "run_ended", "may_not_cancel", "reason_missing", "reason_too_long", "bad_cancellation"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, named, epoch, expected = actor(request), key(request), token(request), version(request)
        sent = content.read(CancellingRun, request)
        return Response(cancel.cancel_run(by, id, **sent, key=named, epoch=epoch, version=expected))


class CancelEffect(Door):
    """An effect that is not to be done."""

    http_method_names = ["post"]

    @described(
        "cancel_effect", "Cancel an effect as its run's driver: withdrawn, or asked to stop and found out",
        takes=CancellingEffect, gives={200: documents.CancelReceipt}, parameters=[KEY, TOKEN, VERSION], examples=[NOT_WANTED],
        problems=["stale_token", "already_over", "makes_good", "may_not_cancel", "reason_missing", "reason_too_long", "bad_cancellation"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, epoch, expected = actor(request), key(request), token(request), version(request)
        sent = content.read(CancellingEffect, request)
        return Response(cancel.cancel_effect(by, id, **sent, key=named, epoch=epoch, version=expected))


class Stopped(Door):
    """A driver that has cleaned up."""

    http_method_names = ["post"]

    @described(
        "stopped", "Say that the clean-up is done: the run need not wait for the rest of its time",
        gives={200: documents.CancelReceipt}, parameters=[KEY, TOKEN], problems=["stale_token", "not_closing"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, epoch = actor(request), key(request), token(request)
        content.read(Nothing, request)
        return Response(cancel.stopped(by, id, epoch=epoch, key=named))


class Cancellations(Door):
    """The cancellations of a run and its effects."""

    @described(
        "list_cancellations", "List a run's cancellations, each with what it waits for and what came after it",
        gives={200: documents.CancellationPage}, parameters=[LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("cancellations", by.tenant_id, id)
        after = 0 if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            run, now = queries.run(id), clock.now()
            found = of_cancelling.of_run(id, after, limit + 1)
            shown = {each.pk: _shown(run, each, now) for each in found[:limit]}
        return Response(
            page(found, limit, lambda each: shown[each.pk], lambda each: cursors.of_number(each.number), binding)
        )


class OpenCancellations(RecoveryDoor):
    """What is being cancelled in a tenant, and is not proven yet."""

    http_method_names = ["get", "head"]

    @described(
        "list_open_cancellations", "List what is being cancelled and is not proven yet, the oldest first, with how much each waits for",
        gives={200: documents.OpenCancellationPage}, parameters=[LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("open cancellations", by.tenant_id)
        after = None if cursor is None else cursors.time_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            found = desk.unproven(by.tenant, after, limit + 1)
            waits = desk.waits_for(found[:limit])

        def show(each: Cancellation) -> Object:
            stands = waits.get(each.pk, desk.WaitsFor())
            return {**_told(each), "run_key": each.run.key, "goal": each.run.goal, "waits_for": asdict(stands)}

        return Response(page(found, limit, show, lambda each: cursors.of_time(each.asked_at, each.pk), binding))


class Reopen(RecoveryDoor):
    """A run that goes on after its end."""

    http_method_names = ["post"]

    @described(
        "reopen_run", "Open a run again that failed, expired or was cancelled; nothing is begun before a resume has decided",
        takes=Reopening, gives={200: documents.ReopenReceipt}, parameters=[KEY, VERSION], examples=[AGAIN],
        problems=["not_an_operator", "not_to_reopen", "deadline_needed", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, expected = actor(request), key(request), version(request)
        sent = content.read(Reopening, request)
        return Response(reopening.reopen(by, id, **sent, key=named, version=expected))


class SeeTo(RecoveryDoor):
    """What was left when a run had ended."""

    http_method_names = ["post"]

    @described(
        "see_to_run", "Say that what came after a run's end is seen to",
        takes=SeeingTo, gives={200: documents.SeenToReceipt}, parameters=[KEY], examples=[SEEN],
        problems=["not_an_operator", "nothing_left", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(SeeingTo, request)
        return Response(reopening.see_to(by, id, reason=sent["reason"], key=named))


def _shown(run: Run, found: Cancellation, now: datetime) -> Object:
    waits, came = of_cancelling.awaited(found, now), of_cancelling.arrivals(run, found.asked_at)
    return {
        **_told(found),
        "evidence": None if found.evidence is None else decode(found.evidence), "proven_at": instant(found.proven_at),
        "waits_for": [
            {
                "kind": each.kind, "id": str(each.id) if each.id else None, "number": each.number, "name": each.name, "state": each.state,
                "until": instant(each.until), "asked_to_stop_at": instant(each.asked_at),
            }
            for each in waits
        ],
        "came_after": [
            {"kind": each.kind, "at": instant(each.at), "about": each.about, "says": each.says, "effect_number": each.effect}
            for each in came
        ],
    }  # fmt: skip


def _told(found: Cancellation) -> Object:
    return {
        "id": str(found.pk), "run": str(found.run_id), "effect": str(found.effect_id) if found.effect_id else None,
        "number": found.number, "scope": found.scope, "mode": found.mode, "reason": found.reason, "asked_at": instant(found.asked_at),
        "asked_by": found.asked_by, "of": str(found.of_id) if found.of_id else None, "state": found.state,
        "grace_until": instant(found.grace_until),
    }  # fmt: skip
