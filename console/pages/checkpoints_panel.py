"""A run's checkpoints, on its page: those that drivers wrote, and the places in the record that are checkpoints by themselves."""

from typing import Final

from console.exact import decode
from console.pages.checkpoints import WORDS
from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs.checkpoints import places, reading
from runs.models import Checkpoint, Run

SHOWN: Final = 10


def checkpoints(request: MemberRequest, run: Run) -> Panel | None:
    """Tell of the newest; a run whose agent keeps nothing and whose contract has no boundaries has nothing to tell."""
    kept = reading.listed(run.pk, None, SHOWN)
    at = places.last_places(run, run.ledger_seq + 1, SHOWN)
    if not (kept or at):
        return None
    wrong = [each for each in kept if each.contradictions]
    says = {
        "run": run, "kept": [(each, WORDS.get(each.boundary, each.boundary), _claims(each)) for each in kept],
        "places": [(each, WORDS[places.OF[each.kind]]) for each in at], "wrong": bool(wrong and wrong[0] == kept[0]),
    }  # fmt: skip
    tone = "wait" if says["wrong"] else "plain"
    return Panel(
        "checkpoints",
        "Checkpoints",
        "runs/checkpoints.html",
        says,
        icon="book",
        tone=tone,
        count=kept[0].number if kept else None,
    )


def _claims(each: Checkpoint) -> int:
    """Say how many of the state's claims are not so."""
    found = decode(each.contradictions.encode()) if each.contradictions else []
    return len(found) if isinstance(found, list) else 0
