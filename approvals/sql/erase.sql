-- A decision is never rewritten, but for what somebody wrote in it or was shown, which goes with what it was about: only when the request
-- says that it is erased.
create or replace function approvals_erase_reasons(p_requests uuid[]) returns bigint
language sql security definer set search_path = public, pg_temp as $$
    with erased as (
        update approvals_decision d set reason = '', constraints = '', alternative = '', seen = '', withdrawn_reason = '' from approvals_request q
        where q.id = d.request_id and q.id = any (p_requests) and q.erased_at is not null
          and (d.reason, d.constraints, d.alternative, d.seen, d.withdrawn_reason) <> ('', '', '', '', '')
        returning 1)
    select count(*) from erased
$$;
