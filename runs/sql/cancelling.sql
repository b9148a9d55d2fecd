-- Cancellation as far as the database carries it: what keeps a closing run from its end, what the other side is asked to stop, and what
-- proves that it is over (R-I3). The rows are written by runs/cancelling.

-- Whether a closing run is kept from its end by its cancellation: its driver still has time to clean up, or a child has not ended.
create or replace function runs_held_open(p_run uuid, p_now timestamptz) returns boolean language sql stable as $$
    select exists (
        select from runs_cancellation c where c.run_id = p_run and c.state in ('requested', 'resolving') and c.effect_id is null
          and (c.grace_until > p_now
               or (c.scope = 'tree' and exists (select from runs_run k where k.parent_id = p_run and k.ended_at is null))))
$$;

-- What was begun and is to be cancelled: the other side is asked to stop it, once, where the contract has a call for that and lets a
-- cancellation from there reach it; and what came back to its turn is not begun again. Gives the entries that the caller has to record.
create or replace function runs_stop_begun(p_runs uuid[], p_now timestamptz) returns table (run_id uuid, kind text, body text)
language plpgsql rows 10 set enable_seqscan = off as $$
#variable_conflict use_column
begin
    with wanted as (
        select e.id, case when o.document::jsonb #>> '{cancellation,in_flight}' = 'request_cancel' then o.document::jsonb #> '{http,cancel}' end as call,
               coalesce(o.document::jsonb #> '{cancellation,scopes}', '["effect", "run", "tree"]') as scopes, c.scope
        from runs_cancellation c join runs_effect e on e.run_id = c.run_id and (c.effect_id is null or c.effect_id = e.id)
        join runs_operationcontract o on o.id = e.operation_id
        where c.run_id = any (p_runs) and c.state || '' in ('requested', 'resolving') and e.state || '' in ('accepted', 'unknown')
          and not e.cleanup and e.cancel_asked_at is null and e.next_step <> 'cancel')
    update runs_effect e set next_step = 'cancel', next_attempt_at = p_now
    from wanted w where e.id = w.id and jsonb_typeof(w.call) = 'object' and w.scopes ? w.scope::text;

    return query
    with moved as (
        update runs_effect e set state = 'withdrawn', state_reason = 'it was cancelled', next_attempt_at = null, ended_at = p_now
        from runs_cancellation c where c.run_id = any (p_runs) and c.state || '' in ('requested', 'resolving') and c.effect_id = e.id
          and e.state || '' = 'ready'
        returning e.id, e.run_id, e.state_reason)
    select run_id, 'effect.withdrawn', json_build_object('effect', id, 'to', 'withdrawn', 'reason', state_reason)::text from moved order by run_id, id;
end $$;

-- Proves the cancellations of effects that have ended; one whose effect was done after all is overtaken by that.
create or replace function runs_prove_effects(p_runs uuid[], p_now timestamptz) returns table (run_id uuid, kind text, body text)
language plpgsql rows 10 set enable_seqscan = off as $$
#variable_conflict use_column
begin
    return query
    with moved as (
        update runs_cancellation c set due_at = null, proven_at = p_now,
            state = case when e.state in ('succeeded', 'partial') then 'overtaken' else 'proven' end,
            evidence = format('{"effects":{"%s":1},"in_flight":0,"unknown":0}', e.state)
        from runs_effect e where c.run_id = any (p_runs) and c.state || '' in ('requested', 'resolving') and e.id = c.effect_id
          and e.ended_at is not null
        returning c.id, c.run_id, c.state, c.evidence, c.effect_id)
    select run_id, 'cancellation.' || state,
           json_build_object('cancellation', id, 'about', effect_id, 'evidence', evidence)::text from moved order by run_id, id;
end $$;

-- Proves the cancellations of runs whose end has come, by what is there: each effect's end, the clean-up's and the children's.
create or replace function runs_prove_runs(p_runs uuid[], p_now timestamptz) returns table (run_id uuid, kind text, body text)
language plpgsql rows 10 set enable_seqscan = off as $$
#variable_conflict use_column
begin
    return query
    with moved as (
        update runs_cancellation c set state = 'proven', due_at = null, proven_at = p_now, evidence = format(
            '{"children":{%s},"cleanup":[%s],%s"effects":{%s},"in_flight":%s,"unknown":%s}',
            (select string_agg(format('"%s":%s', k.state, k.n), ',' order by k.state collate "C")
             from (select x.state, count(*) as n from runs_run x where x.parent_id = c.run_id group by x.state) k),
            (select string_agg(format('{"effect":"%s","state":"%s"}', x.id, x.state), ',' order by x.number) from runs_effect x
             where x.run_id = c.run_id and x.cleanup and x.compensates_id is null),
            (select '"compensation":[' || string_agg(format('{"effect":"%s","of":"%s","state":"%s"}', x.id, x.compensates_id, x.state), ',' order by x.number) || '],'
             from runs_effect x where x.run_id = c.run_id and x.compensates_id is not null),
            (select string_agg(format('"%s":%s', k.state, k.n), ',' order by k.state collate "C")
             from (select x.state, count(*) as n from runs_effect x where x.run_id = c.run_id and not x.cleanup group by x.state) k),
            (select count(*) from runs_effect x where x.run_id = c.run_id and x.compensates_id is null and x.state in ('dispatched', 'accepted')),
            (select count(*) from runs_effect x where x.run_id = c.run_id and x.compensates_id is null and x.state || '' = 'unknown'))
        where c.run_id = any (p_runs) and c.state || '' in ('requested', 'resolving') and c.effect_id is null
        returning c.id, c.run_id, c.evidence)
    select run_id, 'cancellation.proven', json_build_object('cancellation', id, 'evidence', evidence)::text from moved order by run_id, id;
end $$;

-- What a person has to see to when a run ended as cancelled: something was done although it was to stop, or the clean-up was not done. What was
-- made good for is no loose end, and neither is what people answered for in its place; what remains of it stands with the run (residue).
create or replace function runs_left_by_cancelling(p_run uuid) returns table (attention text, reason text) language sql stable rows 1 as $$
    with asked as (select min(c.asked_at) as at from runs_cancellation c where c.run_id = p_run and c.effect_id is null),
    done as (
        select string_agg('effect ' || e.number, ', ' order by e.number) as named from runs_effect e, asked a
        where e.run_id = p_run and not e.cleanup and e.state || '' in ('succeeded', 'partial') and e.ended_at > a.at
          and not exists (select from runs_effect c where c.compensates_id = e.id and c.state || '' = 'succeeded')
          and not exists (select from runs_run r where r.id = p_run and r.compensation = 'over'
                          and e.id in (select m.id from runs_to_make_good(p_run, 'cancelled') as m (id)))),
    undone as (
        select string_agg('effect ' || e.number, ', ' order by e.number) as named from runs_effect e
        where e.run_id = p_run and e.cleanup and e.compensates_id is null and e.state || '' <> 'succeeded'
          and not exists (select from runs_effect s where s.supersedes_id = e.id and s.state || '' = 'succeeded'))
    select case when d.named is not null then 'late' when u.named is not null then 'decision' else '' end,
           concat_ws('; ', 'committed after cancel: ' || d.named, 'clean-up not done: ' || u.named)
    from done d, undone u
$$;

-- Runs have ended: cancellations of the trees that they belong to are looked at again. Their rows are taken after all runs, in the order of
-- their ids, and nobody who has one goes on to take a run: so this waits for no circle.
create or replace function runs_children_ended(p_runs uuid[], p_now timestamptz) returns void language sql as $$
    update runs_cancellation c set due_at = p_now where c.id in (
        select o.id from runs_cancellation o where o.run_id in (select r.parent_id from runs_run r where r.id = any (p_runs) and r.parent_id is not null)
          and o.state || '' in ('requested', 'resolving') and o.scope = 'tree' order by o.id for no key update)
$$;

-- Something came for effects that had ended in vain, and says that they were done: it changes nothing of them. Where the end of their run calls
-- for making them good it is planned, and where the run has ended a person sees to it; the clock tells of it (watch_at). An effect that makes
-- good for another is looked after by its work item, whatever has become of the run.
create or replace function runs_note_late(p_runs uuid[], p_effects uuid[], p_actor text, p_now timestamptz) returns void
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    runs uuid[]; bodies text[];
begin
    update runs_effect e set undo_due = true
    from runs_run r, runs_operationcontract o
    where e.id = any (p_effects) and e.compensates_id is null and not e.cleanup
      and e.state || '' in ('rejected', 'failed', 'denied', 'lapsed', 'expired', 'withdrawn')
      and r.id = e.run_id and r.erased_at is null and r.state || '' in ('closing', 'failed', 'expired', 'cancelled') and o.id = e.operation_id
      and o.document::jsonb #> '{compensation,on}' ? case when r.state = 'closing' then r.closing_toward else r.state end;

    with said as (
        select distinct on (x.run) x.run, e.id, e.number
        from unnest(p_runs, p_effects) as x (run, effect) join runs_effect e on e.id = x.effect
        where e.compensates_id is null and e.state || '' in ('rejected', 'failed', 'denied', 'lapsed', 'expired', 'withdrawn')
        order by x.run, e.number),
    moved as (
        update runs_run r set attention = 'late', attention_since = p_now, watch_at = p_now,
            attention_reason = case when r.state = 'cancelled' then 'committed after cancel' else 'told late that it was done' end || ': effect ' || s.number
        from said s where r.id = s.run and r.ended_at is not null and r.attention <> 'late' and r.erased_at is null
        returning r.id, s.id as effect, r.attention_reason as reason)
    select array_agg(m.id order by m.id), array_agg(json_build_object('effect', m.effect, 'reason', m.reason)::text order by m.id) into runs, bodies from moved m;
    if runs is not null then
        perform runs_record(runs, array_fill('run.late'::text, array[cardinality(runs)]), array_fill(p_actor, array[cardinality(runs)]), bodies, p_now);
    end if;
end $$;
