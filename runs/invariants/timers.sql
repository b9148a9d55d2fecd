-- 11. A timer fires once, in its time: what waits for a time is met when that has come and not before, and no wait ends twice.
, opened as (
    select stream, says ->> 'wait' as wait, says ->> 'kind' as kind, (says ->> 'due_at')::timestamptz as due_at from facts where kind = 'wait.opened'),
over as (
    select stream, seq, at, kind, says ->> 'wait' as wait, row_number() over (partition by stream, says ->> 'wait' order by seq) as nth
    from facts where kind in ('wait.met', 'wait.expired', 'wait.withdrawn'))
select stream, seq as entry, 'wait ' || wait as about, 'it had ended, and ' || kind || ' ended it again' as detail from over where nth > 1
union all
select v.stream, v.seq, 'wait ' || v.wait, 'its time comes at ' || o.due_at || ', and it was met at ' || v.at
from over v join opened o using (stream, wait)
where o.kind = any (%(times)s) and v.kind = 'wait.met' and v.at < o.due_at
order by 1, 2, 3
