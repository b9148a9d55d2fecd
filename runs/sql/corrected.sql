-- Which correction says that an effect must not be as it is, of those effects that had been begun when it was made: its number, else null. A
-- later correction about the same operation and the same argument stands in its place. What had not begun was withdrawn at once.
create or replace function runs_corrected(p_run uuid, p_effect uuid) returns int language sql stable as $$
    select max(c.number) from runs_correction c
    where c.run_id = p_run and p_effect = any (c.under_way) and not exists (
        select from runs_correction n where n.run_id = p_run and n.number > c.number and n.contradicts <> ''
          and n.contradicts::jsonb -> 'operation' is not distinct from c.contradicts::jsonb -> 'operation'
          and n.contradicts::jsonb -> 'argument' is not distinct from c.contradicts::jsonb -> 'argument')
$$;
