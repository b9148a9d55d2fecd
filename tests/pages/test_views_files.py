"""The pages' own files come before Django: unchanged ones from the browser's memory, changed ones as they are now."""

import os
from pathlib import Path
from typing import Any

import pytest

from console.files import FilesFirst
from console.http.size import Scope


async def handed_on(scope: Scope, receive: Any, send: Any) -> None:
    """Stand for Django."""
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def ask(app: FilesFirst, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask for an address."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    await app({"type": "http", "path": path, "method": method, "headers": raw}, receive, send)
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], told, b"".join(message["body"] for message in sent[1:])


async def test_a_file_is_answered_whole_and_the_rest_handed_on() -> None:
    app = FilesFirst(handed_on)
    status, headers, body = await ask(app, "/static/css/tokens.css")
    assert (status, headers["content-length"]) == (200, str(len(body)))
    assert headers["content-type"].startswith("text/css")
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers
    for path in (
        "/",
        "/static/",
        "/static/nothing.css",
        "/static/../manage.py",
        "/static/css/../../manage.py",
        "/static/css",
    ):
        assert (await ask(app, path))[0] == 299, path


async def test_what_the_browser_has_is_not_sent_again() -> None:
    app = FilesFirst(handed_on)
    _, headers, _ = await ask(app, "/static/app.js")
    assert (await ask(app, "/static/app.js", if_none_match=headers["etag"]))[0] == 304
    status, _, body = await ask(app, "/static/app.js", "HEAD")
    assert (status, body) == (200, b"")
    assert (await ask(app, "/static/app.js", "POST"))[0] == 405


async def test_a_file_that_changed_is_sent_as_it_is_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "look.css"
    file.write_text("a { color: red }")
    app = FilesFirst(handed_on)
    app.files.files["/static/look.css"] = app.files.get_static_file(str(file), "/static/look.css")
    assert (await ask(app, "/static/look.css"))[2] == b"a { color: red }"
    file.write_text("a { color: rebeccapurple }")
    os.utime(file, (1, 1))
    _, headers, body = await ask(app, "/static/look.css")
    assert (headers["content-length"], body) == (str(len(body)), b"a { color: rebeccapurple }")
