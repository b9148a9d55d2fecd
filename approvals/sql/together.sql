-- Whether an approval that was used covers making good for what was done under it, as it said: 'permitted', or why people are asked anew. Locks the
-- request, whose effect's run the caller has locked. A reason begins with original_, so that whoever is refused by it is judged again.
create or replace function approvals_judge_undoing(p_request uuid) returns text language plpgsql as $$
declare
    found text;
begin
    perform 1 from approvals_request where id = p_request for no key update;
    select case
        when q.state <> 'consumed' then 'original_' || q.state
        when q.narrowing <> '' then 'original_narrowed' -- what was shown of it is not what was done
        when q.break_glass_id is not null then 'original_glass' -- released over the heads of those who would have approved this too
        when not approvals_governs(p, q.operation) then 'original_policy_changed'
        when exists (select from approvals_decision d where d.request_id = q.id and d.verdict = 'deny' and d.withdrawn_at is null) then 'original_denied'
        when approvals_counted(q.id) < q.quorum then 'original_quorum_lost'
        else 'permitted' end
    into found
    from approvals_request q join approvals_policy p on p.id = q.policy_id where q.id = p_request;
    return coalesce(found, 'original_gone');
end $$;
