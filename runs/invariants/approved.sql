-- 13. What was used of an approval is what was approved, and in its time.
with used as (
    select q.id, q.subject, q.subject_digest, q.use_by, q.consumed_at,
           coalesce((select max(seq) from ledger_entry x where x.stream = 'request:' || q.id and x.kind = 'request.consumed'), 0) as entry
    from approvals_request q where q.tenant_id = %(tenant)s and q.consumed_at is not null and not q.alone)
select 'request:' || u.id as stream, u.entry, 'effect ' || u.subject as about, case
    when u.consumed_at >= u.use_by then 'it was used when its time was over'
    when u.subject_digest <> e.effect_digest then 'what was done is not what was approved'
    else 'it was used, and nothing was begun then' end as detail
from used u left join runs_effect e on e.id = u.subject
where u.consumed_at >= u.use_by or u.subject_digest is distinct from e.effect_digest
   or not exists (select from runs_attempt t where t.effect_id = u.subject and t.kind = any (%(acts)s) and t.started_at = u.consumed_at)
union all
select 'request:' || q.id, q.ledger_seq, 'request ' || q.id, 'it was used when its time was over'
from approvals_request q where q.tenant_id = %(tenant)s and q.alone and q.consumed_at >= q.use_by
union all
select 'request:' || q.id, q.ledger_seq, 'effect ' || e.id, 'attempt ' || t.number || ' was begun under it, and it had not been used'
from runs_effect e join approvals_request q on q.id = e.request_id
join runs_attempt t on t.effect_id = e.id and t.kind = any (%(acts)s) and t.started_at > q.created_at
where e.tenant_id = %(tenant)s and (q.consumed_at is null or q.consumed_at > t.started_at)
union all
select 'run:' || e.run_id, r.ledger_seq, 'effect ' || e.id, 'it goes by an approval that was not used for what it makes good for'
from runs_effect e join runs_run r on r.id = e.run_id join approvals_request q on q.id = e.approved_with_id
where e.tenant_id = %(tenant)s and (q.subject is distinct from e.compensates_id or q.consumed_at is null)
order by 1, 2
