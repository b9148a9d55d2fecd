"""One work item as its page shows it: how it stands, what can be done, and the chain from what was meant to what remains."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import QueryDict

from compensation.deeds.seconding import WHO_CONFIRMS, may_confirm
from compensation.deeds.standing import WHO, may_act
from compensation.queries import trail
from compensation.queries.items import Chain
from compensation.queries.seen import Item
from console.exact import digest
from console.identity.groups import ROLE_OF
from console.identity.models import Member
from console.identity.queries import owners
from console.pages import effects
from console.pages.compensation import rows
from console.pages.compensation.offers import offers, shut
from console.pages.room import MemberRequest
from runs.compensating.late import is_said_of_tries

NAMED = 200
ENTRIES = 50
TEXTS = ("why", "evidence", "link", "authority", "left", "to")


@dataclass(frozen=True, slots=True)
class Tick:
    """A point of a checklist, and who ticked it off."""

    place: int
    text: str
    done_at: datetime | None
    done_by: str


def context(
    request: MemberRequest,
    chain: Chain,
    form: str = "",
    sent: QueryDict | None = None,
    faults: dict[str, str] | None = None,
) -> dict[str, object]:
    """Give all that the page is told; `form`, `sent` and `faults` are of a form that was refused."""
    member, item = request.member, chain.item
    found = [*([chain.original] if chain.original else []), *chain.tries]
    shown = {each.id: each for each in effects.of_run(found, {}, chain.run, member)}
    waiting = chain.waiting
    row = rows.row(member, item, request.now, waiting)
    said_late = bool(chain.tries) and item.effect is not None and is_said_of_tries(item.effect.id)
    offered = offers(item, waiting, may_act=row.may_act, said_late=said_late)
    return {
        "item": item,
        "row": row,
        "plan": chain.plan,
        "run": chain.run,
        "original": shown.get(chain.original.pk) if chain.original else None,
        "tries": [shown[each.pk] for each in chain.tries],
        "acting_request": _request(chain),
        "before": chain.before,
        "behind": chain.behind,
        "more_before": item.after_count - len(chain.before),
        "more_behind": chain.behind_count - len(chain.behind),
        "waiting": waiting,
        "confirms": may_confirm(member, item.ladder),
        "who_confirms": WHO_CONFIRMS,
        "is_mine_said": row.is_mine_said,
        "endings": [each for each in chain.endings if each is not waiting],
        "files": chain.files,
        "ticks": [_tick(place, point, chain.names) for place, point in enumerate(item.checklist)],
        "offers": offered,
        "shut": shut(item, offered),
        "hands": hands(member, item) if row.may_act and item.is_open else {},
        "who_may": WHO,
        "next_rung": _rung(item, item.level),
        "escalates_to": _rung(item, _level_by_hand(item)),
        "seen_digest": digest([*item.difference]).hex() if item.difference else "",
        "left_before": "\n".join(item.residue),
        "trail": trail.trail(member.tenant_id, item.plan, item_id=item.id, limit=ENTRIES),
        "form": form,
        "typed": {name: sent.get(name, "") for name in TEXTS} if sent is not None else {},
        "faults": faults or {},
    }


def hands(member: Member, item: Item) -> dict[str, list[tuple[str, str]]]:
    """Give to whom it can be handed: groups by name, then members who may act on it."""
    people = owners(member.tenant_id, NAMED)
    groups = {group for person in people for group in person.groups} | set(ROLE_OF) | {item.owner_group}
    return {
        "groups": [(group, group) for group in sorted(groups - {""})],
        "people": [(str(each.pk), each.user.name) for each in people if each.pk != member.pk and may_act(each, item)],
    }


def _tick(place: int, point: dict[str, Any], names: dict[str, str]) -> Tick:
    at = point.get("done_at")
    return Tick(
        place, str(point["text"]), datetime.fromisoformat(at) if at else None, names.get(str(point.get("done_by")), "")
    )


def _rung(item: Item, level: int) -> str:
    """Name who is told at a level of the ladder; nothing where everybody was."""
    return str(item.ladder[level]["to"]) if level < len(item.ladder) else ""


def _level_by_hand(item: Item) -> int:
    """Give the level that somebody takes it to by hand: who has it already is not told of it anew."""
    has_it = item.level == 0 and len(item.ladder) > 1 and item.ladder[0]["to"] == item.owner_group
    return 1 if has_it else item.level


def _request(chain: Chain) -> UUID | None:
    """Give what people are asked about the last try."""
    acting = next(
        (each for each in reversed(chain.tries) if chain.item.acting and each.pk == chain.item.acting.id), None
    )
    return acting.request_id if acting else None
