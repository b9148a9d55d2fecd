-- Effects that go by a standing approval: what its room is asked at the claim, and what it is told when they are over.

-- Judges the grants of locked effects, in the order in which they came due: 'permitted', or why not. A newer policy comes first.
create or replace function runs_judge_grants(p_effects uuid[], p_now timestamptz) returns table (effect_id uuid, verdict text)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    stale uuid[]; grants uuid[]; subjects uuid[]; arguments text[]; owners uuid[];
begin
    select array_agg(e.id) filter (where not coalesce(approvals_governs(p, e.operation_name), false)),
           array_agg(e.grant_id order by e.next_attempt_at, e.id) filter (where approvals_governs(p, e.operation_name)),
           array_agg(e.id order by e.next_attempt_at, e.id) filter (where approvals_governs(p, e.operation_name)),
           array_agg(e.arguments order by e.next_attempt_at, e.id) filter (where approvals_governs(p, e.operation_name)),
           array_agg(a.owner_id order by e.next_attempt_at, e.id) filter (where approvals_governs(p, e.operation_name))
    into stale, grants, subjects, arguments, owners
    from runs_effect e join runs_run r on r.id = e.run_id join identity_agent a on a.id = r.agent_id left join approvals_policy p on p.id = e.policy_id
    where e.id = any (p_effects);
    return query select unnest(stale), 'policy_changed'::text;
    return query select j.subject, j.verdict from approvals_judge_grants(grants, subjects, arguments, owners, p_now) j where grants is not null;
end $$;

-- Reserves a unit for each of these effects that goes by a grant.
create or replace function runs_reserve_units(p_effects uuid[], p_actor text, p_now timestamptz) returns void language sql set enable_seqscan = off as $$
    select approvals_reserve(array_agg(e.grant_id), array_agg(e.id), array_agg(e.arguments), p_actor, p_now)
    from runs_effect e where e.id = any (p_effects) and e.grant_id is not null having count(*) > 0
$$;

-- Tells of effects that are over and for which a unit is held: one that happened, or happened in part, is spent; one that is known not to
-- have happened gives it back. Unknown is not over, and an answer that came late and says that it happened is believed. Gives how many.
create or replace function runs_settle_units(p_actor text, p_limit int) returns int language plpgsql set enable_seqscan = off as $$
declare
    effects uuid[]; happened boolean[]; v_now timestamptz;
begin
    select array_agg(e.id), array_agg(e.state in ('succeeded', 'partial') or exists (
        select from runs_attempt t where t.effect_id = e.id and t.kind in ('act', 'resend') and t.late_outcome in ('succeeded', 'partial', 'accepted')))
    into effects, happened from (
        select id, state from runs_effect where holds_unit and ended_at is not null order by ended_at limit p_limit for no key update skip locked) e;
    if effects is null then return 0; end if;
    v_now := cf_now();
    perform approvals_settle_units(effects, happened, p_actor, v_now);
    update runs_effect set holds_unit = false where id = any (effects);
    return cardinality(effects);
end $$;
