"""The API does what openapi.json says: schemathesis makes calls from the document, sound and unsound ones, and checks every answer.

They go to a server as in production, on real PostgreSQL and Valkey. It asks longer with more examples an operation:
`SCHEMATHESIS_EXAMPLES=200 make test PYTEST=tests/api/test_schemathesis.py`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from console.env import BASE_DIR
from tests.api.desk import Caller, pay
from tests.api.serving import serving

EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "3"))
# What is refused for what it means (a contract, a key, a version, a run's state) fits the document; what cannot be read does not.
MEANT = '["2xx", 401, 403, 404, 409, 410, 412, 422]'
CONFIGURATION = """
base-url = "{url}"
hooks = "tests.api.schemathesis_hooks"
headers = {{ Authorization = "Bearer {key}" }}
continue-on-failure = true

[generation]
allow-x00 = false  # the document cannot say that no text anywhere holds NUL; tests/api/test_api_input.py does

[phases.coverage]
unexpected-methods = ["DELETE", "PUT"]  # a wrong method is one code path; test_api_input.py has the others

[checks.positive_data_acceptance]
expected-statuses = {meant}

[[operations]]
include-path-regex = "/bulk$"
checks.negative_data_rejection.expected-statuses = [207, "4xx"]  # items are refused one by one

[[operations]]
include-path-regex = "/(compensation|compensate)$"
# An agent must send its token and a member's tool has none: the document cannot say that it is needed with one kind of key.
checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409, 410, 412, 422]
{ids}
"""


def configuration(url: str, agent: Caller) -> str:
    """Write the configuration, with ids of things that exist."""
    run = agent.run(
        pay("asked"), pay("done", "10"), {"key": "note", "operation": "note", "target": "note:1", "arguments": {}}
    )
    ids = {
        "/api/v1/runs/": run["id"], "/api/v1/effects/": run["effects"][0]["id"],
        "/api/v1/approvals/": run["effects"][0]["approval"]["id"],
    }  # fmt: skip
    each = "".join(
        f'[[operations]]\ninclude-path-regex = "^{path}\\\\{{id"\nparameters."path.id" = "{thing}"\n'
        for path, thing in ids.items()
    )
    return CONFIGURATION.format(url=url, key=agent.bearer, meant=MEANT, ids=each)


@pytest.mark.timeout(1800)
def test_the_api_does_what_its_document_says(agent: Caller, tmp_path: Path) -> None:
    with serving(LOG_LEVEL="ERROR") as server:
        (tmp_path / "schemathesis.toml").write_text(configuration(server.url, agent))
        done = subprocess.run(
            [
                sys.executable, "-m", "schemathesis.cli", "--config-file", str(tmp_path / "schemathesis.toml"), "run",
                f"{server.url}/api/v1/openapi.json", "--checks", "all", "--max-examples", str(EXAMPLES),
                "--generation-deterministic", "--no-color", "--suppress-health-check", "all",
            ],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(BASE_DIR)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
