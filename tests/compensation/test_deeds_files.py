"""Files beside work items: of few kinds and sizes, kept with the record, given back inert, and found out when altered (R-J2)."""

import pytest

from compensation.deeds.filing import MOST_BESIDE
from compensation.deeds.standing import ItemOver
from compensation.deeds.uploads import LOOKS
from compensation.queries import items
from console.http.attachments import attachment
from console.http.evidence import LARGEST_FILE, BadEvidence, Upload
from console.http.refusals import NotFound
from runs.unknowns.standing import NotAnOperator
from tests.cast import inside
from tests.compensation.byhand import added, files_of, put, resolve, waive
from tests.compensation.undoing import done
from tests.record import findings, forger, told
from tests.shop import Shop

PDF = Upload("statement.pdf", "application/pdf", b"%PDF-1.7 paid")
NOTE = Upload("note.txt", "text/plain; charset=utf-8", "Bezahlt: 20 €".encode())
PNG = b"\x89PNG\r\n\x1a\n rest"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HOSTILE = [
    Upload("a.svg", "image/svg+xml", SVG), Upload("a.html", "text/html", b"<script>alert(1)</script>"),
    Upload("a.zip", "application/zip", b"PK\x03\x04"), Upload("a.png", "image/png", SVG), Upload("a.pdf", "application/pdf", b"PK\x03\x04"),
    Upload("a.txt", "text/plain", b"MZ\x90\x00\x03\x00"), Upload("a.txt", "text/plain", b"\xff\xfe\x41"), Upload("a.bin", "", b"x"),
    Upload("a.txt", "text/plain", b"x" * (26 * 1024 * 1024)), Upload("a.txt", "text/plain", b"x" * (LARGEST_FILE + 1)),
    Upload("a.txt", "text/plain", b""), Upload("a\r\nX-Evil: 1.txt", "text/plain", b"x"), Upload("a\u202etxt.exe", "text/plain", b"x"),
    Upload("../../etc/passwd", "text/plain", b"x"), Upload(" ", "text/plain", b"x"), Upload("x" * 256, "text/plain", b"x"),
    Upload("a\0.txt", "text/plain", b"x"),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_what_could_do_harm_or_is_not_what_it_says_is_refused_and_not_kept(store: Shop, place: int) -> None:
    item = added(store, done(store, "reserve"))
    with pytest.raises(BadEvidence):
        put(store, item, HOSTILE[place])
    assert files_of(item) == []


def test_every_kind_that_may_be_shown_inert_is_taken_when_it_looks_like_one(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    put(
        store,
        item,
        PDF,
        NOTE,
        Upload("seen.png", "IMAGE/PNG", PNG),
        Upload("seen.jpg", "image/jpeg", b"\xff\xd8\xff\xe0"),
    )
    put(store, item, Upload("seen.gif", "image/gif", b"GIF89a"), Upload("seen.webp", "image/webp", b"RIFF1234WEBPVP8 "))
    put(store, item, Upload("seen.csv", "text/csv", b"a,b\n1,2\n"))
    kept = files_of(item)
    assert {file.media_type for file in kept} == set(LOOKS)
    assert (kept[0].name, bytes(kept[0].content or b""), kept[0].size) == (
        "statement.pdf",
        PDF.content,
        len(PDF.content),
    )
    said = [facts["is"] for kind, facts in told(f"plan:{item.plan_id}") if kind == "file.added"]
    assert (said[0]["digest"], "content" in said[0]) == (PDF.digest.hex(), False)


def test_it_is_given_back_to_be_saved_and_never_shown(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    (receipt,) = put(store, item, NOTE)
    with inside():
        found = items.file(store.tenant.pk, receipt["file"])
        assert found is not None
        answer = attachment(found)
    assert answer.content == NOTE.content
    assert answer["Content-Disposition"] == 'attachment; filename="note.txt"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Cache-Control"] == "private, no-store"


def test_another_tenant_does_not_find_it_and_puts_nothing_beside_it(store: Shop, rival: Shop) -> None:
    item = added(store, done(store, "reserve"))
    (receipt,) = put(store, item, NOTE)
    with inside():
        assert items.file(rival.tenant.pk, receipt["file"]) is None
    with pytest.raises(NotFound):
        put(rival, item, NOTE)
    with pytest.raises(NotAnOperator):
        put(store, item, NOTE, by="ann")


def test_sent_twice_it_is_kept_once_and_only_so_many_are_kept(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    (first,), (again,) = put(store, item, NOTE, key="k-1"), put(store, item, NOTE, key="k-1")
    assert (again["file"], again["replayed"]) == (first["file"], True)
    put(store, item, *[NOTE] * (MOST_BESIDE - 1))
    with pytest.raises(BadEvidence, match="At most 20"):
        put(store, item, NOTE)
    assert len(files_of(item)) == MOST_BESIDE


def test_files_come_with_what_somebody_says_of_the_end_and_none_after_it(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    with pytest.raises(BadEvidence):
        resolve(store, item, files=[NOTE] * 6)
    resolve(store, item, files=[NOTE, PDF])
    assert [file.name for file in files_of(item)] == ["note.txt", "statement.pdf"]
    with pytest.raises(ItemOver):
        put(store, item, NOTE)


def test_whoever_alters_a_file_is_found_out(store: Shop) -> None:
    item = added(store, done(store, "reserve"))
    put(store, item, NOTE)
    waive(store, item)
    store.verified = False
    assert findings() == []
    with forger() as hand:
        hand.execute("update compensation_evidencefile set content = 'Nothing was paid.'")
    assert ["content" in str(finding) for finding in findings()] == [True]


def test_the_row_itself_refuses_one_person_s_word_for_both(store: Shop) -> None:
    item = added(store, done(store, "reserve"), needs_second=True)
    said = resolve(store, item)
    with forger() as hand, pytest.raises(Exception, match="compensation_ending_second_said_so"):
        hand.execute("update compensation_ending set state = 'in_force' where id = %s", [said["ending"]])
