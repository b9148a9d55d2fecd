"""Carrying e-mail: Python's mail client blocks, so that each letter has a thread, and no more letters are taken than threads are free.

The time limits of the mail client are those of a single step. A whole attempt is bounded here: then the line is cut, and what was not
said until then is not said afterwards."""

import asyncio
import smtplib
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from django.core.mail import EmailMessage, get_connection

from console.notices.fate import Answer, as_text
from console.notices.letters import Letter, message, subject
from console.notices.states import DELIVERED

THREADS: Final = 4
LONGEST_SECONDS: Final = 20.0  # of a whole attempt; shorter than a letter is taken for
CUT_SECONDS: Final = 2.0  # after which nobody waits for a thread whose line was cut


class Postmen:
    """The threads of one courier for one kind of work that blocks, each with at most one letter."""

    def __init__(self, work: Callable[[Letter, float], Answer]) -> None:
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix=work.__name__)
        self.work = work
        self.away: set[Future[Answer]] = set()

    @property
    def free(self) -> int:
        """How many threads have no letter; one that hangs has one, though nobody waits for it any more."""
        self.away = {each for each in self.away if not each.done()}
        return THREADS - len(self.away)

    async def carry(self, letter: Letter) -> Answer:
        """Send a letter in a thread that is free. Raises TimeoutError when the thread does not come back."""
        sent = self.threads.submit(self.work, letter, time.monotonic() + LONGEST_SECONDS)
        self.away.add(sent)
        return await asyncio.wait_for(asyncio.wrap_future(sent), LONGEST_SECONDS + CUT_SECONDS)

    def dismiss(self) -> None:
        """Begin nothing more, and wait for nobody."""
        self.threads.shutdown(wait=False, cancel_futures=True)


def mail(letter: Letter, until: float) -> Answer:
    """Hand an e-mail to the mail server before this moment of the monotonic clock; the same message id at each attempt."""
    domain = letter.address.rpartition("@")[2]
    line: Any = get_connection(fail_silently=False)
    sent = EmailMessage(
        subject(letter), message(letter), to=[letter.address], connection=line,
        headers={"Message-ID": f"<{letter.delivery_id}@{domain}>", "Auto-Submitted": "auto-generated"},
    )  # fmt: skip
    cut = threading.Timer(max(until - time.monotonic(), 0.0), _cut, [line])
    cut.daemon = True
    cut.start()
    try:
        line.open()
        if time.monotonic() >= until:
            raise TimeoutError
        sent.send()
    except (smtplib.SMTPException, OSError) as fault:
        return _broken(fault, late=time.monotonic() >= until)
    finally:
        cut.cancel()
        with suppress(smtplib.SMTPException, OSError):
            line.close()
    return Answer(DELIVERED)


def _broken(fault: Exception, *, late: bool) -> Answer:
    """Tell what broke; half a line of a server that was cut off is no answer."""
    if late or isinstance(fault, TimeoutError):
        return Answer("timeout", said=type(fault).__name__)
    if isinstance(fault, smtplib.SMTPRecipientsRefused):
        status, said = next(iter(fault.recipients.values()), (None, b""))
        return Answer("refused", status, as_text(said))
    if isinstance(fault, smtplib.SMTPResponseException):
        return Answer("refused", fault.smtp_code, as_text(fault.smtp_error))
    return Answer("unreachable", said=type(fault).__name__)


def _cut(line: Any) -> None:
    """Cut the line to a mail server, whatever is being said on it."""
    talk = getattr(line, "connection", None)
    if talk is not None and talk.sock is not None:
        with suppress(OSError):
            talk.sock.shutdown(socket.SHUT_RDWR)
