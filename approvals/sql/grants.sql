-- Standing approvals at the moment of use: judged under their lock, a unit reserved before the effect is begun, and what becomes of it.
-- Called after runs, effects and requests are locked and before dependencies are.

-- Appends entries to the streams of grants, whose rows the caller has locked, and moves their heads. Entries keep their order.
create or replace function approvals_record_grants(p_grants uuid[], p_kinds text[], p_actors text[], p_bodies text[], p_now timestamptz)
returns void language plpgsql as $$
#variable_conflict use_column
declare
    tenants uuid[]; streams text[]; kinds text[]; actors text[]; bodies text[]; seqs bigint[]; hashes bytea[];
begin
    if coalesce(cardinality(p_grants), 0) = 0 then return; end if;
    select array_agg(x.tenant_id order by e.id, e.place), array_agg('grant:' || e.id order by e.id, e.place),
           array_agg(e.kind order by e.id, e.place), array_agg(e.actor order by e.id, e.place), array_agg(e.body order by e.id, e.place),
           array_agg(x.ledger_seq order by e.id, e.place), array_agg(x.ledger_hash order by e.id, e.place)
    into tenants, streams, kinds, actors, bodies, seqs, hashes
    from unnest(p_grants, p_kinds, p_actors, p_bodies) with ordinality as e (id, kind, actor, body, place)
    join approvals_grant x on x.id = e.id;
    update approvals_grant x set ledger_seq = h.seq, ledger_hash = h.hash
    from ledger_append(tenants, streams, kinds, actors, bodies, seqs, hashes, p_now) h
    where x.id = substr(h.stream, 7)::uuid;
end $$;

-- The amount that arguments name, exactly; null where there is none, or none that can be kept to six places: then no sum covers it.
create or replace function approvals_amount(p_arguments text, p_path text) returns numeric language plpgsql immutable as $$
declare
    told constant text := p_arguments::jsonb #>> (string_to_array(p_path, '.'))[2:];
begin
    if told is null or told !~ '^(0|[1-9][0-9]{0,31})(\.[0-9]{1,200})?$' or told::numeric <> round(told::numeric, 6) then return null; end if;
    return told::numeric::numeric(38, 6);
end $$;

-- Whether the two people by whose words a grant stands may still say them: active, and with the groups and roles that they spoke with.
create or replace function approvals_vouched(p_grant approvals_grant) returns boolean language sql stable as $$
    select count(*) = 2 from (values (p_grant.owner_id, p_grant.owner_as), (p_grant.confirmed_by_id, p_grant.confirmed_as)) as w (id, said)
    join identity_member m on m.id = w.id
    where m.active and m.groups::text[] || array(select 'role:' || r from unnest(m.roles) r) @> w.said::text[]
$$;

-- Locks the grants and says of each subject, one after the other in the order given, whether its grant covers it now: 'permitted', or why not.
-- `p_owners` answer for the agents that ask. What fits is not taken yet: approvals_reserve takes it, under the same lock. What has a unit of
-- its own already is covered by that, as long as the grant is not revoked.
create or replace function approvals_judge_grants(p_grants uuid[], p_subjects uuid[], p_arguments text[], p_owners uuid[], p_now timestamptz)
returns table (subject uuid, verdict text) language plpgsql as $$
#variable_conflict use_column
declare
    each record; g approvals_grant; uses bigint; sum numeric; recent bigint; told text; amount numeric;
begin
    perform 1 from approvals_grant where id = any (p_grants) order by id for no key update;
    for each in
        select a.grant_id, a.subject, a.arguments, a.owner_id, u.grant_id as held_of
        from unnest(p_grants, p_subjects, p_arguments, p_owners) with ordinality as a (grant_id, subject, arguments, owner_id, place)
        left join approvals_grantuse u on u.subject = a.subject and u.state <> 'returned'
        order by a.grant_id, a.place
    loop
        if g.id is distinct from each.grant_id then
            select * into g from approvals_grant where id = each.grant_id;
            uses := g.uses_taken; sum := g.amount_taken; recent := 0;
            if g.rate_most is not null then
                select count(*) into recent from (
                    select from approvals_grantuse x where x.grant_id = g.id and x.reserved_at > p_now - make_interval(secs => g.rate_seconds)
                    limit g.rate_most) r;
            end if;
        end if;
        amount := case when g.amount_path = '' then 0 else approvals_amount(each.arguments, g.amount_path) end;
        told := case
            when g.state = 'revoked' then 'grant_revoked'
            when not approvals_vouched(g) then 'grant_not_vouched'
            when each.owner_id in (g.owner_id, g.confirmed_by_id) then 'grant_of_ones_own'
            when each.held_of = g.id then 'permitted'
            when each.held_of is not null then 'grant_of_another'
            when g.state <> 'active' or p_now < g.starts_at or p_now >= g.ends_at then 'grant_over'
            when uses >= g.uses_most then 'grant_used_up'
            when amount is null then 'grant_without_amount'
            when sum + amount > g.amount_most then 'grant_used_up'
            when recent >= g.rate_most then 'grant_too_fast'
            else 'permitted' end;
        if told = 'permitted' and each.held_of is null then uses := uses + 1; sum := sum + amount; recent := recent + 1; end if;
        subject := each.subject; verdict := told;
        return next;
    end loop;
end $$;

-- Takes a unit for each subject that has none, of grants that approvals_judge_grants locked and found to cover them.
create or replace function approvals_reserve(p_grants uuid[], p_subjects uuid[], p_arguments text[], p_actor text, p_now timestamptz)
returns void language plpgsql as $$
#variable_conflict use_column
declare
    grants uuid[]; bodies text[];
begin
    with taken as (
        insert into approvals_grantuse (id, tenant_id, grant_id, subject, amount, state, reserved_at)
        select gen_random_uuid(), g.tenant_id, g.id, a.subject, case when g.amount_path <> '' then approvals_amount(a.arguments, g.amount_path) end, 'reserved', p_now
        from unnest(p_grants, p_subjects, p_arguments) as a (grant_id, subject, arguments) join approvals_grant g on g.id = a.grant_id
        where not exists (select from approvals_grantuse u where u.subject = a.subject and u.state <> 'returned')
        returning id, grant_id, subject, amount),
    counted as (
        select grant_id, count(*) as uses, coalesce(sum(amount), 0) as amount,
               json_agg(json_build_object('use', id, 'subject', subject, 'amount', amount) order by id) as said
        from taken group by grant_id),
    raised as (
        update approvals_grant g set uses_taken = g.uses_taken + c.uses, amount_taken = g.amount_taken + c.amount, last_used_at = p_now
        from counted c where g.id = c.grant_id
        returning g.id, json_build_object('uses', c.said, 'uses_taken', g.uses_taken, 'amount_taken', g.amount_taken)::text as body)
    select array_agg(id), array_agg(body) into grants, bodies from raised;
    if grants is null then return; end if;
    perform approvals_record_grants(grants, array_fill('grant.reserved'::text, array[cardinality(grants)]), array_fill(p_actor, array[cardinality(grants)]), bodies, p_now);
end $$;

-- Ends what is held for subjects that are over: spent where it happened, given back where it is known not to have happened.
create or replace function approvals_settle_units(p_subjects uuid[], p_happened boolean[], p_actor text, p_now timestamptz)
returns void language plpgsql as $$
#variable_conflict use_column
declare
    held uuid[]; grants uuid[]; bodies text[];
begin
    select array_agg(distinct u.grant_id) into held from approvals_grantuse u where u.subject = any (p_subjects) and u.state = 'reserved';
    if held is null then return; end if;
    perform 1 from approvals_grant where id = any (held) order by id for no key update;
    with ended as (
        update approvals_grantuse u set state = case when a.happened then 'spent' else 'returned' end, ended_at = p_now
        from unnest(p_subjects, p_happened) as a (subject, happened) where u.subject = a.subject and u.state = 'reserved' and u.grant_id = any (held)
        returning u.id, u.grant_id, u.state, u.amount),
    counted as (
        select grant_id, count(*) filter (where state = 'returned') as uses, coalesce(sum(amount) filter (where state = 'returned'), 0) as amount,
               json_agg(json_build_object('use', id, 'to', state) order by id) as said
        from ended group by grant_id),
    lowered as (
        update approvals_grant g set uses_taken = g.uses_taken - c.uses, amount_taken = g.amount_taken - c.amount
        from counted c where g.id = c.grant_id
        returning g.id, json_build_object('uses', c.said, 'uses_taken', g.uses_taken, 'amount_taken', g.amount_taken)::text as body)
    select array_agg(id), array_agg(body) into grants, bodies from lowered;
    if grants is null then return; end if;
    perform approvals_record_grants(grants, array_fill('grant.settled'::text, array[cardinality(grants)]), array_fill(p_actor, array[cardinality(grants)]), bodies, p_now);
end $$;
