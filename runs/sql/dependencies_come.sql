-- Waits for dependencies: that one answers again, or that its rate window begins anew. Both wake at most as many runs a second as the
-- dependency's contract lets be taken up from a backlog (recovery.drain_per_second; 10 where it says nothing): a token bucket of its own,
-- which holds one second's worth. Nothing is looked at but the first waits of each dependency, however many wait.

-- When a dependency last answered: the latest end among the fifty attempts at it that began last, whatever the answer was, unless it was
-- that it can do nothing now. An answer from longer ago was seen when it was among them.
create or replace function runs_answered_at(p_tenant uuid, p_dependency text) returns timestamptz language sql stable as $$
    select max(t.ended_at) from (
        select ended_at, outcome from runs_attempt where tenant_id = p_tenant and dependency_name = p_dependency and state = 'ended'
        order by started_at desc limit 50) t
    where t.outcome not in ('', 'unknown', 'transient', 'overload', 'not_sent')
$$;

-- The dependencies that something waits for, of one of the two kinds, each found by one probe.
create or replace function runs_dependencies_waited_for(p_kind text) returns table (tenant_id uuid, name text)
language plpgsql stable rows 10 set enable_seqscan = off as $$
#variable_conflict use_column
begin
    if p_kind = 'dependency' then
        return query
        with recursive found as (
            (select w.tenant_id, w.subject_name from runs_wait w where w.state = 'open' and w.kind = 'dependency' order by w.tenant_id, w.subject_name limit 1)
            union all
            select n.tenant_id, n.subject_name from found f cross join lateral (
                select w.tenant_id, w.subject_name from runs_wait w
                where w.state = 'open' and w.kind = 'dependency' and (w.tenant_id, w.subject_name) > (f.tenant_id, f.subject_name)
                order by w.tenant_id, w.subject_name limit 1) n)
        select f.tenant_id, f.subject_name::text from found f limit 1000;
    else
        return query
        with recursive found as (
            (select w.tenant_id, w.subject_name from runs_wait w where w.state = 'open' and w.kind = 'rate_window' order by w.tenant_id, w.subject_name limit 1)
            union all
            select n.tenant_id, n.subject_name from found f cross join lateral (
                select w.tenant_id, w.subject_name from runs_wait w
                where w.state = 'open' and w.kind = 'rate_window' and (w.tenant_id, w.subject_name) > (f.tenant_id, f.subject_name)
                order by w.tenant_id, w.subject_name limit 1) n)
        select f.tenant_id, f.subject_name::text from found f limit 1000;
    end if;
end $$;

-- The first waits for a dependency whose time has come, at most so many.
create or replace function runs_come(p_tenant uuid, p_dependency text, p_now timestamptz, p_most int) returns table (wait_id uuid, run_id uuid, result text)
language plpgsql stable rows 10 set enable_seqscan = off as $$
#variable_conflict use_column
declare
    answered timestamptz := runs_answered_at(p_tenant, p_dependency);
begin
    return query
    (select w.id, w.run_id, jsonb_build_object('dependency', p_dependency, 'answered_at', to_char(answered at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text
     from runs_wait w where w.state = 'open' and w.kind = 'dependency' and w.tenant_id = p_tenant and w.subject_name = p_dependency and w.opened_at < answered
       and (w.expires_at is null or w.on_expiry = 'escalate' or answered <= w.expires_at)
     order by w.opened_at, w.id limit p_most)
    union all
    (select w.id, w.run_id, jsonb_build_object('dependency', p_dependency, 'resets_at', to_char(w.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text
     from runs_wait w where w.state = 'open' and w.kind = 'rate_window' and w.tenant_id = p_tenant and w.subject_name = p_dependency and w.due_at <= p_now
     order by w.due_at, w.id limit p_most)
    limit p_most;
end $$;

-- How many of a dependency's backlog may wake now.
create or replace function runs_drain_tokens(p_tenant uuid, p_dependency text, p_now timestamptz) returns double precision language sql stable as $$
    select least(greatest(d.rate, 1), coalesce(p.tokens + greatest(extract(epoch from p_now - p.at), 0) * d.rate, greatest(d.rate, 1)))
    from (select coalesce((
        select (t.document::jsonb -> 'recovery' ->> 'drain_per_second')::double precision from runs_dependency t
        where t.tenant_id = p_tenant and t.name = p_dependency and t.retired_at is null), 10) as rate) d
    left join runs_pace p on p.tenant_id = p_tenant and p.dependency_name = p_dependency and p.purpose = 'drain'
$$;

-- The clock's step. Runs that somebody else has in hand are left for the next pass; a token is paid for each that wakes.
create or replace function runs_dependencies_come(p_actor text, p_limit int) returns table (run_id uuid, woke boolean)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    v_now timestamptz := cf_now(); one record; waits uuid[] := '{}'; runs uuid[] := '{}'; results text[] := '{}'; held uuid[]; n int := 0;
begin
    for one in
        select s.tenant_id, s.name, runs_drain_tokens(s.tenant_id, s.name, v_now) as tokens
        from (select * from runs_dependencies_waited_for('dependency') union select * from runs_dependencies_waited_for('rate_window')) s
        order by s.tenant_id, s.name
    loop
        continue when one.tokens < 1;
        select waits || coalesce(array_agg(c.wait_id), '{}'), runs || coalesce(array_agg(c.run_id), '{}'), results || coalesce(array_agg(c.result), '{}')
        into waits, runs, results
        from runs_come(one.tenant_id, one.name, v_now, least(floor(one.tokens)::int, p_limit)) c;
        exit when cardinality(waits) >= p_limit;
    end loop;
    if cardinality(waits) = 0 then return; end if;
    select array_agg(id) into held from (select id from runs_run where id = any (runs) order by id for no key update skip locked) r;
    if held is null then return; end if;
    v_now := cf_now();
    select array_agg(x.id), array_agg(x.result), count(*) into waits, results, n
    from unnest(waits, results) as x (id, result) join runs_wait w on w.id = x.id
    where w.state = 'open' and w.run_id = any (held);
    if n = 0 then return; end if;
    insert into runs_pace (id, tenant_id, dependency_name, purpose, tokens, at)
    select gen_random_uuid(), w.tenant_id, w.subject_name, 'drain', runs_drain_tokens(w.tenant_id, w.subject_name, v_now) - w.n, v_now
    from (select tenant_id, subject_name, count(*) as n from runs_wait where id = any (waits) group by 1, 2) w
    on conflict (tenant_id, dependency_name, purpose) do update set tokens = excluded.tokens, at = excluded.at;
    return query
    select k.run_id, k.woke from runs_wake(waits, array_fill('met'::text, array[n]), array_fill(''::text, array[n]), results, p_actor, v_now) k;
end $$;
