"""The folders that the servers themselves see: data, sockets and, for root, a copy of the programs.

An ordinary user's data is in the data folder. Root's servers run as an account that cannot enter it, so root's are in one
new folder under /var/tmp; its name is recorded in the data folder, and nothing that existed changes mode or owner.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from console.local.account import Account, account
from console.local.place import Place, write_private

ROOMS = Path("/var/tmp")  # noqa: S108 - mkdtemp makes a new folder with mode 0700
PREFIX = "counterfoil-"
BELONGS_TO = "belongs-to"  # in each room: the data folder that it was made for
SOCKETS = "cf-"
LONGEST_SOCKET_FOLDER = 80  # the kernel's limit is 107 bytes with the socket's own name


class NotInstalled(Exception):
    """The wheel that holds the server is not installed."""


def ours(folder: Path, owner: int) -> bool:
    """Tell whether the recorded folder is still the one we made: a real folder, private, of that owner."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == owner and not found.st_mode & 0o077


def recorded(record: Path, owner: int, make: Callable[[], Path]) -> Path:
    """Give the folder that the record names, or make one and record it."""
    if record.exists():
        folder = Path(record.read_text().strip())
        if ours(folder, owner):
            return folder
    folder = make()
    write_private(record, f"{folder}\n")
    return folder


def room(place: Place) -> Path:
    """Give the folder for the servers' own files; the place's gate must be held."""
    who = account()
    if who is None:
        return place.folder
    top = recorded(place.data / "room", who.uid, lambda: new_room(place, who))
    return owned(top / place.name, who)


def new_room(place: Place, who: Account) -> Path:
    """Make root's folder for the servers; those whose data folder was deleted go."""
    for other in ROOMS.glob(f"{PREFIX}*"):
        if ours(other, who.uid) and forsaken(other):
            shutil.rmtree(other, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=ROOMS))
    (folder / BELONGS_TO).write_text(f"{place.data}\n")
    who.takes(folder)
    return folder


def forsaken(other: Path) -> bool:
    """Tell whether the room's data folder is gone, and nothing runs in it."""
    try:
        belongs_to = Path((other / BELONGS_TO).read_text().strip())
    except OSError:
        return False
    return not belongs_to.exists() and not any(runs_in(process, other) for process in Path("/proc").glob("[0-9]*"))


def runs_in(process: Path, folder: Path) -> bool:
    """Tell whether the process has its working folder there."""
    try:
        return (process / "cwd").readlink().is_relative_to(folder)
    except OSError:
        return False


def owned(folder: Path, who: Account | None) -> Path:
    """Make the folder, private to the servers' account."""
    if not folder.exists():
        folder.mkdir(mode=0o700)
        if who:
            who.takes(folder)
    return folder


def sockets(place: Place) -> Path:
    """Give the folder of the servers' sockets, with a path short enough for the kernel; the gate must be held."""
    who = account()
    if who:
        return owned(room(place) / "run", who)
    return recorded(place.folder / "sockets", os.geteuid(), new_socket_folder)


def new_socket_folder() -> Path:
    """Make a private folder with a short name."""
    parent = tempfile.gettempdir()
    if len(parent) > LONGEST_SOCKET_FOLDER - 20:
        parent = "/tmp"  # noqa: S108 - mkdtemp makes a new folder with mode 0700
    return Path(tempfile.mkdtemp(prefix=SOCKETS, dir=parent))


def programs(place: Place, wheel: str, package: str) -> Path:
    """Give the folder of a wheel's package whose programs the servers' account can run; the gate must be held.

    For root it is a copy that keeps the wheel's relative folders, made once for each version."""
    package_folder = installed(wheel, package)
    if account() is None:
        return package_folder
    shelf = room(place).parent / f"{wheel}-{version(wheel)}"
    if not shelf.exists():
        part = Path(tempfile.mkdtemp(prefix="part-", dir=shelf.parent))
        for source in (package_folder, package_folder.with_name(f"{package}.libs")):
            if source.exists():
                shutil.copytree(source, part / source.name, ignore=shutil.ignore_patterns("__pycache__"))
        open_for_reading(part)
        part.rename(shelf)
    return shelf / package


def installed(wheel: str, package: str) -> Path:
    """Find the package without importing it, which would make folders of its own."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise NotInstalled(f"{wheel} is not installed. `make up` installs it, or: pip install 'counterfoil[local]'.")
    return Path(found.origin).parent


def open_for_reading(folder: Path) -> None:
    """Let everyone who can reach our copy read and run it, whatever the umask was when the wheel was unpacked."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(stat.S_IMODE(mode) | (0o555 if mode & 0o100 else 0o444))


def remove(place: Place) -> None:
    """Remove what was made outside the data folder."""
    who = account()
    owner = who.uid if who else os.geteuid()
    for record in (place.data / "room", place.data / "sockets", *place.data.glob("*/sockets")):
        if record.is_file():
            folder = Path(record.read_text().strip())
            if folder.name.startswith((PREFIX, SOCKETS)) and ours(folder, owner):
                shutil.rmtree(folder)
