"""Effects by REST: proposed, listed, looked at, waited for, withdrawn."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from console.database import transaction
from console.http import content, cursors, streams
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, TOKEN, VERSION, WAIT, described, known
from console.http.keys import REPLAYED
from console.http.listing import page
from console.identity.door import Door, actor, key, token, version
from runs import driving, intake
from runs.api import documents, examples, present, queries
from runs.api.content import NewEffect, Withdrawal, effect_draft


class RunEffects(Door):
    """The effects of a run."""

    @described(
        "list_effects",
        "List a run's effects, in their order",
        gives={200: documents.EffectPage},
        parameters=[LIMIT, CURSOR],
    )
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("effects", by.tenant_id, id)
        after = 0 if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            queries.run(id)
            rows = queries.effects(id, after, limit + 1)
            compensating = queries.compensating([effect.pk for effect in rows[:limit]])
        show = lambda effect: present.listed_effect(effect, compensating.get(effect.pk, ()))  # noqa: E731
        return Response(page(rows, limit, show, lambda effect: cursors.of_number(effect.number), binding))

    @described(
        "propose_effect", "Propose an effect: it is done, asked about or denied as the policy says",
        takes=NewEffect, gives={201: documents.EffectDocument, 200: documents.EffectDocument}, parameters=[KEY, TOKEN, VERSION],
        examples=examples.NEW_EFFECT,
        problems=[
            "stale_token", "run_ended", "run_waits", "run_stopped", "resume_first", "run_out_of_time", "unknown_operation", "bad_arguments",
            "unknown_wait", "waited_in_vain",
            "operation_not_in_run_type", "unknown_effect", "predecessor_not_done", "superseded_still_open", "makes_good",
            "already_replaced", "reserved_key",
            "not_cleanup",
            "already_replaced", "corrections_unseen", "contradicts_correction", "limit_reached", "run_exhausted",
        ],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, epoch, expected = actor(request), key(request), token(request), version(request)
        draft = effect_draft(content.read(NewEffect, request), named)
        proposed = intake.propose(by, id, [draft], epoch=epoch, version=expected)[0]
        with transaction(by.tenant_id):
            effect = queries.effect(proposed.effect_id)
        if not proposed.created:
            return Response(present.effect(effect), headers={REPLAYED: "true"})
        return Response(present.effect(effect), status=201, headers={"Location": f"/api/v1/effects/{effect.pk}"})


class OneEffect(Door):
    """An effect."""

    @described(
        "get_effect", "Look at an effect with everything that was tried, or wait for news of it",
        gives={200: documents.EffectWithAttemptsDocument}, parameters=[WAIT, known("The state")],
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by = actor(request)
        streams.check(request.query_params)
        with transaction(by.tenant_id):
            effect = queries.effect(id)
            attempts, superseding = queries.attempts(id), queries.superseding(id)
            compensating = queries.compensating([id]).get(id, ())
        return Response(present.effect_with_attempts(effect, attempts, superseding, compensating))


class Withdraw(Door):
    """An effect that is not wanted any more."""

    http_method_names = ["post"]

    @described(
        "withdraw_effect", "Withdraw an effect that has not begun, and those that wait for it",
        takes=Withdrawal, gives={200: documents.EffectReceipt}, parameters=[KEY, TOKEN, VERSION], examples=examples.WITHDRAWAL,
        problems=["stale_token", "already_begun", "makes_good", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, epoch, expected = actor(request), key(request), token(request), version(request)
        sent = content.read(Withdrawal, request)
        return Response(driving.withdraw(by, id, epoch=epoch, reason=sent["reason"], key=named, version=expected))
