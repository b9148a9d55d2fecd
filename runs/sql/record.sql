-- An entry's facts with the door that somebody came by; our own processes come by none.
create or replace function runs_via(p_body text, p_via text) returns text language sql immutable as $$
    select case when p_via is null then p_body else left(p_body, -1) || ', "via" : ' || to_json(p_via)::text || '}' end
$$;

-- Appends entries to the streams of runs, whose rows the caller has locked, and moves their heads. Entries keep their order.
create or replace function runs_record(p_runs uuid[], p_kinds text[], p_actors text[], p_bodies text[], p_now timestamptz)
returns void language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
    tenants uuid[]; streams text[]; kinds text[]; actors text[]; bodies text[]; seqs bigint[]; hashes bytea[];
begin
    if coalesce(cardinality(p_runs), 0) = 0 then return; end if;
    select array_agg(x.tenant_id order by e.id, e.place), array_agg('run:' || e.id order by e.id, e.place),
           array_agg(e.kind order by e.id, e.place), array_agg(e.actor order by e.id, e.place), array_agg(e.body order by e.id, e.place),
           array_agg(x.ledger_seq order by e.id, e.place), array_agg(x.ledger_hash order by e.id, e.place)
    into tenants, streams, kinds, actors, bodies, seqs, hashes
    from unnest(p_runs, p_kinds, p_actors, p_bodies) with ordinality as e (id, kind, actor, body, place)
    join runs_run x on x.id = e.id;
    update runs_run x set ledger_seq = h.seq, ledger_hash = h.hash
    from ledger_append(tenants, streams, kinds, actors, bodies, seqs, hashes, p_now) h
    where x.id = substr(h.stream, 5)::uuid;
end $$;
