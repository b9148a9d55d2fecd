-- What an agent's own request counted for in the windows of its policy is given back when it ends without leave to do it; one that was used
-- counts as spent.
create or replace function approvals_give_back() returns trigger language plpgsql as $$
begin
    update approvals_spend set returned_at = cf_now() where subject = new.subject and returned_at is null;
    return null;
end $$;
create or replace trigger approvals_request_gives_back after update of state on approvals_request for each row
    when (new.alone and old.state is distinct from new.state and new.state in ('denied', 'expired', 'withdrawn', 'lapsed', 'rerouted', 'revoked')
          and old.state <> 'consumed')
    execute function approvals_give_back();
