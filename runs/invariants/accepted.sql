-- 15. What was accepted is done, open, expired or refused: nothing else, and nothing less.
with counted as (
    select count(*) filter (where kind = 'run.accepted') as runs, count(*) filter (where kind = 'effect.proposed') as effects
    from ledger_entry where tenant_id = %(tenant)s and stream like 'run:%%'),
standing as (
    select count(*) filter (where state = any (%(settled)s)) as done, count(*) filter (where state = any (%(open)s)) as open,
           count(*) filter (where state in ('expired', 'lapsed')) as expired, count(*) filter (where state in ('denied', 'withdrawn')) as refused
    from runs_effect where tenant_id = %(tenant)s),
there as (select count(*) as runs from runs_run where tenant_id = %(tenant)s)
select 'tenant:' || %(tenant)s::text as stream, 0 as entry, 'effects' as about, c.effects || ' were accepted; ' || s.done || ' are done, ' || s.open || ' open, '
    || s.expired || ' expired, ' || s.refused || ' refused' as detail
from counted c, standing s where c.effects <> s.done + s.open + s.expired + s.refused
union all
select 'tenant:' || %(tenant)s::text, 0, 'runs', c.runs || ' were accepted, and there are ' || t.runs from counted c, there t where c.runs <> t.runs
