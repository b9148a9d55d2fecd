"""What the clock does for compensation reads nothing that has not changed, and takes no more statements for many runs than for few."""

from collections.abc import Callable
from uuid import UUID

from django.db import connections
from django.test.utils import CaptureQueriesContext

from compensation.alerts import ladder
from compensation.working import ending, following, starting
from console import clock
from console.database import alias, crossing_tenants
from runs.sweep import CLOCK
from tests.cast import inside
from tests.compensation.undoing import answer, done
from tests.compensation.working import held, plan, stood
from tests.shop import Shop
from tests.superuser import hand
from tests.touched import Touched, touched
from tests.work import claim

FEW, MANY = 300, 6_000
RUNS = """
insert into runs_run select copied.* from runs_run r, generate_series(%(from)s::int, %(to)s) as i
cross join lateral jsonb_populate_record(r, jsonb_build_object('id', md5('run' || i), 'key', 'many-' || i)) as copied where r.id = %(run)s
"""
EFFECTS = """
insert into runs_effect select copied.* from runs_effect e, generate_series(%(from)s::int, %(to)s) as i
cross join lateral jsonb_populate_record(e, jsonb_build_object(
    'id', md5('effect' || e.number || i), 'run_id', md5('run' || i), 'watch', 1, 'request_id', null,
    'compensates_id', case when e.compensates_id is not null then md5('effect1' || i) end)) as copied
where e.run_id = %(run)s
"""
ITEMS = """
insert into compensation_workitem select copied.* from compensation_workitem w, generate_series(%(from)s::int, %(to)s) as i
cross join lateral jsonb_populate_record(w, jsonb_build_object(
    'id', md5('item' || i), 'run_id', md5('run' || i), 'effect_id', md5('effect1' || i), 'acting_id', md5('effect2' || i),
    'next_alert_at', cf_now() + interval '1 day')) as copied
where w.run_id = %(run)s
"""


def fill(run: UUID, first: int, last: int) -> None:
    """Copy a run with its item and effects so often, as work that goes on and has not changed."""
    hand().execute("set session_replication_role = replica")
    for sql in (RUNS, EFFECTS, ITEMS):
        hand().execute(sql, {"run": run, "from": first, "to": last})
    hand().execute("reset session_replication_role")
    for table in ("runs_run", "runs_effect", "compensation_workitem"):
        hand().execute(f"vacuum analyze {table}".encode())


def touches() -> Touched:
    """Let both steps pass and count what they touched."""
    with inside():
        following.hear_due(CLOCK, 100), ladder.climb_due(CLOCK, 100)
    with inside(), touched() as found:
        assert (following.hear_due(CLOCK, 100), ladder.climb_due(CLOCK, 100)) == (0, 0)
    return found


def test_a_pass_in_which_nothing_changed_touches_hardly_more_however_much_goes_on(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    store.verified = False
    fill(run, 1, FEW)
    few = touches()
    fill(run, FEW + 1, MANY)
    many = touches()
    assert few.buffers > 0
    assert many.buffers <= 2 * few.buffers, (few.buffers, many.buffers, many.most())
    assert len(many.statements) == len(few.statements)


def statements(step: Callable[[], int]) -> tuple[int, int]:
    """Give what a step found, and how many statements it took."""
    with crossing_tenants(), CaptureQueriesContext(connections["worker"]) as seen:
        with inside():
            found = step()
        return found, len(seen)


def test_many_runs_are_heard_of_and_ended_in_as_many_statements_as_few(store: Shop) -> None:
    """How fast (issue 7): a thousand cancelled runs compensate in batches, not one by one."""

    def heard(runs: int) -> int:
        made = [done(store, "reserve", "charge") for _ in range(runs)]
        for run in made:
            plan(store, run, "reserve", "charge", after={"charge": ("reserve",)})
        answer(claim(64))
        found, begins = statements(lambda: following.hear_due(CLOCK, 100))
        assert found == runs
        answer(claim(64))
        found, ends = statements(lambda: following.hear_due(CLOCK, 100))
        assert found == runs
        assert {store.run(run).compensation for run in made} == {"over"}
        assert {stood(run)["charge"] for run in made} == {("done", "")}
        return begins + ends

    assert heard(2) == heard(6)


def test_looking_again_at_what_has_not_changed_writes_nothing(store: Shop) -> None:
    run = done(store, "charge")
    plan(store, run, "charge")
    with held(run) as locked, CaptureQueriesContext(connections[alias()]) as captured:
        starting.begin_due(CLOCK, locked, clock.now())
        ending.look(CLOCK, [locked], clock.now())
    assert not [each["sql"] for each in captured if "compensation_record" in each["sql"]]
