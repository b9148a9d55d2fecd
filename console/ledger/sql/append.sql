-- Appends entries to any number of streams. Entries of one stream stand together in the arrays, in their order; `p_seqs` and
-- `p_hashes` give the stream's head before the call, read under the lock of the row that carries it. Gives the new heads.
create or replace function ledger_append(
    p_tenants uuid[], p_streams text[], p_kinds text[], p_actors text[], p_bodies text[], p_seqs bigint[], p_hashes bytea[], p_at timestamptz)
returns table (stream text, seq bigint, hash bytea) language plpgsql rows 50 as $$
#variable_conflict use_column
declare
    n constant int := coalesce(cardinality(p_streams), 0);
    at_us constant text := (extract(epoch from p_at) * 1000000)::bigint::text;
    seqs bigint[] := array_fill(null::bigint, array[n]);
    prevs bytea[] := array_fill(null::bytea, array[n]);
    hashes bytea[] := array_fill(null::bytea, array[n]);
    digests bytea[] := array_fill(null::bytea, array[n]);
    last boolean[] := array_fill(false, array[n]);
    head_seq bigint;
    head_hash bytea;
begin
    for i in 1..n loop
        if i = 1 or p_streams[i] <> p_streams[i - 1] then
            head_seq := p_seqs[i];
            head_hash := p_hashes[i];
            if i > 1 then last[i - 1] := true; end if;
        end if;
        head_seq := head_seq + 1;
        seqs[i] := head_seq;
        prevs[i] := head_hash;
        digests[i] := sha256(convert_to(p_bodies[i], 'UTF8'));
        head_hash := ledger_hash(1, p_tenants[i], p_streams[i], head_seq, p_kinds[i], at_us, p_actors[i], digests[i], head_hash);
        hashes[i] := head_hash;
    end loop;
    if n = 0 then return; end if;
    last[n] := true;
    with written as (
        insert into ledger_entry (tenant_id, stream, seq, format, kind, at, actor, payload_digest, prev_hash, hash)
        select e.tenant_id, e.stream, e.seq, 1, e.kind, p_at, e.actor, e.payload_digest, e.prev_hash, e.hash
        from unnest(p_tenants, p_streams, seqs, p_kinds, p_actors, digests, prevs, hashes)
            as e (tenant_id, stream, seq, kind, actor, payload_digest, prev_hash, hash)
        returning id, stream, seq)
    insert into ledger_payload (entry_id, tenant_id, body)
    select w.id, b.tenant_id, b.body
    from written w join unnest(p_streams, seqs, p_tenants, p_bodies) as b (stream, seq, tenant_id, body) using (stream, seq);
    return query select h.stream, h.seq, h.hash from unnest(p_streams, seqs, hashes, last) as h (stream, seq, hash, last) where h.last;
end $$;

-- What an entry's hash covers: every field, each on a line of its own (no field can hold a line break), and the hash before it.
create or replace function ledger_hash(
    p_format int, p_tenant uuid, p_stream text, p_seq bigint, p_kind text, p_at_us text, p_actor text, p_digest bytea, p_prev bytea)
returns bytea language sql stable parallel safe as $$
    select sha256(convert_to('counterfoil-ledger ' || p_format::text || E'\n' || p_tenant::text || E'\n' || p_stream || E'\n' || p_seq::text || E'\n'
        || p_kind || E'\n' || p_at_us || E'\n' || p_actor || E'\n' || encode(p_digest, 'hex') || E'\n' || encode(p_prev, 'hex'), 'UTF8'))
$$;
