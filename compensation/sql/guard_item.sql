-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function compensation_workitem_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('planned', 'waiting') then
            raise exception 'compensation_workitem: % is no first state', new.state using errcode = 'check_violation', constraint = 'compensation_workitem_moves';
        end if;
    elsif not (case old.state
        when 'escalated' then new.state in ('resolved', 'running', 'waiting', 'waived')
        when 'failed' then new.state in ('escalated', 'resolved', 'running', 'waiting', 'waived')
        when 'planned' then new.state in ('dropped', 'failed', 'resolved', 'running', 'waiting', 'waived')
        when 'running' then new.state in ('done', 'failed', 'verifying', 'waiting')
        when 'verifying' then new.state in ('done', 'failed', 'running')
        when 'waiting' then new.state in ('done', 'dropped', 'failed', 'resolved', 'running', 'verifying', 'waived')
        else false end) then
        raise exception 'compensation_workitem: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'compensation_workitem_moves';
    end if;
    return new;
end $$;
create or replace trigger compensation_workitem_moves_insert before insert on compensation_workitem for each row execute function compensation_workitem_moves();
create or replace trigger compensation_workitem_moves_update before update of state on compensation_workitem
    for each row when (old.state is distinct from new.state) execute function compensation_workitem_moves();
