"""Many runs, or many effects of a run, by one request: each item stands or is refused on its own (R-E1, R-E2)."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from console.database import transaction
from console.http import bulk, conditional
from console.http.describing import TOKEN, described
from console.http.refusals import InvalidContent
from console.identity.door import Door, actor, token
from runs import intake
from runs.api import documents, examples, present, queries
from runs.api.below import PARENT_TOKEN, parent_token
from runs.api.content import NewEffectInRun, NewRunInBulk, effect_draft, placed, run_draft
from runs.drafts import Accepted, Proposed


class RunsInBulk(Door):
    """Many runs at once."""

    http_method_names = ["post"]

    @described(
        "create_runs", "Make many runs, each with its first effects if you like",
        takes=documents.NewRuns, gives={200: documents.BulkOfRuns, 207: documents.BulkOfRuns}, examples=examples.NEW_RUNS,
        parameters=[PARENT_TOKEN],
        problems=["not_an_agent", "too_many"],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        by, above, items = actor(request), parent_token(request), bulk.read(NewRunInBulk, request)
        drafts = [run_draft(sent, sent["key"], above) for sent in bulk.readable(items)]
        answers = intake.accept_each(by, drafts)
        counts: dict[UUID, int] = {}
        for draft, answer in zip(drafts, answers, strict=True):
            if isinstance(answer, InvalidContent):
                placed(answer, draft)
            elif isinstance(answer, Accepted):
                counts[answer.run_id] = len(draft.effects)
        with transaction(by.tenant_id):
            runs, effects = queries.runs_of_ids(counts), queries.first_effects(counts)

        def show(accepted: Accepted) -> dict[str, object]:
            came = [present.effect(effect) for effect in effects.get(accepted.run_id, [])]
            return {"run": {**present.run(runs[accepted.run_id]), "effects": came}}

        return bulk.answered(request, bulk.filled(items, answers), show)


class EffectsInBulk(Door):
    """Many effects of a run at once."""

    http_method_names = ["post"]

    @described(
        "propose_effects", "Propose many effects of a run",
        takes=documents.NewEffects, gives={200: documents.BulkOfEffects, 207: documents.BulkOfEffects}, parameters=[TOKEN],
        examples=examples.NEW_EFFECTS,
        problems=["stale_token", "too_many", "bad_version"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, epoch = actor(request), token(request)
        conditional.take_no_version(request.headers.get("If-Match"))
        items = bulk.read(NewEffectInRun, request)
        drafts = [effect_draft(sent, sent["key"]) for sent in bulk.readable(items)]
        answers = intake.propose_each(by, id, drafts, epoch=epoch)
        with transaction(by.tenant_id):
            effects = queries.effects_of_ids([each.effect_id for each in answers if isinstance(each, Proposed)])

        def show(proposed: Proposed) -> dict[str, object]:
            return {"effect": present.effect(effects[proposed.effect_id])}

        return bulk.answered(request, bulk.filled(items, answers), show)
