"""News of a correction that stopped something, for those who look after the run. Posted in the transaction that makes it."""

from console.ledger.actors import Actor
from console.notices import kinds
from console.notices.posting import post
from runs.models import Correction, Run


def corrected(by: Actor, run: Run, correction: Correction) -> None:
    """Tell operators and whoever answers for the agent what a correction withdrew, and what it contradicts and is under way already.

    What the user said stays in the run: it is no text for a mail."""
    withdrawn, under_way = len(correction.invalidated), len(correction.under_way)
    if not withdrawn and not under_way:
        return
    said = [f"Correction {correction.number} withdrew {_counted(withdrawn)} that had not begun."] if withdrawn else []
    if under_way:
        said.append(f"It contradicts {_counted(under_way)} under way: that goes on, and is not begun again.")
    post(
        run.tenant_id, kinds.CORRECTED, about=run.pk, path=f"/runs/{run.pk}", title=f"Corrected: {' '.join(run.goal.split())}",
        text=" ".join(said), to_roles={"operator"}, to_members=[run.agent.owner_id],
        but_not=[by.id] if by.kind == "member" and by.id is not None else [], key=f"correction:{correction.pk}",
    )  # fmt: skip


def _counted(number: int) -> str:
    return "1 effect" if number == 1 else f"{number} effects"
