-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function runs_callback_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('recorded') then
            raise exception 'runs_callback: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_callback_moves';
        end if;
    elsif not (case old.state
        when 'recorded' then new.state in ('applied', 'late', 'unclear', 'unmatched')
        else false end) then
        raise exception 'runs_callback: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_callback_moves';
    end if;
    return new;
end $$;
create or replace trigger runs_callback_moves_insert before insert on runs_callback for each row execute function runs_callback_moves();
create or replace trigger runs_callback_moves_update before update of state on runs_callback
    for each row when (old.state is distinct from new.state) execute function runs_callback_moves();
