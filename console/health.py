"""Whether this process lives, and whether it may be sent work. Neither says anything of the inside to strangers."""

import logging
from collections.abc import Callable

from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from console.database import alias, rows
from console.doorbell import line
from console.exact import Object, canonical
from console.ledger import beats

CLOCK_IS_LATE_SECONDS = 10
logger = logging.getLogger(__name__)
_migrated: set[str] = set()


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Say that this process lives."""
    return _said({"status": "live"}, 200)


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Say whether this process can serve: 503 without the database or with migrations to come; a silent bell or clock only slows it."""
    checks = {look.__name__.strip("_"): _check(look) for look in (_database, _migrations, _bell, _clock)}
    fit = checks["database"] == checks["migrations"] == "ok"
    return _said({"status": "ready" if fit else "not_ready", "checks": {**checks}}, 200 if fit else 503)


def _check(look: Callable[[], object]) -> str:
    try:
        return "ok" if look() else "behind"
    except Exception as fault:  # noqa: BLE001 - whatever keeps it from working is the answer
        logger.warning("not ready: %s (%s)", look.__name__.strip("_"), type(fault).__name__)
        return "away"


def _database() -> object:
    return rows("select 1 as one")


def _migrations() -> bool:
    """Tell whether every migration is applied; that once was so, it stays so for this process."""
    if "all" not in _migrated:
        executor = MigrationExecutor(connections[alias()])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
        _migrated.add("all")
    return True


def _bell() -> object:
    return line().ping()


def _clock() -> bool:
    """Tell whether the clock has passed lately."""
    return beats.ages().get("clock", CLOCK_IS_LATE_SECONDS) < CLOCK_IS_LATE_SECONDS


def _said(document: Object, status: int) -> HttpResponse:
    answer = HttpResponse(canonical(document), status=status, content_type="application/json")
    answer["Cache-Control"] = "no-store"
    if status == 503:
        answer["Retry-After"] = "2"
    return answer
