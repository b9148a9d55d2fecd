-- 3. Nothing follows a terminal entry but what came late, and audit.
, ends as (
    select *, min(seq) filter (where state = any (%(ended)s)) over (partition by stream, effect) as effect_ended,
           coalesce(bool_or(state = 'partial') over (partition by stream, effect), false) as in_part,
           min(seq) filter (where kind in ('run.completed', 'run.ended')) over (partition by stream) as run_ended
    from facts)
select f.stream, f.seq as entry, coalesce('effect ' || f.effect, 'run') as about, f.kind || ' follows the end, which is entry '
    || case when f.effect is not null and f.seq > f.effect_ended then f.effect_ended else f.run_ended end as detail
from ends f left join runs_attempt t on t.id = f.attempt::uuid
where (f.effect is not null and f.seq > f.effect_ended and f.kind <> all (%(after_an_effect)s)
       -- a look that was under way when something else settled the effect is given up afterwards
       and not (f.kind = 'attempt.lost' and t.kind = any (%(looks)s))
       -- what was done in part is looked after until a person settles its rest
       and not (f.in_part and f.kind = any (%(people)s) and (f.kind <> 'effect.resolved' or f.says ->> 'exit' = 'rest_settled')))
   or (f.seq > f.run_ended and f.kind <> all (%(after_a_run)s))
order by f.stream, f.seq
