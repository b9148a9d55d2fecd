"""Asking for compensation by REST: by the agent that drives the run, with its token, and by people's tools (R-J1, CMP-03)."""

from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from compensation.api import receipts
from compensation.api.plans import OfRun
from compensation.api.wishes import Wish, WishOfRun, sent
from compensation.plans import asking
from console.database import transaction
from console.http import content
from console.http.describing import KEY, TOKEN, VERSION, described
from console.http.keys import REPLAYED
from console.http.refusals import NotFound
from console.identity.door import Door, actor, key, token, version
from console.identity.scopes import FOR_AGENTS_AND_COMPENSATION
from runs.api.shown import EFFECT_ID
from runs.models import Effect

AGENTS_TOKEN: Final = OpenApiParameter(
    "Fencing-Token", TOKEN.type, "header", required=False,
    description="The run's `epoch`: an agent must send it while the run goes on (400 `missing_token`), and an old one is "
    "refused (409 `stale_token`). "
    "Members' tools have none.",
)  # fmt: skip
WHY: Final = "The customer does not want it any more."
REFUSED: Final = (
    "stale_token", "missing_token", "bad_token", "reason_missing", "reason_too_long", "may_not_compensate", "already_compensated",
    "not_compensable", "compensation_of_compensation", "effects_not_named", "already_erased",
)  # fmt: skip


class Compensations(OfRun):
    """What a run makes good for, and the wish for more of it."""

    @described(
        "compensate_run", "Have effects of a run made good for: the plan, and its work items, of which some may have begun",
        takes=WishOfRun, gives={201: receipts.CompensationReceipt, 200: receipts.CompensationReceipt},
        parameters=[KEY, AGENTS_TOKEN, VERSION], problems=REFUSED,
        examples=sent("one effect", effects=[EFFECT_ID], reason=WHY, plan_first=False),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        headers, wish = _headers(request), content.read(WishOfRun, request)
        return _planned(asking.ask(actor(request), id, **wish, **headers))


class CompensateEffect(Door):
    """The wish that one effect is made good for."""

    http_method_names = ["post"]
    opens = FOR_AGENTS_AND_COMPENSATION

    @described(
        "compensate_effect", "Have one effect made good for",
        takes=Wish, gives={201: receipts.CompensationReceipt, 200: receipts.CompensationReceipt},
        parameters=[KEY, AGENTS_TOKEN, VERSION], problems=REFUSED, examples=sent("not wanted", reason=WHY),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, headers, wish = actor(request), _headers(request), content.read(Wish, request)
        with transaction(by.tenant_id):
            run_id = Effect.objects.filter(tenant_id=by.tenant, pk=id).values_list("run_id", flat=True).first()
        if run_id is None:
            raise NotFound
        return _planned(asking.ask(by, run_id, effects=[id], **wish, **headers))


class Preview(Door):
    """What would be planned."""

    http_method_names = ["post"]
    opens = FOR_AGENTS_AND_COMPENSATION

    @described(
        "preview_compensation", "See what would be planned, and why nothing would be for the rest; nothing is written",
        takes=WishOfRun, gives={200: receipts.CompensationPreview},
        problems=["reason_missing", "reason_too_long", "may_not_compensate", "effects_not_named", "already_erased"],
        examples=sent("one effect", effects=[EFFECT_ID], reason=WHY),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, wish = actor(request), content.read(WishOfRun, request)
        return Response(asking.ask(by, id, **wish, key="", preview=True))


def _headers(request: Request) -> dict[str, Any]:
    """Read what goes along; only agents drive, and so only they have a token."""
    drives = actor(request).kind == "agent"
    return {
        "key": key(request),
        "epoch": token(request) if drives and "Fencing-Token" in request.headers else None,
        "version": version(request),
    }


def _planned(receipt: dict[str, Any]) -> Response:
    if receipt.get("replayed"):
        return Response(receipt, headers={REPLAYED: "true"})
    return Response(receipt, status=201, headers={"Location": f"/api/v1/compensation-plans/{receipt['plan']}"})
