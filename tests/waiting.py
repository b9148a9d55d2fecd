"""A lot of work that waits for its time, put straight into the tables, for counting what a pass of the clock touches.

Such rows have no record; whoever uses them says that theirs is not to be verified."""

from uuid import UUID

import psycopg

# What waits, in turn: each with its time far ahead.
RUNS = """
insert into runs_run select copied.* from runs_run r, generate_series(%(from)s::int, %(to)s) as i
cross join lateral jsonb_populate_record(r, jsonb_build_object('id', md5('run' || i), 'key', 'waiting-' || i)) as copied
where r.id = %(run)s
"""
EFFECTS = """
insert into runs_effect select copied.* from runs_effect e, generate_series(%(from)s::int, %(to)s) as i
cross join lateral (select (array['ready', 'unknown', 'accepted', 'awaiting_approval', 'blocked', 'partial'])[1 + i %% 6] as state) s
cross join lateral jsonb_populate_record(e, jsonb_build_object(
    'id', md5('effect' || i), 'run_id', md5('run' || i), 'state', s.state,
    'next_attempt_at', case when s.state in ('ready', 'unknown', 'accepted') then cf_now() + interval '1 day' end,
    'next_step', case when s.state in ('unknown', 'accepted') then 'status' else '' end,
    'unknown_since', case when s.state = 'unknown' then cf_now() end,
    'next_alert_at', case when s.state = 'unknown' then cf_now() + interval '1 day' end,
    'objective_at', case when s.state = 'unknown' then cf_now() + interval '1 day' end,
    'ended_at', case when s.state = 'partial' then cf_now() end,
    'request_id', case when s.state = 'awaiting_approval' then md5('request' || i) end,
    'deadline_at', cf_now() + interval '30 days')) as copied
where e.run_id = %(run)s and e.key = 'a'
"""
REQUESTS = """
insert into approvals_request select copied.* from approvals_request q, generate_series(%(from)s::int, %(to)s) as i
cross join lateral jsonb_populate_record(q, jsonb_build_object(
    'id', md5('request' || i), 'subject', md5('effect' || i), 'decide_by', cf_now() + interval '1 day')) as copied
where i %% 6 = 3 and q.subject in (select id from runs_effect where run_id = %(run)s)
"""
FINDINGS = """
insert into runs_resolution (id, tenant_id, run_id, effect_id, number, exit, "then", evidence, needs_second, state,
    proposed_by_id, proposed_at)
select md5('finding' || i)::uuid, e.tenant_id, e.run_id, e.id, 1, 'happened', '', 'Seen.', true, 'proposed',
       (select id from identity_member where tenant_id = e.tenant_id limit 1), cf_now()
from generate_series(%(from)s::int, %(to)s) as i join runs_effect e on e.id = md5('effect' || i)::uuid
where e.state = 'unknown' and %(run)s is not null
"""
CALLBACKS = """
insert into runs_callback (id, tenant_id, operation_name, message_id, signed_at, received_at, body, body_digest, run_id, effect_id, state,
    next_try_at)
select md5('callback' || i)::uuid, e.tenant_id, e.operation_name, 'waiting-' || i, cf_now(), cf_now(), '{}', sha256('{}'), e.run_id, e.id,
       'recorded', cf_now() + interval '1 day'
from generate_series(%(from)s::int, %(to)s) as i join runs_effect e on e.id = md5('effect' || i)::uuid
where e.state = 'ready' and %(run)s is not null
"""

WAITS = """
insert into runs_wait (id, tenant_id, run_id, number, name, kind, condition, subject_name, correlation, subjects, due_at, expires_at,
    on_expiry, parks, state, opened_at)
select md5('wait' || i)::uuid, r.tenant_id, md5('run' || i)::uuid, 1, 'waiting', k.kind,
       '{"mode":"all","failed":"wake","cancelled":"wake","unknown":"wake"}',
       case when k.kind in ('dependency', 'rate_window') then 'bank' else 'paid' end,
       'order-' || i, array[md5('effect' || i)::uuid],
       case when k.kind in ('timer', 'clock_time', 'rate_window') then cf_now() + interval '1 day' + make_interval(secs => i) end,
       cf_now() + interval '2 days' + make_interval(secs => i), 'escalate', true, 'open', cf_now()
from generate_series(%(from)s::int, %(to)s) as i join runs_run r on r.id = %(run)s
cross join lateral (
    select (array['timer', 'clock_time', 'signal', 'children', 'effects', 'dependency', 'rate_window'])[1 + i %% 7] as kind) k
"""


def fill(hand: psycopg.Connection, run: UUID, first: int, last: int) -> None:
    """Copy effect `a` of a run, and what was asked about another, so often as work that waits; findings, messages and waits with it."""
    hand.execute("set session_replication_role = replica")
    for sql in (RUNS, REQUESTS, EFFECTS, FINDINGS, CALLBACKS, WAITS):
        hand.execute(sql, {"run": run, "from": first, "to": last})
    hand.execute("reset session_replication_role")
    for table in ("runs_run", "runs_effect", "approvals_request", "runs_resolution", "runs_callback", "runs_wait"):
        hand.execute(f"vacuum analyze {table}")
