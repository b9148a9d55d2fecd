-- The completion gate (R-A8): what of these runs is still open, and what a required effect ended as. One rule, read by the API's
-- `complete`, by the settlement of a run that completes by itself, and by the closing of a run. An effect is made good by one that replaced
-- it and was done, or that answers for itself here because it is required too. What was done in part is
-- resolved once a person settled its rest. What makes good for effects is no part of this: it goes its way whatever becomes of the run, and what
-- the run's end waits for of it stands with the run (compensation).
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
        from runs_effect e where e.run_id = r.id and e.compensates_id is null) g
$$;

-- Whether something came after an effect had ended in vain and says that it was done: an answer to an attempt that was given up, or a signed
-- message (runs/compensating/late.py says it in words).
create or replace function runs_said_done(p_effect uuid, p_ended_at timestamptz) returns boolean language sql stable as $$
    select exists (select from runs_attempt t where t.effect_id = p_effect and t.late_at >= p_ended_at and t.kind not in ('check', 'cancel')
                     and t.late_outcome in ('succeeded', 'partial', 'accepted'))
        or exists (select from runs_callback c where c.effect_id = p_effect and c.settled_at >= p_ended_at and c.state || '' = 'late'
                     and c.outcome in ('succeeded', 'partial', 'accepted'))
$$;

-- The effects of a run that are made good for when it closes toward this, as their contracts say: those that happened, and those that may have:
-- in flight, unknown, or ended in vain and said to be done by what came late. What cleans up while it closes is not undone by that.
create or replace function runs_to_make_good(p_run uuid, p_toward text) returns setof uuid language sql stable rows 4 set enable_seqscan = off as $$
    select e.id from runs_effect e join runs_operationcontract o on o.id = e.operation_id
    where e.run_id = p_run and e.compensates_id is null and not e.cleanup
      and (e.state || '' in ('succeeded', 'partial', 'dispatched', 'accepted', 'unknown')
           or (e.state || '' in ('rejected', 'failed', 'denied', 'lapsed', 'expired', 'withdrawn') and runs_said_done(e.id, e.ended_at)))
      and o.document::jsonb #> '{compensation,on}' ? p_toward
$$;

-- Marks closing runs that have such effects as due to be compensated, of those that stand with their compensation as it is said: the clock
-- takes them from there. Gives the entries that the caller has to record.
create or replace function runs_compensation_due(p_runs uuid[], p_standing text[], p_now timestamptz) returns table (run_id uuid, kind text, body text)
language plpgsql rows 10 set enable_seqscan = off as $$
#variable_conflict use_column
begin
    return query
    with moved as (
        update runs_run r set compensation = 'due'
        where r.id = any (p_runs) and r.state || '' = 'closing' and r.compensation = any (p_standing)
          and exists (select from runs_to_make_good(r.id, r.closing_toward))
        returning r.id)
    select id, 'run.compensating', json_build_object('to', 'due')::text from moved;
end $$;

-- The same, recorded at once, for locked runs that begin to close and had to do with compensation before: what is made good for already is no
-- reason that the rest is not.
create or replace function runs_compensate_anew(p_runs uuid[], p_actor text, p_now timestamptz) returns void language sql as $$
    select runs_record(array_agg(e.run_id), array_agg(e.kind), array_agg(p_actor), array_agg(e.body), p_now)
    from runs_compensation_due(p_runs, array['open', 'over'], p_now) e having count(*) > 0
$$;

-- Ends runs whose end has come, among locked runs: those that complete by themselves once nothing is open or waited for, and those that
-- are closing once nothing is in flight or unknown, what they did was made good for, and their cancellation lets them. One that completes by
-- itself and failed closes first where something is to be made good for. What proves a cancellation is recorded before the end that it leads
-- to. Gives the entries that the caller has to record.
create or replace function runs_ended(p_runs uuid[], p_now timestamptz) returns table (run_id uuid, kind text, body text)
language plpgsql rows 50 set enable_seqscan = off as $$
#variable_conflict use_column
declare
    perhaps uuid[]; closing uuid[]; over uuid[]; targets text[]; reasons text[]; called_off uuid[]; turned uuid[];
begin
    select array_agg(id), array_agg(id) filter (where state = 'closing') into perhaps, closing from runs_run where id = any (p_runs) and (state = 'closing'
        -- What is waited for yet, a resume that is due, or a correction that nobody has taken into account keep a run from completing by itself.
        or (state = 'running' and completes_itself and open_waits = 0 and not resume_due and corrections_seen >= corrections_count));
    if perhaps is null then return; end if;
    if closing is not null then
        return query select * from runs_compensation_due(closing, array[''], p_now);
    end if;
    with due as (
        select r.id, r.state as was, case
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
        where cardinality(g.in_flight) = 0 and cardinality(g.unstarted) = 0 and r.compensation in ('', 'over')
          -- What calls for compensation by itself (done in part, found to be undone, overran) is planned before the run ends, not after.
          and not exists (select from runs_effect e where e.run_id = r.id and e.undo_due)
          and ((r.state = 'closing' and not exists (select from runs_effect e where e.run_id = r.id and e.state || '' = 'unknown' and e.compensates_id is null)
                and not (r.closing_toward = 'cancelled' and runs_held_open(r.id, p_now)))
               or (r.state = 'running' and cardinality(g.unresolved) = 0))),
    chosen as (
        select d.id, d.target, d.reason, d.was = 'running' and d.target = 'failed' and exists (select from runs_to_make_good(d.id, 'failed')) as turns
        from due d)
    select array_agg(c.id) filter (where not c.turns), array_agg(c.target::text) filter (where not c.turns),
           array_agg(c.reason) filter (where not c.turns), array_agg(c.id) filter (where c.target = 'cancelled'), array_agg(c.id) filter (where c.turns)
    into over, targets, reasons, called_off, turned from chosen c;
    if turned is not null then
        return query
        with moved as (
            update runs_run r set state = 'closing', closing_toward = 'failed', closing_reason = 'a required effect was not done', compensation = 'due',
                watch_at = null, attention = '', attention_since = null, attention_reason = ''
            where r.id = any (turned)
            returning r.id, r.closing_reason)
        select m.id, e.kind, e.body from moved m cross join lateral (values
            (1, 'run.closing', json_build_object('toward', 'failed', 'reason', m.closing_reason)::text),
            (2, 'run.compensating', json_build_object('to', 'due')::text)) e (place, kind, body)
        order by m.id, e.place;
    end if;
    if over is null then return; end if;
    if called_off is not null then
        return query select * from runs_prove_runs(called_off, p_now);
    end if;
    return query
    with moved as (
        update runs_run r set state = d.target, closing_reason = d.reason, ended_at = p_now, attention = l.attention, attention_reason = l.reason,
            attention_since = case when l.attention <> '' then p_now end, watch_at = case when l.attention <> '' then p_now end
        from unnest(over, targets, reasons) as d (id, target, reason)
        cross join lateral (
            select coalesce(max(x.attention), '') as attention, coalesce(max(x.reason), '') as reason
            from runs_left_by_cancelling(d.id) x where d.target = 'cancelled') l
        where r.id = d.id
        returning r.id, r.state, r.closing_reason, r.attention, r.attention_reason)
    select id, 'run.ended', case when attention = '' then json_build_object('to', state, 'reason', closing_reason)
        else json_build_object('to', state, 'reason', closing_reason, 'attention', attention, 'attention_reason', attention_reason) end::text
    from moved;
    perform runs_children_ended(over, p_now);
    -- What makes good for effects goes on in a run that ended, and a pause of that run holds it no more.
    if exists (select from runs_run r where r.id = any (over) and r.compensation <> '') then perform runs_unpark(over, p_now); end if;
end $$;

-- The same, recorded at once.
create or replace function runs_finish(p_runs uuid[], p_actor text, p_now timestamptz) returns void language sql as $$
    select runs_record(array_agg(e.run_id), array_agg(e.kind), array_agg(p_actor), array_agg(e.body), p_now) from runs_ended(p_runs, p_now) e
$$;
