-- What an effect counted for in the windows of its policy is given back when it ends without being done, whichever way it ended: so it stands
-- here, and not in each of the moves that end one.
create or replace function runs_give_back() returns trigger language plpgsql as $$
begin
    update approvals_spend set returned_at = cf_now() where subject = new.id and returned_at is null;
    return null;
end $$;
create or replace trigger runs_effect_gives_back after update of state on runs_effect for each row
    when (old.state is distinct from new.state and new.state in ('rejected', 'failed', 'denied', 'lapsed', 'expired', 'withdrawn'))
    execute function runs_give_back();
