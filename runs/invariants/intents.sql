-- 6. What was begun had been recorded as an intent, and committed, before.
select d.stream, d.seq as entry, 'effect ' || d.effect as about,
       case when p.seq is null then 'it was begun, and no entry proposes it'
            else 'it was begun by the transaction that proposed it, entry ' || p.seq end as detail
from facts d left join facts p on p.stream = d.stream and p.effect = d.effect and p.kind = 'effect.proposed' and p.seq < d.seq
where d.kind = 'attempt.dispatched' and (p.seq is null or p.at = d.at)
order by d.stream, d.seq
