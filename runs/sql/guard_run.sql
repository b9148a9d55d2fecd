-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function runs_run_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('running') then
            raise exception 'runs_run: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_run_moves';
        end if;
    elsif not (case old.state
        when 'cancelled' then new.state in ('running')
        when 'closing' then new.state in ('cancelled', 'expired', 'failed')
        when 'exhausted' then new.state in ('cancelled', 'closing', 'expired', 'failed', 'running', 'waiting')
        when 'expired' then new.state in ('running')
        when 'failed' then new.state in ('running')
        when 'quarantined' then new.state in ('cancelled', 'closing', 'expired', 'failed', 'running', 'waiting')
        when 'running' then new.state in ('cancelled', 'closing', 'exhausted', 'expired', 'failed', 'quarantined', 'succeeded', 'succeeded_with_unresolved', 'waiting')
        when 'waiting' then new.state in ('cancelled', 'closing', 'exhausted', 'expired', 'failed', 'quarantined', 'running')
        else false end) then
        raise exception 'runs_run: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_run_moves';
    end if;
    return new;
end $$;
create or replace trigger runs_run_moves_insert before insert on runs_run for each row execute function runs_run_moves();
create or replace trigger runs_run_moves_update before update of state on runs_run
    for each row when (old.state is distinct from new.state) execute function runs_run_moves();
