"""Corrections by REST: made on a user's word, listed, and taken into account by the driver."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from console.clock import instant
from console.database import transaction
from console.exact import Object
from console.http import content, cursors
from console.http.asked import Asked
from console.http.describing import CURSOR, KEY, LIMIT, TOKEN, VERSION, described
from console.http.listing import page
from console.identity.door import Door, actor, key, token, version
from runs.api import correction_documents as documents
from runs.api import queries
from runs.corrections import acknowledging, making
from runs.corrections.contradicts import in_words, said_by
from runs.models import Correction, Run


class Corrections(Door):
    """What users put right in a run."""

    @described(
        "list_corrections", "List what users put right in a run, in order", gives={200: documents.CorrectionPage},
        parameters=[LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("corrections", by.tenant_id, id)
        after = 0 if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            run = queries.run(id)
            rows = list(Correction.objects.filter(run_id=id, number__gt=after).order_by("number")[: limit + 1])
        return Response(
            page(rows, limit, lambda each: shown(each, run), lambda each: cursors.of_number(each.number), binding)
        )

    @described(
        "correct_run", "Correct a run on its user's word: what contradicts it and has not begun is withdrawn",
        takes=documents.NewCorrection, gives={200: documents.CorrectionReceipt}, parameters=[KEY, VERSION], examples=documents.NEW,
        problems=["not_yours_to_correct", "run_ended", "correction_text", "source_missing", "bad_correction"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, expected = actor(request), key(request), version(request)
        sent = content.read(documents.NewCorrection, request)
        return Response(making.correct(by, id, **sent, key=named, version=expected))


class Acknowledge(Door):
    """A driver's word that it has read them."""

    http_method_names = ["post"]

    @described(
        "acknowledge_corrections", "Say that you have taken a run's corrections into account, up to a number",
        takes=documents.Acknowledging, gives={200: documents.SeenReceipt}, parameters=[KEY, TOKEN], examples=documents.SEEN,
        problems=["stale_token", "run_ended", "no_such_correction"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, epoch = actor(request), key(request), token(request)
        sent = content.read(documents.Acknowledging, request)
        return Response(acknowledging.acknowledge(by, id, epoch=epoch, number=sent["number"], key=named))


def shown(correction: Correction, run: Run) -> Object:
    """Show a correction."""
    said = said_by(correction)
    return {
        "id": str(correction.pk), "number": correction.number, "text": correction.text, "source": correction.source or None,
        "contradicts": said or None, "says": in_words(said) or None, "made_by": correction.made_by, "made_at": instant(correction.made_at),
        "withdrawn": [str(each) for each in correction.invalidated], "under_way": [str(each) for each in correction.under_way],
        "seen": correction.number <= run.corrections_seen,
    }  # fmt: skip
