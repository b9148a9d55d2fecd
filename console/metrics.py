"""`/metrics`: what Prometheus asks for. Off without a token, and whoever asks brings it."""

import logging
from collections.abc import Iterator
from secrets import compare_digest

from django.conf import settings
from django.db import Error, connections
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from psycopg_pool import PoolTimeout
from redis import RedisError

from approvals import measures as of_approvals
from compensation import measures as of_compensation
from console import env
from console.database import alias, crossing_tenants, snapshot
from console.doorbell import line
from console.ledger import measures as of_the_record
from console.ledger import tallies
from console.notices import measures as of_notices
from console.telemetry.metrics import Reading, Tally, written
from runs import measures as of_runs

logger = logging.getLogger(__name__)
LONGEST_MILLISECONDS = 5000
WORKERS = "rq:workers"


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Tell all metrics to whoever bears the token; without one in the settings there is nothing here."""
    if not settings.METRICS_TOKEN:
        raise Http404
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not compare_digest(token.strip().encode(), settings.METRICS_TOKEN.encode()):
        return HttpResponse(
            status=401, headers={"WWW-Authenticate": 'Bearer realm="metrics"', "Cache-Control": "no-store"}
        )
    tallies.carry_now(env.dsn("DATABASE_URL"))
    readings, counted = read()
    body = written([*readings, *workers()], counted)
    return HttpResponse(body, content_type=CONTENT_TYPE_PLAIN_0_0_4, headers={"Cache-Control": "no-store"})


def read() -> tuple[list[Reading], list[Tally]]:
    """Read the record, all of it at one moment and within five seconds; a record that is away is told as that."""
    try:
        with crossing_tenants(), snapshot():
            with connections[alias()].cursor() as cursor:
                cursor.execute(f"set local statement_timeout = {LONGEST_MILLISECONDS}")
            readings = [
                *of_runs.readings(),
                *of_approvals.readings(),
                *of_compensation.readings(),
                *of_notices.readings(),
                *of_the_record.readings(),
            ]
            return [Reading("record_up", 1), *readings], tallies.read()
    except (Error, PoolTimeout) as fault:
        logger.warning("metrics without the record: %s", type(fault).__name__)
        return [Reading("record_up", 0)], []


def workers() -> Iterator[Reading]:
    """Count the workers whose key in Redis has not run out: RQ's list alone keeps those that were killed."""
    try:
        names = line().smembers(WORKERS)
        yield Reading("workers_alive", line().exists(*names) if names else 0)
    except (RedisError, OSError) as fault:
        logger.warning("metrics without the bell: %s", type(fault).__name__)
