"""What a run's page and a contract's page say of pauses: those that stop something here, and the form that stops it."""

from typing import Any

from django.urls import reverse
from uuid_utils.compat import uuid7

from console.pages import pauses
from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs.models import Pause, Run
from runs.pausing import standing
from runs.pausing.pausing import may_pause


def of_run(request: MemberRequest, run: Run) -> Panel | None:
    """Give the pauses over a run, and the form that pauses it for whoever may."""
    if run.ended_at is not None:
        return None
    found = standing.of_run(run)
    says = _says(request, found, f"run:{run.pk}", reverse("run", args=[run.pk]), standing.SCOPE_RUN, "this run")
    paused_itself = any(pause.scope == standing.SCOPE_RUN for pause in found)
    says |= {"may_pause_here": says["may_pause"] and not paused_itself}
    if not found and not says["may_pause_here"]:
        return None
    return Panel(
        "pauses", "Pauses" if found else "Pause", "pauses/_panel.html", says, icon="pause", tone="wait" if found else "plain",
        count=len(found) or None, urgent=bool(found), only_a_move=not found,
    )  # fmt: skip


def of_contract(request: MemberRequest, scope: str, name: str) -> dict[str, Any]:
    """Give what the page of an operation or a run type says of its pauses."""
    tenant_id = request.member.tenant_id
    found = list(standing.standing(tenant_id).filter(scope=scope, name=name))
    kind = pauses.SHELVES[scope]
    noun = "this operation" if scope == standing.SCOPE_OPERATION else "runs of this type"
    says = _says(request, found, f"{scope}:{name}", reverse("contract", args=[kind, name]), scope, noun)
    return says | {"may_pause_here": says["may_pause"] and not found}


def _says(request: MemberRequest, found: list[Pause], what: str, here: str, scope: str, noun: str) -> dict[str, Any]:
    return {
        "standing": [
            {
                "pause": each,
                "may_lift": may_pause(request.by.roles, each.scope),
                "noun": noun if each.scope == scope else "",
            }
            for each in found
        ],
        "noun": noun,
        "what": what,
        "here": here,
        "form_key": str(uuid7()),
        **pauses.may(request),
    }
