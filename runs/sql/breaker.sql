-- Circuit breakers (R-K1): where a dependency's contract has one, its workers' calls are held back once so many in a row failed within the
-- window, for `open_seconds` after the last of them; then one call at a time tries, until one is answered. Told from the attempts that ended:
-- what is kept is one row of runs_pace (`breaker`; no tokens: held back), from the first try on to the answer, so that a long outage is no
-- new one at each try.
-- What is held back uses nothing up. A failure is what says that the other side can do nothing now; any other answer, a refusal too, is none.

-- The dependencies that are held back: until when, and how many of their calls may be in flight (none, then one).
create or replace function runs_breakers(p_now timestamptz)
returns table (tenant_id uuid, dependency_name text, failed_at timestamptz, held_until timestamptz, slots int)
language sql stable rows 2 set enable_seqscan = off as $$
    select d.tenant_id, d.name, coalesce(s.last_at, p.at), s.last_at + make_interval(secs => b.open_seconds),
           case when s.last_at + make_interval(secs => b.open_seconds) > p_now then 0 else 1 end
    from runs_dependency d
    cross join lateral (
        select (x.breaker ->> 'failures')::int as failures, (x.breaker ->> 'window_seconds')::double precision as window_seconds,
               (x.breaker ->> 'open_seconds')::double precision as open_seconds
        from (select d.document::jsonb -> 'breaker' as breaker) x) b
    left join runs_pace p on p.tenant_id = d.tenant_id and p.dependency_name = d.name and p.purpose = 'breaker' and p.tokens = 0
    cross join lateral (
        select count(*) as n, coalesce(bool_and(a.failed), true) as failed, max(a.ended_at) as last_at, min(a.ended_at) as first_at
        from (select t.ended_at, t.outcome in ('unknown', 'transient', 'overload', 'not_sent') as failed from runs_attempt t
              where t.tenant_id = d.tenant_id and t.dependency_name = d.name and t.state = 'ended' and t.worker like 'worker:%'
                and (p.at is null or t.started_at > p.at)
              order by t.started_at desc limit case when p.at is null then b.failures else 1 end) a) s
    where d.retired_at is null and position('"breaker":{' in d.document) > 0 and s.failed
      and (p.at is not null or (s.n = b.failures and s.last_at - s.first_at <= make_interval(secs => b.window_seconds)))
$$;

-- Keeps from when on tries are counted, for the dependencies of effects that are about to be begun, and forgets it where one was answered;
-- their dependencies are locked.
create or replace function runs_keep_breakers(p_effects uuid[], p_now timestamptz) returns void
language plpgsql set enable_seqscan = off as $$
begin
    if not exists (
        select from runs_effect e join runs_dependency d on d.tenant_id = e.tenant_id and d.name = e.dependency_name and d.retired_at is null
        where e.id = any (p_effects) and position('"breaker":{' in d.document) > 0) then
        return;
    end if;
    update runs_pace p set tokens = 'Infinity', at = p_now
    where p.purpose = 'breaker' and p.tokens = 0
      and (p.tenant_id, p.dependency_name) in (select e.tenant_id, e.dependency_name from runs_effect e where e.id = any (p_effects))
      and not exists (select from runs_breakers(p_now) b where b.tenant_id = p.tenant_id and b.dependency_name = p.dependency_name);
    insert into runs_pace (id, tenant_id, dependency_name, purpose, tokens, at)
    select gen_random_uuid(), b.tenant_id, b.dependency_name, 'breaker', 0, b.failed_at
    from runs_breakers(p_now) b
    where (b.tenant_id, b.dependency_name) in (select e.tenant_id, e.dependency_name from runs_effect e where e.id = any (p_effects))
    on conflict (tenant_id, dependency_name, purpose) do update set tokens = 0, at = excluded.at where runs_pace.tokens > 0;
end $$;
