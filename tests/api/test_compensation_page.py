"""The worked example of docs/compensation.md is run as it stands, in a shell, against the running product and its bank."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from console.env import BASE_DIR
from tests.crash.stack import stack
from tests.processes import until

PAGE = BASE_DIR / "docs" / "compensation.md"


def commands() -> str:
    """Give the shell blocks of the page, one after the other."""
    return "\n".join(re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))


@pytest.mark.crash
def test_the_example_of_docs_compensation_md_works_as_it_is_written(tmp_path: Path) -> None:
    with stack(tmp_path / "data") as whole:
        whole.start_bank()
        whole.start_web()
        whole.start_worker()
        whole.start_clock()
        found = {
            "PATH": "/usr/bin:/bin",
            "COUNTERFOIL_URL": f"http://127.0.0.1:{whole.port}",
            "COUNTERFOIL_KEY": whole.key,
        }
        shell = ["bash", "-euo", "pipefail", "-c", commands()]
        done = subprocess.run(shell, cwd=tmp_path, env=found, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

        def said(name: str) -> Any:
            return json.loads((tmp_path / f"{name}.json").read_text())

        (would_be,) = said("preview")["items"]
        assert (would_be["operation"], would_be["effect"]) == ("pay_back", said("charge")["id"])
        item = said("item")
        assert (item["state"], item["verified_by"]) == ("done", "world"), item["state_reason"]
        assert (said("again")["code"], said("again")["item"]) == ("already_compensated", item["id"])
        assert (said("remains")["compensation"], said("remains")["unresolved"]) == ("over", [])
        assert said("remains")["residue"]
        entries = whole.bank("/ledger")["entries"]
        assert [entry["path"] for entry in entries] == [
            "/charges",
            f"/charges/{said('charge')['result']['charge']}/refund",
        ]

        def ended() -> bool:
            run = whole.ask("GET", f"/api/v1/runs/{item['run']}")[1]
            return (run["state"], run["residue"]) == ("failed", said("remains")["residue"])

        assert until(ended)
