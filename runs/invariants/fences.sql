-- 5. Epochs and fences strictly increase, and what was taken carried the highest. A person's finding may raise the fence, too.
, raised as (
    select stream, seq, effect, attempt, coalesce(says ->> 'kind', 'found') as kind, (says ->> 'fence')::bigint as fence
    from facts where kind in ('attempt.dispatched', 'effect.resolved') and says ->> 'fence' is not null),
fenced as (
    select stream, seq, effect, kind, fence, true as raises from raised
    union all
    select f.stream, f.seq, f.effect, r.kind, r.fence, false from facts f join raised r on r.stream = f.stream and r.attempt = f.attempt
    where f.kind = 'attempt.settled'),
ranked as (
    select *, max(fence) filter (where raises) over before as highest from fenced
    window before as (partition by stream, effect order by seq rows between unbounded preceding and 1 preceding)),
epochs as (
    select stream, seq, kind, (says ->> 'epoch')::bigint as epoch, max((says ->> 'epoch')::bigint) over before as highest
    from facts where says ->> 'epoch' is not null
    window before as (partition by stream order by seq rows between unbounded preceding and 1 preceding))
select stream, seq as entry, 'effect ' || effect as about,
       case when raises then 'it was begun with fence ' else 'an answer was taken with fence ' end || fence || ' after ' || highest as detail
from ranked where fence < highest or (raises and kind = any (%(acts)s) and fence <= highest)
union all
select stream, seq, 'run', 'epoch ' || epoch || ' follows ' || highest from epochs
where epoch < highest or (kind = any (%(drivers)s) and epoch = highest)
order by 1, 2
