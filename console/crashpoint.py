"""Named places where a test may end, pause or upset this process: nothing by default, armed by CRASH_AT.

`CRASH_AT=name:nth:mode[:argument]`, several split at commas: the nth time (from 1, counted in each process) that
the code passes the place `name`, the mode strikes once. With `CRASH_ONCE=path` a trap strikes only if it can create
that file, so that a process started again under the same environment lives. With `CRASH_LIST=folder` a trap counts and
strikes only where the folder has a file `name@effect` for what the work in hand is about, which it takes away: so one
process tree is struck once for each of many effects, each at its own place. tests/crash/README.md lists the places.

Modes: kill (SIGKILL to itself), stop (SIGSTOP to itself, until someone sends SIGCONT), raise (CrashPointHit),
delay[:seconds] (holds the thread, 1 s unless told), drop_db (calls what `on_drop_db` was given)."""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from console import env
from console.telemetry import context

MODES = ("kill", "stop", "raise", "delay", "drop_db")


class CrashPointHit(RuntimeError):
    """A crash point armed with mode raise was passed."""


@dataclass
class Trap:
    """One armed place: how often it was passed, and what happens at the nth time."""

    nth: int
    mode: str
    seconds: float
    passed: int = 0


_traps: dict[str, list[Trap]] = {}
_drops: list[Callable[[], None]] = []


def crashpoint(name: str, *about: object) -> None:
    """Strike if a trap is armed here; costs one truth test when none is. `about`: the effects in hand, where the task knows none."""
    if _traps:
        _pass(name, about)


def armed(name: str) -> bool:
    """Say whether any trap waits at `name`, for code that must prepare for being struck there."""
    return name in _traps


def arm(text: str) -> None:
    """Replace all traps by those that `text` (the form of CRASH_AT) names; empty text disarms."""
    traps: dict[str, list[Trap]] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, trap = _trap(part)
        traps.setdefault(name, []).append(trap)
    _traps.clear()
    _traps.update(traps)


def on_drop_db(drop: Callable[[], None]) -> None:
    """Register what mode drop_db calls: something that cuts this process off from its database."""
    _drops.append(drop)


def _trap(part: str) -> tuple[str, Trap]:
    name, nth, mode, *argument = part.split(":") if part.count(":") >= 2 else (part, "", "")
    if not name or not nth.isdigit() or int(nth) < 1 or mode not in MODES or len(argument) > 1:
        raise env.BadSetting(f"CRASH_AT must be name:nth:mode, the mode one of {', '.join(MODES)}; it has {part!r}.")
    try:
        seconds = float(argument[0]) if argument else 1.0
    except ValueError:
        raise env.BadSetting(f"CRASH_AT's argument must be seconds; it has {part!r}.") from None
    return name, Trap(int(nth), mode, seconds)


def _pass(name: str, about: tuple[object, ...]) -> None:
    for trap in _traps.get(name, ()):
        if not _listed(name, about):
            continue
        trap.passed += 1
        if trap.passed == trap.nth and _first_to_strike():
            _strike(name, trap)


def _listed(name: str, about: tuple[object, ...]) -> bool:
    folder = env.text("CRASH_LIST", "")
    if not folder:
        return True
    found = False
    for subject in about or (context.ids().get("effect", ""),):
        try:
            (Path(folder) / f"{name}@{subject}").unlink()
        except FileNotFoundError:
            continue
        found = True
    return found


def _first_to_strike() -> bool:
    marker = env.text("CRASH_ONCE", "")
    if not marker:
        return True
    try:
        Path(marker).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _strike(name: str, trap: Trap) -> None:
    if trap.mode == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif trap.mode == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif trap.mode == "delay":
        time.sleep(trap.seconds)
    elif trap.mode == "drop_db":
        for drop in _drops:
            drop()
    else:
        raise CrashPointHit(f"The crash point {name} was passed (time {trap.nth}).")


arm(env.text("CRASH_AT", ""))
