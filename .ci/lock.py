"""Regenerate uv.lock: resolve in a copy, then keep names, versions and hashes and drop every address.

A lock that names hosts ties the project to one registry; whoever installs decides where files come from, hashes decide
which files are right. Versions that are already locked stay unless --upgrade (uv's own option) is given.
See docs/decisions/lock-names-versions-and-hashes.md.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
SOURCE = re.compile(r'source = \{ registry = "[^"]*" \}')
ADDRESS = re.compile(r'\{ url = "(?:[^"]*/)?([^"/]+)"')
PLACEHOLDER = 'source = { registry = "index" }'


def without_addresses(lock: str) -> str:
    """Give the lock with files named by file name only, from an index that is not named."""
    return ADDRESS.sub(r'{ path = "\1"', SOURCE.sub(PLACEHOLDER, lock))


def locked_versions(lock: str) -> list[str]:
    """Give `name==version` for every package that the lock holds from an index."""
    found = re.findall(r'name = "([^"]+)"\nversion = "([^"]+)"\nsource = \{ registry', lock)
    return [f"{name}=={version}" for name, version in found]


def resolve(upgrade: bool) -> str:
    """Resolve pyproject.toml against the index of this machine; locked versions are kept as preferences."""
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        shutil.copy(TOP / "pyproject.toml", room)
        environment = dict(os.environ)
        old = TOP / "uv.lock"
        if old.exists() and not upgrade:
            # uv reads preferences from a lock of its own form only, so the versions are given as constraints.
            text = (room / "pyproject.toml").read_text()
            pins = "".join(f"    {pin!r},\n" for pin in locked_versions(old.read_text()))
            text = text.replace("[tool.uv]\n", f"[tool.uv]\nconstraint-dependencies = [\n{pins}]\n", 1)
            (room / "pinned").mkdir()
            (room / "pinned" / "pyproject.toml").write_text(text)
            first = subprocess.run([uv(), "lock", "--quiet"], cwd=room / "pinned", env=environment, check=False)
            if first.returncode == 0:
                shutil.copy(room / "pinned" / "uv.lock", room)
        subprocess.run([uv(), "lock", "--quiet"], cwd=room, env=environment, check=True)
        return (room / "uv.lock").read_text()


def uv() -> str:
    """Find uv: beside this Python first, then on the path."""
    beside = Path(sys.executable).parent / "uv"
    return str(beside) if beside.exists() else "uv"


if __name__ == "__main__":
    (TOP / "uv.lock").write_text(without_addresses(resolve(upgrade="--upgrade" in sys.argv[1:])))
    print("uv.lock written.")
