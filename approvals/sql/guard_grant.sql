-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function approvals_grant_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('proposed') then
            raise exception 'approvals_grant: % is no first state', new.state using errcode = 'check_violation', constraint = 'approvals_grant_moves';
        end if;
    elsif not (case old.state
        when 'active' then new.state in ('ended', 'revoked')
        when 'proposed' then new.state in ('active', 'declined', 'ended', 'revoked')
        else false end) then
        raise exception 'approvals_grant: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'approvals_grant_moves';
    end if;
    return new;
end $$;
create or replace trigger approvals_grant_moves_insert before insert on approvals_grant for each row execute function approvals_grant_moves();
create or replace trigger approvals_grant_moves_update before update of state on approvals_grant
    for each row when (old.state is distinct from new.state) execute function approvals_grant_moves();
