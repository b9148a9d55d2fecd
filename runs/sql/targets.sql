-- Reading targets as a worker does: for requests that wait to be decided, and right before what was approved is acted on.

-- Takes due readings, at most `p_most`, each dependency as many as it has free slots; what other readings and running attempts hold of them is
-- taken off. `p_without` lists operations that this worker leaves to others.
create or replace function runs_take_readings(p_most int, p_lease_seconds double precision, p_without uuid[])
returns table (
    request_id uuid, state text, reads_failed int, taken_at timestamptz, tenant_id uuid, run_id uuid, effect_id uuid, operation_id uuid, dependency_id uuid,
    kind text, number int, fence bigint, traceparent text, target text, arguments text, operation_reference text, deadline_at timestamptz, fingerprint text)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := cf_now();
    due uuid[]; taken uuid[];
begin
    -- What this worker cannot read is looked at again later, so that it stands in nobody's way; of what others hold nothing is waited for.
    if cardinality(p_without) > 0 then
        update approvals_request set read_due_at = v_now + interval '5 seconds' where id in (
            select q.id from approvals_request q join runs_effect e on e.id = q.subject
            where q.read_due_at <= v_now and e.operation_id = any (p_without)
            order by q.read_due_at limit 8 * p_most for no key update of q skip locked);
    end if;
    with waiting as (
        select q.id, e.tenant_id, e.dependency_name, row_number() over (partition by e.tenant_id, e.dependency_name order by q.read_due_at, q.id) as place
        from (select id, subject, read_due_at from approvals_request where read_due_at <= v_now order by read_due_at limit 4 * p_most) q
        join runs_effect e on e.id = q.subject and not (e.operation_id = any (p_without))),
    reading as (
        select e.tenant_id, e.dependency_name, count(*) as n from approvals_request q join runs_effect e on e.id = q.subject
        where q.reading_until > v_now group by 1, 2),
    busy as (
        select t.tenant_id, t.dependency_name, count(*) as n from runs_attempt t where t.state = 'running' and t.dependency_name <> '' group by 1, 2)
    select array_agg(w.id order by w.place) into due from (
        select w.id, w.place from waiting w
        left join runs_dependency d on d.tenant_id = w.tenant_id and d.name = w.dependency_name and d.retired_at is null
        left join reading r on r.tenant_id = w.tenant_id and r.dependency_name = w.dependency_name
        left join busy b on b.tenant_id = w.tenant_id and b.dependency_name = w.dependency_name
        where d.id is null or w.place <= greatest(d.concurrency - coalesce(b.n, 0), 1) - coalesce(r.n, 0)
        order by w.place limit p_most) w;
    if due is null then return; end if;
    taken := approvals_take_readings(due, p_lease_seconds, v_now);
    return query
    select q.id, q.state::text, q.reads_failed::int, v_now, e.tenant_id, e.run_id, e.id, e.operation_id,
           (select d.id from runs_dependency d where d.tenant_id = e.tenant_id and d.name = e.dependency_name and d.retired_at is null),
           'target'::text, 0, 0::bigint, q.traceparent::text, e.target, e.arguments, e.operation_reference, e.deadline_at, encode(e.effect_digest, 'hex')
    from approvals_request q join runs_effect e on e.id = q.subject where q.id = any (taken);
end $$;

-- Writes down what was read. What was approved and waits for that is due at once, or when it is to be read again; where the target is another
-- than was approved, the request is closed, and its news brings the effect back to be asked about (runs_follow).
create or replace function runs_target_read(
    p_requests uuid[], p_taken timestamptz[], p_versions text[], p_states text[], p_faults text[], p_delays double precision[], p_actor text)
returns table (request_id uuid, effect_id uuid) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    subjects uuid[]; v_now timestamptz;
begin
    select array_agg(q.subject) into subjects from approvals_request q where q.id = any (p_requests);
    perform 1 from runs_effect e where e.id = any (subjects) order by e.id for no key update;
    v_now := cf_now();
    perform approvals_target_read(p_requests, p_taken, p_versions, p_states, p_faults, p_delays, p_actor, v_now);
    -- Only what was locked and waits for this is moved: what waits for another reason, or is parked, keeps its time.
    update runs_effect e set next_attempt_at = v_now + make_interval(secs => case when x.fault = '' then 0 else x.delay end), next_step = case when e.expects <> '' then 'checked' else '' end
    from unnest(p_requests, p_faults, p_delays) as x (id, fault, delay)
    where e.request_id = x.id and e.id = any (subjects) and e.state = 'ready' and e.next_step = 'target' and e.next_attempt_at is not null;
    return query select q.id, q.subject from approvals_request q where q.id = any (p_requests);
end $$;

-- Leaves out of what is about to be begun whatever has to be read first; it comes again when that was done.
create or replace function runs_read_first(p_effects uuid[], p_requests uuid[], p_now timestamptz) returns uuid[]
language plpgsql set enable_seqscan = off as $$
declare
    unread uuid[];
begin
    select array_agg(e.request_id) into unread from runs_effect e where e.id = any (p_effects) and e.request_id = any (p_requests) and e.state = 'ready';
    unread := approvals_to_read_first(unread, p_now);
    if unread is null then return p_effects; end if;
    update runs_effect e set next_attempt_at = p_now + interval '30 seconds', next_step = 'target' where e.id = any (p_effects) and e.request_id = any (unread);
    return (select array_agg(e.id) from runs_effect e where e.id = any (p_effects) and not coalesce(e.request_id = any (unread), false));
end $$;
