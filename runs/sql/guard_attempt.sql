-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function runs_attempt_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('running') then
            raise exception 'runs_attempt: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_attempt_moves';
        end if;
    elsif not (case old.state
        when 'running' then new.state in ('ended', 'lost')
        else false end) then
        raise exception 'runs_attempt: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_attempt_moves';
    end if;
    return new;
end $$;
create or replace trigger runs_attempt_moves_insert before insert on runs_attempt for each row execute function runs_attempt_moves();
create or replace trigger runs_attempt_moves_update before update of state on runs_attempt
    for each row when (old.state is distinct from new.state) execute function runs_attempt_moves();
