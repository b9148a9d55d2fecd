-- Writes what came back for a list of attempts, in one transaction. The fence is compared under the effect's lock: an answer to an
-- attempt that was given up, or that carries an older fence, is kept as late evidence and changes nothing (R-A6).
-- `p_states` is the state that the outcome leads to (runs/outcome.py decides it from the contract); `p_delays` counts, in seconds, to the
-- next attempt or to the step that `p_steps` names, by which it is found out what became of it. Gives the attempts that were late.
create or replace function runs_settle(
    p_attempts uuid[], p_fences bigint[], p_outcomes text[], p_states text[], p_delays double precision[], p_http smallint[], p_sent boolean[],
    p_reasons text[], p_results text[], p_references text[], p_evidence text[], p_steps text[], p_actor text, p_via text default null)
returns table (attempt_id uuid) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    held uuid[]; touched uuid[]; given_up uuid[]; v_now timestamptz; fitting uuid[]; late uuid[]; runs uuid[]; kinds text[]; bodies text[];
begin
    select array_agg(t.run_id), array_agg(t.effect_id) into held, touched from runs_attempt t where t.id = any (p_attempts);
    perform 1 from runs_run where id = any (held) order by id for no key update;
    v_now := cf_now();

    with locked as materialized (select e.id, e.fence, e.state from runs_effect e where e.id = any (touched) order by e.id for no key update)
    select array_agg(t.id) filter (where fits), array_agg(t.id) filter (where not fits) into fitting, late
    from (select t.id, t.state = 'running' and t.fence = a.fence and e.fence = a.fence
                 and e.state = any (case t.kind when 'act' then array['dispatched'] when 'resend' then array['unknown'] when 'check' then array['ready']
                                    else array['unknown', 'accepted'] end) as fits
          from unnest(p_attempts, p_fences) as a (id, fence) join runs_attempt t on t.id = a.id join locked e on e.id = t.effect_id) t;

    -- What turned out not to have happened is not done after all once another effect took its place (R-B3).
    with answers as (
        select a.id, a.outcome, case when r.taken then 'failed' else a.state end as state, a.delay, a.http, a.sent,
            case when r.taken then trim(a.reason || ' Another effect took its place, so it is not tried again.') else a.reason end as reason,
            a.result, a.reference, a.evidence, a.step
        from unnest(p_attempts, p_outcomes, p_states, p_delays, p_http, p_sent, p_reasons, p_results, p_references, p_evidence, p_steps)
            as a (id, outcome, state, delay, http, sent, reason, result, reference, evidence, step)
        cross join lateral (select a.state = 'ready' and exists (
            select from runs_attempt t join runs_effect s on s.supersedes_id = t.effect_id
            where t.id = a.id and t.kind <> 'check' and s.state not in ('rejected', 'failed', 'denied', 'lapsed', 'expired', 'withdrawn')) as taken) r
        where a.id = any (fitting)),
    ended as (
        update runs_attempt t set state = 'ended', outcome = a.outcome, http_status = a.http, sent = a.sent, reason = a.reason,
            evidence = a.evidence, evidence_digest = sha256(convert_to(a.evidence, 'UTF8')), ended_at = v_now, lease_expires_at = null
        from answers a where t.id = a.id
        returning t.id, t.effect_id, t.run_id, t.kind, t.evidence_digest),
    moved as (
        update runs_effect e set state = a.state, state_reason = a.reason,
            -- what is said to a wish to stop, or read before anything is done, is evidence, and no outcome of the effect
            outcome = case when t.kind = 'cancel' or (t.kind = 'check' and a.state = 'ready') then e.outcome else a.outcome end,
            result = coalesce(a.result, e.result),
            operation_reference = case when a.reference <> '' then a.reference else e.operation_reference end,
            next_attempt_at = case when a.state in ('ready', 'accepted', 'unknown') and a.delay is not null then v_now + make_interval(secs => a.delay) end,
            next_step = case when (a.state in ('accepted', 'unknown') and a.delay is not null) or a.step = 'checked' then a.step else '' end,
            -- What becomes unknown, or turns out to be done in part, has a new age, and nobody has been told of it.
            unknown_since = case when a.state = 'unknown' and e.state <> 'unknown' then v_now else e.unknown_since end,
            alerts = case when (a.state = 'unknown' and e.state <> 'unknown') or a.state = 'partial' then 0 else e.alerts end,
            escalated_at = case when (a.state = 'unknown' and e.state <> 'unknown') or a.state = 'partial' then null else e.escalated_at end,
            owner_group = case when a.state in ('unknown', 'partial') and e.state <> 'unknown' then '' else e.owner_group end,
            objective_at = case when a.state = 'unknown' and e.state = 'unknown' then e.objective_at end,
            next_alert_at = case when a.state = 'unknown' and e.state = 'unknown' then e.next_alert_at
                                 when a.state in ('unknown', 'partial') then v_now end,
            ended_at = case when a.state in ('succeeded', 'rejected', 'failed', 'partial', 'withdrawn') then v_now end
        from ended t join answers a on a.id = t.id where e.id = t.effect_id
        returning e.id)
    select array_agg(t.run_id order by t.run_id, t.id), array_agg('attempt.settled'::text),
           array_agg(runs_via(json_build_object('attempt', t.id, 'effect', t.effect_id, 'outcome', a.outcome, 'to', a.state, 'http_status', a.http, 'sent', a.sent,
               'reason', a.reason, 'result', a.result, 'reference', a.reference, 'evidence_digest', encode(t.evidence_digest, 'hex'))::text, p_via) order by t.run_id, t.id)
    into runs, kinds, bodies
    from ended t join answers a on a.id = t.id where (select count(*) from moved) >= 0;
    if runs is not null then
        -- What came and what follows from it are recorded together, so that each run's head moves once.
        select runs || array_agg(e.run_id order by e.place), kinds || array_agg(e.kind order by e.place), bodies || array_agg(e.body order by e.place)
        into runs, kinds, bodies from runs_endings(runs, v_now) with ordinality as e (run_id, kind, body, place);
        perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, v_now);
    end if;
    -- What a check found to be different is not done, so that nobody's leave for it stands.
    if 'withdrawn' = any (p_states) then
        select array_agg(e.request_id) into given_up
        from runs_attempt t join runs_effect e on e.id = t.effect_id
        where t.id = any (fitting) and t.kind = 'check' and e.state || '' = 'withdrawn' and e.request_id is not null;
        if given_up is not null then
            perform approvals_lapse(given_up, array_fill('its target was found to be different'::text, array[cardinality(given_up)]), p_actor, v_now);
        end if;
    end if;

    if late is not null then
        perform runs_keep_late(late, array_agg(a.outcome order by l.place), array_agg(a.evidence order by l.place), p_actor, p_via, v_now)
        from unnest(late) with ordinality as l (id, place) join unnest(p_attempts, p_outcomes, p_evidence) as a (id, outcome, evidence) using (id);
        return query select unnest(late);
    end if;
end $$;

-- Keeps what came back for attempts that had been given up, in runs that the caller has locked: as evidence, changing nothing. The first is
-- kept as it came, and what else comes later as a list, as long as that can still be read; the same said twice is no news.
create or replace function runs_keep_late(p_attempts uuid[], p_outcomes text[], p_evidence text[], p_actor text, p_via text, p_now timestamptz)
returns void language plpgsql set enable_seqscan = off as $$
declare
    runs uuid[]; kinds text[]; bodies text[];
begin
    with grown as (
        select t.id, a.outcome, case
            when t.late_evidence is null then a.evidence
            when left(t.late_evidence, 1) = '[' then left(t.late_evidence, -1) || ',' || a.evidence || ']'
            else '[' || t.late_evidence || ',' || a.evidence || ']' end as evidence
        from unnest(p_attempts, p_outcomes, p_evidence) as a (id, outcome, evidence) join runs_attempt t on t.id = a.id
        where t.evidence_digest is distinct from sha256(convert_to(a.evidence, 'UTF8'))
          and position(a.evidence in coalesce(t.late_evidence, '')) = 0 and length(coalesce(t.late_evidence, '')) < 200000),
    kept as (
        update runs_attempt t set late_outcome = g.outcome, late_evidence = g.evidence,
            late_evidence_digest = sha256(convert_to(g.evidence, 'UTF8')), late_at = p_now
        from grown g where t.id = g.id
        returning t.id, t.run_id, t.effect_id, t.late_outcome, t.late_evidence_digest)
    select array_agg(run_id order by run_id, id), array_agg('attempt.late'::text),
           array_agg(runs_via(json_build_object('attempt', id, 'effect', effect_id, 'outcome', late_outcome, 'evidence_digest', encode(late_evidence_digest, 'hex'))::text, p_via) order by run_id, id)
    into runs, kinds, bodies from kept;
    if runs is not null then
        perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, p_now);
        -- Whoever follows an effect that ended hears of what came late about it, though nothing of it changes by that.
        update runs_effect e set watch = 2 from runs_attempt t where t.id = any (p_attempts) and e.id = t.effect_id and e.watch = 1;
        perform runs_note_late(array_agg(t.run_id), array_agg(t.effect_id), p_actor, p_now)
        from unnest(p_attempts, p_outcomes) as a (id, outcome) join runs_attempt t on t.id = a.id
        where a.outcome in ('succeeded', 'partial', 'accepted') and t.kind not in ('check', 'cancel') having count(*) > 0;
    end if;
end $$;

-- What follows when effects or waits of locked runs ended: waits for effects are met, effects that were held back come to their turn, those
-- that waited for what will never come are withdrawn (and so on down the graph), what came back to its turn in a run that is closing is
-- withdrawn, and runs whose end has come end. Gives the entries that the caller has to record.
-- The states of waiting effects are compared in a way that hides them from the planner: the partial indexes of waiting effects span all
-- runs, and when they were small at the last ANALYZE it would read one of them whole instead of these few runs' effects.
create or replace function runs_endings(p_runs uuid[], p_now timestamptz) returns table (run_id uuid, kind text, body text)
language plpgsql rows 50 set enable_seqscan = off as $$
#variable_conflict use_column
declare
    looked_at uuid[]; going_on uuid[] := '{}'; closing uuid[]; corrected uuid[]; with_waits uuid[]; moved_runs uuid[]; moved_states text[];
    bodies text[]; met uuid[]; met_states text[]; met_reasons text[]; met_with text[]; called_off uuid[];
begin
    select array_agg(distinct c.run_id) into called_off from runs_cancellation c where c.run_id = any (p_runs) and c.state || '' in ('requested', 'resolving');
    if called_off is not null then
        return query select * from runs_stop_begun(called_off, p_now);
    end if;
    select array_agg(r.id), array_agg(r.id) filter (where r.state = 'closing'), array_agg(r.id) filter (where r.corrections_count > 0),
           array_agg(r.id) filter (where r.open_waits > 0)
    into looked_at, closing, corrected, with_waits from runs_run r where r.id = any (p_runs);
    if closing is not null then
        return query
        with moved as (
            update runs_effect e set state = 'withdrawn', state_reason = 'the run is closing', next_attempt_at = null, ended_at = p_now
            where e.run_id = any (closing) and e.state || '' = 'ready' and not e.cleanup
            returning e.id, e.run_id, e.state_reason)
        select run_id, 'effect.withdrawn', json_build_object('effect', id, 'to', 'withdrawn', 'reason', state_reason)::text
        from moved order by run_id, id;
    end if;
    -- What a correction contradicts and came back to its turn is not begun again.
    if corrected is not null then
        return query
        with contrary as (
            select e.id, runs_corrected(e.run_id, e.id) as by_number from runs_effect e
            where e.run_id = any (corrected) and e.state || '' = 'ready' and e.attempts_count > 0 and e.compensates_id is null),
        moved as (
            update runs_effect e set state = 'withdrawn', state_reason = 'correction ' || c.by_number || ' says otherwise', next_attempt_at = null,
                ended_at = p_now
            from contrary c where e.id = c.id and c.by_number is not null
            returning e.id, e.run_id, e.state_reason)
        select run_id, 'effect.withdrawn', json_build_object('effect', id, 'to', 'withdrawn', 'reason', state_reason)::text
        from moved order by run_id, id;
    end if;
    loop
        if with_waits is not null then
            select array_agg(f.wait_id), array_agg('met'::text), array_agg(''::text), array_agg(f.result) into met, met_states, met_reasons, met_with
            from runs_waits_for_effects(with_waits) f;
            if met is not null then
                return query select e.run_id, e.kind, e.body from runs_waits_ended(met, met_states, met_reasons, met_with, p_now) e;
            end if;
        end if;
        with waiting as (
            select e.id, e.verdict, coalesce(bool_and(p.state = 'succeeded'), true)
                       and not (cardinality(e.after_waits) > 0 and exists (select from runs_wait w where w.id = any (e.after_waits) and w.state <> 'met')) as come,
                   coalesce(bool_or(p.state in ('rejected', 'failed', 'partial', 'denied', 'lapsed', 'expired', 'withdrawn')), false)
                       or (cardinality(e.after_waits) > 0 and exists (
                           select from runs_wait w where w.id = any (e.after_waits) and w.state in ('expired', 'withdrawn'))) as never
            from runs_effect e left join runs_effect p on p.id = any (e.after)
            where e.run_id = any (looked_at) and e.state || '' = 'blocked' group by e.id),
        moved as (
            update runs_effect e set
                state = case when w.never then 'withdrawn' when w.verdict = 'allow' then 'ready' else 'proposed' end,
                state_reason = case when w.never then 'what it waits for was not done' else '' end,
                next_attempt_at = case when not w.never and w.verdict = 'allow' then p_now end,
                ended_at = case when w.never then p_now end
            from waiting w where e.id = w.id and (w.come or w.never)
            returning e.id, e.run_id, e.state, e.state_reason)
        select array_agg(run_id order by run_id, id), array_agg(state order by run_id, id),
               array_agg(json_build_object('effect', id, 'to', state, 'reason', state_reason)::text order by run_id, id)
        into moved_runs, moved_states, bodies from moved;
        exit when moved_runs is null;
        return query
        select m.run_id, case when m.state = 'withdrawn' then 'effect.withdrawn' else 'effect.unblocked' end, m.body
        from unnest(moved_runs, moved_states, bodies) with ordinality as m (run_id, state, body, place) order by m.place;
        -- Only after a withdrawal can others have waited in vain; a run in which something came to its turn is not at its end.
        select going_on || array_agg(m.run_id) filter (where m.state <> 'withdrawn'), array_agg(distinct m.run_id) filter (where m.state = 'withdrawn')
        into going_on, looked_at from unnest(moved_runs, moved_states) as m (run_id, state);
        exit when looked_at is null;
    end loop;
    if called_off is not null then
        return query select * from runs_prove_effects(called_off, p_now);
    end if;
    return query select f.run_id, f.kind, f.body from runs_ended(
        (select array_agg(distinct r.id) from unnest(p_runs) as r (id) where not (r.id = any (going_on))), p_now) f;
end $$;

-- The same, recorded at once.
create or replace function runs_after_endings(p_runs uuid[], p_actor text, p_now timestamptz) returns void language sql as $$
    select runs_record(array_agg(e.run_id order by e.place), array_agg(e.kind order by e.place), array_agg(p_actor),
                       array_agg(e.body order by e.place), p_now)
    from runs_endings(p_runs, p_now) with ordinality as e (run_id, kind, body, place)
$$;
