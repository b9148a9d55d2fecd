-- Append-only by revoked rights first (see the grants), and by this trigger for whoever has more rights.
create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'the ledger is append-only: % of % is refused', lower(tg_op), tg_table_name using errcode = 'insufficient_privilege';
end $$;
create or replace trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
    for each statement execute function ledger_refuse_change();
create or replace trigger ledger_refusal_append_only before update or truncate on ledger_refusal
    for each statement execute function ledger_refuse_change();
create or replace trigger ledger_payload_append_only before delete or truncate on ledger_payload
    for each statement execute function ledger_refuse_change();
-- What may go is said in erase.sql, row by row.
create or replace trigger ledger_payload_only_erased before update on ledger_payload
    for each row execute function ledger_only_erased();
create or replace trigger ledger_refusal_only_forgotten before delete on ledger_refusal
    for each row execute function ledger_only_forgotten();
