-- Permission judged at the moment of use. Called inside a claim, after runs and effects are locked and before dependencies are.

-- Whether a policy still governs an operation: it is in force, and no other policy took the operation from its `*`.
create or replace function approvals_governs(p_policy approvals_policy, p_operation text) returns boolean language sql immutable as $$
    select p_policy.superseded_at is null and not (p_operation = any (p_policy.displaced))
$$;

-- Whether a request was released over the heads of its approvers and that still holds: they are not counted then.
create or replace function approvals_glass_open(p_glass uuid, p_now timestamptz) returns boolean language sql stable as $$
    select exists (select from approvals_breakglass g where g.id = p_glass and g.ended_at is null and g.ends_at > p_now)
$$;

-- Locks the requests and says of each whether it covers `p_digests` now: 'permitted', or the reason why it does not.
create or replace function approvals_judge_use(p_requests uuid[], p_digests bytea[], p_now timestamptz)
returns table (request_id uuid, verdict text) language plpgsql as $$
#variable_conflict use_column
begin
    perform 1 from approvals_request where id = any (p_requests) order by id for no key update;
    return query
    select q.id, case
        when q.state not in ('approved', 'consumed') then q.state
        when q.subject_digest <> asked.digest then 'digest_mismatch'
        when q.to_fit then 'narrowed'
        when q.state = 'approved' and q.use_by <= p_now then 'lapsed'
        when q.finish_by <= p_now then 'finish_by'
        when not approvals_governs(p, q.operation) then 'policy_changed'
        when exists (select from approvals_decision d where d.request_id = q.id and d.verdict = 'deny' and d.withdrawn_at is null) then 'denied'
        when q.break_glass_id is not null and not approvals_glass_open(q.break_glass_id, p_now) then 'glass_closed'
        -- what a policy allowed by itself asked nobody, and needs nobody's word
        when q.break_glass_id is null and q.panels <> '[]' and approvals_counted(q.id) < q.quorum then 'quorum_lost'
        else 'permitted' end::text
    from unnest(p_requests, p_digests) as asked (id, digest)
    join approvals_request q on q.id = asked.id
    join approvals_policy p on p.id = q.policy_id;
end $$;

-- Consumes what is approved; a request that an earlier attempt consumed covers the later ones and is left as it is. From its first use
-- counts the time in which it is to be over.
create or replace function approvals_consume(p_requests uuid[], p_actor text, p_now timestamptz) returns void language plpgsql as $$
declare
    used uuid[]; bodies text[];
begin
    with consumed as (
        update approvals_request set state = 'consumed', consumed_at = p_now, finish_by = p_now + make_interval(secs => finish_within_seconds),
            finish_due_at = case when not alone then p_now + make_interval(secs => finish_within_seconds) end
        where id = any (p_requests) and state = 'approved' returning id, finish_by)
    select array_agg(id), array_agg(case when finish_by is null then '{}' else json_build_object(
        'finish_by', to_char(finish_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text end)
    into used, bodies from consumed;
    if used is null then return; end if;
    perform approvals_record(used, array_fill('request.consumed'::text, array[cardinality(used)]),
        array_fill(p_actor, array[cardinality(used)]), bodies, p_now);
end $$;

-- Ends approvals that did not hold at the moment of use; `p_reasons` says of each why.
create or replace function approvals_lapse(p_requests uuid[], p_reasons text[], p_actor text, p_now timestamptz) returns void language plpgsql as $$
declare
    ended uuid[]; bodies text[];
begin
    with lapsed as (
        update approvals_request q set state = 'lapsed', closing_reason = x.reason, heard_at = p_now
        from unnest(p_requests, p_reasons) as x (id, reason) where q.id = x.id and q.state = 'approved'
        returning q.id, q.closing_reason)
    select array_agg(id), array_agg(json_build_object('reason', closing_reason)::text) into ended, bodies from lapsed;
    if ended is not null then
        perform approvals_record(ended, array_fill('request.lapsed'::text, array[cardinality(ended)]),
            array_fill(p_actor, array[cardinality(ended)]), bodies, p_now);
    end if;
end $$;
