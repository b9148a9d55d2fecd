"""Runs by REST: made, listed, looked at, waited for, and ended by who drives them."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from console.database import transaction
from console.http import content, cursors, streams
from console.http.asked import Asked
from console.http.conditional import etag
from console.http.describing import CURSOR, KEY, LIMIT, TOKEN, VERSION, WAIT, described, known
from console.http.keys import REPLAYED
from console.http.listing import page
from console.http.refusals import InvalidContent
from console.identity.door import Door, actor, key, token, version
from runs import driving, intake
from runs.api import documents, examples, parameters, present, queries
from runs.api.below import OF_A_PARENT, PARENT_TOKEN, parent_token
from runs.api.content import Completion, GivingUp, NewRun, placed, run_draft
from runs.models import Run


class Runs(Door):
    """The runs of a tenant."""

    @described(
        "list_runs",
        "List runs, newest first",
        gives={200: documents.RunPage},
        parameters=[parameters.RUN_STATE, parameters.MINE, LIMIT, CURSOR],
    )
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, {"state", "mine", "limit", "cursor"})
        state, agent_id, limit = (
            asked.word("state", queries.STATES),
            by.id if asked.yes("mine") else None,
            asked.limit(),
        )
        binding = ("runs", by.tenant_id, state, agent_id)
        cursor = asked.text("cursor")
        before = None if cursor is None else cursors.time_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            rows = queries.runs(state, agent_id, before, limit + 1)
        return Response(page(rows, limit, present.run, lambda run: cursors.of_time(run.created_at, run.pk), binding))

    @described(
        "create_run", "Make a run, with its first effects if you like",
        takes=NewRun, gives={201: documents.NewRunDocument, 200: documents.NewRunDocument}, parameters=[KEY, PARENT_TOKEN],
        examples=examples.NEW_RUN,
        problems=[
            *OF_A_PARENT, "bad_holder", "not_an_agent", "too_many", "nothing_to_complete", "unknown_run_type", "unknown_operation",
            "bad_arguments",
            "operation_not_in_run_type", "reserved_key", "unknown_effect", "bad_limit", "limit_too_high", "limit_reached",
        ],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, named = actor(request), key(request)
        draft = run_draft(content.read(NewRun, request), named, parent_token(request))
        try:
            accepted = intake.accept(by, [draft])[0]
        except InvalidContent as refusal:
            raise placed(refusal, draft) from None
        with transaction(by.tenant_id):
            run = queries.run(accepted.run_id)
            effects = queries.effects_of_keys(run.pk, [effect.key for effect in draft.effects])
        shown = {**present.run(run), "effects": [present.effect(effect) for effect in effects]}
        return _made(Response(shown), run, created=accepted.created)


class OneRun(Door):
    """A run."""

    @described(
        "get_run",
        "Look at a run, or wait for news of it",
        gives={200: documents.RunDocument},
        parameters=[WAIT, known("The version")],
    )
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        streams.check(request.query_params)
        with transaction(by.tenant_id):
            run = queries.run(id)
        return Response(present.run(run), headers={"ETag": etag(run.ledger_seq)})


class Ending(Door):
    """What the endings of a run share: none of them is a GET."""

    http_method_names = ["post"]


class Complete(Ending):
    """A run's end, as its driver sees it."""

    @described(
        "complete_run", "Complete a run: it ends if nothing stands in the way",
        takes=Completion, gives={200: documents.RunReceipt}, parameters=[KEY, TOKEN, VERSION], examples=examples.COMPLETION,
        problems=[
            "stale_token", "run_ended", "run_waits", "run_stopped", "resume_first", "run_out_of_time", "corrections_unseen",
            "unresolved_effects", "unresolved_not_named", "compensation_open",
        ],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, headers, sent = actor(request), _driver(request), content.read(Completion, request)
        return Response(
            driving.complete(by, id, result=sent["result"], accept_unresolved=sent["accept_unresolved"], **headers)
        )


class Fail(Ending):
    """A run's end, given up by its driver."""

    @described(
        "fail_run", "Give a run up: it ends as failed once nothing is in flight or unknown",
        takes=GivingUp, gives={200: documents.RunReceipt}, parameters=[KEY, TOKEN, VERSION], examples=examples.GIVING_UP,
        problems=["stale_token", "run_ended", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, headers, sent = actor(request), _driver(request), content.read(GivingUp, request)
        return Response(driving.fail(by, id, reason=sent["reason"], **headers))


class History(Door):
    """A run's history."""

    @described(
        "list_history",
        "Read a run's history, from its first entry on",
        gives={200: documents.HistoryPage},
        parameters=[LIMIT, CURSOR],
    )
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("history", by.tenant_id, id)
        after = 0 if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            run = queries.run(id)
            rows = queries.history(run, after, limit + 1)
        shown = page(rows, limit, present.entry, lambda entry: cursors.of_number(entry.seq), binding)
        return Response(
            {"tenant": str(run.tenant_id), "stream": run.stream(), **shown}, headers={"ETag": etag(run.ledger_seq)}
        )


def _driver(request: Request) -> dict[str, Any]:
    return {"key": key(request), "epoch": token(request), "version": version(request)}


def _made(response: Response, run: Run, *, created: bool) -> Response:
    response["ETag"] = etag(run.ledger_seq)
    if created:
        response.status_code = 201
        response["Location"] = f"/api/v1/runs/{run.pk}"
    else:
        response[REPLAYED] = "true"
    return response
