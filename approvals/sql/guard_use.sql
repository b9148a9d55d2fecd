-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function approvals_grantuse_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('reserved') then
            raise exception 'approvals_grantuse: % is no first state', new.state using errcode = 'check_violation', constraint = 'approvals_grantuse_moves';
        end if;
    elsif not (case old.state
        when 'reserved' then new.state in ('returned', 'spent')
        else false end) then
        raise exception 'approvals_grantuse: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'approvals_grantuse_moves';
    end if;
    return new;
end $$;
create or replace trigger approvals_grantuse_moves_insert before insert on approvals_grantuse for each row execute function approvals_grantuse_moves();
create or replace trigger approvals_grantuse_moves_update before update of state on approvals_grantuse
    for each row when (old.state is distinct from new.state) execute function approvals_grantuse_moves();
