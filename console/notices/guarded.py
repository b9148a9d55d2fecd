"""A thread in which other people's code may do nothing but speak to addresses that are allowed, for a time.

Apprise knows a hundred services and opens its own connections. What it does in a guarded thread is judged by the interpreter's audit
hook at the moment of the deed: a connection by the very address that is connected to (so that a name that leads elsewhere a second later
leads nowhere); and no program, no further thread and no file but the installation's own is opened. Other threads notice nothing."""

import ipaddress
import socket
import ssl
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from console.notices.addresses import Blocked, check_address

# Threads are announced since Python 3.12; before, what starts one leaves the guard, and the services that channels may use start none.
STARTS: Final = frozenset({
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "pty.spawn",
    "_thread.start_new_thread",
})  # fmt: skip
# What an interpreter reads by itself: modules loaded late, and the certificates of authorities.
READABLE: Final = tuple(
    str(Path(place).resolve()) + "/"
    for place in {
        sys.prefix, sys.base_prefix, *sysconfig.get_paths().values(), *filter(None, ssl.get_default_verify_paths()[:2]), "/etc/ssl",
        "/usr/share/zoneinfo",
    }
)  # fmt: skip


@dataclass
class Guard:
    """What one guarded thread may do until when, and what it was kept from."""

    until: float  # of the monotonic clock
    looked_up: str = ""
    blocked: str = ""
    lines: list[socket.socket] = field(default_factory=list)

    @property
    def late(self) -> bool:
        """Whether its time is over."""
        return time.monotonic() >= self.until

    @property
    def reached(self) -> bool:
        """Whether any of its connections came about."""
        return any(_connected(line) for line in self.lines)

    def cut(self) -> None:
        """Cut its connections, whatever is being said on them."""
        for line in self.lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def judge(self, event: str, args: tuple[Any, ...]) -> None:
        """Raise where this may not be done."""
        if event == "socket.getaddrinfo":
            self.looked_up = str(args[0])
        elif event in {"socket.connect", "socket.sendto"}:
            if self.late:
                raise TimeoutError
            self._check(args[1])
            if event == "socket.connect":
                self.lines.append(args[0].dup())
        elif event in STARTS:
            raise Blocked("It would start something on this machine.")
        elif event == "open" and isinstance(args[0], str | bytes) and not _readable(args[0]):
            raise Blocked("It would open a file of this machine.")

    def _check(self, address: Any) -> None:
        try:
            number = ipaddress.ip_address(str(address[0]).partition("%")[0])
        except (TypeError, ValueError, IndexError):
            raise Blocked("It leads to no address of the internet.") from None
        check_address(self.looked_up or str(number), number)


_here = threading.local()
_hooked = threading.Lock()
_is_hooked = False


@contextmanager
def guarded(until: float) -> Iterator[Guard]:
    """Guard this thread inside the block. Raises nothing by itself; `blocked` says what the code inside was kept from, if it hides that."""
    _hook()
    guard = Guard(until)
    timer = threading.Timer(max(until - time.monotonic(), 0.0), guard.cut)
    timer.daemon = True
    timer.start()
    _here.guard = guard
    try:
        yield guard
    finally:
        _here.guard = None
        timer.cancel()
        for line in guard.lines:
            line.close()


def _connected(line: socket.socket) -> bool:
    try:
        line.getpeername()
    except OSError:
        return False
    return True


def _hook() -> None:
    """Hook into the interpreter, once in a process; there is no way out again, so a thread without a guard returns at once."""
    global _is_hooked  # noqa: PLW0603 - said once in a process
    with _hooked:
        if not _is_hooked:
            sys.addaudithook(_audit)
            _is_hooked = True


def _audit(event: str, args: tuple[Any, ...]) -> None:
    guard: Guard | None = getattr(_here, "guard", None)
    if guard is None:
        return
    _here.guard = None  # what the judge itself does is not judged
    try:
        guard.judge(event, args)
    except Blocked as fault:
        guard.blocked = guard.blocked or str(fault)
        raise
    finally:
        _here.guard = guard


def _readable(path: str | bytes) -> bool:
    place = path.decode(errors="replace") if isinstance(path, bytes) else path
    return str(Path(place).resolve()).startswith(READABLE)
