-- 8. An unknown is left only by evidence or by a person: by a look whose answer proves something (that nothing is found only where the
-- contract says so), by a repetition that was done, or by a member's finding with evidence, of which another knew where two are needed.
-- What is ready to be done again is settled by a signed message about what had been sent before, and by nothing else.
, moved as (
    select *, lag(state) over (partition by stream, effect order by seq) as before from facts where effect is not null and state is not null),
left_it as (
    select m.*, t.kind as tried, o.executor, o.document::json as contract
    from moved m left join runs_attempt t on t.id = m.attempt::uuid
    left join runs_effect e on e.id = t.effect_id left join runs_operationcontract o on o.id = e.operation_id
    where (m.before = 'unknown' and m.state <> 'unknown') or (m.before = 'ready' and m.state = any (%(settled)s))),
findings as (
    select f.stream, f.says ->> 'resolution' as id, f.says ->> 'by' as found_by, (f.says ->> 'needs_second')::boolean as needs_second,
           f.says ->> 'evidence' as evidence,
           (select c.says ->> 'by' from facts c where c.stream = f.stream and c.kind = 'resolution.confirmed' and c.says ->> 'resolution' = f.says ->> 'resolution') as confirmed_by
    from facts f where f.kind = 'resolution.made')
select m.stream, m.seq as entry, 'effect ' || m.effect as about,
       'it was ' || m.before || ', and ' || m.kind || coalesce(' (' || (m.says ->> 'outcome') || ')', '') || ' by ' || m.actor || ' made it ' || m.state as detail
from left_it m left join findings f on f.stream = m.stream and f.id = m.says ->> 'resolution'
where not coalesce(m.before = 'unknown' and m.kind = 'attempt.settled' and m.says ->> 'evidence_digest' is not null and (
        (m.tried = any (%(looks)s) and m.says ->> 'outcome' = any (%(proof)s))
        or (m.tried = any (%(looks)s) and m.says ->> 'outcome' = 'absent'
            and (m.contract #>> array[m.executor, case m.tried when 'read' then 'read_back' else 'status' end, 'absence_is_proof'])::boolean)
        or (m.tried = 'resend' and m.says ->> 'outcome' in ('succeeded', 'partial'))), false)
  and not coalesce(m.before = 'unknown' and m.kind = 'effect.resolved' and m.actor like 'member:%%' and f.evidence <> ''
                   and (not f.needs_second or f.confirmed_by <> f.found_by), false)
  and not coalesce(m.kind = 'callback.applied' and m.says ->> 'body_digest' is not null and m.says ->> 'outcome' = any (%(proof)s)
                   and (m.before = 'unknown' or exists (
                       select from facts d where d.stream = m.stream and d.effect = m.effect and d.seq < m.seq
                       and d.kind = 'attempt.dispatched' and d.says ->> 'kind' = any (%(acts)s))), false)
order by m.stream, m.seq
