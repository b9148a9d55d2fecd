"""`manage.py worker`: an RQ worker whose jobs are shifts."""

import logging
from typing import Any

from django.core.management.base import BaseCommand
from django_rq import get_worker
from rq.serializers import JSONSerializer

from console import durability
from console.database import cross_tenants_in_this_process
from console.doorbell import SHIFTS
from runs.workers import ShiftWorker

IDLE_SECONDS, BUSY_SECONDS = 15, 10  # between two signs of life; RQ takes 15 from the first number that it is told


class Command(BaseCommand):
    """Work shifts until told to stop (SIGTERM drains)."""

    help = "Work shifts until told to stop; SIGTERM drains."

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        durability.require()
        worker = get_worker(
            SHIFTS,
            worker_class=ShiftWorker,
            serializer=JSONSerializer,
            worker_ttl=IDLE_SECONDS + 15,
            job_monitoring_interval=BUSY_SECONDS,
        )
        worker.log.setLevel(logging.WARNING)
        worker.work(with_scheduler=False, logging_level="WARNING")
