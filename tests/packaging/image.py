"""What the image would hold, built without a container engine: the Dockerfile's own steps, done in a folder in place of its root.

Two things differ from a real build. The base image is this machine's Python (copied, where only its owner can reach it). And the
step that installs the packages is not run but done by hand, from what is installed here: exactly the files of the packages that
`.ci/install serve` would install, and no others, so that what is missing from that list is missing here too."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import cache_from_source
from pathlib import Path

from packaging.requirements import Requirement

from console.env import BASE_DIR
from tests.packaging.dockerfile import Context, Stage, stages

INSTALL = ".ci/install serve"
VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"


class Image:
    """A folder that stands for the image's root; `/app` of the Dockerfile is `app` in it."""

    def __init__(self, root: Path) -> None:
        self.root, self.app = root, root / "app"
        self.build, self.runtime = stages(BASE_DIR / "Dockerfile")
        self.environment: dict[str, str] = {}
        self.base: dict[str, str] = {}
        self.made_at = 0.0

    def make(self) -> None:
        """Do what both stages say, in order."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"],
            cwd=BASE_DIR,
            capture_output=True,
            text=True,
            check=True,
        )
        there = [name for name in listed.stdout.split("\0") if name and (BASE_DIR / name).is_file()]
        self.context = Context(BASE_DIR, there)
        self.app.mkdir(parents=True)
        for word, rest in self.build.steps:
            if word == "COPY":
                self.copy(rest.split())
            elif word == "RUN":
                self.run(rest, self.build)
        assert [rest for word, rest in self.runtime.steps if word == "COPY"] == ["--from=build /app /app"]
        self.environment = {name: self.placed(value) for name, value in self.runtime.environment().items()} | self.base
        for path in (self.root, *self.root.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
        self.made_at = time.time()

    def placed(self, text: str) -> str:
        """Put the folder where the Dockerfile says /app."""
        return re.sub(r"(^|[=: ])/app\b", rf"\1{self.app}", text)

    def copy(self, words: list[str]) -> None:
        """Copy from the context: files into a folder, or one folder as another."""
        *sources, target = words
        for source in sources:
            files = self.context.under(source)
            assert files, f"COPY {source} finds nothing"
            for name in files:
                inner = name.removeprefix(source).lstrip("/")
                whole = (
                    self.app / target / (Path(name).name if target.endswith("/") else inner)
                    if inner or target.endswith("/")
                    else self.app / target
                )
                whole.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(BASE_DIR / name, whole)

    def run(self, command: str, stage: Stage) -> None:
        """Do a RUN, in the folder."""
        if command == INSTALL:
            self.install()
            return
        if " pip uninstall " in command:
            return  # neither is there
        environment = {"PATH": os.environ["PATH"], **stage.environment(), **self.base}
        done = subprocess.run(
            ["sh", "-c", self.placed(command)],
            cwd=self.app,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def install(self) -> None:
        """Make .venv with the packages that the image would have, file by file from those that are installed here."""
        python, self.base = base_python(self.root)
        subprocess.run(
            [python, "-m", "venv", "--without-pip", self.app / ".venv"], env={**os.environ, **self.base}, check=True
        )
        site = self.app / ".venv" / "lib" / VERSION / "site-packages"
        for name in production():
            for file in distribution(name).files or []:
                if ".." not in file.parts and "__pycache__" not in file.parts:
                    linked(Path(str(file.locate())), site / Path(*file.parts))


def production() -> list[str]:
    """Give the packages of `.ci/install serve`, as uv.lock has them for this machine."""
    groups = re.search(r"^  serve\) groups=\(([^)]*)\)", (BASE_DIR / ".ci" / "install").read_text(), re.MULTILINE)
    assert groups
    uv = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
    command = [
        uv,
        "export",
        "--frozen",
        "--no-emit-project",
        "--no-header",
        "--no-hashes",
        "--no-annotate",
        "--quiet",
        *groups[1].split(),
    ]
    told = subprocess.run(command, cwd=BASE_DIR, capture_output=True, text=True, check=True).stdout
    wanted = [Requirement(line) for line in told.splitlines() if line.strip()]
    names = [each.name for each in wanted if each.marker is None or each.marker.evaluate()]
    missing = []
    for name in names:
        try:
            distribution(name)
        except PackageNotFoundError:
            missing.append(name)
    assert not missing, f"not installed here: {missing}"
    return names


def base_python(root: Path) -> tuple[Path, dict[str, str]]:
    """Give a Python that everybody can run, with the variables that it needs: this machine's, or a copy of it."""
    prefix = Path(sys.base_prefix)
    own = prefix / "bin" / VERSION
    if all(folder.stat().st_mode & 0o005 == 0o005 for folder in (own, *own.parents)):
        return own, {}
    there = root / "usr"
    library = Path(sysconfig.get_paths()["stdlib"])
    for source in (own, *prefix.glob("lib/libpython*"), *library.rglob("*")):
        inner = source.relative_to(prefix)
        if source.is_file() and not {"site-packages", "test", "__pycache__", "idlelib", "lib2to3", "ensurepip"} & set(
            inner.parts
        ):
            linked(source, there / inner)
    return there / "bin" / VERSION, {"LD_LIBRARY_PATH": str(there / "lib")}


def linked(source: Path, target: Path) -> None:
    """Put a file there with its bytecode, without a copy of their bytes where that can be."""
    compiled = Path(cache_from_source(str(source))) if source.suffix == ".py" else None
    for each, there in ((source, target), (compiled, Path(cache_from_source(str(target))))):
        if each is not None and each.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(each.resolve(), there)
            except OSError:
                shutil.copy2(each, there)
