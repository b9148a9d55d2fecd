-- 5. Epochs and fences strictly increase, and what was taken carried the highest.
, begun as (
    select stream, seq, effect, attempt, says ->> 'kind' as kind, (says ->> 'fence')::bigint as fence from facts where kind = 'attempt.dispatched'),
fenced as (
    select stream, seq, effect, kind, fence, true as begins from begun
    union all
    select f.stream, f.seq, f.effect, b.kind, b.fence, false from facts f join begun b on b.stream = f.stream and b.attempt = f.attempt
    where f.kind = 'attempt.settled'),
ranked as (
    select *, max(fence) filter (where begins) over (partition by stream, effect order by seq rows between unbounded preceding and 1 preceding) as highest
    from fenced),
epochs as (
    select stream, seq, (says ->> 'epoch')::bigint as epoch,
           max((says ->> 'epoch')::bigint) over (partition by stream order by seq rows between unbounded preceding and 1 preceding) as highest
    from facts where says ->> 'epoch' is not null)
select stream, seq as entry, 'effect ' || effect as about, case
    when begins then 'it was begun with fence ' || fence || ' after ' || highest else 'an answer with fence ' || fence || ' was taken after ' || highest end as detail
from ranked where fence < highest or (begins and kind = 'act' and fence <= highest)
union all
select stream, seq, 'run', 'epoch ' || epoch || ' follows ' || highest from epochs where epoch <= highest
order by 1, 2
