"""News of pauses and of their lifting, posted in the transaction of the move: whoever is stopped by one need not find out by looking."""

from collections.abc import Collection
from uuid import UUID

from console.identity.people import ROLES
from console.ledger.actors import Actor
from console.notices import kinds
from console.notices.audience import audience
from console.notices.posting import News, post_all
from console.notices.ways import HIGH
from runs.models import Pause, Run
from runs.pausing.standing import SCOPE_OPERATION, SCOPE_TENANT

WHO = ("operator", "admin")


def paused(by: Actor, pause: Pause, run: Run | None) -> None:
    """Tell that something is stopped: operators, administrators and whoever answers for the run's agent; of everything, everybody."""
    if pause.emergency:
        title, follows = (
            "Emergency stop",
            "Nothing begins, nobody is asked, and no approval counts, until it is lifted.",
        )
    else:
        title, follows = f"Paused: {_what(pause, run)}", "Nothing more of it begins until the pause is lifted."
    _post(by, kinds.PAUSED, pause, run, title, f"{by.name}: {_in_a_line(pause.reason)}. {follows}", "begun")


def lifted(by: Actor, pause: Pause, run: Run | None) -> None:
    """Tell the same people that it goes on."""
    if pause.emergency:
        title, follows = "The emergency stop is lifted", "What was denied meanwhile stays denied."
    else:
        title, follows = f"Goes on: {_what(pause, run)}", "What the pause had stopped is due again."
    _post(by, kinds.UNPAUSED, pause, run, title, f"{by.name}: {_in_a_line(pause.lift_reason)}. {follows}", "lifted")


def _post(by: Actor, kind: str, pause: Pause, run: Run | None, title: str, text: str, key: str) -> None:
    roles: Collection[str] = ROLES if pause.scope == SCOPE_TENANT else WHO
    members: list[UUID] = [run.agent.owner_id] if run is not None else []
    himself = [by.id] if by.id is not None else []
    told = audience(pause.tenant_id, roles, (), members, himself)
    path = f"/runs/{run.pk}" if run is not None else "/pauses"
    about, tier = run.pk if run is not None else pause.pk, HIGH if pause.emergency else ""
    post_all(pause.tenant_id, kind, [News(about, title, text, path, f"pause:{pause.pk}:{key}", told, tier=tier)])


def _what(pause: Pause, run: Run | None) -> str:
    if run is not None:
        return _in_a_line(run.goal)
    if pause.scope == SCOPE_TENANT:
        return "everything"
    return f"{'operation' if pause.scope == SCOPE_OPERATION else 'run type'} {pause.name}"


def _in_a_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
