-- 17. An effect is made good for once, and only if it happened.
select 'run:' || o.run_id as stream, 0 as entry, 'effect ' || o.id as about,
       'it is made good for by ' || count(*) || ' effects that are open or were done' as detail
from runs_effect c join runs_effect o on o.id = c.compensates_id
where c.tenant_id = %(tenant)s and (c.state = any (%(open)s) or c.state = 'succeeded')
group by o.run_id, o.id having count(*) > 1
union all
select 'run:' || c.run_id, 0, 'effect ' || c.id, 'it was begun to make good for effect ' || o.id || ', which is ' || o.state
from runs_effect c join runs_effect o on o.id = c.compensates_id
where c.tenant_id = %(tenant)s and o.state not in ('succeeded', 'partial')
  and exists (select from runs_attempt t where t.effect_id = c.id and t.kind = any (%(acts)s))
order by 1, 2, 3
