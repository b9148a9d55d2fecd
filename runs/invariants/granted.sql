-- 16. What is taken of a standing approval is what its uses say, and what is held is held for an effect.
with standing as (
    select grant_id, count(*) filter (where state <> 'returned') as uses, coalesce(sum(amount) filter (where state <> 'returned'), 0) as amount
    from approvals_grantuse where tenant_id = %(tenant)s group by grant_id)
select 'grant:' || g.id as stream, g.ledger_seq as entry, 'grant' as about,
    g.uses_taken || ' uses and ' || g.amount_taken || ' are taken, and its uses say ' || coalesce(s.uses, 0) || ' and ' || coalesce(s.amount, 0) as detail
from approvals_grant g left join standing s on s.grant_id = g.id
where g.tenant_id = %(tenant)s and (g.uses_taken <> coalesce(s.uses, 0) or g.amount_taken <> coalesce(s.amount, 0))
union all
select 'grant:' || u.grant_id, g.ledger_seq, 'effect ' || u.subject, 'a unit is held for it, and it holds none'
from approvals_grantuse u join approvals_grant g on g.id = u.grant_id left join runs_effect e on e.id = u.subject
where u.tenant_id = %(tenant)s and u.state = 'reserved' and not coalesce(e.holds_unit, false)
union all
select 'run:' || e.run_id, 0, 'effect ' || e.id, 'it holds a unit, and none is held for it'
from runs_effect e
where e.tenant_id = %(tenant)s and e.holds_unit and not exists (select from approvals_grantuse u where u.subject = e.id and u.state = 'reserved')
union all
select 'run:' || e.run_id, 0, 'effect ' || e.id, 'attempt ' || t.number || ' was begun under a standing approval, and no unit was reserved for it'
from runs_effect e join runs_attempt t on t.effect_id = e.id and t.kind = any (%(acts)s)
where e.tenant_id = %(tenant)s and e.grant_id is not null and not exists (
    select from approvals_grantuse u where u.subject = e.id and u.reserved_at <= t.started_at)
order by 1, 2
