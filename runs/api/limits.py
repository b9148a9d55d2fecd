"""Limits by REST: how a run stands with them, what its driver reports to have used, and more given by an operator's tool."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from console.clock import instant
from console.database import transaction
from console.exact import Object, number_text
from console.http import content
from console.http.describing import KEY, TOKEN, VERSION, described
from console.identity.door import Door, RecoveryDoor, actor, key, token, version
from runs.api import limit_documents as documents
from runs.api import queries
from runs.limits import extending, usage
from runs.limits.remains import Part, remains
from runs.models import Run
from runs.states import EXHAUSTED


class Limits(Door):
    """What a run may use."""

    http_method_names = ["get", "head"]

    @described(
        "get_limits",
        "See what a run may use, what it has used, what it has done and what not",
        gives={200: documents.LimitsDocument},
    )
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        with transaction(by.tenant_id):
            return Response(shown(queries.run(id)))


class Use(Door):
    """What a run has used."""

    http_method_names = ["post"]

    @described(
        "report_usage", "Report what a run used: it counts once, and sets the run aside where it is more than it may use",
        takes=documents.Usage, gives={200: documents.UsageReceipt}, parameters=[KEY, TOKEN, VERSION], examples=documents.USAGE,
        problems=["stale_token", "run_ended", "bad_limit", "nothing_used", "too_much_used"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, epoch, expected = actor(request), key(request), token(request), version(request)
        sent = content.read(documents.Usage, request)
        return Response(usage.report(by, id, epoch=epoch, **sent, key=named, version=expected))


class Extend(RecoveryDoor):
    """More for a run."""

    http_method_names = ["post"]

    @described(
        "extend_run", "Give a run more of what it may use: one that had run out goes on",
        takes=documents.Extension, gives={200: documents.ExtensionReceipt}, parameters=[KEY, VERSION], examples=documents.MORE,
        problems=["not_yours_to_extend", "run_ended", "reason_missing", "nothing_given", "bad_limit", "not_enough"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, expected = actor(request), key(request), version(request)
        sent = content.read(documents.Extension, request)
        return Response(extending.extend(by, id, more=sent["more"], reason=sent["reason"], key=named, version=expected))


def shown(run: Run) -> Object:
    """Show how a run stands with what it may use."""
    left = remains(run)
    ran_out = run.state == EXHAUSTED
    return {
        "run": str(run.pk), "state": run.state, "version": run.ledger_seq, "on_exhaustion": left.on_exhaustion,
        "used_tokens": run.used_tokens, "used_cost": number_text(run.used_cost), "budgets": [each.shown() for each in left.budgets],
        "exhausted_at": instant(run.attention_since) if ran_out else None, "reason": run.attention_reason if ran_out else None,
        "done": _part(left.done), "not_done": _part(left.not_done), "uncertain": _part(left.uncertain),
    }  # fmt: skip


def _part(part: Part) -> Object:
    return {
        "count": part.count,
        "first": [
            {
                "id": str(effect.pk), "number": effect.number, "key": effect.key, "operation": effect.operation_name,
                "summary": effect.summary, "state": effect.state,
            }
            for effect in part.first
        ],
    }  # fmt: skip
