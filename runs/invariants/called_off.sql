-- 4. What was called off is not begun again, but for the clean-up, and after somebody opened the run again.
, ends as (
    select *, min(seq) filter (where state = any (%(called_off)s)) over (partition by stream, effect) as effect_off,
           max(seq) filter (where kind in ('run.closing', 'run.completed', 'run.ended')) over before as closed,
           max(seq) filter (where kind = 'run.reopened') over before as reopened,
           coalesce(bool_or(kind = 'effect.proposed' and (says ->> 'cleanup')::boolean) over (partition by stream, effect), false) as cleanup
    from facts window before as (partition by stream order by seq rows between unbounded preceding and 1 preceding)),
off as (
    select *, case when closed > coalesce(reopened, 0) and not cleanup then closed end as run_off from ends)
select stream, seq as entry, 'effect ' || effect as about,
       'it was begun after entry ' || least(effect_off, run_off) || ' had called it off' as detail
from off where kind = 'attempt.dispatched' and says ->> 'kind' = any (%(acts)s) and seq > least(effect_off, run_off)
order by stream, seq
