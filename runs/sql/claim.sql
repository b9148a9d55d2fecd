-- The step of an effect: what is ready is acted on, once it was read and found as it must be (`expects`), where that is asked for; what was
-- taken, or is unknown, is looked after.
create or replace function runs_step(p_state text, p_expects text, p_next_step text) returns text language sql immutable as $$
    select case
        when p_state = 'ready' and p_expects <> '' and p_next_step not in ('checked', 'target') then 'check'
        when p_state = 'ready' then 'act'
        when p_next_step = '' then 'status'
        else p_next_step end
$$;

-- Due effects that workers carry out, unlocked, at most `p_limit`. Each dependency brings as many as it has free slots, so that one that is saturated, or held
-- back by its breaker, holds up nobody else. Sorting is off so that the planner takes the index that is in order, however few rows it believed to be due at the last ANALYZE.
-- `p_kinds` says which kinds of attempt whoever claims knows: what is due to be read back or sent again is no work for one who does not.
drop function if exists runs_claimable(int, timestamptz);
create or replace function runs_claimable(p_limit int, p_now timestamptz, p_kinds text[]) returns table (id uuid, run_id uuid)
language sql stable rows 64 set enable_seqscan = off set enable_sort = off as $$
    with busy as (
        select tenant_id, dependency_name, count(*) as n from runs_attempt where state = 'running' and dependency_name <> '' group by 1, 2),
    free as (
        select d.tenant_id, d.name, least(least(d.concurrency, h.slots) - coalesce(b.n, 0), p_limit) as slots
        from runs_dependency d left join busy b on b.tenant_id = d.tenant_id and b.dependency_name = d.name
        left join runs_breakers(p_now) h on h.tenant_id = d.tenant_id and h.dependency_name = d.name
        where d.retired_at is null and least(d.concurrency, h.slots) > coalesce(b.n, 0))
    select c.id, c.run_id from (
        select e.id, e.run_id, e.next_attempt_at from free f cross join lateral (
            select id, run_id, next_attempt_at from runs_effect
            where state = 'ready' and executor in ('http', 'python') and tenant_id = f.tenant_id and dependency_name = f.name and next_attempt_at <= p_now
            order by next_attempt_at limit f.slots) e
        union all
        (select id, run_id, next_attempt_at from runs_effect
         where state = 'ready' and executor in ('http', 'python') and dependency_name = '' and next_attempt_at <= p_now order by next_attempt_at limit p_limit)
        union all
        -- A quarter of what is claimed is looked after; each dependency brings its longest due before any brings its second.
        (select l.id, l.run_id, l.next_attempt_at from (
            select e.id, e.run_id, e.next_attempt_at, e.place from free f cross join lateral (
                select id, run_id, next_attempt_at, row_number() over (order by next_attempt_at) as place from runs_effect
                where state in ('unknown', 'accepted') and next_attempt_at <= p_now and tenant_id = f.tenant_id and dependency_name = f.name
                  and runs_step(state, expects, next_step) = any (p_kinds)
                order by next_attempt_at limit least(f.slots, greatest(p_limit / 4, 1))) e
            union all
            (select id, run_id, next_attempt_at, row_number() over (order by next_attempt_at) from runs_effect
             where state in ('unknown', 'accepted') and next_attempt_at <= p_now and dependency_name = ''
               and runs_step(state, expects, next_step) = any (p_kinds)
             order by next_attempt_at limit greatest(p_limit / 4, 1))) l
         order by l.place, l.next_attempt_at limit greatest(p_limit / 4, 1))
        order by 3 limit p_limit) c
$$;

-- Whether a worker would find something to do: the first of the due effects of each dependency that has a free slot, of those on their own,
-- and of what is looked after by a step that workers know and could be begun; however many wait for their time, no more than these are read.
create or replace function runs_work_is_due(p_now timestamptz) returns boolean language sql stable set enable_seqscan = off set enable_sort = off as $$
    with busy as (
        select tenant_id, dependency_name, count(*) as n from runs_attempt where state = 'running' and dependency_name <> '' group by 1, 2),
    free as (
        select d.tenant_id, d.name from runs_dependency d left join busy b on b.tenant_id = d.tenant_id and b.dependency_name = d.name
        left join runs_breakers(p_now) h on h.tenant_id = d.tenant_id and h.dependency_name = d.name
        where d.retired_at is null and least(d.concurrency, h.slots) > coalesce(b.n, 0))
    select exists (
        select from free f cross join lateral (
            select next_attempt_at as at from runs_effect where state = 'ready' and executor in ('http', 'python') and tenant_id = f.tenant_id
               and dependency_name = f.name order by next_attempt_at limit 1) e
        where e.at <= p_now)
    or exists (select from approvals_request where read_due_at <= p_now)
    or exists (
        select from (select next_attempt_at as at from runs_effect where state = 'ready' and executor in ('http', 'python') and dependency_name = ''
                     order by next_attempt_at limit 1) e where e.at <= p_now)
    or exists (
        select from runs_effect where state in ('unknown', 'accepted') and next_attempt_at <= p_now and next_step in ('', 'status', 'read', 'verify', 'resend', 'cancel')
            and (dependency_name = '' or (tenant_id, dependency_name) in (select f.tenant_id, f.name from free f)))
$$;

-- Claims due effects for one worker, in one transaction whose commit counts as "may have been sent".
--   candidates unlocked -> runs locked (by id, those that somebody else holds are left for later) -> taken (runs_take).
-- `p_attempts` brings the attempts' ids (UUIDv7, made by the caller); its length is the most that is claimed.
-- `p_without` lists operations that this worker cannot carry out (a secret is missing), which it leaves to others; `p_kinds` the kinds of
-- attempt that it knows.
drop function if exists runs_claim(text, double precision, uuid[], uuid[], text[]);
create or replace function runs_claim(p_worker text, p_lease_seconds double precision, p_attempts uuid[], p_without uuid[], p_kinds text[])
returns table (
    attempt_id uuid, tenant_id uuid, run_id uuid, effect_id uuid, operation_id uuid, dependency_id uuid, kind text, number int, fence bigint,
    traceparent text, due_at timestamptz, target text, arguments text, operation_reference text, deadline_at timestamptz, created_at timestamptz, claimed_at timestamptz, first_at timestamptz, acts int, looks int, effect_state text,
    granted int, acted_at timestamptz, fingerprint text, compensates boolean, expects text, verifying_since timestamptz)
language plpgsql rows 64 set enable_seqscan = off as $$
#variable_conflict use_column
declare
    found_effects uuid[]; found_runs uuid[]; held_runs uuid[];
begin
    -- What was found and could not be begun comes again later; a few times what stands behind it is looked at in the same breath.
    for _ in 1 .. 4 loop
        select array_agg(c.id), array_agg(distinct c.run_id) into found_effects, found_runs from runs_claimable(cardinality(p_attempts), cf_now(), p_kinds) c;
        exit when found_effects is null;

        select array_agg(id) into held_runs from (
            select id from runs_run where id = any (found_runs) order by id for no key update skip locked) r;
        exit when held_runs is null;
        return query select * from runs_take(found_effects, held_runs, p_worker, p_lease_seconds, p_attempts, p_without, null, p_kinds);
        exit when found;
    end loop;
end $$;

-- Takes those of the effects that can be begun now, in runs that the caller has locked, for whoever is to carry them out: a worker, the
-- agent under its permit, a person.
--   time read -> effects locked and looked at again -> permission judged -> dependencies locked, their paces and free slots counted ->
--   permission consumed, attempts written, record.
-- An effect that is ready is acted on, after it was checked where that is asked for; it stays ready while it is. One that is accepted or
-- unknown is looked after by the step that is due: asked about, read back, verified, or sent once more under its key, for which everything is
-- judged as for an act. What makes good for another effect begins whatever has become of its run, and whatever the run may still use, except
-- while that is paused or quarantined.
-- `p_via` is the door that somebody came by, which the record is told of people and agents.
drop function if exists runs_take(uuid[], uuid[], text, double precision, uuid[], uuid[], text, text[]);
create or replace function runs_take(
    p_effects uuid[], p_runs uuid[], p_worker text, p_lease_seconds double precision, p_attempts uuid[], p_without uuid[], p_via text, p_kinds text[])
returns table (
    attempt_id uuid, tenant_id uuid, run_id uuid, effect_id uuid, operation_id uuid, dependency_id uuid, kind text, number int, fence bigint,
    traceparent text, due_at timestamptz, target text, arguments text, operation_reference text, deadline_at timestamptz, created_at timestamptz, claimed_at timestamptz, first_at timestamptz, acts int, looks int, effect_state text,
    granted int, acted_at timestamptz, fingerprint text, compensates boolean, expects text, verifying_since timestamptz)
language plpgsql rows 64 set enable_seqscan = off as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := cf_now();
    chosen uuid[]; unfit uuid[]; parked uuid[]; checked uuid[]; repeated uuid[]; limited uuid[]; granted uuid[]; subjects uuid[]; digests bytea[]; permitted uuid[]; consumed uuid[];
    paced boolean; runs uuid[]; kinds text[]; bodies text[];
    lowest constant bigint := cf_next_fence(0) - 1; -- of this incarnation
begin
    with held as materialized (
        select *, runs_step(state, expects, next_step) as step
        from runs_effect where id = any (p_effects) and run_id = any (p_runs) order by id for no key update)
    select array_agg(d.id) filter (where d.fits), array_agg(d.request_id) filter (where d.fits and d.asks),
           array_agg(d.effect_digest) filter (where d.fits and d.asks), array_agg(d.id) filter (where not d.fits and not d.stopped),
           array_agg(d.id) filter (where d.stopped), array_agg(d.id) filter (where d.fits and d.step = 'resend'),
           array_agg(d.id) filter (where d.fits and d.limited), array_agg(d.id) filter (where d.fits and d.granted),
           array_agg(d.id) filter (where d.fits and d.checked)
    into chosen, subjects, digests, unfit, parked, repeated, limited, granted, checked
    from (select f.id, f.request_id, f.effect_digest, f.step, f.asks, f.granted, f.stopped, f.limited, f.checked, f.fits and not f.stopped as fits from (
        select e.id, e.request_id, e.effect_digest, e.step, e.step in ('act', 'resend') and e.grant_id is not null as granted,
               r.limits <> '' and r.state in ('running', 'waiting') and e.step in ('act', 'resend') and e.compensates_id is null as limited,
               e.step = 'act' and e.next_step = 'checked' as checked,
               e.step in ('act', 'resend') and e.request_id is not null as asks,
               not (e.operation_id = any (p_without)) and e.step = any (p_kinds)
               -- What a person found waits for a second person: nothing is sent meanwhile that would make it untrue.
               and not (e.step = 'resend' and exists (select from runs_resolution f where f.effect_id = e.id and f.state = 'proposed'))
               and not exists (select from runs_attempt t where t.effect_id = e.id and t.state || '' = 'running')
               -- A message about what was sent before is taken first: it may prove that nothing is to be sent again.
               and not (e.step in ('act', 'resend') and e.attempts_count > 0
                        and exists (select from runs_callback c where c.effect_id = e.id and c.state = 'recorded'))
               and (e.state in ('unknown', 'accepted')
                    or (e.state = 'ready' and e.deadline_at > v_now
                        and (e.compensates_id is not null
                             or ((r.state in ('running', 'waiting') or (r.state = 'closing' and e.cleanup)) and a.active
                                 and (r.deadline_at is null or r.deadline_at > v_now or r.state = 'closing'))))) as fits,
               e.step in ('act', 'resend', 'check') and runs_stopped(r, e.operation_name, e.cleanup, e.compensates_id is not null) as stopped
        from held e join runs_run r on r.id = e.run_id join identity_agent a on a.id = r.agent_id
        where e.next_attempt_at <= v_now) f) d;
    -- What cannot be begun now (no active agent, no secret here) is looked at again later, so that it stands in nobody's way.
    if unfit is not null then update runs_effect set next_attempt_at = v_now + interval '5 seconds' where id = any (unfit); end if;
    -- What is stopped has no time until it may go on; an unknown that would be sent again keeps looking for its chance. The pauses are held, so
    -- that one that is lifted meanwhile either finds what was parked under it, or parks nothing more.
    if parked is not null then
        perform 1 from runs_pause p
        where p.lifted_at is null and p.tenant_id in (select e.tenant_id from runs_effect e where e.id = any (parked)) order by p.id for share;
        update runs_effect e set next_attempt_at = case when e.state = 'ready' then null else v_now + interval '30 seconds' end
        from runs_run r where e.id = any (parked) and r.id = e.run_id and runs_stopped(r, e.operation_name, e.cleanup, e.compensates_id is not null);
    end if;
    if chosen is null then return; end if;

    if checked is not null then
        chosen := runs_checked_lately(chosen, checked, v_now);
        if chosen is null then return; end if;
    end if;
    if repeated is not null then
        chosen := runs_repeatable(chosen, repeated, p_worker, v_now);
        if chosen is null then return; end if;
    end if;
    if limited is not null then
        chosen := runs_within_limits(chosen, limited, p_worker, v_now);
        if chosen is null then return; end if;
    end if;
    permitted := runs_permitted(chosen, subjects, digests, granted, p_worker, v_now);
    if permitted is null then return; end if;
    if subjects is not null then
        permitted := runs_read_first(permitted, subjects, v_now);
        if permitted is null then return; end if;
    end if;

    perform 1 from runs_dependency d
    where d.retired_at is null and (d.tenant_id, d.name) in (
        select e.tenant_id, e.dependency_name from runs_effect e where e.id = any (permitted) and e.dependency_name <> '')
    order by d.id for no key update;
    -- Only what is not a first act takes from a pace, and only a pace that is not full gains by one: mostly there is nothing to do here.
    if p_via is null then
        select exists (
            select from runs_effect e where e.id = any (permitted) and e.dependency_name <> '' and (e.attempts_count > 0 or e.expects <> ''
                or exists (select from runs_pace p where p.tenant_id = e.tenant_id and p.dependency_name = e.dependency_name
                           and p.purpose = 'retries' and p.tokens < 'Infinity')))
        into paced;
        if paced then
            permitted := runs_paced(permitted, v_now);
            if permitted is null then return; end if;
        end if;
    end if;
    with busy as (
        select t.tenant_id, t.dependency_name, count(*) as n from runs_attempt t
        where t.state = 'running' and t.dependency_name <> '' group by 1, 2),
    queued as (
        select e.id, e.tenant_id, e.dependency_name, row_number() over (partition by e.tenant_id, e.dependency_name order by e.next_attempt_at, e.id) as place
        from runs_effect e where e.id = any (permitted))
    select array_agg(q.id) into permitted
    from queued q
    left join runs_dependency d on d.tenant_id = q.tenant_id and d.name = q.dependency_name and d.retired_at is null
    left join busy b on b.tenant_id = q.tenant_id and b.dependency_name = q.dependency_name
    left join runs_breakers(v_now) h on p_via is null and h.tenant_id = q.tenant_id and h.dependency_name = q.dependency_name
    where q.dependency_name = '' or q.place <= least(d.concurrency, h.slots) - coalesce(b.n, 0);
    if permitted is null then return; end if;
    if p_via is null then perform runs_keep_breakers(permitted, v_now); end if;
    if paced then perform runs_pay(permitted, v_now); end if;

    if subjects is not null then
        select array_agg(request_id) into consumed from runs_effect where id = any (permitted) and request_id = any (subjects);
        if consumed is not null then perform approvals_consume(consumed, p_worker, v_now); end if;
    end if;
    if granted is not null then
        perform runs_reserve_units(array(select x.id from unnest(permitted) as x (id) where x.id = any (granted)), p_worker, v_now);
    end if;

    return query
    with numbered as (
        select e.id, e.run_id, e.tenant_id, runs_step(e.state, e.expects, e.next_step) as kind,
               p_attempts[row_number() over (order by e.run_id, e.id)] as attempt,
               e.operation_id, e.dependency_name, e.attempts_count, e.next_attempt_at as due_at
        from runs_effect e where e.id = any (permitted)),
    moved as (
        update runs_effect e set
            state = case when n.kind = 'act' then 'dispatched' else e.state end,
            state_reason = case when n.kind = 'act' then '' else e.state_reason end,
            fence = case when n.kind in ('act', 'resend') then greatest(e.fence, lowest) + 1 else e.fence end,
            cancel_asked_at = case when n.kind = 'cancel' then coalesce(e.cancel_asked_at, v_now) else e.cancel_asked_at end,
            holds_unit = e.holds_unit or (e.grant_id is not null and n.kind <> 'check'),
            attempts_count = e.attempts_count + 1, next_attempt_at = null, next_step = case when n.kind = 'act' then '' else e.next_step end
        from numbered n where e.id = n.id
        returning e.*, n.kind, n.attempt, n.due_at),
    written as (
        insert into runs_attempt (id, tenant_id, run_id, effect_id, number, kind, fence, worker, dependency_name, state, started_at,
                                  lease_expires_at, marks_before_send)
        select m.attempt, m.tenant_id, m.run_id, m.id, m.attempts_count, m.kind, m.fence, p_worker,
               m.dependency_name, 'running', v_now, v_now + make_interval(secs => p_lease_seconds),
               m.kind in ('act', 'resend') and o.marks_before_send
        from moved m join runs_operationcontract o on o.id = m.operation_id
        returning id)
    select m.attempt, m.tenant_id, m.run_id, m.id, m.operation_id,
           (select d.id from runs_dependency d where d.tenant_id = m.tenant_id and d.name = m.dependency_name and d.retired_at is null), m.kind, m.attempts_count,
           m.fence, m.traceparent::text, m.due_at, m.target, m.arguments, m.operation_reference, m.deadline_at, m.created_at, v_now,
           coalesce(before.first_at, v_now), coalesce(before.acts, 0)::int, (m.attempts_count - 1 - coalesce(before.last_act, 0))::int, m.state::text,
           m.attempts_granted::int, before.acted_at, encode(m.effect_digest, 'hex'), m.compensates_id is not null, m.expects,
           case when m.kind = 'verify' then (
               select min(t.started_at) from runs_attempt t where t.effect_id = m.id and t.kind = 'verify' and t.number > coalesce(before.last_act, 0)) end
    from moved m
    left join lateral (
        select min(t.started_at) as first_at, count(*) filter (where t.kind in ('act', 'resend')) as acts,
               max(t.number) filter (where t.kind in ('act', 'resend')) as last_act, max(t.ended_at) filter (where t.kind in ('act', 'resend')) as acted_at
        from runs_attempt t where m.attempts_count > 1 and t.effect_id = m.id) before on true
    where (select count(*) from written) > 0;

    select array_agg(t.run_id order by t.run_id, t.effect_id), array_agg('attempt.dispatched'::text),
           array_agg(runs_via(json_build_object('attempt', t.id, 'effect', t.effect_id, 'number', t.number, 'kind', t.kind, 'fence', t.fence,
                                                'dependency', t.dependency_name)::text, p_via) order by t.run_id, t.effect_id)
    into runs, kinds, bodies
    from runs_attempt t where t.id = any (p_attempts);
    perform runs_record(runs, kinds, array_fill(p_worker, array[cardinality(runs)]), bodies, v_now);
end $$;

-- Leaves out of what is about to be begun whatever was checked longer ago than its contract lets a reading be old; that is checked again.
create or replace function runs_checked_lately(p_effects uuid[], p_checked uuid[], p_now timestamptz) returns uuid[]
language plpgsql set enable_seqscan = off as $$
declare
    stale uuid[];
begin
    select array_agg(e.id) into stale
    from runs_effect e join runs_operationcontract o on o.id = e.operation_id
    cross join lateral (select max(t.ended_at) as at from runs_attempt t where t.effect_id = e.id and t.kind = 'check') c
    where e.id = any (p_checked)
      and c.at + make_interval(secs => coalesce((o.document::jsonb #>> '{http,read,max_age_seconds}')::double precision, 60)) <= p_now;
    if stale is null then return p_effects; end if;
    update runs_effect e set next_step = '', next_attempt_at = p_now where e.id = any (stale);
    return (select array_agg(x.id) from unnest(p_effects) as x (id) where not (x.id = any (stale)));
end $$;

-- Judges the permission of locked effects at the moment of use, ends what does not hold, and gives those that are permitted. What people
-- allowed is judged by the room that asked them (`p_requests`, with the digests of what would be done), and so is what goes by a standing
-- approval (`p_granted`); what a policy allowed stands while that version is in force.
drop function if exists runs_permitted(uuid[], uuid[], bytea[], text, timestamptz);
create or replace function runs_permitted(p_effects uuid[], p_requests uuid[], p_digests bytea[], p_granted uuid[], p_actor text, p_now timestamptz) returns uuid[]
language plpgsql set enable_seqscan = off as $$
declare
    permitted uuid[]; refused uuid[]; refusals text[];
begin
    with used as (select * from approvals_judge_use(p_requests, p_digests, p_now) where p_requests is not null),
    -- requests are locked before grants
    covered as (select * from runs_judge_grants(p_granted, p_now) where p_granted is not null and (select count(*) from used) >= 0),
    judged as (
        select e.id, e.request_id, case
            when runs_step(e.state, e.expects, e.next_step) not in ('act', 'resend') then 'permitted'
            when e.request_id is not null then coalesce(u.verdict, 'not_asked')
            when e.approved_with_id is not null and p.id is not null and approvals_governs(p, e.operation_name)
                then approvals_judge_undoing(e.approved_with_id)
            when e.grant_id is not null then coalesce(c.verdict, 'grant_over')
            when p.id is not null and approvals_governs(p, e.operation_name) and e.verdict = 'allow' then 'permitted'
            else 'policy_changed' end as verdict
        from runs_effect e
        left join used u on u.request_id = e.request_id
        left join covered c on c.effect_id = e.id
        left join approvals_policy p on p.id = e.policy_id
        where e.id = any (p_effects))
    select array_agg(id) filter (where verdict = 'permitted'),
           array_agg(id) filter (where verdict <> 'permitted'), array_agg(verdict) filter (where verdict <> 'permitted')
    into permitted, refused, refusals from judged;
    if refused is not null then
        perform runs_refuse_repetition(array_agg(x.id), array_agg('its permission does not hold any more (' || replace(x.verdict, '_', ' ') || ').'), p_actor, p_now)
        from unnest(refused, refusals) as x (id, verdict) join runs_effect e on e.id = x.id where e.state = 'unknown' having count(*) > 0;
        perform runs_refuse_dispatch(array_agg(x.id), array_agg(x.verdict), p_actor, p_now)
        from unnest(refused, refusals) as x (id, verdict) join runs_effect e on e.id = x.id where e.state = 'ready' having count(*) > 0;
    end if;
    return permitted;
end $$;

-- Effects whose permission did not hold at the moment of use: what a newer policy governs is judged again, and so is what a standing approval
-- or the approval of what it makes good for does not cover, and one whose request was sent back for another look; what people denied or took back ends denied, anything else lapsed.
create or replace function runs_refuse_dispatch(p_effects uuid[], p_reasons text[], p_actor text, p_now timestamptz) returns void language plpgsql as $$
#variable_conflict use_column
declare
    runs uuid[]; kinds text[]; bodies text[]; requests uuid[]; reasons text[];
begin
    with moved as (
        update runs_effect e set
            state = case when x.reason in ('policy_changed', 'rerouted') or x.reason ~ '^(grant|original)_' then 'proposed'
                         when x.reason in ('denied', 'revoked', 'narrowed') then 'denied' else 'lapsed' end,
            state_reason = x.reason, next_attempt_at = null,
            ended_at = case when x.reason in ('policy_changed', 'rerouted') or x.reason ~ '^(grant|original)_' then null else p_now end
        from unnest(p_effects, p_reasons) as x (id, reason) where e.id = x.id
        returning e.id, e.run_id, e.state, e.state_reason, e.request_id)
    select array_agg(run_id order by run_id, id), array_agg(case when state = 'proposed' then 'effect.sent_back' else 'effect.' || state end order by run_id, id),
           array_agg(json_build_object('effect', id, 'reason', state_reason)::text order by run_id, id),
           array_agg(request_id) filter (where state = 'lapsed'), array_agg(state_reason) filter (where state = 'lapsed')
    into runs, kinds, bodies, requests, reasons from moved;
    perform approvals_lapse(requests, reasons, p_actor, p_now) where requests is not null;
    perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, p_now);
    perform runs_after_endings(runs, p_actor, p_now);
end $$;
