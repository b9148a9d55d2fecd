"""Functions of the crash tests: each writes a line into a book of its own, as the outside world does, and may then take its time."""

import asyncio
import os
import time
from pathlib import Path

from runs.functions import Absent, Call, Done, Pending, function


def book() -> Path:
    """Give the book."""
    return Path(os.environ["JOTTINGS"])


def jotted(call: Call) -> Done:
    """Write the line that says that it was done."""
    with book().open("a", encoding="utf-8") as lines:
        lines.write(f"{call.effect_key}\n")
        lines.flush()
        os.fsync(lines.fileno())
    return Done({"line": call.effect_key})


@function("jot")
def jot(call: Call) -> Done:
    """Jot, in a thread."""
    done = jotted(call)
    time.sleep(float(call.arguments["seconds"]))
    return done


@function("jot-async")
async def jot_async(call: Call) -> Done:
    """Jot, in the loop."""
    done = await asyncio.to_thread(jotted, call)
    await asyncio.sleep(float(call.arguments["seconds"]))
    return done


@function("find-jotting")
def find_jotting(call: Call) -> Done | Absent | Pending:
    """Look into the book."""
    known = book().read_text(encoding="utf-8").splitlines() if book().exists() else []
    return Done({"line": call.effect_key}) if call.effect_key in known else Absent()
