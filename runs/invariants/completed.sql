-- 9. A run that ended holds nothing in flight, and nothing required that is unknown or partial unless it is named: but for what makes good for
-- something, which is begun whatever has become of the run.
select 'run:' || r.id as stream,
       coalesce((select max(seq) from ledger_entry x where x.stream = 'run:' || r.id and x.kind in ('run.completed', 'run.ended')), 0) as entry,
       'effect ' || e.id as about, 'the run is ' || r.state || ', and this is ' || e.state as detail
from runs_run r join runs_effect e on e.run_id = r.id
where r.tenant_id = %(tenant)s and r.state = any (%(run_ended)s) and e.compensates_id is null and (
    e.state = any (%(unsettled)s) or (e.state = 'unknown' and not (e.id = any (r.unresolved)))
    or (e.state = 'partial' and e.required and e.reconciled_at is null and not (e.id = any (r.unresolved)) and r.state = any (%(completed)s)))
union all
select 'run:' || id, ledger_seq, 'run', 'it is succeeded, and names what is unresolved' from runs_run
where tenant_id = %(tenant)s and state = 'succeeded' and unresolved <> '{}'
order by 1, 2
