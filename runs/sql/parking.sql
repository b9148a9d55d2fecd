-- Whether something stops this from being begun now, without ending it: its run waits for a resume's decision, or it is paused. What makes good
-- for another effect waits for no decision about its run, and for nothing that the run may use; a pause of a run that ended is over.
-- What is stopped is parked: ready, without a time. Whoever takes the reason away puts it back (runs_unpark).
drop function if exists runs_stopped(runs_run, text, boolean);
create or replace function runs_stopped(p_run runs_run, p_operation text, p_cleanup boolean, p_compensates boolean) returns boolean language sql stable as $$
    select (p_run.resume_due and not p_compensates and not (p_cleanup and p_run.state = 'closing'))
        or (p_run.state = 'exhausted' and not p_compensates)
        or p_run.state = 'quarantined'
        or exists (
            select from runs_pause p where p.lifted_at is null and p.tenant_id = p_run.tenant_id and case p.scope
                when 'tenant' then true
                when 'run' then p.run_id = p_run.id and p_run.ended_at is null
                when 'operation' then p.name = p_operation
                when 'run_type' then p.name = (select t.name from runs_runtypecontract t where t.id = p_run.run_type_id)
                else false end)
$$;

-- Makes what was parked in these runs due again; what is still stopped is parked again by the claim that finds it.
create or replace function runs_unpark(p_runs uuid[], p_now timestamptz) returns int language plpgsql set enable_seqscan = off as $$
declare
    n int;
begin
    update runs_effect set next_attempt_at = p_now where run_id = any (p_runs) and state = 'ready' and next_attempt_at is null;
    get diagnostics n = row_count;
    return n;
end $$;

-- Makes due again, of what a pause that was lifted had stopped, what stands next in the order of ids: `p_limit` are looked at, those that
-- nothing else stops are due. Whoever parks under a pause holds its row, so that nothing is parked under it once it is lifted (runs_take).
create or replace function runs_release(p_pause uuid, p_now timestamptz, p_limit int, out looked int, out released int, out last uuid)
language plpgsql set enable_seqscan = off set enable_sort = off as $$
declare
    v_pause runs_pause; found_effects uuid[]; found_runs uuid[];
begin
    select * into v_pause from runs_pause p where p.id = p_pause;
    select count(*), array_agg(f.id), array_agg(distinct f.run_id), (array_agg(f.id order by f.id desc))[1]
    into looked, found_effects, found_runs, last
    from (select e.id, e.run_id from runs_effect e
          where e.tenant_id = v_pause.tenant_id and e.state = 'ready' and e.next_attempt_at is null
            and (v_pause.release_after is null or e.id > v_pause.release_after)
          order by e.id limit p_limit) f;
    perform 1 from runs_run r where r.id = any (found_runs) order by r.id for no key update;
    update runs_effect e set next_attempt_at = p_now from runs_run r
    where e.id = any (found_effects) and r.id = e.run_id and e.state = 'ready' and e.next_attempt_at is null
      and not runs_stopped(r, e.operation_name, e.cleanup, e.compensates_id is not null);
    get diagnostics released = row_count;
end $$;
