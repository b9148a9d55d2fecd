-- How fast a dependency is asked what became of things, and how often anything is tried again there (R-D3): token buckets, one row of
-- runs_pace each, judged and paid at the claim, under the dependency's lock. A bucket without a row is full, and so is one that says Infinity:
-- as long as nothing is retried and nothing is unknown, nobody reads or writes any.

-- What a dependency's contract says of its paces: tokens a second, what a first act adds, and how many there are at most.
create or replace function runs_pace_terms(p_document text)
returns table (purpose text, rate double precision, share double precision, most double precision) language sql immutable rows 2 as $$
    select 'looks', l.rate, 0::double precision, greatest(l.rate, 1)
    from (select coalesce((p_document::jsonb ->> 'reconcile_per_second')::double precision, 10) as rate) l
    union all
    select 'retries', coalesce((b.budget ->> 'per_second')::double precision, 1), coalesce((b.budget ->> 'share')::double precision, 0.2),
           coalesce((b.budget ->> 'most')::double precision, 100)
    from (select p_document::jsonb -> 'retry_budget' as budget) b
$$;

-- The buckets of these effects' dependencies, filled up to now.
create or replace function runs_paces(p_effects uuid[], p_now timestamptz)
returns table (tenant_id uuid, dependency_name text, purpose text, rate double precision, share double precision, most double precision, tokens double precision)
language sql stable rows 4 as $$
    select d.tenant_id, d.name, t.purpose, t.rate, t.share, t.most,
           least(t.most, coalesce(p.tokens + greatest(extract(epoch from p_now - p.at), 0) * t.rate, t.most))
    from runs_dependency d cross join lateral runs_pace_terms(d.document) t
    left join runs_pace p on p.tenant_id = d.tenant_id and p.dependency_name = d.name and p.purpose = t.purpose
    where d.retired_at is null and (d.tenant_id, d.name) in (
        select e.tenant_id, e.dependency_name from runs_effect e where e.id = any (p_effects) and e.dependency_name <> '')
$$;

-- Which bucket the next attempt of an effect takes from: a first act takes from none. What was acted on before has a fence.
drop function if exists runs_purpose(text, text, bigint);
create or replace function runs_purpose(p_step text, p_fence bigint) returns text language sql immutable as $$
    select case when p_step not in ('act', 'resend') then 'looks' when p_step = 'resend' or p_fence > 0 then 'retries' else '' end
$$;

-- Gives those of the effects that their dependency's paces let through, the longest due first. The others come again when a token will be
-- there for them: they have used nothing up, and stand in nobody's way.
create or replace function runs_paced(p_effects uuid[], p_now timestamptz) returns uuid[]
language plpgsql set enable_seqscan = off as $$
declare
    through uuid[]; later uuid[]; waits double precision[];
begin
    with queued as (
        select e.id, e.tenant_id, e.dependency_name, k.purpose,
               row_number() over (partition by e.tenant_id, e.dependency_name, k.purpose order by e.next_attempt_at, e.id) as turn
        from runs_effect e cross join lateral runs_purpose(runs_step(e.state, e.expects, e.next_step), e.fence) as k (purpose)
        where e.id = any (p_effects)),
    judged as (
        select q.id, q.turn <= p.tokens + 1e-9 as goes, case when p.rate > 0 then (q.turn - p.tokens) / p.rate else 5 end as wait
        from queued q left join runs_paces(p_effects, p_now) p
            on p.tenant_id = q.tenant_id and p.dependency_name = q.dependency_name and p.purpose = q.purpose)
    select array_agg(j.id) filter (where coalesce(j.goes, true)), array_agg(j.id) filter (where not j.goes), array_agg(j.wait) filter (where not j.goes)
    into through, later, waits from judged j;
    if later is not null then
        update runs_effect e set next_attempt_at = p_now + make_interval(secs => least(greatest(x.wait, 0.1), 60))
        from unnest(later, waits) as x (id, wait) where e.id = x.id;
    end if;
    return through;
end $$;

-- Takes a token for each attempt that is made now, and adds the share of first acts.
create or replace function runs_pay(p_effects uuid[], p_now timestamptz) returns void
language sql set enable_seqscan = off as $$
    insert into runs_pace (id, tenant_id, dependency_name, purpose, tokens, at)
    select gen_random_uuid(), p.tenant_id, p.dependency_name, p.purpose,
           case when p.tokens - n.taken + p.share * n.firsts >= p.most then 'Infinity' else greatest(p.tokens - n.taken + p.share * n.firsts, 0) end, p_now
    from runs_paces(p_effects, p_now) p
    cross join lateral (
        select count(*) filter (where k.purpose = p.purpose) as taken, count(*) filter (where k.purpose = '') as firsts
        from runs_effect e cross join lateral runs_purpose(runs_step(e.state, e.expects, e.next_step), e.fence) as k (purpose)
        where e.id = any (p_effects) and e.tenant_id = p.tenant_id and e.dependency_name = p.dependency_name) n
    where n.taken > 0 or (n.firsts > 0 and p.tokens < p.most)
       or exists (select from runs_pace x where x.tenant_id = p.tenant_id and x.dependency_name = p.dependency_name and x.purpose = p.purpose
                  and x.tokens < 'Infinity' and p.tokens >= p.most)
    on conflict (tenant_id, dependency_name, purpose) do update set tokens = excluded.tokens, at = excluded.at
$$;
