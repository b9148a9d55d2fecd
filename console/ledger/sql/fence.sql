-- Fences and epochs carry the database's incarnation in their high bits: the next number after `p_current`.
create or replace function cf_next_fence(p_current bigint) returns bigint language sql stable as
$$ select greatest(p_current, (select number << 40 from ledger_incarnation)) + 1 $$;
