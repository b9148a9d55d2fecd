-- Compensation hears of what it follows: an effect that it watches (1) and whose state changes, or that is parked or put back (parking.sql: ready
-- without a time, and no attempt begun with that), is marked (2), in the statement that changes it, so that no move of effects needs to know who follows them, and no pass needs to compare what has not moved.
create or replace function runs_effect_watch() returns trigger language plpgsql as $$
begin
    new.watch := 2;
    return new;
end $$;
create or replace trigger runs_effect_watch before update of state, next_attempt_at on runs_effect
    for each row when (old.watch = 1 and (old.state is distinct from new.state or (
        new.state = 'ready' and old.attempts_count = new.attempts_count and (old.next_attempt_at is null) <> (new.next_attempt_at is null))))
    execute function runs_effect_watch();

-- What is done in part is to be made good for where its contract says so (compensation.on); what makes good for something itself is not.
create or replace function runs_effect_in_part() returns trigger language plpgsql as $$
begin
    new.undo_due := new.undo_due or exists (
        select from runs_operationcontract o where o.id = new.operation_id and o.document::jsonb #> '{compensation,on}' ? 'partial');
    return new;
end $$;
create or replace trigger runs_effect_in_part before update of state on runs_effect
    for each row when (old.state is distinct from new.state and new.state = 'partial' and new.compensates_id is null)
    execute function runs_effect_in_part();
