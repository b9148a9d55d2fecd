-- What runs may use and have used, for each budget that they have. Attempts are those that act; looks are never counted, and never held up,
-- and neither is what makes good for an effect.
create or replace function runs_budgets(p_runs uuid[], p_now timestamptz)
returns table (run_id uuid, budget text, allowed numeric, used numeric) language sql stable rows 20 as $$
    select r.id, b.budget, (r.l ->> b.budget)::numeric, b.used
    from (select id, nullif(limits, '')::jsonb as l, used_cost, used_tokens, created_at from runs_run where id = any (p_runs)) r
    cross join lateral (values
        ('attempts', case when r.l ->> 'attempts' is not null then (
            select count(*) from runs_effect e join runs_attempt t on t.effect_id = e.id where e.run_id = r.id and e.compensates_id is null and t.kind in ('act', 'resend')) end),
        ('cost', r.used_cost),
        ('tokens', r.used_tokens),
        ('children', case when r.l ->> 'children' is not null then (select count(*) from runs_run c where c.parent_id = r.id) end),
        ('wall_seconds', floor(extract(epoch from p_now - r.created_at)))) b (budget, used)
    where r.l ->> b.budget is not null
$$;

-- Sets locked runs aside whose budgets have run out: nothing more begins until somebody gives more or ends them. What they do then is seen to
-- by the clock at once (watch_at). Gives those that were going.
create or replace function runs_exhaust(p_runs uuid[], p_actor text, p_now timestamptz, p_via text default null) returns uuid[]
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    runs uuid[]; bodies text[];
begin
    with spent as (
        select b.run_id, json_agg(json_build_object('budget', b.budget, 'allowed', trim_scale(b.allowed)::text, 'used', trim_scale(b.used)::text)
                                  order by b.budget) as budgets,
               string_agg(replace(b.budget, '_', ' ') || ': ' || trim_scale(b.used) || ' of ' || trim_scale(b.allowed), '; ' order by b.budget) as words
        from runs_budgets(p_runs, p_now) b where b.budget <> 'children' and b.used >= b.allowed group by 1),
    moved as (
        update runs_run r set state = 'exhausted', attention = 'exhausted', attention_since = p_now, attention_reason = s.words, watch_at = p_now
        from spent s where r.id = s.run_id and r.state in ('running', 'waiting')
        returning r.id, s.budgets, s.words)
    select array_agg(id order by id), array_agg(runs_via(json_build_object('to', 'exhausted', 'budgets', budgets, 'reason', words)::text, p_via) order by id)
    into runs, bodies from moved;
    if runs is not null then
        perform runs_record(runs, array_fill('run.exhausted'::text, array[cardinality(runs)]), array_fill(p_actor, array[cardinality(runs)]), bodies, p_now);
    end if;
    return runs;
end $$;

-- Leaves of chosen effects what their runs have something left for, in runs that the caller has locked. `p_limited` are those that would act and
-- whose runs have budgets. A run with nothing left is set aside, and what was due in it is parked; where less is left than is due, the rest
-- stays due and comes again.
create or replace function runs_within_limits(p_effects uuid[], p_limited uuid[], p_actor text, p_now timestamptz) returns uuid[]
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    held uuid[]; gone uuid[]; beyond uuid[];
begin
    select array_agg(distinct e.run_id) into held from runs_effect e where e.id = any (p_limited);
    with budgets as (
        select b.run_id, min(b.allowed - b.used) filter (where b.budget = 'attempts') as attempts,
               bool_or(b.used >= b.allowed) filter (where b.budget <> 'children') as used_up
        from runs_budgets(held, p_now) b group by 1),
    placed as (
        select e.id, e.run_id, row_number() over (partition by e.run_id order by e.next_attempt_at, e.number) as place
        from runs_effect e where e.id = any (p_limited))
    select array_agg(distinct p.run_id) filter (where b.used_up), array_agg(p.id) filter (where b.used_up or p.place > b.attempts)
    into gone, beyond from placed p join budgets b on b.run_id = p.run_id;
    if beyond is null then return p_effects; end if;
    if gone is not null then
        perform runs_exhaust(gone, p_actor, p_now);
        update runs_effect e set next_attempt_at = case when e.state = 'ready' then null else p_now + interval '30 seconds' end
        where e.id = any (beyond) and e.run_id = any (gone);
    end if;
    return (select array_agg(x.id) from unnest(p_effects) as x (id) where not (x.id = any (beyond)));
end $$;
