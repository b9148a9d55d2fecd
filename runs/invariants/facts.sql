-- The facts of a tenant's runs: each with the effect it is about and the state that it leads that to (null: it leads nowhere).
with told as (
    select e.stream, e.seq, e.kind, e.at, e.actor, p.body::json as says
    from ledger_entry e join ledger_payload p on p.entry_id = e.id
    where e.tenant_id = %(tenant)s and e.stream like 'run:%%' and p.body is not null),
facts as (
    select t.*, says ->> 'effect' as effect, says ->> 'attempt' as attempt, case
        when kind in ('effect.proposed', 'effect.judged', 'effect.unblocked', 'attempt.settled', 'attempt.lost', 'effect.resolved',
                      'callback.applied') then says ->> 'to'
        when kind = 'attempt.dispatched' and says ->> 'kind' = 'act' then 'dispatched'
        when kind = 'effect.sent_back' then 'proposed'
        when kind = 'effect.released' then 'ready'
        when kind in ('effect.denied', 'effect.lapsed', 'effect.expired', 'effect.withdrawn') then split_part(kind, '.', 2) end as state
    from told t)
