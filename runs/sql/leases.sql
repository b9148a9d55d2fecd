-- Ends attempts whose worker is gone: all whose lease ran out, or (with `p_worker`) all of a worker that its own parent saw die.
-- What was recorded decides: a read may be done again; a write that was marked as not yet sent goes back to its turn; any other write
-- may have happened, and is unknown (R-F1). A look at an unknown, or its repetition, that was lost leaves it unknown, to be looked after
-- again, and a check that was lost is made again: once at once, and the more of them were lost in a row the more seldom. An effect whose attempts are used up is not begun again, so that one that kills its worker cannot do so for ever.
create or replace function runs_end_leases(p_actor text, p_limit int, p_worker text default null)
returns table (effect_id uuid, state text) language plpgsql as $$
#variable_conflict use_column
declare
    found_attempts uuid[]; found_runs uuid[]; v_now timestamptz; lost uuid[]; runs uuid[]; kinds text[]; bodies text[];
begin
    select array_agg(t.id), array_agg(distinct t.run_id) into found_attempts, found_runs from (
        select id, run_id from runs_attempt where state = 'running' and case when p_worker is null then lease_expires_at <= cf_now() else worker = p_worker end
        order by lease_expires_at limit p_limit) t;
    if found_attempts is null then return; end if;
    select array_agg(id) into found_runs from (select id from runs_run where id = any (found_runs) order by id for no key update skip locked) r;
    if found_runs is null then return; end if;
    v_now := cf_now();
    perform 1 from runs_effect e where e.id in (select t.effect_id from runs_attempt t where t.id = any (found_attempts) and t.run_id = any (found_runs))
    order by e.id for no key update;

    with judged as (
        select t.id, o.document,
            t.kind in ('act', 'resend') and o.access = 'write' and (not t.marks_before_send or t.sent_mark_at is not null) as may_have_happened,
            case e.executor when 'agent' then 'the agent''s lease ended without a report' when 'human' then 'the lease ended without a report'
                else 'the worker vanished' end as reason,
            (select count(*) from runs_attempt x where x.effect_id = e.id and x.kind in ('act', 'resend')) >= o.attempts_allowed + e.attempts_granted as used_up,
            -- how many looks in a row were lost before this attempt
            (select count(*) from runs_attempt x where x.effect_id = e.id and x.state = 'lost' and x.kind in ('status', 'read', 'verify', 'check', 'cancel') and x.number > coalesce((
                select max(y.number) from runs_attempt y where y.effect_id = e.id and y.id <> t.id and (y.state = 'ended' or y.kind in ('act', 'resend'))), 0)) as looks_lost
        from runs_attempt t join runs_effect e on e.id = t.effect_id join runs_operationcontract o on o.id = e.operation_id
        where t.id = any (found_attempts) and t.run_id = any (found_runs)),
    gone as (
        update runs_attempt t set state = 'lost', outcome = case when j.may_have_happened then 'unknown' else 'not_sent' end,
            sent = case when t.marks_before_send and t.sent_mark_at is null then false end,
            reason = j.reason || case when t.kind = 'act' and not j.may_have_happened and j.used_up then '; its attempts are used up' else '' end,
            ended_at = v_now, lease_expires_at = null
        from judged j where j.id = t.id and t.state = 'running' and (p_worker is not null or t.lease_expires_at <= v_now)
        returning t.id, t.effect_id, t.run_id, t.kind, t.outcome, t.sent, t.reason, t.fence, j.document, j.used_up, j.looks_lost),
    -- Whoever has read the answer elsewhere, or found out, may have moved an effect on while it was looked after: then only the attempt is lost.
    follows as (
        select g.*, e.state as was,
            case when g.kind <> 'act' or e.state <> 'dispatched' then e.state when g.outcome = 'unknown' then 'unknown' when g.used_up then 'failed' else 'ready' end as becomes,
            case when e.state not in ('dispatched', 'unknown', 'accepted') or (g.kind = 'act' and g.outcome <> 'unknown') then ''
                 when g.kind in ('act', 'resend') then runs_first_step(g.document) else g.kind end as step
        from gone g join runs_effect e on e.id = g.effect_id),
    moved as (
        update runs_effect e set
            state = f.becomes,
            state_reason = case when f.kind <> 'act' then e.state_reason else f.reason end,
            outcome = case when f.kind <> 'act' then e.outcome else f.outcome end,
            unknown_since = case when f.becomes = 'unknown' and f.was <> 'unknown' then v_now else e.unknown_since end,
            alerts = case when f.becomes = 'unknown' and f.was <> 'unknown' then 0 else e.alerts end,
            escalated_at = case when f.becomes = 'unknown' and f.was <> 'unknown' then null else e.escalated_at end,
            owner_group = case when f.becomes = 'unknown' and f.was <> 'unknown' then '' else e.owner_group end,
            objective_at = case when f.becomes = 'unknown' and f.was <> 'unknown' then null else e.objective_at end,
            next_alert_at = case when f.becomes = 'unknown' and f.was <> 'unknown' then v_now else e.next_alert_at end,
            ended_at = case when f.becomes = 'failed' then v_now else e.ended_at end,
            next_step = case when f.becomes in ('unknown', 'accepted') then f.step else '' end,
            next_attempt_at = case when f.becomes = 'ready' and f.was = 'dispatched' then v_now
                when f.becomes not in ('unknown', 'accepted') and not (f.kind = 'check' and f.was = 'ready') then e.next_attempt_at
                when f.kind <> 'check' and f.step = '' then null when f.step = 'resend' then v_now + make_interval(secs => 1 + 4 * random())
                when f.looks_lost = 0 then v_now else v_now + make_interval(secs => least(power(2, least(f.looks_lost, 12)), 3600)) end
        from follows f where e.id = f.effect_id
        returning e.id, e.run_id, e.state)
    select array_agg(g.run_id order by g.run_id, g.id), array_agg('attempt.lost'::text),
           array_agg(json_build_object('attempt', g.id, 'effect', g.effect_id, 'outcome', g.outcome, 'to', m.state, 'sent', g.sent, 'reason', g.reason)::text order by g.run_id, g.id),
           array_agg(g.id)
    into runs, kinds, bodies, lost from gone g join moved m on m.id = g.effect_id;
    if runs is null then return; end if;
    perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, v_now);
    perform runs_after_endings(runs, p_actor, v_now);
    return query select e.id, e.state::text from runs_effect e join runs_attempt t on t.effect_id = e.id where t.id = any (lost);
end $$;
