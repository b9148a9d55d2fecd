"""docs/agents.md is run as it stands, in a shell, against the running product, while ann approves in her browser."""

import http.cookiejar
import json
import re
import subprocess
import threading
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from console.env import BASE_DIR
from tests.crash.stack import Stack, stack
from tests.processes import until

PAGE = BASE_DIR / "docs" / "agents.md"


def commands() -> str:
    """Give the shell blocks of the page, one after the other."""
    return "\n".join(re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))


class Browser:
    """A person's browser without scripts: it keeps cookies and sends forms."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def see(self, path: str) -> str:
        """Open a page."""
        with self.opener.open(self.url + path, timeout=60) as answer:
            return str(answer.read().decode())

    def send(self, path: str, page: str, **fields: str) -> str:
        """Send the form of a page that goes to `path`."""
        form = next(part for part in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'action="{path}"' in part)
        hidden = {
            name: value
            for tag in re.findall(r"<input[^>]*>", form)
            for name, value in re.findall(r'name="([^"]+)"[^>]*value="([^"]*)"', tag)
            if 'type="hidden"' in tag
        }
        sent = urllib.parse.urlencode({**hidden, **fields}).encode()
        request = urllib.request.Request(self.url + path, sent, {"Referer": self.url + path})
        with self.opener.open(request, timeout=60) as answer:
            return str(answer.read().decode())


def approve_the_first(whole: Stack) -> None:
    """ann signs in, waits for a question, and approves it."""
    ann = Browser(f"http://127.0.0.1:{whole.port}")
    password = (whole.place.data / "demo-password").read_text().strip()
    ann.send("/accounts/login/", ann.see("/accounts/login/"), login="ann@acme.example", password=password)
    asked: list[Any] = []

    def found() -> bool:
        asked[:] = whole.rows("select id from approvals_request where state = 'pending'")
        return bool(asked)

    assert until(found)
    address = f"/approvals/{asked[0][0]}"
    ann.send(f"{address}/decide", ann.see(address), verdict="approve", reason="The photo shows it.")


@pytest.mark.crash
def test_the_loop_of_docs_agents_md_works_as_it_is_written(tmp_path: Path) -> None:
    with stack(tmp_path / "data") as whole:
        whole.start_bank()
        whole.start_web()
        whole.start_worker()
        whole.start_clock()
        ann = threading.Thread(target=approve_the_first, args=[whole])
        ann.start()
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands()],
            cwd=tmp_path,
            env={
                "PATH": "/usr/bin:/bin",
                "COUNTERFOIL_URL": f"http://127.0.0.1:{whole.port}",
                "COUNTERFOIL_KEY": whole.key,
            },
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        ann.join()
        assert done.returncode == 0, done.stdout + done.stderr
        said = {
            name: json.loads((tmp_path / f"{name}.json").read_text()) for name in ("run", "effect", "history", "rest")
        }
        run = whole.ask("GET", f"/api/v1/runs/{said['run']['id']}")[1]
        assert (run["state"], run["result"]) == ("succeeded", {"order": "4711", "given_back": "120.00"})
        assert said["effect"]["state"] == "succeeded"
        assert said["effect"]["approval"]["state"] == "consumed"
        kinds = [entry["kind"] for entry in said["history"]["items"] + said["rest"]["items"]]
        assert (kinds[0], kinds[-1]) == ("run.accepted", "run.completed")
        assert '"code":"run_ended"' in done.stdout
        letter = whole.ask("GET", f"/api/v1/effects/{json.loads((tmp_path / 'letter.json').read_text())['id']}")[1]
        assert (letter["executor"], letter["state"], letter["result"]) == (
            "agent",
            "succeeded",
            {"letter": "L-77", "words": 4},
        )
        assert [attempt["state"] for attempt in letter["attempts"]] == ["ended"]
        many = json.loads((tmp_path / "many.json").read_text())
        assert [item["outcome"] for item in many["items"]] == ["created", "existing", "refused"]
        assert many["items"][1]["run"]["id"] == run["id"]
        assert many["items"][2]["problem"]["path"] == "/items/2/run_type"
        entries = whole.bank("/ledger")["entries"]
        assert len([entry for entry in entries if "120" in json.dumps(entry)]) == 1
