-- What was published stays as it was: attach with the columns that may still change as arguments.
create or replace function ledger_refuse_rewrite() returns trigger language plpgsql as $$
begin
    if to_jsonb(new) - tg_argv is distinct from to_jsonb(old) - tg_argv then
        raise exception '% is immutable once published', tg_table_name using errcode = 'check_violation', constraint = tg_table_name || '_immutable';
    end if;
    return new;
end $$;
