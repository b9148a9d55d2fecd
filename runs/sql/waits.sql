-- Ends open waits of runs that the caller has locked: met, expired or withdrawn, each with its reason and what it was met with. A parked
-- wait that was met, or that expired where the contract says that its run wakes then, wakes a run that waits; so does a driver who takes the
-- last of them back. With the last one that is overdue and does not wake, the run's call for a person is over. When a run wakes, its other
-- parked waits are over too (an old timer must not wake it a second time, TIM-02), but for those that hold effects back: these go on. Gives
-- the entries that the caller has to record.
create or replace function runs_waits_ended(p_waits uuid[], p_states text[], p_reasons text[], p_results text[], p_now timestamptz)
returns table (run_id uuid, kind text, body text) language plpgsql rows 50 set enable_seqscan = off as $$
#variable_conflict use_column
declare
    runs uuid[]; kinds text[]; bodies text[]; woken uuid[];
begin
    with ended as (
        update runs_wait w set state = x.state, ended_at = p_now, reason = x.reason, result = x.result
        from unnest(p_waits, p_states, p_reasons, p_results) as x (id, state, reason, result)
        where w.id = x.id and w.state = 'open'
        returning w.id, w.run_id, w.number, w.name, w.parks, w.state, w.on_expiry, w.reason, w.result),
    by_run as (
        select d.run_id, count(*) as n,
            bool_or(d.parks and (d.state = 'met' or (d.state = 'expired' and d.on_expiry = 'wake'))) as come,
            bool_or(d.parks and d.state = 'withdrawn') as taken_back,
            max(d.number) as last
        from ended d group by d.run_id),
    judged as (
        select b.run_id, b.n, b.last, w.wakes, not w.wakes and r.attention = 'overdue_wait' and not exists (
                select from runs_wait o where o.run_id = r.id and o.state = 'open' and o.overdue_at is not null and not (o.id = any (p_waits))) as calms,
            coalesce((t.document::json -> 'ownership' ->> 'lease_seconds')::int, 60) as lease_seconds
        from by_run b join runs_run r on r.id = b.run_id join runs_runtypecontract t on t.id = r.run_type_id
        cross join lateral (select r.state = 'waiting' and (b.come or (b.taken_back and not exists (
            select from runs_wait o where o.run_id = r.id and o.state = 'open' and o.parks and not (o.id = any (p_waits))))) as wakes) w),
    moved as (
        update runs_run r set
            open_waits = greatest(r.open_waits - j.n, 0),
            state = case when j.wakes then 'running' else r.state end,
            attention = case when j.calms or (j.wakes and r.attention = 'overdue_wait') then '' else r.attention end,
            attention_since = case when j.calms or (j.wakes and r.attention = 'overdue_wait') then null else r.attention_since end,
            attention_reason = case when j.calms or (j.wakes and r.attention = 'overdue_wait') then '' else r.attention_reason end,
            -- Whoever drives it has a lease's time to take it up before it is looked at whether anybody does.
            watch_at = case when j.wakes then p_now + make_interval(secs => j.lease_seconds)
                when r.state = 'running' then coalesce(r.watch_at, p_now + make_interval(secs => j.lease_seconds)) else r.watch_at end
        from judged j where r.id = j.run_id
        returning r.id)
    select array_agg(d.run_id order by d.run_id, d.number), array_agg('wait.' || d.state order by d.run_id, d.number),
           array_agg(json_build_object('wait', d.id, 'name', d.name, 'reason', d.reason, 'result', d.result,
               'wakes', j.wakes and d.number = j.last, 'calms', j.calms and d.number = j.last)::text order by d.run_id, d.number),
           array_agg(d.run_id) filter (where j.wakes and d.number = j.last)
    into runs, kinds, bodies, woken
    from ended d join judged j on j.run_id = d.run_id where (select count(*) from moved) >= 0;
    if runs is null then return; end if;
    return query select e.run_id, e.kind, e.body from unnest(runs, kinds, bodies) with ordinality as e (run_id, kind, body, place) order by e.place;
    if woken is null then return; end if;
    return query
    with over as (
        update runs_wait w set state = 'withdrawn', ended_at = p_now, reason = 'the run went on'
        where w.run_id = any (woken) and w.state = 'open' and w.parks
          and not exists (select from runs_effect e where e.run_id = w.run_id and e.state || '' = 'blocked' and w.id = any (e.after_waits))
        returning w.id, w.run_id, w.number, w.name, w.reason),
    counted as (
        update runs_run r set open_waits = greatest(r.open_waits - o.n, 0)
        from (select run_id, count(*) as n from over group by run_id) o where r.id = o.run_id returning r.id)
    select o.run_id, 'wait.withdrawn', json_build_object('wait', o.id, 'name', o.name, 'reason', o.reason, 'result', null, 'wakes', false, 'calms', false)::text
    from over o where (select count(*) from counted) >= 0 order by o.run_id, o.number;
end $$;

-- The same with all that follows (effects that were held back come to their turn, a run that completes by itself may end), recorded at
-- once: one chain of statements however many runs wake. Gives each run, its state then, and whether it woke.
create or replace function runs_wake(
    p_waits uuid[], p_states text[], p_reasons text[], p_results text[], p_actor text, p_now timestamptz, p_via text default null)
returns table (run_id uuid, state text, woke boolean) language plpgsql rows 50 set enable_seqscan = off as $$
#variable_conflict use_column
declare
    runs uuid[]; kinds text[]; bodies text[]; woken uuid[];
begin
    select array_agg(e.run_id order by e.place), array_agg(e.kind order by e.place), array_agg(runs_via(e.body, p_via) order by e.place),
           coalesce(array_agg(e.run_id) filter (where e.body::json ->> 'wakes' = 'true'), '{}')
    into runs, kinds, bodies, woken from runs_waits_ended(p_waits, p_states, p_reasons, p_results, p_now) with ordinality as e (run_id, kind, body, place);
    if runs is null then return; end if;
    select runs || array_agg(e.run_id order by e.place), kinds || array_agg(e.kind order by e.place), bodies || array_agg(e.body order by e.place)
    into runs, kinds, bodies
    from runs_endings((select array_agg(distinct r.id) from unnest(runs) as r (id)), p_now) with ordinality as e (run_id, kind, body, place);
    perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, p_now);
    return query select r.id, r.state::text, r.id = any (woken) from runs_run r where r.id = any (runs);
end $$;

-- Takes back all that locked runs still wait for, because they end; recorded at once. What was held back ends with its run.
create or replace function runs_drop_waits(p_runs uuid[], p_reason text, p_actor text, p_now timestamptz) returns void
language plpgsql set enable_seqscan = off as $$
declare
    waits uuid[];
begin
    select array_agg(w.id) into waits from runs_wait w where w.run_id = any (p_runs) and w.state = 'open';
    if waits is null then return; end if;
    perform runs_record(array_agg(e.run_id order by e.place), array_agg(e.kind order by e.place), array_agg(p_actor), array_agg(e.body order by e.place), p_now)
    from runs_waits_ended(waits, array_fill('withdrawn'::text, array[cardinality(waits)]), array_fill(p_reason, array[cardinality(waits)]),
                          array_fill(null::text, array[cardinality(waits)]), p_now) with ordinality as e (run_id, kind, body, place);
end $$;

-- Waits of these runs for effects that have ended: all of them, or any. What ends after the wait is over does not meet it, though no clock
-- has passed since.
create or replace function runs_waits_for_effects(p_runs uuid[]) returns table (wait_id uuid, result text) language sql stable rows 10 as $$
    select w.id, jsonb_build_object('effects', jsonb_agg(jsonb_build_object('effect', e.id, 'state', e.state) order by e.number) filter (where o.over))::text
    from runs_wait w join runs_effect e on e.id = any (w.subjects)
    cross join lateral (select e.ended_at is not null and (w.expires_at is null or w.on_expiry = 'escalate' or e.ended_at <= w.expires_at) as over) o
    where w.run_id = any (p_runs) and w.state = 'open' and w.kind = 'effects'
    group by w.id
    having case w.condition::json ->> 'mode' when 'any' then bool_or(o.over) else bool_and(o.over) end
$$;

-- Waits of these runs for child runs, as far as they are over. A child that succeeded counts. What each other end means is said by the wait:
-- it wakes the run at once, it is ignored (it has ended, and is no success), or the run fails by it. When all have ended there is nothing
-- more to wait for, however they ended.
create or replace function runs_waits_for_children(p_runs uuid[]) returns table (wait_id uuid, run_id uuid, fails boolean, result text)
language sql stable rows 10 as $$
    select t.wait_id, t.run_id, bool_or(t.means = 'fail'),
           jsonb_build_object('children', jsonb_agg(jsonb_build_object('run', t.child, 'state', t.state) order by t.ended_at, t.child) filter (where t.ended_at is not null))::text
    from (select w.id as wait_id, w.run_id, w.condition::json ->> 'mode' as mode, c.id as child, c.state, o.ended_at, case
              when o.ended_at is null then '' when c.state = 'succeeded' then 'counts'
              when c.state = 'cancelled' then w.condition::json ->> 'cancelled'
              when c.state = 'succeeded_with_unresolved' then w.condition::json ->> 'unknown'
              else w.condition::json ->> 'failed' end as means
          from runs_wait w join runs_run c on c.id = any (w.subjects)
          cross join lateral (select case when w.expires_at is null or w.on_expiry = 'escalate' or c.ended_at <= w.expires_at then c.ended_at end as ended_at) o
          where w.run_id = any (p_runs) and w.state = 'open' and w.kind = 'children') t
    group by t.wait_id, t.run_id
    having bool_or(t.means in ('wake', 'fail')) or (min(t.mode) = 'any' and bool_or(t.means = 'counts')) or bool_and(t.ended_at is not null)
$$;

-- The clock's steps. Each takes what is due along a partial index, locks the runs that nobody holds, looks again, and ends what is due still.
create or replace function runs_times_come(p_actor text, p_limit int) returns table (run_id uuid, woke boolean, late_seconds double precision)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    found_waits uuid[]; found_runs uuid[]; v_now timestamptz; due uuid[]; n int; late double precision[]; late_runs uuid[];
begin
    select array_agg(w.id), array_agg(w.run_id) into found_waits, found_runs from (
        select id, run_id from runs_wait where state = 'open' and due_at <= cf_now() and kind in ('timer', 'clock_time') order by due_at limit p_limit) w;
    if found_waits is null then return; end if;
    select array_agg(id) into found_runs from (select id from runs_run where id = any (found_runs) order by id for no key update skip locked) r;
    if found_runs is null then return; end if;
    v_now := cf_now();
    select array_agg(w.id), count(*), array_agg(extract(epoch from v_now - w.due_at)), array_agg(w.run_id) into due, n, late, late_runs
    from runs_wait w where w.id = any (found_waits) and w.run_id = any (found_runs) and w.state = 'open' and w.due_at <= v_now;
    if due is null then return; end if;
    return query
    select l.run_id, k.woke, l.late
    from runs_wake(due, array_fill('met'::text, array[n]), array_fill(''::text, array[n]), array_fill(null::text, array[n]), p_actor, v_now) k
    join unnest(late_runs, late) as l (run_id, late) on l.run_id = k.run_id;
end $$;

-- Says of open waits of locked runs that a person is to know: what they are for did not come in its time. They stay open, and what comes late
-- ends them as ever (R-I1). The first of a run's calls for attention, where nothing else does.
create or replace function runs_waits_overdue(p_waits uuid[], p_actor text, p_now timestamptz) returns void
language plpgsql set enable_seqscan = off as $$
declare
    runs uuid[]; bodies text[];
begin
    with marked as (
        update runs_wait w set overdue_at = p_now where w.id = any (p_waits) and w.state = 'open' and w.overdue_at is null
        returning w.id, w.run_id, w.number, w.name),
    called as (
        update runs_run r set attention = 'overdue_wait', attention_since = p_now,
            attention_reason = 'what it waits for (' || f.name || ') did not come in its time'
        from (select distinct on (m.run_id) m.run_id, m.number, m.name from marked m order by m.run_id, m.number) f
        where r.id = f.run_id and r.attention = ''
        returning r.id, f.number, r.attention_reason)
    select array_agg(m.run_id order by m.run_id, m.number),
           array_agg(json_build_object('wait', m.id, 'name', m.name, 'calls', c.id is not null, 'attention_reason', c.attention_reason)::text
                     order by m.run_id, m.number)
    into runs, bodies from marked m left join called c on c.id = m.run_id and c.number = m.number;
    if runs is null then return; end if;
    perform runs_record(runs, array_fill('wait.overdue'::text, array[cardinality(runs)]), array_fill(p_actor, array[cardinality(runs)]), bodies, p_now);
end $$;

-- What has come by then does not expire, though its own step could not have the run: that step takes it in its next pass.
create or replace function runs_waits_expire(p_actor text, p_limit int)
returns table (wait_id uuid, tenant_id uuid, run_id uuid, name text, on_expiry text, expires_at timestamptz, woke boolean) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    found_waits uuid[]; found_runs uuid[]; v_now timestamptz; due uuid[]; overdue uuid[]; n int; woken uuid[];
begin
    select array_agg(w.id), array_agg(w.run_id) into found_waits, found_runs from (
        select id, run_id from runs_wait where state = 'open' and expires_at <= cf_now() and overdue_at is null order by expires_at limit p_limit) w;
    if found_waits is null then return; end if;
    select array_agg(id) into found_runs from (select id from runs_run where id = any (found_runs) order by id for no key update skip locked) r;
    if found_runs is null then return; end if;
    v_now := cf_now();
    select array_agg(w.id) filter (where w.on_expiry <> 'escalate'), count(*) filter (where w.on_expiry <> 'escalate'),
           array_agg(w.id) filter (where w.on_expiry = 'escalate')
    into due, n, overdue
    from runs_wait w where w.id = any (found_waits) and w.run_id = any (found_runs) and w.state = 'open' and w.expires_at <= v_now and w.overdue_at is null
      and not (w.kind in ('timer', 'clock_time') and w.due_at <= v_now)
      and not (w.kind = 'children' and exists (select from runs_waits_for_children(array[w.run_id]) f where f.wait_id = w.id));
    if due is not null then
        select array_agg(k.run_id) filter (where k.woke) into woken
        from runs_wake(due, array_fill('expired'::text, array[n]), array_fill('it did not come in its time'::text, array[n]),
                       array_fill(null::text, array[n]), p_actor, v_now) k;
    end if;
    if overdue is not null then perform runs_waits_overdue(overdue, p_actor, v_now); end if;
    return query
    select w.id, w.tenant_id, w.run_id, w.name::text, w.on_expiry::text, w.expires_at, w.run_id = any (coalesce(woken, '{}')) and w.state = 'expired'
    from runs_wait w where (w.id = any (due) and w.state = 'expired') or (w.id = any (overdue) and w.overdue_at = v_now);
end $$;

-- Tells parents of children that ended (all, or those that are named): the row is the message, and `told_at` says that it arrived. What the
-- parent waits for is met then; gives the parents, and whether each fails by it. News of a run that somebody holds waits for the next pass.
create or replace function runs_tell_parents(p_actor text, p_limit int, p_children uuid[] default null)
returns table (child_id uuid, run_id uuid, fails boolean, woke boolean) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    found_children uuid[]; parents uuid[]; held uuid[]; v_now timestamptz; waits uuid[]; results text[]; failing uuid[]; woken uuid[]; n int;
begin
    select array_agg(c.id), array_agg(c.parent_id) into found_children, parents from (
        select id, parent_id from runs_run where parent_id is not null and ended_at is not null and told_at is null
          and (p_children is null or id = any (p_children)) order by ended_at limit p_limit) c;
    if found_children is null then return; end if;
    select array_agg(id) into held from (
        select id from runs_run where id = any (found_children || parents) order by id for no key update skip locked) r;
    if held is null then return; end if;
    v_now := cf_now();
    select array_agg(c.id), array_agg(distinct c.parent_id) into found_children, parents from runs_run c
    where c.id = any (found_children) and c.id = any (held) and c.parent_id = any (held) and c.ended_at is not null and c.told_at is null;
    if found_children is null then return; end if;
    select array_agg(f.wait_id), array_agg(f.result), count(*), array_agg(f.run_id) filter (where f.fails) into waits, results, n, failing
    from runs_waits_for_children(parents) f;
    if waits is not null then
        select array_agg(k.run_id) filter (where k.woke) into woken
        from runs_wake(waits, array_fill('met'::text, array[n]), array_fill(''::text, array[n]), results, p_actor, v_now) k;
    end if;
    update runs_run set told_at = v_now where id = any (found_children);
    return query select c.id, c.parent_id, c.parent_id = any (coalesce(failing, '{}')), c.parent_id = any (coalesce(woken, '{}'))
    from runs_run c where c.id = any (found_children);
end $$;
