-- 18. A run that was called off or failed ends after what it did was made good for or answered for.
, heard as (
    select *, max(seq) filter (where kind = 'run.compensating') over before as told_at
    from facts window before as (partition by stream order by seq rows between unbounded preceding and 1 preceding))
select h.stream, h.seq as entry, 'run' as about, 'it ended while its compensation was ' || (c.says ->> 'to') as detail
from heard h join facts c on c.stream = h.stream and c.seq = h.told_at
where h.kind = 'run.ended' and c.says ->> 'to' in ('due', 'open')
order by 1, 2
