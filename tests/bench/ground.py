"""What a case stands on: the bank, the databases, and the product on a fresh copy of a prepared one with its real processes."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from console.local.place import bench
from tests.bench.databases import Databases
from tests.bench.program import Program, python, run
from tests.bench.teller import Teller

CONTRACTS = Path(__file__).parent / "contracts"
TEMPLATE, FRESH = "bench_template", "bench_fresh"


@dataclass
class Ground:
    """Everything that cases share."""

    databases: Databases
    bank: Program
    teller: Teller
    logs: Path
    _made: set[str] = field(default_factory=set)

    @cached_property
    def template(self) -> str:
        """Make the prepared database, once: migrated, with a tenant, people, an agent and contracts."""
        variables = self.databases.make(TEMPLATE)
        run(python("manage.py", "migrate", "--verbosity", "0"), variables)
        with tempfile.TemporaryDirectory() as folder:
            for file in CONTRACTS.glob("*.yaml"):
                text = file.read_text(encoding="utf-8").replace("127.0.0.1:{port}", f"127.0.0.1:{self.teller.port}")
                (Path(folder) / file.name).write_text(text, encoding="utf-8")
            run(python("-m", "tests.bench.peers.ours", "prepare", folder), variables)
        return TEMPLATE

    def fresh(self) -> dict[str, str]:
        """Give the environment of a fresh copy of the prepared database."""
        return self.databases.make(FRESH, self.template) | {"BENCH_BANK_PORT": str(self.teller.port)}

    def empty(self) -> dict[str, str]:
        """Give the environment of a fresh database with nothing in it."""
        return self.databases.make(FRESH) | {"BENCH_BANK_PORT": str(self.teller.port)}

    @contextmanager
    def product(self, workers: int, **settings: str) -> Iterator["Product"]:
        """Have the product's workers and a submitter run on a fresh database."""
        variables = self.fresh() | settings
        with ExitStack() as running:

            def start(name: str, *arguments: str, ready: float | None = None) -> Program:
                return running.enter_context(Program(name, python(*arguments), variables, self.logs, ready=ready))

            submitter = start("submitter", "-m", "tests.bench.peers.ours", "submit", ready=60)
            working = [start(f"worker-{number}", "manage.py", "worker") for number in range(1, workers + 1)]
            submitter.ask("call_shifts", workers=workers)
            yield Product(self, variables, submitter, working)

    def groups(self, **more: list[int]) -> Mapping[str, list[int]]:
        """Give the processes to watch."""
        return {"bank": [self.bank.pid], **more, **self.databases.roots()}


@dataclass
class Product:
    """The product as it runs on a fresh database."""

    ground: Ground
    variables: dict[str, str]
    submitter: Program
    workers: list[Program]

    def ask(self, do: str, **facts: Any) -> dict[str, Any]:
        """Tell the submitter."""
        return self.submitter.ask(do, **facts)

    def settle(self) -> None:
        """Analyse the database."""
        self.ground.databases.settle(FRESH)

    def groups(self) -> Mapping[str, list[int]]:
        """Give the processes to watch."""
        return self.ground.groups(workers=[worker.pid for worker in self.workers], submitter=[self.submitter.pid])


@contextmanager
def ground() -> Iterator[Ground]:
    """Have the bank run, on the bench's services."""
    databases = Databases()
    logs = bench().logs
    with Program("bank", python("-m", "tests.bench.bank"), databases.variables("postgres"), logs, ready=20) as bank:
        yield Ground(databases, bank, Teller(bank.says["port"]), logs)
    databases.drop(FRESH)
    databases.drop(TEMPLATE)
