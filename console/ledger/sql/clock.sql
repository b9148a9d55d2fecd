-- The only clock that decides anything. Tests replace it with one that adds an offset.
create or replace function cf_now() returns timestamptz language sql stable parallel safe as
$$ select clock_timestamp() $$;
