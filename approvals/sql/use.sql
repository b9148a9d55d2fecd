-- Permission judged at the moment of use. Called inside a claim, after runs and effects are locked and before dependencies are.

-- Whether a policy still governs an operation: it is in force, and no other policy took the operation from its `*`.
create or replace function approvals_governs(p_policy approvals_policy, p_operation text) returns boolean language sql immutable as $$
    select p_policy.superseded_at is null and not (p_operation = any (p_policy.displaced))
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
        when q.state = 'approved' and q.use_by <= p_now then 'lapsed'
        when not approvals_governs(p, q.operation) then 'policy_changed'
        when (select count(*) from approvals_decision d join identity_member m on m.id = d.member_id
              where d.request_id = q.id and d.verdict = 'approve' and m.active and 'approver' = any (m.roles) and m.groups && q.groups)
             < q.quorum then 'quorum_lost'
        else 'permitted' end::text
    from unnest(p_requests, p_digests) as asked (id, digest)
    join approvals_request q on q.id = asked.id
    join approvals_policy p on p.id = q.policy_id;
end $$;

-- Consumes what is approved; a request that an earlier attempt consumed covers the later ones and is left as it is.
create or replace function approvals_consume(p_requests uuid[], p_actor text, p_now timestamptz) returns void language plpgsql as $$
declare
    used uuid[];
begin
    with consumed as (
        update approvals_request set state = 'consumed', consumed_at = p_now where id = any (p_requests) and state = 'approved' returning id)
    select array_agg(id) into used from consumed;
    if used is null then return; end if;
    perform approvals_record(used, array_fill('request.consumed'::text, array[cardinality(used)]),
        array_fill(p_actor, array[cardinality(used)]), array_fill('{}'::text, array[cardinality(used)]), p_now);
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
