-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function notices_delivery_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('held', 'waiting') then
            raise exception 'notices_delivery: % is no first state', new.state using errcode = 'check_violation', constraint = 'notices_delivery_moves';
        end if;
    elsif not (case old.state
        when 'dead' then new.state in ('waiting')
        when 'held' then new.state in ('dropped', 'gathered', 'waiting')
        when 'waiting' then new.state in ('dead', 'delivered', 'dropped')
        else false end) then
        raise exception 'notices_delivery: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'notices_delivery_moves';
    end if;
    return new;
end $$;
create or replace trigger notices_delivery_moves_insert before insert on notices_delivery for each row execute function notices_delivery_moves();
create or replace trigger notices_delivery_moves_update before update of state on notices_delivery
    for each row when (old.state is distinct from new.state) execute function notices_delivery_moves();
