"""What is read of corrections."""

from runs.corrections.contradicts import in_force
from runs.models import Correction, Run


def of_run(run: Run) -> list[Correction]:
    """Give all corrections of a run, in their order."""
    return list(Correction.objects.filter(run_id=run.pk).order_by("number")) if run.corrections_count else []


def unseen(run: Run) -> list[Correction]:
    """Give the corrections that its driver has not taken into account yet, in their order."""
    if run.corrections_seen >= run.corrections_count:
        return []
    return list(Correction.objects.filter(run_id=run.pk, number__gt=run.corrections_seen).order_by("number"))


def standing(run: Run) -> list[Correction]:
    """Give the corrections that contradict something and that no later one overtook; nothing is read where there are none."""
    return list(in_force(of_run(run)))
