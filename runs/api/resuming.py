"""Resuming by REST: the nine steps, the decision, and the brief; and the same without acting."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from console.clock import instant
from console.database import transaction
from console.exact import Object, Value, decode
from console.http import conditional, content
from console.http.conditional import etag
from console.http.content import Content
from console.http.describing import KEY, TOKEN, described
from console.http.fields import Anything, Document, Text, Whole
from console.http.refusals import NotFound
from console.identity.door import Door, actor, key
from runs.api.documents import OPEN_WORDS, Moment
from runs.api.shown import DONE, RUN_ID
from runs.models import Resumption
from runs.resuming import keeping, loading, queries, told
from runs.resuming import resume as resuming
from runs.resuming.facts import Asked, Kept
from runs.resuming.steps import NAMES
from runs.states import RESUME_DECISIONS

TOKEN_IF_HELD = OpenApiParameter(
    "Fencing-Token", TOKEN.type, "header", required=False,
    description="The run's `epoch`, if you hold it. Without one the run is taken over, if nobody has it (409 `run_held`).",
    examples=[OpenApiExample("the first driver", value=1)],
)  # fmt: skip
STEPS: list[Any] = [
    {"step": "schema", "result": "passed", "detail": "Checkpoint 3 is whole, in schema 2."},
    {"step": "ownership", "result": "passed", "detail": "Taken by worker-7 with token 2; every earlier token is refused."},
]  # fmt: skip
RESUMED: dict[str, Any] = {
    "resumption": RUN_ID, "number": 1, "run": RUN_ID, "decision": "continue", "reason": "Nothing stands in the way.", "epoch": 2,
    "at": DONE, "steps": STEPS, "brief": {"decision": "continue"}, "brief_text": "Decision: continue. Go on as planned.\n",
    "checkpoint": {"number": 3, "schema_version": 2, "migrated_from": None, "state": {"case": "4711"}, "state_text": None},
}  # fmt: skip


class Resumed(Content):
    """Who goes on, and with what."""

    holder = Text(max_length=255, help_text="The name of the process that drives from now on.")
    versions = Document(
        required=False, default=dict,
        help_text="What it runs with: model, prompt, policy, context, interface, workflow, code, each a text. The contract's pins say what "
        "a changed one does; one that was kept before and is not said now counts as changed.",
    )  # fmt: skip
    schema_version = Whole(
        required=False, allow_null=True, default=None, min_value=0, max_value=1_000_000,
        help_text="Which version of its own state it can read; else the one in the contract.",
    )  # fmt: skip
    checkpoint = Whole(
        required=False, allow_null=True, default=None, min_value=1, max_value=2**31 - 1,
        help_text="The number of the checkpoint to go on from; else the last one.",
    )  # fmt: skip


class StepDocument(serializers.Serializer):
    """What one of the nine steps found."""

    step = serializers.CharField(help_text=f"{', '.join(NAMES)}.")
    result = serializers.CharField(help_text="passed, changed or failed.")
    detail = serializers.CharField()


class StateDocument(serializers.Serializer):
    """The agent's own state from the checkpoint, in the schema that was asked for."""

    number = serializers.IntegerField(help_text="Of the checkpoint.")
    schema_version = serializers.IntegerField(allow_null=True)
    migrated_from = serializers.IntegerField(
        allow_null=True, help_text="The schema it was kept in, where it was migrated."
    )
    state = Anything(help_text="As it was kept, where that was JSON.")
    state_text = serializers.CharField(allow_null=True, help_text="As it was kept, where that was a text.")


class PreviewDocument(serializers.Serializer):
    """How a resume would go, as things stand."""

    example: ClassVar[Any] = {
        name: RESUMED[name] for name in ("run", "decision", "reason", "epoch", "at", "steps", "brief", "brief_text")
    }

    run = serializers.UUIDField()
    decision = serializers.CharField(help_text=f"{', '.join(RESUME_DECISIONS)}. {OPEN_WORDS}")
    reason = serializers.CharField()
    epoch = serializers.IntegerField(help_text="The run's token as of then; send it as Fencing-Token if it is yours.")
    at = Moment()
    steps = StepDocument(many=True)
    brief = serializers.DictField(help_text="What whoever goes on must know, from records alone; at most 16 KiB.")
    brief_text = serializers.CharField(help_text="The same as text fit for a model's context.")


class ResumedDocument(PreviewDocument):
    """What a resume came to."""

    example: ClassVar[Any] = RESUMED

    resumption = serializers.UUIDField()
    number = serializers.IntegerField()
    checkpoint = StateDocument(allow_null=True, help_text="What to go on from, where the decision lets it go on.")


class Resume(Door):
    """A run is resumed."""

    http_method_names = ["post"]

    @described(
        "resume_run", "Resume a run: nine steps, a decision, and a brief",
        takes=Resumed, gives={200: ResumedDocument}, parameters=[KEY, TOKEN_IF_HELD],
        examples=[OpenApiExample("a new process", value={
            "holder": "worker-7", "versions": {"model": "m-2026-06", "prompt": "p-12", "code": "4f1c"}, "schema_version": 2,
        }, request_only=True)],
        problems=["stale_token", "run_held", "bad_holder", "bad_versions", "unknown_checkpoint", "schema_missing"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, sent, written = actor(request), content.read(Resumed, request), request.headers.get("Fencing-Token")
        epoch = conditional.token(written) if written is not None else None
        asked = Asked(sent["holder"], resuming.versions(sent["versions"]), sent["schema_version"], sent["checkpoint"])
        receipt = resuming.resume(by, id, asked, key=key(request), epoch=epoch)
        with transaction(by.tenant_id):
            row = queries.resumption(UUID(receipt["resumption"]))
            shown = _resumed(row, asked)
        replayed = {"replayed": True} if receipt.get("replayed") else {}
        return Response({**shown, **replayed}, headers={"ETag": etag(row.run.ledger_seq)})


class Preview(Door):
    """How a resume would go."""

    @described("preview_resume", "Look at how a resume would go; nothing is changed", gives={200: PreviewDocument})
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by = actor(request)
        with transaction(by.tenant_id):
            run = loading.whole(id, by.tenant)
            if run is None:
                raise NotFound
            facts, judged = queries.preview(run)
        shown = {
            "run": str(run.pk), "decision": judged.decision, "reason": judged.reason, "epoch": run.epoch, "at": instant(facts.now),
            "steps": [step.told() for step in judged.steps], "brief": judged.brief.value, "brief_text": told.text(judged.brief.value),
        }  # fmt: skip
        return Response(shown)


def _resumed(row: Resumption, asked: Asked) -> Object:
    """Show a resume; what was erased since is gone."""
    brief: Any = {} if row.brief is None else decode(row.brief)
    kept = _kept(row, asked)
    return {
        "resumption": str(row.pk), "number": row.number, "run": str(row.run_id), "decision": row.decision, "reason": row.reason,
        "epoch": row.epoch, "at": instant(row.resumed_at), "steps": decode(row.steps), "brief": brief,
        "brief_text": told.text(brief) if brief else "", "checkpoint": _state(kept) if kept else None,
    }  # fmt: skip


def _kept(row: Resumption, asked: Asked) -> Kept | None:
    """Read the checkpoint again, for a run that goes on from it."""
    brief: Any = {} if row.brief is None else decode(row.brief)
    if row.checkpoint is None or row.decision not in loading.GOES_ON or not brief.get("checkpoint"):
        return None
    return keeping.kept(loading.contract_of(row.run), row.checkpoint, asked)


def _state(kept: Kept) -> Value:
    return {
        "number": kept.checkpoint.number, "schema_version": kept.schema_version, "migrated_from": kept.migrated_from,
        "state": kept.value, "state_text": kept.text,
    }  # fmt: skip
