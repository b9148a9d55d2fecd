-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function runs_signal_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('recorded') then
            raise exception 'runs_signal: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_signal_moves';
        end if;
    elsif not (case old.state
        when 'kept' then new.state in ('expired', 'late', 'taken')
        when 'recorded' then new.state in ('kept', 'late', 'taken')
        else false end) then
        raise exception 'runs_signal: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_signal_moves';
    end if;
    return new;
end $$;
create or replace trigger runs_signal_moves_insert before insert on runs_signal for each row execute function runs_signal_moves();
create or replace trigger runs_signal_moves_update before update of state on runs_signal
    for each row when (old.state is distinct from new.state) execute function runs_signal_moves();
