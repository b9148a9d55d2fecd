-- The completion gate (R-A8): what of these runs is still open, and what a required effect ended as. One rule, read by the API's
-- `complete`, by the settlement of a run that completes by itself, and by the closing of a run. An effect is made good by one that replaced
-- it and was done, or that answers for itself here because it is required too. What was done in part is
-- resolved once a person settled its rest.
create or replace function runs_gate(p_runs uuid[])
returns table (run_id uuid, unstarted uuid[], in_flight uuid[], unresolved uuid[], unmet uuid[]) language sql stable rows 50 as $$
    select r.id, g.* from unnest(p_runs) as r (id) cross join lateral (select
        coalesce(array_agg(e.id order by e.number) filter (where e.state in ('proposed', 'blocked', 'awaiting_approval', 'ready')), '{}'),
        coalesce(array_agg(e.id order by e.number) filter (where e.state in ('dispatched', 'accepted')), '{}'),
        coalesce(array_agg(e.id order by e.number) filter (where e.state = 'unknown' or (e.state = 'partial' and e.required and e.reconciled_at is null)), '{}'),
        coalesce(array_agg(e.id order by e.number) filter (where e.required
            and e.state in ('rejected', 'failed', 'denied', 'lapsed', 'expired')
            and not exists (select from runs_effect s where s.supersedes_id = e.id
                and (s.state = 'succeeded' or (s.required and s.state <> 'withdrawn')))), '{}')
        from runs_effect e where e.run_id = r.id) g
$$;

-- Ends runs whose end has come, among locked runs: those that complete by themselves once nothing is open, and those that are closing
-- once nothing is in flight or unknown. Gives the entries that the caller has to record.
create or replace function runs_ended(p_runs uuid[], p_now timestamptz) returns table (run_id uuid, kind text, body text)
language plpgsql rows 50 set enable_seqscan = off as $$
#variable_conflict use_column
declare
    perhaps uuid[];
begin
    select array_agg(id) into perhaps from runs_run where id = any (p_runs) and (state = 'closing' or (state = 'running' and completes_itself));
    if perhaps is null then return; end if;
    return query
    with due as (
        select r.id, case
            when r.state = 'closing' then r.closing_toward
            when cardinality(g.unmet) > 0 or c.dropped then 'failed'
            else 'succeeded' end as target,
            case when r.state = 'closing' then r.closing_reason
                 when cardinality(g.unmet) > 0 or c.dropped then 'a required effect was not done' else '' end as reason
        from runs_gate(perhaps) g join runs_run r on r.id = g.run_id
        -- A driver that completes its run has seen what was withdrawn; a run that completes by itself has nobody to see it.
        cross join lateral (select exists (
            select from runs_effect e where e.run_id = r.id and e.required and e.state || '' = 'withdrawn' and e.state_reason = 'what it waits for was not done'
              and not exists (select from runs_effect s where s.supersedes_id = e.id and s.state || '' = 'succeeded')) as dropped) c
        where cardinality(g.in_flight) = 0 and cardinality(g.unstarted) = 0
          and ((r.state = 'closing' and not exists (select from runs_effect e where e.run_id = r.id and e.state || '' = 'unknown'))
               or (r.state = 'running' and cardinality(g.unresolved) = 0))),
    moved as (
        update runs_run r set state = d.target, closing_reason = d.reason, ended_at = p_now from due d where r.id = d.id
        returning r.id, r.state, r.closing_reason)
    select id, 'run.ended', json_build_object('to', state, 'reason', closing_reason)::text from moved;
end $$;

-- The same, recorded at once.
create or replace function runs_finish(p_runs uuid[], p_actor text, p_now timestamptz) returns void language sql as $$
    select runs_record(array_agg(e.run_id), array_agg(e.kind), array_agg(p_actor), array_agg(e.body), p_now) from runs_ended(p_runs, p_now) e
$$;
