-- 8. An unknown is left only by evidence or by a person.
, moved as (
    select *, lag(state) over (partition by stream, effect order by seq) as before from facts where effect is not null and state is not null)
select m.stream, m.seq as entry, 'effect ' || m.effect as about,
       'it was unknown, and ' || m.kind || coalesce(' (' || (m.says ->> 'outcome') || ')', '') || ' by ' || m.actor || ' made it ' || m.state as detail
from moved m left join runs_attempt t on t.id = m.attempt::uuid
where m.before = 'unknown' and m.state <> 'unknown'
  and not coalesce(m.kind = 'callback.applied' and m.says ->> 'body_digest' is not null and m.says ->> 'outcome' = any (%(proof)s), false)
  and not coalesce(m.kind = 'attempt.settled' and m.says ->> 'evidence_digest' is not null and m.says ->> 'outcome' = any (%(proof)s)
                   and t.kind <> 'act', false)
  and not (m.kind = 'effect.resolved' and m.actor like 'member:%%')
order by m.stream, m.seq
