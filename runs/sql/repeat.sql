-- Finding out, and sending once more under the same key, as far as the database has to know the contract (R-F2).

-- The step that finds out what became of an effect whose attempt nobody answered for: a look, where one can be made (the contract says which
-- of two), else sending it once more where the contract allows that, else nothing: a person. runs/finding_out.py says the same; a test compares.
create or replace function runs_first_step(p_document text) returns text language sql immutable as $$
    select case
        when d.look <> '' then d.look
        when c #>> '{unknown,resolve}' = 'resend' and (c #>> '{unknown,resend_same_key}')::boolean then 'resend'
        else '' end
    from (select p_document::jsonb) as x (c), lateral (select runs_look(x.c)) as d (look)
$$;

create or replace function runs_look(p_contract jsonb) returns text language sql immutable as $$
    select case
        when jsonb_typeof(p_contract #> '{http,read_back}') = 'object'
             and (p_contract #>> '{unknown,resolve}' = 'read_back' or coalesce(jsonb_typeof(p_contract #> '{http,status}'), '') <> 'object') then 'read'
        when jsonb_typeof(p_contract #> array[p_contract ->> 'executor', 'status']) = 'object' then 'status'
        else '' end
$$;

-- Judges, at the moment of use, whether locked effects may be sent once more, as for any act. What may not stays unknown: it is told why,
-- and is looked after in another way. Gives the effects without those.
create or replace function runs_repeatable(p_effects uuid[], p_repeated uuid[], p_actor text, p_now timestamptz) returns uuid[]
language plpgsql set enable_seqscan = off as $$
declare
    refused uuid[]; reasons text[];
begin
    select array_agg(j.id), array_agg(j.why) into refused, reasons from (
        select e.id, case
            when not coalesce((o.document::jsonb #>> '{unknown,resend_same_key}')::boolean, false) then 'the contract does not allow it.'
            when exists (select from runs_effect s where s.supersedes_id = e.id
                         and s.state not in ('rejected', 'failed', 'denied', 'lapsed', 'expired', 'withdrawn')) then 'another effect took its place.'
            when e.compensates_id is null and r.state not in ('running', 'waiting') then 'its run is ' || replace(r.state, '_', ' ') || '.'
            when e.compensates_id is null and r.corrections_count > 0 and runs_corrected(r.id, e.id) is not null then 'correction ' || runs_corrected(r.id, e.id) || ' says otherwise.'
            when exists (select from runs_cancellation c where c.effect_id = e.id and c.state in ('requested', 'resolving')) then 'it is to be cancelled.'
            when e.deadline_at <= p_now or (e.compensates_id is null and r.deadline_at <= p_now) then 'its deadline has passed.'
            when e.compensates_id is null and not a.active then 'its agent is not active.'
            when t.acts >= o.attempts_allowed + e.attempts_granted then 'its attempts are used up.'
            when t.first_at + make_interval(secs => coalesce((o.document::jsonb #>> '{retry,total_seconds}')::double precision, 86400)) < p_now
                then 'the time for attempts is used up.'
            end as why
        from runs_effect e join runs_run r on r.id = e.run_id join identity_agent a on a.id = r.agent_id join runs_operationcontract o on o.id = e.operation_id
        cross join lateral (select count(*) as acts, min(x.started_at) as first_at from runs_attempt x where x.effect_id = e.id and x.kind in ('act', 'resend')) t
        where e.id = any (p_repeated)) j
    where j.why is not null;
    if refused is null then return p_effects; end if;
    perform runs_refuse_repetition(refused, reasons, p_actor, p_now);
    return (select array_agg(x.id) from unnest(p_effects) as x (id) where not (x.id = any (refused)));
end $$;

-- Effects that may not be sent once more: unknown as before, with the reason, asked about a while later if they can be.
create or replace function runs_refuse_repetition(p_effects uuid[], p_reasons text[], p_actor text, p_now timestamptz) returns void language plpgsql as $$
declare
    runs uuid[]; kinds text[]; bodies text[];
begin
    with moved as (
        update runs_effect e set state_reason = 'It was not sent again: ' || x.reason, next_step = f.look,
            next_attempt_at = case when f.look <> '' then p_now + interval '15 minutes' end
        from unnest(p_effects, p_reasons) as x (id, reason), runs_operationcontract o, lateral (select runs_look(o.document::jsonb)) as f (look)
        where e.id = x.id and o.id = e.operation_id
        returning e.id, e.run_id, e.state_reason)
    select array_agg(m.run_id order by m.run_id, m.id), array_agg('effect.not_resent'::text),
           array_agg(json_build_object('effect', m.id, 'reason', m.state_reason)::text order by m.run_id, m.id)
    into runs, kinds, bodies from moved m;
    perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, p_now);
end $$;
