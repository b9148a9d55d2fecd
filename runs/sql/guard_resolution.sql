-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function runs_resolution_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('in_force', 'proposed') then
            raise exception 'runs_resolution: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_resolution_moves';
        end if;
    elsif not (case old.state
        when 'proposed' then new.state in ('declined', 'in_force', 'overtaken', 'withdrawn')
        else false end) then
        raise exception 'runs_resolution: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_resolution_moves';
    end if;
    return new;
end $$;
create or replace trigger runs_resolution_moves_insert before insert on runs_resolution for each row execute function runs_resolution_moves();
create or replace trigger runs_resolution_moves_update before update of state on runs_resolution
    for each row when (old.state is distinct from new.state) execute function runs_resolution_moves();
