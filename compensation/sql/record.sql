-- Appends entries to the streams of plans, whose rows the caller has locked, and moves their heads. Entries keep their order.
create or replace function compensation_record(p_plans uuid[], p_kinds text[], p_actors text[], p_bodies text[], p_now timestamptz)
returns void language plpgsql as $$
#variable_conflict use_column
declare
    tenants uuid[]; streams text[]; kinds text[]; actors text[]; bodies text[]; seqs bigint[]; hashes bytea[];
begin
    if coalesce(cardinality(p_plans), 0) = 0 then return; end if;
    select array_agg(x.tenant_id order by e.id, e.place), array_agg('plan:' || e.id order by e.id, e.place),
           array_agg(e.kind order by e.id, e.place), array_agg(e.actor order by e.id, e.place), array_agg(e.body order by e.id, e.place),
           array_agg(x.ledger_seq order by e.id, e.place), array_agg(x.ledger_hash order by e.id, e.place)
    into tenants, streams, kinds, actors, bodies, seqs, hashes
    from unnest(p_plans, p_kinds, p_actors, p_bodies) with ordinality as e (id, kind, actor, body, place)
    join compensation_plan x on x.id = e.id;
    update compensation_plan x set ledger_seq = h.seq, ledger_hash = h.hash
    from ledger_append(tenants, streams, kinds, actors, bodies, seqs, hashes, p_now) h
    where x.id = substr(h.stream, 6)::uuid;
end $$;
