"""The history of approvals: what was decided, expired or taken back, what came of it, and the same as a file."""

import csv
import unicodedata
from collections.abc import AsyncIterator, Iterator
from io import StringIO
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse, StreamingHttpResponse

from approvals import history as settled
from approvals.history import Wanted
from console.exact import canonical
from console.exact.visible import visible
from console.pages import address, past_rows, past_words
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page
from console.pages.room import MemberRequest, page, reading
from runs.queries import subjects

SHOWN = 50
CHUNK = 500
EXPORTED = 10_000
FORMULA = "=+-@\t\r\n"  # a cell that begins so is a formula to a spreadsheet


@page("after", *past_words.FIELDS)
def history(request: MemberRequest) -> HttpResponse:
    """Show one page of what has been settled."""
    asked, after = past_words.read(request), address.cursor(request)
    found = settled.settled(request.member, asked, after, SHOWN + 1)
    shown = found[:SHOWN]
    words = past_words.written(request)
    last = shown[-1] if len(found) > SHOWN else None
    older = query(after=Cursor(last.decided_at, last.pk)) if last and last.decided_at else ""
    context: dict[str, Any] = {
        "rows": past_rows.rows(shown, subjects({each.subject for each in shown})),
        "asked": {name: request.GET.get(name, "").strip() for name in past_words.FIELDS},
        "narrowed": bool(words), "words": words, "names": past_words.names(request.member.tenant_id), "outcomes": past_words.OUTCOMES,
        "older": "&".join(filter(None, [words, older])) if older else None, "newest": after is None, "exported": EXPORTED,
    }  # fmt: skip
    return part_or_page(request, "approvals/history.html", {}, context)


@page(*past_words.FIELDS)
def as_csv(request: MemberRequest) -> StreamingHttpResponse:
    """Give what is asked as CSV, in which no cell is a formula and nothing is hidden."""
    return _file(request, "text/csv; charset=utf-8", "csv", _csv)


@page(*past_words.FIELDS)
def as_json_lines(request: MemberRequest) -> StreamingHttpResponse:
    """Give what is asked as JSON lines, each text as it was written."""
    return _file(request, "application/jsonl; charset=utf-8", "jsonl", _json_lines)


def _file(request: MemberRequest, kind: str, ending: str, written: Any) -> StreamingHttpResponse:
    """Stream the newest of what is asked; where there are more than one file holds, its name and a header say so."""
    asked = past_words.read(request)
    cut = settled.more_than(request.member, asked, EXPORTED)
    lines: Iterator[str] = written(_pages(request, asked))
    answer = StreamingHttpResponse(_away(lines) if isinstance(request, ASGIRequest) else lines, content_type=kind)
    name = f"approvals-newest-{EXPORTED}" if cut else "approvals"
    answer["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    answer["Counterfoil-Complete"] = "no" if cut else "yes"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _pages(request: MemberRequest, asked: Wanted) -> Iterator[list[dict[str, Any]]]:
    """Read page after page, each in a transaction of its own: who takes a file slowly holds none open."""
    after: Cursor | None = None
    for _ in range(0, EXPORTED, CHUNK):
        with reading(request):
            found = settled.settled(request.member, asked, after, CHUNK)
            rows = past_rows.rows(found, subjects({each.subject for each in found}))
        yield [past_rows.record(row) for row in rows]
        last = found[-1] if len(found) == CHUNK else None
        if last is None or last.decided_at is None:
            return
        after = Cursor(last.decided_at, last.pk)


def _csv(pages: Iterator[list[dict[str, Any]]]) -> Iterator[str]:
    head = True
    for rows in pages:
        out = StringIO()
        writer = csv.writer(out)
        if head:
            writer.writerow(past_rows.COLUMNS)
            head = False
        writer.writerows([cell(value) for value in row.values()] for row in rows)
        yield out.getvalue()


def _json_lines(pages: Iterator[list[dict[str, Any]]]) -> Iterator[str]:
    for rows in pages:
        yield "".join(f"{canonical(row)}\n" for row in rows)


def cell(value: object) -> str:
    """Write a value so that a spreadsheet takes it as text, with what hides in it written as escapes."""
    text = visible("" if value is None else str(value))
    return f"'{text}" if is_formula(text) else text


def is_formula(text: str) -> bool:
    """Tell whether a spreadsheet may reckon with a text: also where blanks stand before the sign, or it is written in full width."""
    begins = unicodedata.normalize("NFKC", text.lstrip()[:1])
    return begins in set(FORMULA) or text[:1] in set(FORMULA)


async def _away(lines: Iterator[str]) -> AsyncIterator[str]:
    def following() -> str | None:
        return next(lines, None)

    while (chunk := await sync_to_async(following)()) is not None:
        yield chunk
