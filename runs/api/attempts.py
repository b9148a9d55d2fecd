"""Attempts by REST: what an agent does itself is begun, kept alive and reported."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from console.http import content
from console.http.describing import KEY, TOKEN, described
from console.identity.door import Door, actor, key, token
from runs import performing
from runs.api import documents, examples, parameters
from runs.api.content import HandingBack, NewReport, Nothing


class Attempts(Door):
    """The attempts at an effect that the agent itself carries out."""

    http_method_names = ["post"]

    @described(
        "begin_attempt", "Begin an effect that the agent does itself, and get the permit for it",
        gives={200: documents.PermitDocument}, parameters=[KEY, TOKEN],
        problems=[
            "stale_token", "not_by_you", "not_ready", "already_held", "effect_out_of_time", "not_permitted",
            "agent_inactive", "no_free_slot", "run_ended", "run_waits", "run_stopped", "resume_first", "run_out_of_time", "permit_over",
            "corrections_unseen", "run_exhausted", "paused", "emergency_stop",
        ],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, named, epoch = actor(request), key(request), token(request)
        content.read(Nothing, request)
        return Response(performing.begin(by, id, epoch=epoch, key=named))


class Heartbeat(Door):
    """A sign of life of whoever carries an attempt out."""

    http_method_names = ["post"]

    @described(
        "heartbeat_attempt", "Give a sign of life: the lease of the attempt is renewed",
        gives={200: documents.LeaseDocument}, parameters=[parameters.FENCE],
        problems=["not_by_you", "stale_fence", "lease_lost", "already_reported"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        content.read(Nothing, request)
        return Response(performing.heartbeat(actor(request), id, fence=token(request)))


class Report(Door):
    """What came of an attempt."""

    http_method_names = ["post"]

    @described(
        "report_attempt", "Say what came of an attempt, once",
        takes=NewReport, gives={200: documents.ReportReceipt}, parameters=[KEY, parameters.FENCE], examples=examples.REPORT,
        problems=[
            "not_by_you", "stale_fence", "lease_lost", "already_reported", "outcome_not_taken", "bad_result", "evidence_missing",
            "too_long",
        ],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, fence = actor(request), key(request), token(request)
        return Response(performing.report(by, id, fence=fence, key=named, **content.read(NewReport, request)))


class HandBack(Door):
    """An attempt that was not begun after all."""

    http_method_names = ["post"]

    @described(
        "hand_back_attempt", "Give an attempt back of which nothing was done: the effect is ready again",
        takes=HandingBack, gives={200: documents.ReportReceipt}, parameters=[KEY, parameters.FENCE], examples=examples.HANDING_BACK,
        problems=["not_by_you", "stale_fence", "lease_lost", "already_reported", "reason_missing", "reason_too_long", "too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, fence = actor(request), key(request), token(request)
        sent = content.read(HandingBack, request)
        return Response(performing.hand_back(by, id, fence=fence, reason=sent["reason"], key=named))
