-- 3. Nothing follows a terminal entry but what came late, and audit.
, ends as (
    select *, min(seq) filter (where state = any (%(ended)s)) over (partition by stream, effect) as effect_ended,
           coalesce(bool_or(state = 'partial') over (partition by stream, effect), false) as in_part,
           max(seq) filter (where kind in ('run.completed', 'run.ended', 'run.reopened')) over before as last_word,
           max(seq) filter (where kind = 'run.reopened') over before as reopened,
           coalesce(bool_or(kind = 'effect.proposed' and says ->> 'compensates' is not null) over (partition by stream, effect), false) as makes_good
    from facts window before as (partition by stream order by seq rows between unbounded preceding and 1 preceding))
select f.stream, f.seq as entry, coalesce('effect ' || f.effect, 'run') as about, f.kind || ' follows the end, which is entry '
    || case when f.effect is not null and f.seq > f.effect_ended then f.effect_ended else f.last_word end as detail
from ends f left join runs_attempt t on t.id = f.attempt::uuid
where (f.effect is not null and f.seq > f.effect_ended and f.kind <> all (%(after_an_effect)s)
       -- a look that was under way when something else settled the effect is given up afterwards
       and not (f.kind = 'attempt.lost' and t.kind = any (%(questions)s))
       -- what was done in part is looked after, and told of as it ages, until a person settles its rest
       and not (f.in_part and (f.kind in ('effect.alerted', 'effect.escalated')
                               or f.kind = any (%(people)s) and (f.kind <> 'effect.resolved' or f.says ->> 'exit' = 'rest_settled'))))
   -- what makes good for something goes its whole way in a run that ended
   or (f.last_word is distinct from f.reopened and f.kind <> all (%(after_a_run)s) and not (f.effect is not null and f.makes_good))
order by f.stream, f.seq
