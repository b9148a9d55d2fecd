-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function approvals_request_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('pending') then
            raise exception 'approvals_request: % is no first state', new.state using errcode = 'check_violation', constraint = 'approvals_request_moves';
        end if;
    elsif not (case old.state
        when 'approved' then new.state in ('consumed', 'lapsed', 'rerouted', 'revoked', 'withdrawn')
        when 'consumed' then new.state in ('rerouted', 'revoked')
        when 'pending' then new.state in ('approved', 'denied', 'expired', 'rerouted', 'withdrawn')
        else false end) then
        raise exception 'approvals_request: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'approvals_request_moves';
    end if;
    return new;
end $$;
create or replace trigger approvals_request_moves_insert before insert on approvals_request for each row execute function approvals_request_moves();
create or replace trigger approvals_request_moves_update before update of state on approvals_request
    for each row when (old.state is distinct from new.state) execute function approvals_request_moves();
