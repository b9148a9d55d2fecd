-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function compensation_plan_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('in_force', 'proposed') then
            raise exception 'compensation_plan: % is no first state', new.state using errcode = 'check_violation', constraint = 'compensation_plan_moves';
        end if;
    elsif not (case old.state
        when 'proposed' then new.state in ('declined', 'in_force')
        else false end) then
        raise exception 'compensation_plan: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'compensation_plan_moves';
    end if;
    return new;
end $$;
create or replace trigger compensation_plan_moves_insert before insert on compensation_plan for each row execute function compensation_plan_moves();
create or replace trigger compensation_plan_moves_update before update of state on compensation_plan
    for each row when (old.state is distinct from new.state) execute function compensation_plan_moves();
