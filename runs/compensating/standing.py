"""Where locked runs stand with their compensation, written down."""

from collections.abc import Sequence
from datetime import datetime

from console.exact import Object, Value, canonical
from console.ledger.actors import Actor
from runs import record
from runs.models import Run


def stands(by: Actor, runs: Sequence[Run], to: str, now: datetime, residue: Sequence[str] | None = None) -> None:
    """Write down where these locked runs stand (`due`, `open`, `over`), and what remains, where that is known."""
    kept: dict[str, str] = {"compensation": to}
    if residue is not None:
        listed: list[Value] = [*residue]
        kept["residue"] = canonical(listed)
    for run in runs:
        for name, value in kept.items():
            setattr(run, name, value)
    Run.objects.filter(pk__in=[run.pk for run in runs]).update(**kept)
    said: Object = {"to": to, **({"residue": kept["residue"]} if residue is not None else {})}
    record.write([(run.pk, "run.compensating", said) for run in runs], by, now)
