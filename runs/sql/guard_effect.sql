-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function runs_effect_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('awaiting_approval', 'blocked', 'denied', 'ready') then
            raise exception 'runs_effect: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_effect_moves';
        end if;
    elsif not (case old.state
        when 'accepted' then new.state in ('failed', 'partial', 'rejected', 'succeeded', 'unknown')
        when 'awaiting_approval' then new.state in ('denied', 'expired', 'lapsed', 'proposed', 'ready', 'withdrawn')
        when 'blocked' then new.state in ('expired', 'proposed', 'ready', 'withdrawn')
        when 'dispatched' then new.state in ('accepted', 'failed', 'partial', 'ready', 'rejected', 'succeeded', 'unknown')
        when 'proposed' then new.state in ('awaiting_approval', 'denied', 'expired', 'ready', 'withdrawn')
        when 'ready' then new.state in ('accepted', 'denied', 'dispatched', 'expired', 'lapsed', 'partial', 'proposed', 'rejected', 'succeeded', 'withdrawn')
        when 'unknown' then new.state in ('failed', 'partial', 'ready', 'rejected', 'succeeded')
        else false end) then
        raise exception 'runs_effect: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_effect_moves';
    end if;
    return new;
end $$;
create or replace trigger runs_effect_moves_insert before insert on runs_effect for each row execute function runs_effect_moves();
create or replace trigger runs_effect_moves_update before update of state on runs_effect
    for each row when (old.state is distinct from new.state) execute function runs_effect_moves();
