"""The panels of a run's page: what each room says of a run beside its effects, in one order, with an index over them.

A room brings a function that reads its rows and gives a panel, or None where it has nothing to say, and a template that draws what the
panel says. Its line in PANELS is all that the page knows of it."""

from console.pages import (
    cancel_panel,
    checkpoints_panel,
    corrections_panel,
    driver_panel,
    limits_panel,
    pauses_panel,
    resume_panel,
    signals_panel,
    waits_panel,
)  # fmt: skip
from console.pages.compensation import panel as compensation
from console.pages.panel import Teller
from console.pages.room import MemberRequest
from runs.models import Run

# A room imports console.pages.panel, never this file, which imports the rooms.
# In this order: what stops it, what is made good for, what it may use, what it waits for and what came, what its user put right, who
# drives it, what it knows.
PANELS: tuple[Teller, ...] = (
    pauses_panel.of_run,
    cancel_panel.cancelling,
    compensation.of_run,
    limits_panel.limits,
    waits_panel.waits,
    signals_panel.signals,
    corrections_panel.corrections,
    driver_panel.driver,
    resume_panel.resumes,
    checkpoints_panel.checkpoints,
)  # fmt: skip


def panels(request: MemberRequest, run: Run) -> dict[str, object]:
    """Give the panels of a run: those that only offer a move, those before the effects, and those after them."""
    found = [panel for tell in PANELS if (panel := tell(request, run)) is not None]
    return {
        "moves": [panel for panel in found if panel.only_a_move],
        "panels_first": [panel for panel in found if panel.urgent and not panel.only_a_move],
        "panels": [panel for panel in found if not (panel.urgent or panel.only_a_move)],
    }
