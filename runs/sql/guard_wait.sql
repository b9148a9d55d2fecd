-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function runs_wait_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('met', 'open') then
            raise exception 'runs_wait: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_wait_moves';
        end if;
    elsif not (case old.state
        when 'open' then new.state in ('expired', 'met', 'withdrawn')
        else false end) then
        raise exception 'runs_wait: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_wait_moves';
    end if;
    return new;
end $$;
create or replace trigger runs_wait_moves_insert before insert on runs_wait for each row execute function runs_wait_moves();
create or replace trigger runs_wait_moves_update before update of state on runs_wait
    for each row when (old.state is distinct from new.state) execute function runs_wait_moves();
