"""`manage.py states`: write the database's guards and docs/states.md from the tables of moves; `--check` only compares."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from approvals import states as request_states
from compensation import states as work_states
from console.ledger import guards
from console.notices import states as delivery_states
from runs import states

MACHINES = (
    ("Runs", "runs_run", "runs/sql/guard_run.sql", states.RUN_INITIAL, states.RUN_MOVES),
    ("Effects", "runs_effect", "runs/sql/guard_effect.sql", states.EFFECT_INITIAL, states.EFFECT_MOVES),
    ("Attempts", "runs_attempt", "runs/sql/guard_attempt.sql", states.ATTEMPT_INITIAL, states.ATTEMPT_MOVES),
    (
        "Resolutions",
        "runs_resolution",
        "runs/sql/guard_resolution.sql",
        states.RESOLUTION_INITIAL,
        states.RESOLUTION_MOVES,
    ),
    ("Callbacks", "runs_callback", "runs/sql/guard_callback.sql", states.CALLBACK_INITIAL, states.CALLBACK_MOVES),
    ("Waits", "runs_wait", "runs/sql/guard_wait.sql", states.WAIT_INITIAL, states.WAIT_MOVES),
    ("Signals", "runs_signal", "runs/sql/guard_signal.sql", states.SIGNAL_INITIAL, states.SIGNAL_MOVES),
    (
        "Cancellations",
        "runs_cancellation",
        "runs/sql/guard_cancellation.sql",
        states.CANCELLATION_INITIAL,
        states.CANCELLATION_MOVES,
    ),
    (
        "Approval requests",
        "approvals_request",
        "approvals/sql/guard_request.sql",
        request_states.INITIAL,
        request_states.MOVES,
    ),
    (
        "Grants",
        "approvals_grant",
        "approvals/sql/guard_grant.sql",
        request_states.GRANT_INITIAL,
        request_states.GRANT_MOVES,
    ),
    (
        "Uses of grants",
        "approvals_grantuse",
        "approvals/sql/guard_use.sql",
        request_states.USE_INITIAL,
        request_states.USE_MOVES,
    ),
    (
        "Compensation plans",
        "compensation_plan",
        "compensation/sql/guard_plan.sql",
        work_states.PLAN_INITIAL,
        work_states.PLAN_MOVES,
    ),
    (
        "Work items of compensation",
        "compensation_workitem",
        "compensation/sql/guard_item.sql",
        work_states.ITEM_INITIAL,
        work_states.ITEM_MOVES,
    ),
    (
        "Endings of work items",
        "compensation_ending",
        "compensation/sql/guard_ending.sql",
        work_states.ENDING_INITIAL,
        work_states.ENDING_MOVES,
    ),
    (
        "Deliveries",
        "notices_delivery",
        "console/notices/sql/guard_delivery.sql",
        delivery_states.INITIAL,
        delivery_states.MOVES,
    ),
)
INTRODUCTION = """# States and moves

Written by `manage.py states` from `runs/states.py`, `approvals/states.py`, `compensation/states.py` and `console/notices/states.py`.
The database refuses every move that is not here.
A move that leaves and re-enters one state (an unknown that was asked about and stays unknown) is not drawn.

"""


def written() -> dict[str, str]:
    """Give each derived file's path and text."""
    files = {path: guards.trigger_sql(table, initial, moves) for _, table, path, initial, moves in MACHINES}
    files["docs/states.md"] = INTRODUCTION + "\n".join(
        guards.diagram(name, initial, moves) for name, _, _, initial, moves in MACHINES
    )
    return files


class Command(BaseCommand):
    """Derive the guards and the diagram from the tables of moves."""

    help = "Write the database guards and docs/states.md from the tables of moves."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="compare only; fail when a file is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        root: Path = settings.BASE_DIR
        for path, text in written().items():
            file = root / path
            if options["check"]:
                if not file.exists() or file.read_text(encoding="utf-8") != text:
                    raise CommandError(
                        f"{path} is out of date: run `manage.py states`, and add a migration that installs it."
                    )
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
