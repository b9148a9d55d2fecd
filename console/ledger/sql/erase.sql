-- Erasing. No role may do it by itself: these functions run with the owner's rights, only the worker's role may call them, and triggers
-- bind the owner too. A payload goes only when an entry of the same stream, written at that very moment, says that it does.
create or replace function ledger_only_erased() returns trigger language plpgsql as $$
begin
    if old.body is not null and new.body is null and new.entry_id = old.entry_id and new.tenant_id = old.tenant_id
       and exists (select from ledger_entry e join ledger_entry x on x.stream = e.stream and x.seq > e.seq
                   where e.id = old.entry_id and x.at = new.erased_at and x.kind like '%.erased') then
        return new;
    end if;
    raise exception 'the ledger is append-only: update of ledger_payload is refused' using errcode = 'insufficient_privilege';
end $$;

create or replace function ledger_only_forgotten() returns trigger language plpgsql as $$
begin
    if old.at < cf_now() - interval '30 days' then return old; end if;
    raise exception 'the ledger is append-only: delete of ledger_refusal is refused' using errcode = 'insufficient_privilege';
end $$;

-- Erases the payloads of these streams, each below an entry's number; gives how many.
create or replace function ledger_erase(p_tenant uuid, p_streams text[], p_below bigint[], p_at timestamptz) returns bigint
language sql security definer set search_path = public, pg_temp as $$
    with erased as (
        update ledger_payload p set body = null, erased_at = p_at
        from unnest(p_streams, p_below) as s (stream, below) join ledger_entry e on e.stream = s.stream and e.seq < s.below
        where p.entry_id = e.id and p.body is not null and e.tenant_id = p_tenant
        returning 1)
    select count(*) from erased
$$;

-- Forgets a tenant's oldest refusals before an instant; gives how many.
create or replace function ledger_forget_refusals(p_tenant uuid, p_before timestamptz, p_limit int) returns bigint
language sql security definer set search_path = public, pg_temp as $$
    with gone as (
        delete from ledger_refusal where id in (
            select id from ledger_refusal where tenant_id = p_tenant and at < p_before order by at limit p_limit for update skip locked)
        returning 1)
    select count(*) from gone
$$;
