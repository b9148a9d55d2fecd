-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function runs_cancellation_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('overtaken', 'proven', 'requested', 'resolving') then
            raise exception 'runs_cancellation: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_cancellation_moves';
        end if;
    elsif not (case old.state
        when 'requested' then new.state in ('overtaken', 'proven', 'resolving')
        when 'resolving' then new.state in ('overtaken', 'proven')
        else false end) then
        raise exception 'runs_cancellation: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_cancellation_moves';
    end if;
    return new;
end $$;
create or replace trigger runs_cancellation_moves_insert before insert on runs_cancellation for each row execute function runs_cancellation_moves();
create or replace trigger runs_cancellation_moves_update before update of state on runs_cancellation
    for each row when (old.state is distinct from new.state) execute function runs_cancellation_moves();
