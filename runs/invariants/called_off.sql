-- 4. What was called off is not begun again.
, ends as (
    select *, min(seq) filter (where state = any (%(called_off)s)) over (partition by stream, effect) as effect_off,
           min(seq) filter (where kind in ('run.closing', 'run.completed', 'run.ended')) over (partition by stream) as run_off
    from facts)
select stream, seq as entry, 'effect ' || effect as about,
       'it was begun after entry ' || least(effect_off, run_off) || ' had called it off' as detail
from ends where kind = 'attempt.dispatched' and says ->> 'kind' = any (%(acts)s) and seq > least(effect_off, run_off)
order by stream, seq
