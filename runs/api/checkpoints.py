"""Checkpoints by REST: written by who drives a run, listed, and read back by who may go on with it."""

from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample
from rest_framework.request import Request
from rest_framework.response import Response

from console.clock import instant
from console.database import transaction
from console.exact import Object, Value, decode
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, SEEN, TOKEN, described
from console.http.listing import page
from console.http.parsing import LARGEST_WITH_FILES, ParserWithFiles
from console.http.refusals import Refusal
from console.identity.door import Door, actor, key, seen, token
from console.ledger.models import Entry
from runs import driver
from runs.api import checkpoint_documents as documents
from runs.api import checkpoint_shown, queries
from runs.api.checkpoint_content import NewCheckpoint, checkpoint_draft
from runs.checkpoints import places, reading, writing
from runs.checkpoints.reading import Corrupted, Gone
from runs.models import Checkpoint

SENT: Final = OpenApiExample("a plan", value=checkpoint_shown.SENT, request_only=True)
SERIALIZED: Final = OpenApiExample(
    "serialized by a library",
    value={"schema_version": 1, "state_text": '{"$schemaVersion":"1.0","currentTurn":3}', "boundary": "hand_over"},
    request_only=True,
)


class CheckpointCorrupted(Refusal):
    """What was kept is not what was written, or its key is missing: it is not given out. Go on from an earlier one, or from the record."""

    code = "checkpoint_corrupted"
    recorded = False


class WriteCheckpoint(Door):
    """The checkpoint of a run, as its driver writes it."""

    http_method_names = ["put"]
    parser_classes = [ParserWithFiles]
    largest_body = LARGEST_WITH_FILES

    @described(
        "put_checkpoint", "Keep your state, with what the record says at that moment",
        takes=NewCheckpoint, gives={200: documents.CheckpointReceipt}, parameters=[KEY, TOKEN, SEEN], examples=[SENT, SERIALIZED],
        problems=[
            "stale_token", "missing_version", "run_ended", "run_stopped", "resume_first", "bad_checkpoint", "checkpoint_too_large",
            "no_checkpoint_keys",
        ],
        more="The body may have 15,728,640 bytes here; how many the state may have is said by the run type's contract.",
    )  # fmt: skip
    def put(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, named, epoch, version = actor(request), key(request), token(request), seen(request)
        draft = checkpoint_draft(content.read(NewCheckpoint, request))
        return Response(writing.keep(by, id, epoch=epoch, draft=draft, key=named, version=version))


class Checkpoints(Door):
    """The checkpoints of a run."""

    @described(
        "list_checkpoints", "List the checkpoints that drivers wrote, newest first",
        gives={200: documents.CheckpointPage}, parameters=[LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("checkpoints", by.tenant_id, id)
        before = None if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            queries.run(id)
            found = reading.listed(id, before, limit + 1)
        return Response(page(found, limit, present, lambda each: cursors.of_number(each.number), binding))


class OneCheckpoint(Door):
    """A checkpoint."""

    @described(
        "get_checkpoint", "Read a checkpoint; what it holds is compared with its digests first",
        gives={200: documents.CheckpointWithState}, problems=["checkpoint_corrupted"],
    )  # fmt: skip
    def get(self, request: Request, id: UUID, number: int) -> Response:  # noqa: A002
        by = actor(request)
        Asked(request.query_params, ())
        with transaction(by.tenant_id):
            run = queries.run(id)
            checkpoint, may_read = reading.numbered(id, number), driver.may_drive(by, run)
        try:
            said = reading.said(checkpoint)
            state = _state(checkpoint) if may_read else None
        except Corrupted as fault:
            raise CheckpointCorrupted(str(fault), number=number) from None
        withheld = not may_read and checkpoint.state is not None
        return Response({**present(checkpoint), "authoritative": said, "state": state, "withheld": withheld})


class Places(Door):
    """The places of a run's record at which its contract has a checkpoint."""

    @described(
        "list_places", "List the places in the record that are checkpoints by themselves, in order",
        gives={200: documents.PlacePage}, parameters=[LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("places", by.tenant_id, id)
        after = 0 if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            found = places.places(queries.run(id), after, limit + 1)
        return Response(page(found, limit, present_place, lambda each: cursors.of_number(each.seq), binding))


class OnePlace(Door):
    """A place in a run's record."""

    @described(
        "get_place",
        "Read what a checkpoint would have held at a place in the record",
        gives={200: documents.PlaceWithFacts},
    )
    def get(self, request: Request, id: UUID, seq: int) -> Response:  # noqa: A002
        by = actor(request)
        Asked(request.query_params, ())
        with transaction(by.tenant_id):
            run = queries.run(id)
            entry = places.place(run, seq)
            said = places.said(run, entry)
        return Response({**present_place(entry), "authoritative": said})


def present(checkpoint: Checkpoint) -> Object:
    """Show a checkpoint without what it holds."""
    return {
        "number": checkpoint.number, "boundary": checkpoint.boundary, "at": instant(checkpoint.written_at), "by": checkpoint.written_by,
        "epoch": checkpoint.epoch, "seq": checkpoint.seq, "schema_version": checkpoint.schema_version,
        "versions": _kept(checkpoint.versions) or {}, "artifacts": _kept(checkpoint.artifacts) or [], "note": checkpoint.note,
        "authoritative_digest": checkpoint.authoritative_digest.hex(),
        "state_digest": checkpoint.state_digest.hex() if checkpoint.state_digest else None, "state_bytes": checkpoint.state_size,
        "media_type": checkpoint.media_type, "dropped_at": instant(checkpoint.dropped_at),
        "contradictions": _kept(checkpoint.contradictions) or [],
    }  # fmt: skip


def present_place(entry: Entry) -> Object:
    """Show a place in the record."""
    return {"seq": entry.seq, "boundary": places.OF[entry.kind], "kind": entry.kind, "at": instant(entry.at)}


def _state(checkpoint: Checkpoint) -> Value:
    try:
        return reading.value(checkpoint)
    except Gone:
        return None


def _kept(text: str) -> Any:
    return decode(text.encode(), levels=128) if text else None
