"""The runs that somebody asks for: read along one index in the order of the list, at most so far, and said how far.

One condition leads (a state, an agent, a type, or none), each of its values brings its own runs in order, and the others are looked at
row by row. So no combination of conditions reads more than `FAR` runs, and what lies beyond is a further page, never a guess."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from console.database import rows
from runs.models import Run
from runs.wanted import ASKING, ENDED, NEEDS, OPEN, UNKNOWN, Wanted

FAR = 10_000
LANES = 8
AS_TYPED = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})
NAMED = """
select 'agent' as what, id from identity_agent where tenant_id = %s and name = %s
union all select 'type', id from runs_runtypecontract where tenant_id = %s and name = %s
"""
# Each looks at the few effects of one run by their index, and cannot be turned into a join with all effects.
OF_EFFECTS = "(select true from runs_effect e where e.run_id = w.id and {} limit 1)"
OF_STATE = {
    UNKNOWN: OF_EFFECTS.format("e.state || '' = 'unknown'"),
    ASKING: OF_EFFECTS.format("e.state || '' = 'awaiting_approval'"),
    NEEDS: "(w.attention <> '' or w.state = 'quarantined' or "
    + OF_EFFECTS.format("e.state || '' = 'partial' and e.required and e.reconciled_at is null")
    + ")",
}
# A few runs of an effect's condition are found from the effects themselves: by the index of those alone.
LED = {
    UNKNOWN: ("select run_id from runs_effect where tenant_id = %s and state = 'unknown' order by unknown_since, id limit %s", 1),
    ASKING: ("""select e.run_id from approvals_request q join runs_effect e on e.id = q.subject
                where q.tenant_id = %s and q.state = 'pending' order by q.decide_by, q.id limit %s""", 1),
    NEEDS: ("""(select run_id from runs_effect where tenant_id = %s and state = 'partial' and required and reconciled_at is null limit %s)
               union all (select id from runs_run where tenant_id = %s and state = 'quarantined' limit %s)
               union all (select id from runs_run where tenant_id = %s and attention <> '' limit %s)""", 3),
}  # fmt: skip
AGENTS = "select id from identity_agent where tenant_id = %s and name ilike %s"


@dataclass(frozen=True, slots=True)
class Found:
    """A page of runs; `more` when others follow, and `looked_to`: the last run that was looked at, when that was as far as it goes."""

    runs: list[Run]
    more: bool
    looked_to: tuple[datetime, UUID] | None
    count: int | None = None  # of all that match, up to the bound; None when that was not counted


def find(
    tenant_id: UUID, wanted: Wanted, now: datetime, after: tuple[datetime, UUID] | None, limit: int, most: int
) -> Found:
    """Give the next runs that are asked for, in their order, and how many there are in all, up to `most`, where that can be told."""
    ids: dict[str, list[UUID]] = {"agent": [], "type": []}
    if wanted.agent or wanted.type:
        for row in rows(NAMED, [tenant_id, wanted.agent, tenant_id, wanted.type]):
            ids[row["what"]].append(row["id"])
        if (wanted.agent and not ids["agent"]) or (wanted.type and not ids["type"]):
            return Found([], False, None, 0)
    walk = _Walk(tenant_id, wanted, ids, now, after)
    if wanted.state in LED:
        of_effects, ends = LED[wanted.state]
        led = [row["run_id"] for row in rows(of_effects, [tenant_id, FAR] * ends)]
        walk.led = list(set(led)) if len(led) < FAR else None
    found = [row["id"] for row in rows(*walk.matching(limit + 1))]
    shown = list(
        Run.objects.filter(pk__in=found[:limit]).select_related("agent", "run_type").order_by(*walk.model_order)
    )
    more = len(found) > limit
    end = None if more or walk.led is not None else next(iter(rows(*walk.end())), None)
    whole = after is None and not more and end is None
    count = len(found) if whole else len(rows(*walk.counting(most))) if walk.led is not None else None
    return Found(shown, more, (end["created_at"], end["id"]) if end else None, count)


class _Walk:
    """The statement of one walk, put together from constants; whatever was typed is a parameter."""

    def __init__(
        self,
        tenant_id: UUID,
        wanted: Wanted,
        ids: dict[str, list[UUID]],
        now: datetime,
        after: tuple[datetime, UUID] | None,
    ) -> None:
        self.tenant_id, self.wanted, self.ids, self.now, self.after = tenant_id, wanted, ids, now, after
        up = wanted.order == "-age"
        self.order = "created_at, id" if up else "created_at desc, id desc"
        self.model_order = ("created_at", "id") if up else ("-created_at", "-id")
        self.beyond = ">" if up else "<"
        self.led: list[UUID] | None = None

    def matching(self, limit: int) -> tuple[str, list[Any]]:
        """Give the statement for the runs that match, and its parameters."""
        walked, parameters = self._walked("id, created_at, goal, key, agent_id, run_type_id, state, attention")
        conditions = list(self._conditions())
        where = " and ".join(text for text, _ in conditions) or "true"
        parameters += [value for _, values in conditions for value in values]
        text = f"select w.id from ({walked}) w where {where} order by {self.order} limit %s"  # noqa: S608 - constants
        return text, [*parameters, limit]

    def counting(self, most: int) -> tuple[str, list[Any]]:
        """Give the statement for every run that matches, from the first page on."""
        self.after = None
        return self.matching(most)

    def end(self) -> tuple[str, list[Any]]:
        """Give the statement for the last run that is looked at, when there are that many."""
        walked, parameters = self._walked("id, created_at")
        text = f"select id, created_at from ({walked}) w order by {self.order} offset %s limit 1"  # noqa: S608 - constants
        return text, [*parameters, FAR - 1]

    def _walked(self, columns: str) -> tuple[str, list[Any]]:
        bounds, values = self._bounds()
        lane = f"(select {columns} from runs_run where tenant_id = %s{{}}{bounds} order by {self.order} limit %s)"  # noqa: S608 - constants
        if self.led is not None:
            return lane.format(" and id = any (%s)"), [self.tenant_id, self.led, *values, FAR]
        column, lanes = self._lanes()
        if column is None:
            return lane.format(""), [self.tenant_id, *values, FAR]
        text = " union all ".join(lane.format(f" and {column} = %s") for _ in lanes)
        parameters = [value for led in lanes for value in (self.tenant_id, led, *values, FAR)]
        return f"select * from ({text}) lanes order by {self.order} limit %s", [*parameters, FAR]  # noqa: S608 - constants

    def _lanes(self) -> tuple[str | None, Sequence[Any]]:
        """Choose what leads: few open states, else the agent, else a type of few versions, else states."""
        states = self._states()
        if states and not set(states) & set(ENDED):
            return "state", states
        if self.wanted.agent:
            return "agent_id", self.ids["agent"]
        if self.wanted.type and len(self.ids["type"]) <= LANES:
            return "run_type_id", self.ids["type"]
        return ("state", states) if states else (None, ())

    def _states(self) -> tuple[str, ...]:
        """Give the states that runs asked for may be in; none stands for any. A run that has ended may need somebody for what came late."""
        if self.wanted.state == NEEDS and self.led is not None:
            return ()
        return OPEN if self.wanted.state in {ASKING, NEEDS} else self.wanted.states

    def _bounds(self) -> tuple[str, list[Any]]:
        """Give the stretch of time that is read: what the ages leave of it, beyond the last page."""
        texts, values = "", list[Any]()
        if self.wanted.older is not None:
            texts, values = texts + " and created_at < %s", [*values, self.now - self.wanted.older]
        if self.wanted.younger is not None:
            texts, values = texts + " and created_at > %s", [*values, self.now - self.wanted.younger]
        if self.after is not None:
            texts, values = f"{texts} and (created_at, id) {self.beyond} (%s, %s)", [*values, *self.after]
        return texts, values

    def _conditions(self) -> Iterator[tuple[str, list[Any]]]:
        wanted = self.wanted
        if self._states():
            yield "w.state = any (%s)", [list(self._states())]
        if wanted.agent:
            yield "w.agent_id = any (%s)", [self.ids["agent"]]
        if wanted.type:
            yield "w.run_type_id = any (%s)", [self.ids["type"]]
        if wanted.state in OF_STATE:
            yield OF_STATE[wanted.state], []
        if wanted.dep:
            yield OF_EFFECTS.format("e.dependency_name = %s"), [wanted.dep]
        if wanted.op:
            yield OF_EFFECTS.format("e.operation_name = %s"), [wanted.op]
        for text in wanted.words:
            pattern = f"%{text.translate(AS_TYPED)}%"
            agents = [row["id"] for row in rows(AGENTS, [self.tenant_id, pattern])]
            yield "(w.goal ilike %s or w.key ilike %s or w.agent_id = any (%s))", [pattern, pattern, agents]
