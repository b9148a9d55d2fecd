"""Counts that stay cheap: they stop at a bound and say so; and what could not be read is said to be not known."""

import logging
from collections.abc import Callable
from typing import Self, TypeVar

from django.db import DatabaseError
from django.db import transaction as django_transaction

from console.database import alias

logger = logging.getLogger(__name__)
T = TypeVar("T")
MOST = 1000


class Count(int):
    """A number of rows; of more than 1,000 it says only that: 1,000+."""

    more: bool

    def __new__(cls, counted: int) -> Self:
        number = super().__new__(cls, min(counted, MOST))
        number.more = counted > MOST
        return number

    def __format__(self, form: str) -> str:
        return super().__format__(form) + ("+" if self.more else "")

    def __str__(self) -> str:
        return format(self, "d")


def if_readable(read: Callable[[], T]) -> T | None:
    """Read inside the page's transaction; None when that fails, and the rest of the page goes on."""
    try:
        with django_transaction.atomic(using=alias()):
            return read()
    except DatabaseError:
        logger.exception("a part of a page could not be read")
        return None
