-- How many seats of a request's panels its approvals fill at this moment: the most that can be filled with nobody in two seats. By Hall's
-- theorem (its deficiency, with seats for vertices) that is the least, over every choice of panels, of the seats outside the choice and the
-- people who may speak for some panel in it; at most 5 panels are 32 choices. Words are judged as they stand today: neither one that was taken
-- back nor one by a delegation that was revoked counts, nor of somebody who is no active approver of a panel's groups and roles any more,
-- nor ever of who answers for the agent, or had it asked. A delegation that has since ended covers what was said while it ran.
create or replace function approvals_filled(p_request uuid, p_panels text, p_groups text[], p_quorum int) returns int language sql stable as $$
    with asked as (select id, owner_id, asker_id, p_panels as panels, p_groups as groups, p_quorum as quorum from approvals_request where id = p_request),
    voices as (
        select g.id, g.roles::text[] as roles, case when cardinality(l.groups) > 0
                   then array(select unnest(g.groups) intersect select unnest(l.groups)) else g.groups end::text[] as groups
        from asked q
        join approvals_decision d on d.request_id = q.id and d.verdict = 'approve' and d.withdrawn_at is null
        join identity_member m on m.id = d.member_id and m.active and 'approver' = any (m.roles)
        join identity_member g on g.id = coalesce(d.voice_id, d.member_id) and g.active and 'approver' = any (g.roles)
        left join approvals_delegation l on l.id = d.delegation_id
        where q.owner_id <> m.id and q.owner_id <> g.id and q.asker_id is distinct from m.id and q.asker_id is distinct from g.id
          and (g.id = m.id or (l.id is not null and l.revoked_at is null))),
    seats as (
        select 0 as place, q.groups::text[] as groups, '{}'::text[] as roles, q.quorum::int as quorum from asked q where q.panels = ''
        union all
        select (p.place - 1)::int, array(select jsonb_array_elements_text(p.panel -> 'groups')),
               array(select jsonb_array_elements_text(p.panel -> 'roles')), (p.panel ->> 'quorum')::int
        from asked q cross join lateral jsonb_array_elements(nullif(q.panels, '')::jsonb) with ordinality as p (panel, place)),
    able as (
        select v.id, bit_or(1 << s.place) as panels
        from voices v join seats s on v.groups && s.groups and (s.roles = '{}' or v.roles && s.roles) group by v.id)
    select coalesce(min(c.outside + c.people), 0)::int from (
        select (select coalesce(sum(s.quorum), 0) from seats s where c & (1 << s.place) = 0) as outside,
               (select count(*) from able a where a.panels & c <> 0) as people
        from generate_series(0, (1 << (select count(*)::int from seats)) - 1) as c) c
$$;

-- The same of the panels that the request itself asks.
create or replace function approvals_counted(p_request uuid) returns int language sql stable as $$
    select approvals_filled(q.id, q.panels, q.groups::text[], q.quorum::int) from approvals_request q where q.id = p_request
$$;
