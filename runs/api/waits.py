"""Waits by REST: opened and taken back by whoever drives the run, listed for everybody of the tenant."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample
from rest_framework.request import Request
from rest_framework.response import Response

from console.clock import instant
from console.database import transaction
from console.exact import Object, decode
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, TOKEN, VERSION, described
from console.http.listing import page
from console.identity.door import Door, actor, key, token, version
from runs.api import queries
from runs.api import wait_documents as documents
from runs.api.wait_content import NewWait, TakingBack, wait_drafts
from runs.models import Wait
from runs.states import MET
from runs.waits import opening, withdrawing
from runs.waits.queries import held_back, waits

DRIVER: Final = ["stale_token", "run_ended", "run_stopped", "resume_first", "run_out_of_time"]
WAITING: Final = [
    OpenApiExample(
        "a signal, for a week at most",
        value={
            "kind": "signal", "name": "parcel", "condition": {"name": "parcel-back", "correlation": "order-4711"},
            "expires_seconds": 604800, "on_expiry": "wake",
        },
        request_only=True,
    ),
    OpenApiExample(
        "nine o'clock on a working day in Berlin",
        value={
            "kind": "clock_time",
            "condition": {"time": "09:00", "zone": "Europe/Berlin", "days": ["mon", "tue", "wed", "thu", "fri"]},
        },
        request_only=True,
    ),
]  # fmt: skip
TAKING_BACK: Final = [OpenApiExample("not any more", value={"reason": "The customer called."}, request_only=True)]


class RunWaits(Door):
    """The waits of a run."""

    @described(
        "list_waits",
        "List what a run waits for and has waited for, newest first",
        gives={200: documents.WaitPage},
        parameters=[LIMIT, CURSOR],
    )
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("waits", by.tenant_id, id)
        before = None if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            erased = queries.run(id).erased_at is not None
            found = waits(id, before, limit + 1)
            held = held_back(id, found)

        def shown(wait: Wait) -> Object:
            return show(wait, held.get(wait.pk, ()), erased=erased)

        return Response(page(found, limit, shown, lambda wait: cursors.of_number(wait.number), binding))

    @described(
        "open_wait", "Wait: for a time, a signal, children, effects, or a dependency",
        takes=NewWait, gives={200: documents.WaitReceipt}, parameters=[KEY, TOKEN, VERSION], examples=WAITING,
        problems=[*DRIVER, "bad_wait", "time_repeated", "time_skipped", "wait_name_taken", "too_many_waits"],
        more="The run waits with nobody driving it, and goes on when the first of them comes, whatever was restarted meanwhile.",
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, epoch, seen = actor(request), key(request), token(request), version(request)
        drafts = wait_drafts(content.read(NewWait, request))
        return Response(opening.open_together(by, id, epoch=epoch, drafts=drafts, key=named, version=seen))


class WithdrawWait(Door):
    """A wait that is not wanted any more."""

    http_method_names = ["post"]

    @described(
        "withdraw_wait", "Take a wait back; with the last parked one the run goes on",
        takes=TakingBack, gives={200: documents.WithdrawnReceipt}, parameters=[KEY, TOKEN, VERSION], examples=TAKING_BACK,
        problems=["stale_token", "wait_over", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, epoch, seen = actor(request), key(request), token(request), version(request)
        reason = content.read(TakingBack, request)["reason"]
        return Response(withdrawing.withdraw(by, id, epoch=epoch, reason=reason, key=named, version=seen))


def show(wait: Wait, held: Iterable[UUID], *, erased: bool) -> Object:
    """Show a wait with the effects that stand back for it."""
    late = wait.ended_at - wait.due_at if wait.state == MET and wait.due_at and wait.ended_at else None
    return {
        "id": str(wait.pk),
        "run": str(wait.run_id),
        "number": wait.number,
        "name": wait.name,
        "kind": wait.kind,
        "condition": None if erased else decode(wait.condition),
        "parks": wait.parks,
        "state": wait.state,
        "reason": wait.reason or None,
        "result": None if wait.result is None else decode(wait.result, 128),
        "holds_back": [str(effect) for effect in held],
        "opened_at": instant(wait.opened_at),
        "due_at": instant(wait.due_at),
        "expires_at": instant(wait.expires_at),
        "on_expiry": wait.on_expiry,
        "overdue_at": instant(wait.overdue_at),
        "ended_at": instant(wait.ended_at),
        "late_milliseconds": None if late is None else round(late.total_seconds() * 1000),
    }
