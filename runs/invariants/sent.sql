-- 7. A write that was sent and not answered is unknown, not failed.
select f.stream, f.seq as entry, 'effect ' || f.effect as about, case f.kind
    when 'attempt.lost' then 'its attempt was lost and may have been sent, and it became ' || f.state
    else 'no answer came (' || (f.says ->> 'outcome') || '), and it became ' || f.state end as detail
from facts f join runs_attempt t on t.id = f.attempt::uuid join runs_effect e on e.id = t.effect_id
join runs_operationcontract o on o.id = e.operation_id
where t.kind = any (%(acts)s) and o.access = 'write' and (
    (f.kind = 'attempt.settled' and f.says ->> 'outcome' = 'unknown' and f.state <> 'unknown')
    or (f.kind = 'attempt.settled' and e.executor = 'http' and f.says ->> 'sent' = 'true' and f.says ->> 'http_status' is null
        and (f.state <> 'unknown' or f.says ->> 'outcome' <> 'unknown'))
    or (f.kind = 'attempt.lost' and f.says ->> 'sent' is distinct from 'false' and f.state <> 'unknown'))
order by f.stream, f.seq
