"""The bank's own ledger: one JSON line for each thing done, only ever appended to.

With fsync, whoever waits for `durable()` shares one fsync with all who came while the last one ran."""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Ledger:
    """The file of what was done."""

    def __init__(self, path: Path, *, fsync: bool) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fsync = fsync
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._size = os.fstat(self._file).st_size
        self._next: asyncio.Future[None] | None = None
        self._syncing: asyncio.Task[None] | None = None

    def entries(self) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Read all entries with their lines; a last line torn by a crash was never answered, and is cut off."""
        data = os.pread(self._file, self._size, 0)
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            self._cut(whole)
        for line in data[:whole].splitlines():
            yield json.loads(line), line

    def append(self, line: bytes) -> None:
        """Write one line; OSError when the disk refuses it, and then nothing of it stays."""
        data = line + b"\n"
        try:
            written = os.write(self._file, data)
            if written < len(data):
                raise OSError(f"only {written} of {len(data)} bytes were written")
        except OSError:
            self._cut(self._size)
            raise
        self._size += len(data)

    def durable(self) -> asyncio.Future[None] | None:
        """Give what to wait for until everything appended so far is on disk; None where fsync is off."""
        if not self._fsync:
            return None
        loop = asyncio.get_running_loop()
        if self._next is None:
            self._next = loop.create_future()
        if self._syncing is None:
            self._syncing = loop.create_task(self._sync())
        return self._next

    def clear(self) -> None:
        """Forget everything (tests)."""
        self._cut(0)

    async def close(self) -> None:
        """Put everything on disk and close the file."""
        if self._syncing is not None:
            await self._syncing
        if self._fsync:
            os.fsync(self._file)
        os.close(self._file)

    def _cut(self, size: int) -> None:
        os.ftruncate(self._file, size)
        self._size = size

    async def _sync(self) -> None:
        loop = asyncio.get_running_loop()
        while (waiting := self._next) is not None:
            self._next = None
            try:
                await loop.run_in_executor(None, os.fdatasync, self._file)
            except OSError as error:
                waiting.set_exception(error)
            else:
                waiting.set_result(None)
        self._syncing = None
