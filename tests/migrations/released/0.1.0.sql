--
-- PostgreSQL database dump
--


-- Dumped from database version 18.6
-- Dumped by pg_dump version 18.6

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: approvals_consume(uuid[], text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.approvals_consume(p_requests uuid[], p_actor text, p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    used uuid[];
begin
    with consumed as (
        update approvals_request set state = 'consumed', consumed_at = p_now where id = any (p_requests) and state = 'approved' returning id)
    select array_agg(id) into used from consumed;
    if used is null then return; end if;
    perform approvals_record(used, array_fill('request.consumed'::text, array[cardinality(used)]),
        array_fill(p_actor, array[cardinality(used)]), array_fill('{}'::text, array[cardinality(used)]), p_now);
end $$;


ALTER FUNCTION public.approvals_consume(p_requests uuid[], p_actor text, p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: approvals_erase_reasons(uuid[]); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.approvals_erase_reasons(p_requests uuid[]) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    with erased as (
        update approvals_decision d set reason = '' from approvals_request q
        where q.id = d.request_id and q.id = any (p_requests) and q.erased_at is not null and d.reason <> ''
        returning 1)
    select count(*) from erased
$$;


ALTER FUNCTION public.approvals_erase_reasons(p_requests uuid[]) OWNER TO counterfoil_owner;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: approvals_policy; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.approvals_policy (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    name character varying(63) NOT NULL,
    version integer NOT NULL,
    document text NOT NULL,
    digest bytea NOT NULL,
    operations character varying(63)[] NOT NULL,
    published_at timestamp with time zone NOT NULL,
    superseded_at timestamp with time zone,
    displaced character varying(63)[] DEFAULT '{}'::character varying(63)[] NOT NULL,
    CONSTRAINT approvals_policy_version_check CHECK ((version >= 0))
);


ALTER TABLE public.approvals_policy OWNER TO counterfoil_owner;

--
-- Name: approvals_governs(public.approvals_policy, text); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.approvals_governs(p_policy public.approvals_policy, p_operation text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select p_policy.superseded_at is null and not (p_operation = any (p_policy.displaced))
$$;


ALTER FUNCTION public.approvals_governs(p_policy public.approvals_policy, p_operation text) OWNER TO counterfoil_owner;

--
-- Name: approvals_judge_use(uuid[], bytea[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.approvals_judge_use(p_requests uuid[], p_digests bytea[], p_now timestamp with time zone) RETURNS TABLE(request_id uuid, verdict text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
begin
    perform 1 from approvals_request where id = any (p_requests) order by id for no key update;
    return query
    select q.id, case
        when q.state not in ('approved', 'consumed') then q.state
        when q.subject_digest <> asked.digest then 'digest_mismatch'
        when q.state = 'approved' and q.use_by <= p_now then 'lapsed'
        when not approvals_governs(p, q.operation) then 'policy_changed'
        when (select count(*) from approvals_decision d join identity_member m on m.id = d.member_id
              where d.request_id = q.id and d.verdict = 'approve' and m.active and 'approver' = any (m.roles) and m.groups && q.groups)
             < q.quorum then 'quorum_lost'
        else 'permitted' end::text
    from unnest(p_requests, p_digests) as asked (id, digest)
    join approvals_request q on q.id = asked.id
    join approvals_policy p on p.id = q.policy_id;
end $$;


ALTER FUNCTION public.approvals_judge_use(p_requests uuid[], p_digests bytea[], p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: approvals_lapse(uuid[], text[], text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.approvals_lapse(p_requests uuid[], p_reasons text[], p_actor text, p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    ended uuid[]; bodies text[];
begin
    with lapsed as (
        update approvals_request q set state = 'lapsed', closing_reason = x.reason, heard_at = p_now
        from unnest(p_requests, p_reasons) as x (id, reason) where q.id = x.id and q.state = 'approved'
        returning q.id, q.closing_reason)
    select array_agg(id), array_agg(json_build_object('reason', closing_reason)::text) into ended, bodies from lapsed;
    if ended is not null then
        perform approvals_record(ended, array_fill('request.lapsed'::text, array[cardinality(ended)]),
            array_fill(p_actor, array[cardinality(ended)]), bodies, p_now);
    end if;
end $$;


ALTER FUNCTION public.approvals_lapse(p_requests uuid[], p_reasons text[], p_actor text, p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: approvals_record(uuid[], text[], text[], text[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.approvals_record(p_requests uuid[], p_kinds text[], p_actors text[], p_bodies text[], p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
    tenants uuid[]; streams text[]; kinds text[]; actors text[]; bodies text[]; seqs bigint[]; hashes bytea[];
begin
    if coalesce(cardinality(p_requests), 0) = 0 then return; end if;
    select array_agg(x.tenant_id order by e.id, e.place), array_agg('request:' || e.id order by e.id, e.place),
           array_agg(e.kind order by e.id, e.place), array_agg(e.actor order by e.id, e.place), array_agg(e.body order by e.id, e.place),
           array_agg(x.ledger_seq order by e.id, e.place), array_agg(x.ledger_hash order by e.id, e.place)
    into tenants, streams, kinds, actors, bodies, seqs, hashes
    from unnest(p_requests, p_kinds, p_actors, p_bodies) with ordinality as e (id, kind, actor, body, place)
    join approvals_request x on x.id = e.id;
    update approvals_request x set ledger_seq = h.seq, ledger_hash = h.hash
    from ledger_append(tenants, streams, kinds, actors, bodies, seqs, hashes, p_now) h
    where x.id = substr(h.stream, 9)::uuid;
end $$;


ALTER FUNCTION public.approvals_record(p_requests uuid[], p_kinds text[], p_actors text[], p_bodies text[], p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: approvals_request_moves(); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.approvals_request_moves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('pending') then
            raise exception 'approvals_request: % is no first state', new.state using errcode = 'check_violation', constraint = 'approvals_request_moves';
        end if;
    elsif not (case old.state
        when 'approved' then new.state in ('consumed', 'lapsed', 'rerouted', 'withdrawn')
        when 'consumed' then new.state in ('rerouted')
        when 'pending' then new.state in ('approved', 'denied', 'expired', 'rerouted', 'withdrawn')
        else false end) then
        raise exception 'approvals_request: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'approvals_request_moves';
    end if;
    return new;
end $$;


ALTER FUNCTION public.approvals_request_moves() OWNER TO counterfoil_owner;

--
-- Name: cf_next_fence(bigint); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.cf_next_fence(p_current bigint) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$ select greatest(p_current, (select number << 40 from ledger_incarnation)) + 1 $$;


ALTER FUNCTION public.cf_next_fence(p_current bigint) OWNER TO counterfoil_owner;

--
-- Name: cf_now(); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.cf_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ select clock_timestamp() $$;


ALTER FUNCTION public.cf_now() OWNER TO counterfoil_owner;

--
-- Name: ledger_append(uuid[], text[], text[], text[], text[], bigint[], bytea[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.ledger_append(p_tenants uuid[], p_streams text[], p_kinds text[], p_actors text[], p_bodies text[], p_seqs bigint[], p_hashes bytea[], p_at timestamp with time zone) RETURNS TABLE(stream text, seq bigint, hash bytea)
    LANGUAGE plpgsql ROWS 50
    AS $$
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


ALTER FUNCTION public.ledger_append(p_tenants uuid[], p_streams text[], p_kinds text[], p_actors text[], p_bodies text[], p_seqs bigint[], p_hashes bytea[], p_at timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: ledger_erase(uuid, text[], bigint[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.ledger_erase(p_tenant uuid, p_streams text[], p_below bigint[], p_at timestamp with time zone) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    with erased as (
        update ledger_payload p set body = null, erased_at = p_at
        from unnest(p_streams, p_below) as s (stream, below) join ledger_entry e on e.stream = s.stream and e.seq < s.below
        where p.entry_id = e.id and p.body is not null and e.tenant_id = p_tenant
        returning 1)
    select count(*) from erased
$$;


ALTER FUNCTION public.ledger_erase(p_tenant uuid, p_streams text[], p_below bigint[], p_at timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: ledger_forget_refusals(uuid, timestamp with time zone, integer); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.ledger_forget_refusals(p_tenant uuid, p_before timestamp with time zone, p_limit integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    with gone as (
        delete from ledger_refusal where id in (
            select id from ledger_refusal where tenant_id = p_tenant and at < p_before order by at limit p_limit for update skip locked)
        returning 1)
    select count(*) from gone
$$;


ALTER FUNCTION public.ledger_forget_refusals(p_tenant uuid, p_before timestamp with time zone, p_limit integer) OWNER TO counterfoil_owner;

--
-- Name: ledger_hash(integer, uuid, text, bigint, text, text, text, bytea, bytea); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.ledger_hash(p_format integer, p_tenant uuid, p_stream text, p_seq bigint, p_kind text, p_at_us text, p_actor text, p_digest bytea, p_prev bytea) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select sha256(convert_to('counterfoil-ledger ' || p_format::text || E'\n' || p_tenant::text || E'\n' || p_stream || E'\n' || p_seq::text || E'\n'
        || p_kind || E'\n' || p_at_us || E'\n' || p_actor || E'\n' || encode(p_digest, 'hex') || E'\n' || encode(p_prev, 'hex'), 'UTF8'))
$$;


ALTER FUNCTION public.ledger_hash(p_format integer, p_tenant uuid, p_stream text, p_seq bigint, p_kind text, p_at_us text, p_actor text, p_digest bytea, p_prev bytea) OWNER TO counterfoil_owner;

--
-- Name: ledger_only_erased(); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.ledger_only_erased() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if old.body is not null and new.body is null and new.entry_id = old.entry_id and new.tenant_id = old.tenant_id
       and exists (select from ledger_entry e join ledger_entry x on x.stream = e.stream and x.seq > e.seq
                   where e.id = old.entry_id and x.at = new.erased_at and x.kind like '%.erased') then
        return new;
    end if;
    raise exception 'the ledger is append-only: update of ledger_payload is refused' using errcode = 'insufficient_privilege';
end $$;


ALTER FUNCTION public.ledger_only_erased() OWNER TO counterfoil_owner;

--
-- Name: ledger_only_forgotten(); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.ledger_only_forgotten() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if old.at < cf_now() - interval '30 days' then return old; end if;
    raise exception 'the ledger is append-only: delete of ledger_refusal is refused' using errcode = 'insufficient_privilege';
end $$;


ALTER FUNCTION public.ledger_only_forgotten() OWNER TO counterfoil_owner;

--
-- Name: ledger_refuse_change(); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.ledger_refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'the ledger is append-only: % of % is refused', lower(tg_op), tg_table_name using errcode = 'insufficient_privilege';
end $$;


ALTER FUNCTION public.ledger_refuse_change() OWNER TO counterfoil_owner;

--
-- Name: ledger_refuse_rewrite(); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.ledger_refuse_rewrite() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if to_jsonb(new) - tg_argv is distinct from to_jsonb(old) - tg_argv then
        raise exception '% is immutable once published', tg_table_name using errcode = 'check_violation', constraint = tg_table_name || '_immutable';
    end if;
    return new;
end $$;


ALTER FUNCTION public.ledger_refuse_rewrite() OWNER TO counterfoil_owner;

--
-- Name: runs_after_endings(uuid[], text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_after_endings(p_runs uuid[], p_actor text, p_now timestamp with time zone) RETURNS void
    LANGUAGE sql
    AS $$
    select runs_record(array_agg(e.run_id order by e.place), array_agg(e.kind order by e.place), array_agg(p_actor),
                       array_agg(e.body order by e.place), p_now)
    from runs_endings(p_runs, p_now) with ordinality as e (run_id, kind, body, place)
$$;


ALTER FUNCTION public.runs_after_endings(p_runs uuid[], p_actor text, p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: runs_attempt_moves(); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_attempt_moves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('running') then
            raise exception 'runs_attempt: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_attempt_moves';
        end if;
    elsif not (case old.state
        when 'running' then new.state in ('ended', 'lost')
        else false end) then
        raise exception 'runs_attempt: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_attempt_moves';
    end if;
    return new;
end $$;


ALTER FUNCTION public.runs_attempt_moves() OWNER TO counterfoil_owner;

--
-- Name: runs_claim(text, double precision, uuid[], uuid[]); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_claim(p_worker text, p_lease_seconds double precision, p_attempts uuid[], p_without uuid[]) RETURNS TABLE(attempt_id uuid, tenant_id uuid, run_id uuid, effect_id uuid, operation_id uuid, dependency_id uuid, kind text, number integer, fence bigint, traceparent text, due_at timestamp with time zone, target text, arguments text, operation_reference text, deadline_at timestamp with time zone, created_at timestamp with time zone, claimed_at timestamp with time zone, first_at timestamp with time zone, acts integer, looks integer, effect_state text)
    LANGUAGE plpgsql ROWS 64
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    found_effects uuid[]; found_runs uuid[]; held_runs uuid[];
begin
    select array_agg(c.id), array_agg(distinct c.run_id) into found_effects, found_runs from runs_claimable(cardinality(p_attempts), cf_now()) c;
    if found_effects is null then return; end if;

    select array_agg(id) into held_runs from (
        select id from runs_run where id = any (found_runs) order by id for no key update skip locked) r;
    if held_runs is null then return; end if;
    return query select * from runs_take(found_effects, held_runs, p_worker, p_lease_seconds, p_attempts, p_without, null);
end $$;


ALTER FUNCTION public.runs_claim(p_worker text, p_lease_seconds double precision, p_attempts uuid[], p_without uuid[]) OWNER TO counterfoil_owner;

--
-- Name: runs_claimable(integer, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_claimable(p_limit integer, p_now timestamp with time zone) RETURNS TABLE(id uuid, run_id uuid)
    LANGUAGE sql STABLE ROWS 64
    SET enable_seqscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
    with busy as (
        select tenant_id, dependency_name, count(*) as n from runs_attempt where state = 'running' and dependency_name <> '' group by 1, 2),
    free as (
        select d.tenant_id, d.name, least(d.concurrency - coalesce(b.n, 0), p_limit) as slots
        from runs_dependency d left join busy b on b.tenant_id = d.tenant_id and b.dependency_name = d.name
        where d.retired_at is null and d.concurrency > coalesce(b.n, 0))
    select c.id, c.run_id from (
        select e.id, e.run_id, e.next_attempt_at from free f cross join lateral (
            select id, run_id, next_attempt_at from runs_effect
            where state = 'ready' and executor in ('http', 'python') and tenant_id = f.tenant_id and dependency_name = f.name and next_attempt_at <= p_now
            order by next_attempt_at limit f.slots) e
        union all
        (select id, run_id, next_attempt_at from runs_effect
         where state = 'ready' and executor in ('http', 'python') and dependency_name = '' and next_attempt_at <= p_now order by next_attempt_at limit p_limit)
        union all
        (select id, run_id, next_attempt_at from runs_effect where state in ('unknown', 'accepted') and next_attempt_at <= p_now
           and (dependency_name = '' or (tenant_id, dependency_name) in (select f.tenant_id, f.name from free f))
         order by next_attempt_at limit greatest(p_limit / 4, 1))
        order by 3 limit p_limit) c
$$;


ALTER FUNCTION public.runs_claimable(p_limit integer, p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: runs_effect_moves(); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_effect_moves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('awaiting_approval', 'blocked', 'denied', 'ready') then
            raise exception 'runs_effect: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_effect_moves';
        end if;
    elsif not (case old.state
        when 'accepted' then new.state in ('failed', 'partial', 'rejected', 'succeeded', 'unknown')
        when 'awaiting_approval' then new.state in ('denied', 'expired', 'lapsed', 'proposed', 'ready', 'withdrawn')
        when 'blocked' then new.state in ('expired', 'proposed', 'ready', 'withdrawn')
        when 'dispatched' then new.state in ('accepted', 'failed', 'partial', 'ready', 'rejected', 'succeeded', 'unknown')
        when 'proposed' then new.state in ('awaiting_approval', 'denied', 'expired', 'ready', 'withdrawn')
        when 'ready' then new.state in ('dispatched', 'expired', 'lapsed', 'proposed', 'withdrawn')
        when 'unknown' then new.state in ('failed', 'partial', 'rejected', 'succeeded')
        else false end) then
        raise exception 'runs_effect: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_effect_moves';
    end if;
    return new;
end $$;


ALTER FUNCTION public.runs_effect_moves() OWNER TO counterfoil_owner;

--
-- Name: runs_end_leases(text, integer, text); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_end_leases(p_actor text, p_limit integer, p_worker text DEFAULT NULL::text) RETURNS TABLE(effect_id uuid, state text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
    found_attempts uuid[]; found_runs uuid[]; v_now timestamptz; lost uuid[]; runs uuid[]; kinds text[]; bodies text[];
begin
    select array_agg(t.id), array_agg(distinct t.run_id) into found_attempts, found_runs from (
        select id, run_id from runs_attempt where state = 'running' and case when p_worker is null then lease_expires_at <= cf_now() else worker = p_worker end
        order by lease_expires_at limit p_limit) t;
    if found_attempts is null then return; end if;
    select array_agg(id) into found_runs from (select id from runs_run where id = any (found_runs) order by id for no key update skip locked) r;
    if found_runs is null then return; end if;
    v_now := cf_now();
    perform 1 from runs_effect e where e.id in (select t.effect_id from runs_attempt t where t.id = any (found_attempts) and t.run_id = any (found_runs))
    order by e.id for no key update;

    with gone as (
        update runs_attempt t set state = 'lost', outcome = case when t.kind = 'act' and o.access = 'write' and (not t.marks_before_send or t.sent_mark_at is not null) then 'unknown' else 'not_sent' end,
            sent = case when t.marks_before_send and t.sent_mark_at is null then false end,
            reason = case e.executor when 'agent' then 'the agent''s lease ended without a report' when 'human' then 'the lease ended without a report'
                else 'the worker vanished' end,
            ended_at = v_now, lease_expires_at = null
        from runs_effect e join runs_operationcontract o on o.id = e.operation_id
        where e.id = t.effect_id and t.id = any (found_attempts) and t.run_id = any (found_runs) and t.state = 'running'
          and (p_worker is not null or t.lease_expires_at <= v_now)
        returning t.id, t.effect_id, t.run_id, t.kind, t.outcome, t.sent, t.reason, t.fence, o.can_be_asked,
            (select count(*) from runs_attempt x where x.effect_id = t.effect_id and x.kind = 'act') >= o.attempts_allowed as used_up),
    moved as (
        update runs_effect e set
            state = case when g.kind <> 'act' then e.state when g.outcome = 'unknown' then 'unknown' when g.used_up then 'failed' else 'ready' end,
            state_reason = case when g.kind <> 'act' then e.state_reason else g.reason end,
            outcome = case when g.kind <> 'act' then e.outcome else g.outcome end,
            unknown_since = case when g.kind = 'act' and g.outcome = 'unknown' then coalesce(e.unknown_since, v_now) else e.unknown_since end,
            ended_at = case when g.kind = 'act' and g.outcome <> 'unknown' and g.used_up then v_now end,
            next_attempt_at = case when g.kind = 'act' and g.outcome <> 'unknown' then case when not g.used_up then v_now end
                                   when g.can_be_asked then v_now end
        from gone g where e.id = g.effect_id and e.fence = g.fence
        returning e.id, e.run_id, e.state)
    select array_agg(g.run_id order by g.run_id, g.id), array_agg('attempt.lost'::text),
           array_agg(json_build_object('attempt', g.id, 'effect', g.effect_id, 'outcome', g.outcome, 'to', m.state, 'sent', g.sent, 'reason', g.reason)::text order by g.run_id, g.id),
           array_agg(g.id)
    into runs, kinds, bodies, lost from gone g join moved m on m.id = g.effect_id;
    if runs is null then return; end if;
    perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, v_now);
    perform runs_after_endings(runs, p_actor, v_now);
    return query select e.id, e.state::text from runs_effect e join runs_attempt t on t.effect_id = e.id where t.id = any (lost);
end $$;


ALTER FUNCTION public.runs_end_leases(p_actor text, p_limit integer, p_worker text) OWNER TO counterfoil_owner;

--
-- Name: runs_ended(uuid[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_ended(p_runs uuid[], p_now timestamp with time zone) RETURNS TABLE(run_id uuid, kind text, body text)
    LANGUAGE plpgsql ROWS 50
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    perhaps uuid[];
begin
    select array_agg(id) into perhaps from runs_run where id = any (p_runs) and (state = 'closing' or (state = 'running' and completes_itself));
    if perhaps is null then return; end if;
    return query
    with due as (
        select r.id, case
            when r.state = 'closing' then r.closing_toward
            when cardinality(g.unmet) > 0 or c.dropped then 'failed'
            else 'succeeded' end as target,
            case when r.state = 'closing' then r.closing_reason
                 when cardinality(g.unmet) > 0 or c.dropped then 'a required effect was not done' else '' end as reason
        from runs_gate(perhaps) g join runs_run r on r.id = g.run_id
        -- A driver that completes its run has seen what was withdrawn; a run that completes by itself has nobody to see it.
        cross join lateral (select exists (
            select from runs_effect e where e.run_id = r.id and e.required and e.state || '' = 'withdrawn' and e.state_reason = 'what it waits for was not done'
              and not exists (select from runs_effect s where s.supersedes_id = e.id and s.state || '' = 'succeeded')) as dropped) c
        where cardinality(g.in_flight) = 0 and cardinality(g.unstarted) = 0
          and ((r.state = 'closing' and not exists (select from runs_effect e where e.run_id = r.id and e.state || '' = 'unknown'))
               or (r.state = 'running' and cardinality(g.unresolved) = 0))),
    moved as (
        update runs_run r set state = d.target, closing_reason = d.reason, ended_at = p_now from due d where r.id = d.id
        returning r.id, r.state, r.closing_reason)
    select id, 'run.ended', json_build_object('to', state, 'reason', closing_reason)::text from moved;
end $$;


ALTER FUNCTION public.runs_ended(p_runs uuid[], p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: runs_endings(uuid[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_endings(p_runs uuid[], p_now timestamp with time zone) RETURNS TABLE(run_id uuid, kind text, body text)
    LANGUAGE plpgsql ROWS 50
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    looked_at uuid[]; going_on uuid[] := '{}'; closing uuid[]; moved_runs uuid[]; moved_states text[]; bodies text[];
begin
    select array_agg(r.id), array_agg(r.id) filter (where r.state = 'closing') into looked_at, closing from runs_run r where r.id = any (p_runs);
    if closing is not null then
        return query
        with moved as (
            update runs_effect e set state = 'withdrawn', state_reason = 'the run is closing', next_attempt_at = null, ended_at = p_now
            where e.run_id = any (closing) and e.state || '' = 'ready'
            returning e.id, e.run_id, e.state_reason)
        select run_id, 'effect.withdrawn', json_build_object('effect', id, 'to', 'withdrawn', 'reason', state_reason)::text
        from moved order by run_id, id;
    end if;
    loop
        with waiting as (
            select e.id, e.verdict, bool_and(p.state = 'succeeded') as come,
                   bool_or(p.state in ('rejected', 'failed', 'partial', 'denied', 'lapsed', 'expired', 'withdrawn')) as never
            from runs_effect e join runs_effect p on p.id = any (e.after)
            where e.run_id = any (looked_at) and e.state || '' = 'blocked' group by e.id),
        moved as (
            update runs_effect e set
                state = case when w.never then 'withdrawn' when w.verdict = 'allow' then 'ready' else 'proposed' end,
                state_reason = case when w.never then 'what it waits for was not done' else '' end,
                next_attempt_at = case when not w.never and w.verdict = 'allow' then p_now end,
                ended_at = case when w.never then p_now end
            from waiting w where e.id = w.id and (w.come or w.never)
            returning e.id, e.run_id, e.state, e.state_reason)
        select array_agg(run_id order by run_id, id), array_agg(state order by run_id, id),
               array_agg(json_build_object('effect', id, 'to', state, 'reason', state_reason)::text order by run_id, id)
        into moved_runs, moved_states, bodies from moved;
        exit when moved_runs is null;
        return query
        select m.run_id, case when m.state = 'withdrawn' then 'effect.withdrawn' else 'effect.unblocked' end, m.body
        from unnest(moved_runs, moved_states, bodies) with ordinality as m (run_id, state, body, place) order by m.place;
        -- Only after a withdrawal can others have waited in vain; a run in which something came to its turn is not at its end.
        select going_on || array_agg(m.run_id) filter (where m.state <> 'withdrawn'), array_agg(distinct m.run_id) filter (where m.state = 'withdrawn')
        into going_on, looked_at from unnest(moved_runs, moved_states) as m (run_id, state);
        exit when looked_at is null;
    end loop;
    return query select f.run_id, f.kind, f.body from runs_ended(
        (select array_agg(distinct r.id) from unnest(p_runs) as r (id) where not (r.id = any (going_on))), p_now) f;
end $$;


ALTER FUNCTION public.runs_endings(p_runs uuid[], p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: runs_finish(uuid[], text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_finish(p_runs uuid[], p_actor text, p_now timestamp with time zone) RETURNS void
    LANGUAGE sql
    AS $$
    select runs_record(array_agg(e.run_id), array_agg(e.kind), array_agg(p_actor), array_agg(e.body), p_now) from runs_ended(p_runs, p_now) e
$$;


ALTER FUNCTION public.runs_finish(p_runs uuid[], p_actor text, p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: runs_follow(text, integer); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_follow(p_actor text, p_limit integer) RETURNS TABLE(effect_id uuid, state text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
    found_requests uuid[]; found_runs uuid[]; v_now timestamptz; runs uuid[]; kinds text[]; bodies text[]; touched uuid[];
begin
    select array_agg(id) into found_requests from (
        select id from approvals_request where heard_at is null and state <> 'pending' order by decided_at limit p_limit) q;
    if found_requests is null then return; end if;
    select array_agg(id) into found_runs from (
        select id from runs_run where id in (select run_id from runs_effect where request_id = any (found_requests)) order by id for no key update skip locked) r;
    v_now := cf_now();
    perform 1 from runs_effect where request_id = any (found_requests) and run_id = any (found_runs) order by id for no key update;

    with news as (
        select e.id, q.state as word, q.closing_reason as reason
        from runs_effect e join approvals_request q on q.id = e.request_id
        where q.id = any (found_requests) and e.run_id = any (found_runs) and q.heard_at is null and q.state <> 'pending'
          and (e.state = 'awaiting_approval' or (e.state = 'ready' and q.state = 'lapsed'))),
    moved as (
        update runs_effect e set
            state = case n.word when 'approved' then 'ready' when 'consumed' then 'ready' when 'denied' then 'denied' when 'expired' then 'expired'
                                when 'lapsed' then 'lapsed' when 'rerouted' then 'proposed' else 'withdrawn' end,
            state_reason = n.reason,
            next_attempt_at = case when n.word in ('approved', 'consumed') then v_now end,
            ended_at = case when n.word in ('denied', 'expired', 'lapsed', 'withdrawn') then v_now end
        from news n where e.id = n.id
        returning e.id, e.run_id, e.state, e.state_reason, n.word, e.request_id)
    select array_agg(run_id order by run_id, id),
           array_agg(case word when 'approved' then 'effect.released' when 'consumed' then 'effect.released' when 'rerouted' then 'effect.sent_back' else 'effect.' || state end order by run_id, id),
           array_agg(json_build_object('effect', id, 'request', request_id, 'reason', state_reason)::text order by run_id, id), array_agg(id)
    into runs, kinds, bodies, touched from moved;
    if runs is not null then
        perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, v_now);
        perform runs_after_endings(runs, p_actor, v_now);
    end if;
    -- News of an effect whose run somebody else holds at this moment waits for the next pass.
    update approvals_request q set heard_at = v_now where q.id = any (found_requests)
      and not exists (select from runs_effect e where e.request_id = q.id and not (e.run_id = any (coalesce(found_runs, '{}'))));
    return query select e.id, e.state::text from runs_effect e where e.id = any (touched);
end $$;


ALTER FUNCTION public.runs_follow(p_actor text, p_limit integer) OWNER TO counterfoil_owner;

--
-- Name: runs_gate(uuid[]); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_gate(p_runs uuid[]) RETURNS TABLE(run_id uuid, unstarted uuid[], in_flight uuid[], unresolved uuid[], unmet uuid[])
    LANGUAGE sql STABLE ROWS 50
    AS $$
    select r.id, g.* from unnest(p_runs) as r (id) cross join lateral (select
        coalesce(array_agg(e.id order by e.number) filter (where e.state in ('proposed', 'blocked', 'awaiting_approval', 'ready')), '{}'),
        coalesce(array_agg(e.id order by e.number) filter (where e.state in ('dispatched', 'accepted')), '{}'),
        coalesce(array_agg(e.id order by e.number) filter (where e.state in ('unknown', 'partial') and (e.required or e.state = 'unknown')), '{}'),
        coalesce(array_agg(e.id order by e.number) filter (where e.required
            and e.state in ('rejected', 'failed', 'denied', 'lapsed', 'expired')
            and not exists (select from runs_effect s where s.supersedes_id = e.id
                and (s.state = 'succeeded' or (s.required and s.state <> 'withdrawn')))), '{}')
        from runs_effect e where e.run_id = r.id) g
$$;


ALTER FUNCTION public.runs_gate(p_runs uuid[]) OWNER TO counterfoil_owner;

--
-- Name: runs_keep_late(uuid[], text[], text[], text, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_keep_late(p_attempts uuid[], p_outcomes text[], p_evidence text[], p_actor text, p_via text, p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
declare
    runs uuid[]; kinds text[]; bodies text[];
begin
    with grown as (
        select t.id, a.outcome, case
            when t.late_evidence is null then a.evidence
            when left(t.late_evidence, 1) = '[' then left(t.late_evidence, -1) || ',' || a.evidence || ']'
            else '[' || t.late_evidence || ',' || a.evidence || ']' end as evidence
        from unnest(p_attempts, p_outcomes, p_evidence) as a (id, outcome, evidence) join runs_attempt t on t.id = a.id
        where t.evidence_digest is distinct from sha256(convert_to(a.evidence, 'UTF8'))
          and position(a.evidence in coalesce(t.late_evidence, '')) = 0 and length(coalesce(t.late_evidence, '')) < 200000),
    kept as (
        update runs_attempt t set late_outcome = g.outcome, late_evidence = g.evidence,
            late_evidence_digest = sha256(convert_to(g.evidence, 'UTF8')), late_at = p_now
        from grown g where t.id = g.id
        returning t.id, t.run_id, t.effect_id, t.late_outcome, t.late_evidence_digest)
    select array_agg(run_id order by run_id, id), array_agg('attempt.late'::text),
           array_agg(runs_via(json_build_object('attempt', id, 'effect', effect_id, 'outcome', late_outcome, 'evidence_digest', encode(late_evidence_digest, 'hex'))::text, p_via) order by run_id, id)
    into runs, kinds, bodies from kept;
    if runs is not null then
        perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, p_now);
    end if;
end $$;


ALTER FUNCTION public.runs_keep_late(p_attempts uuid[], p_outcomes text[], p_evidence text[], p_actor text, p_via text, p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: runs_permitted(uuid[], uuid[], bytea[], text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_permitted(p_effects uuid[], p_requests uuid[], p_digests bytea[], p_actor text, p_now timestamp with time zone) RETURNS uuid[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
declare
    permitted uuid[]; refused uuid[]; refusals text[];
begin
    with used as (select * from approvals_judge_use(p_requests, p_digests, p_now) where p_requests is not null),
    judged as (
        select e.id, e.request_id, case
            when e.state <> 'ready' then 'permitted'
            when e.request_id is not null then coalesce(u.verdict, 'not_asked')
            when p.id is not null and approvals_governs(p, e.operation_name) and e.verdict = 'allow' then 'permitted'
            else 'policy_changed' end as verdict
        from runs_effect e
        left join used u on u.request_id = e.request_id
        left join approvals_policy p on p.id = e.policy_id
        where e.id = any (p_effects))
    select array_agg(id) filter (where verdict = 'permitted'),
           array_agg(id) filter (where verdict <> 'permitted'), array_agg(verdict) filter (where verdict <> 'permitted')
    into permitted, refused, refusals from judged;
    if refused is not null then perform runs_refuse_dispatch(refused, refusals, p_actor, p_now); end if;
    return permitted;
end $$;


ALTER FUNCTION public.runs_permitted(p_effects uuid[], p_requests uuid[], p_digests bytea[], p_actor text, p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: runs_record(uuid[], text[], text[], text[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_record(p_runs uuid[], p_kinds text[], p_actors text[], p_bodies text[], p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
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


ALTER FUNCTION public.runs_record(p_runs uuid[], p_kinds text[], p_actors text[], p_bodies text[], p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: runs_refuse_dispatch(uuid[], text[], text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_refuse_dispatch(p_effects uuid[], p_reasons text[], p_actor text, p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
    runs uuid[]; kinds text[]; bodies text[]; requests uuid[]; reasons text[];
begin
    with moved as (
        update runs_effect e set
            state = case when x.reason = 'policy_changed' then 'proposed' else 'lapsed' end,
            state_reason = x.reason, next_attempt_at = null,
            ended_at = case when x.reason = 'policy_changed' then null else p_now end
        from unnest(p_effects, p_reasons) as x (id, reason) where e.id = x.id
        returning e.id, e.run_id, e.state, e.state_reason, e.request_id)
    select array_agg(run_id order by run_id, id), array_agg(case when state = 'proposed' then 'effect.sent_back' else 'effect.lapsed' end order by run_id, id),
           array_agg(json_build_object('effect', id, 'reason', state_reason)::text order by run_id, id),
           array_agg(request_id) filter (where state = 'lapsed'), array_agg(state_reason) filter (where state = 'lapsed')
    into runs, kinds, bodies, requests, reasons from moved;
    perform approvals_lapse(requests, reasons, p_actor, p_now) where requests is not null;
    perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, p_now);
    perform runs_after_endings(runs, p_actor, p_now);
end $$;


ALTER FUNCTION public.runs_refuse_dispatch(p_effects uuid[], p_reasons text[], p_actor text, p_now timestamp with time zone) OWNER TO counterfoil_owner;

--
-- Name: runs_run_moves(); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_run_moves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ('running') then
            raise exception 'runs_run: % is no first state', new.state using errcode = 'check_violation', constraint = 'runs_run_moves';
        end if;
    elsif not (case old.state
        when 'closing' then new.state in ('expired', 'failed')
        when 'running' then new.state in ('closing', 'expired', 'failed', 'succeeded', 'succeeded_with_unresolved')
        else false end) then
        raise exception 'runs_run: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = 'runs_run_moves';
    end if;
    return new;
end $$;


ALTER FUNCTION public.runs_run_moves() OWNER TO counterfoil_owner;

--
-- Name: runs_settle(uuid[], bigint[], text[], text[], double precision[], smallint[], boolean[], text[], text[], text[], text[], text, text); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_settle(p_attempts uuid[], p_fences bigint[], p_outcomes text[], p_states text[], p_delays double precision[], p_http smallint[], p_sent boolean[], p_reasons text[], p_results text[], p_references text[], p_evidence text[], p_actor text, p_via text DEFAULT NULL::text) RETURNS TABLE(attempt_id uuid)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    held uuid[]; touched uuid[]; v_now timestamptz; fitting uuid[]; late uuid[]; runs uuid[]; kinds text[]; bodies text[];
begin
    select array_agg(t.run_id), array_agg(t.effect_id) into held, touched from runs_attempt t where t.id = any (p_attempts);
    perform 1 from runs_run where id = any (held) order by id for no key update;
    v_now := cf_now();

    with locked as materialized (select e.id, e.fence, e.state from runs_effect e where e.id = any (touched) order by e.id for no key update)
    select array_agg(t.id) filter (where fits), array_agg(t.id) filter (where not fits) into fitting, late
    from (select t.id, t.state = 'running' and t.fence = a.fence and e.fence = a.fence
                 and e.state = any (case when t.kind = 'act' then array['dispatched'] else array['unknown', 'accepted'] end) as fits
          from unnest(p_attempts, p_fences) as a (id, fence) join runs_attempt t on t.id = a.id join locked e on e.id = t.effect_id) t;

    with answers as (
        select * from unnest(p_attempts, p_outcomes, p_states, p_delays, p_http, p_sent, p_reasons, p_results, p_references, p_evidence)
            as a (id, outcome, state, delay, http, sent, reason, result, reference, evidence) where id = any (fitting)),
    ended as (
        update runs_attempt t set state = 'ended', outcome = a.outcome, http_status = a.http, sent = a.sent, reason = a.reason,
            evidence = a.evidence, evidence_digest = sha256(convert_to(a.evidence, 'UTF8')), ended_at = v_now, lease_expires_at = null
        from answers a where t.id = a.id
        returning t.id, t.effect_id, t.run_id, t.kind, t.evidence_digest),
    moved as (
        update runs_effect e set state = a.state, state_reason = a.reason, outcome = a.outcome,
            result = coalesce(a.result, e.result),
            operation_reference = case when a.reference <> '' then a.reference else e.operation_reference end,
            next_attempt_at = case when a.state in ('ready', 'accepted', 'unknown') and a.delay is not null then v_now + make_interval(secs => a.delay) end,
            unknown_since = case when a.state = 'unknown' then coalesce(e.unknown_since, v_now) else e.unknown_since end,
            ended_at = case when a.state in ('succeeded', 'rejected', 'failed', 'partial') then v_now end
        from ended t join answers a on a.id = t.id where e.id = t.effect_id
        returning e.id)
    select array_agg(t.run_id order by t.run_id, t.id), array_agg('attempt.settled'::text),
           array_agg(runs_via(json_build_object('attempt', t.id, 'effect', t.effect_id, 'outcome', a.outcome, 'to', a.state, 'http_status', a.http, 'sent', a.sent,
               'reason', a.reason, 'result', a.result, 'reference', a.reference, 'evidence_digest', encode(t.evidence_digest, 'hex'))::text, p_via) order by t.run_id, t.id)
    into runs, kinds, bodies
    from ended t join answers a on a.id = t.id where (select count(*) from moved) >= 0;
    if runs is not null then
        -- What came and what follows from it are recorded together, so that each run's head moves once.
        select runs || array_agg(e.run_id order by e.place), kinds || array_agg(e.kind order by e.place), bodies || array_agg(e.body order by e.place)
        into runs, kinds, bodies from runs_endings(runs, v_now) with ordinality as e (run_id, kind, body, place);
        perform runs_record(runs, kinds, array_fill(p_actor, array[cardinality(runs)]), bodies, v_now);
    end if;

    if late is not null then
        perform runs_keep_late(late, array_agg(a.outcome order by l.place), array_agg(a.evidence order by l.place), p_actor, p_via, v_now)
        from unnest(late) with ordinality as l (id, place) join unnest(p_attempts, p_outcomes, p_evidence) as a (id, outcome, evidence) using (id);
        return query select unnest(late);
    end if;
end $$;


ALTER FUNCTION public.runs_settle(p_attempts uuid[], p_fences bigint[], p_outcomes text[], p_states text[], p_delays double precision[], p_http smallint[], p_sent boolean[], p_reasons text[], p_results text[], p_references text[], p_evidence text[], p_actor text, p_via text) OWNER TO counterfoil_owner;

--
-- Name: runs_take(uuid[], uuid[], text, double precision, uuid[], uuid[], text); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_take(p_effects uuid[], p_runs uuid[], p_worker text, p_lease_seconds double precision, p_attempts uuid[], p_without uuid[], p_via text) RETURNS TABLE(attempt_id uuid, tenant_id uuid, run_id uuid, effect_id uuid, operation_id uuid, dependency_id uuid, kind text, number integer, fence bigint, traceparent text, due_at timestamp with time zone, target text, arguments text, operation_reference text, deadline_at timestamp with time zone, created_at timestamp with time zone, claimed_at timestamp with time zone, first_at timestamp with time zone, acts integer, looks integer, effect_state text)
    LANGUAGE plpgsql ROWS 64
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := cf_now();
    chosen uuid[]; unfit uuid[]; subjects uuid[]; digests bytea[]; permitted uuid[]; consumed uuid[];
    runs uuid[]; kinds text[]; bodies text[];
    lowest constant bigint := cf_next_fence(0) - 1; -- of this incarnation
begin
    with held as materialized (
        select * from runs_effect where id = any (p_effects) and run_id = any (p_runs) order by id for no key update)
    select array_agg(d.id) filter (where d.fits), array_agg(d.request_id) filter (where d.fits and d.asks),
           array_agg(d.effect_digest) filter (where d.fits and d.asks), array_agg(d.id) filter (where not d.fits)
    into chosen, subjects, digests, unfit
    from (
        select e.id, e.request_id, e.effect_digest, e.state = 'ready' and e.request_id is not null as asks,
               not (e.operation_id = any (p_without))
               and not exists (select from runs_attempt t where t.effect_id = e.id and t.state || '' = 'running')
               and (e.state in ('unknown', 'accepted')
                    or (e.state = 'ready' and r.state = 'running' and e.deadline_at > v_now
                        and (r.deadline_at is null or r.deadline_at > v_now) and a.active)) as fits
        from held e join runs_run r on r.id = e.run_id join identity_agent a on a.id = r.agent_id
        where e.next_attempt_at <= v_now) d;
    -- What cannot be begun now (no active agent, no secret here) is looked at again later, so that it stands in nobody's way.
    if unfit is not null then update runs_effect set next_attempt_at = v_now + interval '5 seconds' where id = any (unfit); end if;
    if chosen is null then return; end if;

    permitted := runs_permitted(chosen, subjects, digests, p_worker, v_now);
    if permitted is null then return; end if;

    perform 1 from runs_dependency d
    where d.retired_at is null and (d.tenant_id, d.name) in (
        select e.tenant_id, e.dependency_name from runs_effect e where e.id = any (permitted) and e.dependency_name <> '')
    order by d.id for no key update;
    with busy as (
        select t.tenant_id, t.dependency_name, count(*) as n from runs_attempt t
        where t.state = 'running' and t.dependency_name <> '' group by 1, 2),
    queued as (
        select e.id, e.tenant_id, e.dependency_name, row_number() over (partition by e.tenant_id, e.dependency_name order by e.next_attempt_at, e.id) as place
        from runs_effect e where e.id = any (permitted))
    select array_agg(q.id) into permitted
    from queued q
    left join runs_dependency d on d.tenant_id = q.tenant_id and d.name = q.dependency_name and d.retired_at is null
    left join busy b on b.tenant_id = q.tenant_id and b.dependency_name = q.dependency_name
    where q.dependency_name = '' or q.place <= d.concurrency - coalesce(b.n, 0);
    if permitted is null then return; end if;

    if subjects is not null then
        select array_agg(request_id) into consumed from runs_effect where id = any (permitted) and request_id = any (subjects);
        if consumed is not null then perform approvals_consume(consumed, p_worker, v_now); end if;
    end if;

    return query
    with numbered as (
        select e.id, e.run_id, e.tenant_id, e.state = 'ready' as acts, p_attempts[row_number() over (order by e.run_id, e.id)] as attempt,
               e.operation_id, e.dependency_name, e.attempts_count, e.next_attempt_at as due_at
        from runs_effect e where e.id = any (permitted)),
    moved as (
        update runs_effect e set
            state = case when n.acts then 'dispatched' else e.state end,
            state_reason = case when n.acts then '' else e.state_reason end,
            fence = case when n.acts then greatest(e.fence, lowest) + 1 else e.fence end,
            attempts_count = e.attempts_count + 1, next_attempt_at = null
        from numbered n where e.id = n.id
        returning e.*, n.acts, n.attempt, n.due_at),
    written as (
        insert into runs_attempt (id, tenant_id, run_id, effect_id, number, kind, fence, worker, dependency_name, state, started_at,
                                  lease_expires_at, marks_before_send)
        select m.attempt, m.tenant_id, m.run_id, m.id, m.attempts_count, case when m.acts then 'act' else 'status' end, m.fence, p_worker,
               m.dependency_name, 'running', v_now, v_now + make_interval(secs => p_lease_seconds),
               m.acts and o.marks_before_send
        from moved m join runs_operationcontract o on o.id = m.operation_id
        returning id)
    select m.attempt, m.tenant_id, m.run_id, m.id, m.operation_id,
           (select d.id from runs_dependency d where d.tenant_id = m.tenant_id and d.name = m.dependency_name and d.retired_at is null), case when m.acts then 'act' else 'status' end, m.attempts_count,
           m.fence, m.traceparent::text, m.due_at, m.target, m.arguments, m.operation_reference, m.deadline_at, m.created_at, v_now,
           coalesce(before.first_at, v_now), coalesce(before.acts, 0)::int, coalesce(before.looks, 0)::int, m.state::text
    from moved m
    left join lateral (
        select min(t.started_at) as first_at, count(*) filter (where t.kind = 'act') as acts, count(*) filter (where t.kind = 'status') as looks
        from runs_attempt t where m.attempts_count > 1 and t.effect_id = m.id) before on true
    where (select count(*) from written) > 0;

    select array_agg(t.run_id order by t.run_id, t.effect_id), array_agg('attempt.dispatched'::text),
           array_agg(runs_via(json_build_object('attempt', t.id, 'effect', t.effect_id, 'number', t.number, 'kind', t.kind, 'fence', t.fence,
                                                'dependency', t.dependency_name)::text, p_via) order by t.run_id, t.effect_id)
    into runs, kinds, bodies
    from runs_attempt t where t.id = any (p_attempts);
    perform runs_record(runs, kinds, array_fill(p_worker, array[cardinality(runs)]), bodies, v_now);
end $$;


ALTER FUNCTION public.runs_take(p_effects uuid[], p_runs uuid[], p_worker text, p_lease_seconds double precision, p_attempts uuid[], p_without uuid[], p_via text) OWNER TO counterfoil_owner;

--
-- Name: runs_via(text, text); Type: FUNCTION; Schema: public; Owner: counterfoil_owner
--

CREATE FUNCTION public.runs_via(p_body text, p_via text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    select case when p_via is null then p_body else left(p_body, -1) || ', "via" : ' || to_json(p_via)::text || '}' end
$$;


ALTER FUNCTION public.runs_via(p_body text, p_via text) OWNER TO counterfoil_owner;

--
-- Name: account_emailaddress; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.account_emailaddress (
    id integer NOT NULL,
    email character varying(254) NOT NULL,
    verified boolean NOT NULL,
    "primary" boolean NOT NULL,
    user_id uuid NOT NULL
);


ALTER TABLE public.account_emailaddress OWNER TO counterfoil_owner;

--
-- Name: account_emailaddress_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.account_emailaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: account_emailconfirmation; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.account_emailconfirmation (
    id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    sent timestamp with time zone,
    key character varying(64) NOT NULL,
    email_address_id integer NOT NULL
);


ALTER TABLE public.account_emailconfirmation OWNER TO counterfoil_owner;

--
-- Name: account_emailconfirmation_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.account_emailconfirmation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailconfirmation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: approvals_coverage; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.approvals_coverage (
    id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    operation character varying(63) NOT NULL,
    policy_id uuid NOT NULL
);


ALTER TABLE public.approvals_coverage OWNER TO counterfoil_owner;

--
-- Name: approvals_coverage_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.approvals_coverage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.approvals_coverage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: approvals_decision; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.approvals_decision (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    verdict character varying(10) NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    shown_digest bytea NOT NULL,
    via character varying(20) NOT NULL,
    at timestamp with time zone NOT NULL,
    member_id uuid NOT NULL,
    request_id uuid NOT NULL,
    CONSTRAINT approvals_verdict_known CHECK (((verdict)::text = ANY ((ARRAY['approve'::character varying, 'deny'::character varying])::text[])))
);


ALTER TABLE public.approvals_decision OWNER TO counterfoil_owner;

--
-- Name: approvals_request; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.approvals_request (
    ledger_seq bigint DEFAULT 0 NOT NULL,
    ledger_hash bytea DEFAULT '\x'::bytea NOT NULL,
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    subject uuid NOT NULL,
    subject_digest bytea NOT NULL,
    operation character varying(63) NOT NULL,
    summary text NOT NULL,
    target text NOT NULL,
    arguments text NOT NULL,
    shown text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    tier character varying(10) NOT NULL,
    irreversible boolean NOT NULL,
    rule character varying(63) NOT NULL,
    groups character varying(63)[] NOT NULL,
    quorum smallint NOT NULL,
    state character varying(20) NOT NULL,
    closing_reason text DEFAULT ''::text NOT NULL,
    decide_by timestamp with time zone NOT NULL,
    use_within_seconds integer NOT NULL,
    use_by timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    consumed_at timestamp with time zone,
    erased_at timestamp with time zone,
    heard_at timestamp with time zone,
    traceparent character varying(55) DEFAULT ''::character varying NOT NULL,
    agent_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    policy_id uuid NOT NULL,
    CONSTRAINT approvals_decided_has_a_time CHECK (((NOT ((state)::text = ANY ((ARRAY['approved'::character varying, 'consumed'::character varying, 'denied'::character varying, 'expired'::character varying, 'lapsed'::character varying, 'rerouted'::character varying, 'withdrawn'::character varying])::text[]))) OR (decided_at IS NOT NULL))),
    CONSTRAINT approvals_quorum_from_one CHECK ((quorum >= 1)),
    CONSTRAINT approvals_request_quorum_check CHECK ((quorum >= 0)),
    CONSTRAINT approvals_request_state_known CHECK (((state)::text = ANY ((ARRAY['pending'::character varying, 'approved'::character varying, 'consumed'::character varying, 'denied'::character varying, 'expired'::character varying, 'withdrawn'::character varying, 'lapsed'::character varying, 'rerouted'::character varying])::text[]))),
    CONSTRAINT approvals_request_use_within_seconds_check CHECK ((use_within_seconds >= 0)),
    CONSTRAINT approvals_use_by_once_approved CHECK (((((state)::text = ANY ((ARRAY['approved'::character varying, 'consumed'::character varying, 'lapsed'::character varying])::text[])) AND (use_by IS NOT NULL)) OR (NOT ((state)::text = ANY ((ARRAY['approved'::character varying, 'consumed'::character varying, 'lapsed'::character varying])::text[])))))
);


ALTER TABLE public.approvals_request OWNER TO counterfoil_owner;

--
-- Name: auth_group; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);


ALTER TABLE public.auth_group OWNER TO counterfoil_owner;

--
-- Name: auth_group_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: auth_group_permissions; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);


ALTER TABLE public.auth_group_permissions OWNER TO counterfoil_owner;

--
-- Name: auth_group_permissions_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: auth_permission; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);


ALTER TABLE public.auth_permission OWNER TO counterfoil_owner;

--
-- Name: auth_permission_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: django_admin_log; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.django_admin_log (
    id integer NOT NULL,
    action_time timestamp with time zone NOT NULL,
    object_id text,
    object_repr character varying(200) NOT NULL,
    action_flag smallint NOT NULL,
    change_message text NOT NULL,
    content_type_id integer,
    user_id uuid NOT NULL,
    CONSTRAINT django_admin_log_action_flag_check CHECK ((action_flag >= 0))
);


ALTER TABLE public.django_admin_log OWNER TO counterfoil_owner;

--
-- Name: django_admin_log_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.django_admin_log ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_admin_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: django_content_type; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);


ALTER TABLE public.django_content_type OWNER TO counterfoil_owner;

--
-- Name: django_content_type_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: django_migrations; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);


ALTER TABLE public.django_migrations OWNER TO counterfoil_owner;

--
-- Name: django_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: django_session; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.django_session (
    session_key character varying(40) NOT NULL,
    session_data text NOT NULL,
    expire_date timestamp with time zone NOT NULL
);


ALTER TABLE public.django_session OWNER TO counterfoil_owner;

--
-- Name: http_idempotencyrecord; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.http_idempotencyrecord (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    principal text NOT NULL,
    key character varying(255) NOT NULL,
    request_digest bytea NOT NULL,
    status smallint NOT NULL,
    body text NOT NULL,
    subject uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


ALTER TABLE public.http_idempotencyrecord OWNER TO counterfoil_owner;

--
-- Name: identity_agent; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.identity_agent (
    id uuid NOT NULL,
    name character varying(63) NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT public.cf_now() NOT NULL,
    owner_id uuid NOT NULL,
    tenant_id uuid NOT NULL
);


ALTER TABLE public.identity_agent OWNER TO counterfoil_owner;

--
-- Name: identity_apikey; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.identity_apikey (
    id uuid NOT NULL,
    prefix character varying(16) NOT NULL,
    digest bytea NOT NULL,
    scopes character varying(20)[] DEFAULT '{}'::character varying(20)[] NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.cf_now() NOT NULL,
    last_used_at timestamp with time zone,
    agent_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    CONSTRAINT identity_key_prefix_is_ours CHECK (((prefix)::text ~~ 'cf\_%'::text))
);


ALTER TABLE public.identity_apikey OWNER TO counterfoil_owner;

--
-- Name: identity_member; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.identity_member (
    id uuid NOT NULL,
    roles character varying(20)[] DEFAULT '{}'::character varying(20)[] NOT NULL,
    groups character varying(63)[] DEFAULT '{}'::character varying(63)[] NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT public.cf_now() NOT NULL,
    tour_step smallint DEFAULT 0,
    user_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    CONSTRAINT identity_member_tour_step_check CHECK ((tour_step >= 0))
);


ALTER TABLE public.identity_member OWNER TO counterfoil_owner;

--
-- Name: identity_tenant; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.identity_tenant (
    ledger_seq bigint DEFAULT 0 NOT NULL,
    ledger_hash bytea DEFAULT '\x'::bytea NOT NULL,
    id uuid NOT NULL,
    slug character varying(40) NOT NULL,
    name character varying(120) NOT NULL,
    created_at timestamp with time zone DEFAULT public.cf_now() NOT NULL
);


ALTER TABLE public.identity_tenant OWNER TO counterfoil_owner;

--
-- Name: identity_user; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.identity_user (
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    id uuid NOT NULL,
    email character varying(254) NOT NULL,
    name character varying(120) NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    is_superuser boolean DEFAULT false NOT NULL,
    first_password boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT public.cf_now() NOT NULL
);


ALTER TABLE public.identity_user OWNER TO counterfoil_owner;

--
-- Name: ledger_beat; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.ledger_beat (
    name character varying(40) NOT NULL,
    at timestamp with time zone NOT NULL
);


ALTER TABLE public.ledger_beat OWNER TO counterfoil_owner;

--
-- Name: ledger_entry; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.ledger_entry (
    id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    stream text NOT NULL,
    seq bigint NOT NULL,
    format smallint DEFAULT 1 NOT NULL,
    kind text NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    payload_digest bytea NOT NULL,
    prev_hash bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT ledger_seq_from_one CHECK ((seq >= 1)),
    CONSTRAINT ledger_words_hold_no_line_break CHECK (((NOT (stream ~~ '%
%'::text)) AND (NOT (kind ~~ '%
%'::text)) AND (NOT (actor ~~ '%
%'::text))))
);


ALTER TABLE public.ledger_entry OWNER TO counterfoil_owner;

--
-- Name: ledger_entry_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.ledger_entry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ledger_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: ledger_incarnation; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.ledger_incarnation (
    id smallint DEFAULT 1 NOT NULL,
    number bigint DEFAULT 0 NOT NULL,
    CONSTRAINT ledger_one_incarnation CHECK ((id = 1))
);


ALTER TABLE public.ledger_incarnation OWNER TO counterfoil_owner;

--
-- Name: ledger_payload; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.ledger_payload (
    entry_id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    body text,
    erased_at timestamp with time zone,
    CONSTRAINT ledger_payload_or_when_erased CHECK ((((body IS NOT NULL) AND (erased_at IS NULL)) OR ((body IS NULL) AND (erased_at IS NOT NULL))))
);


ALTER TABLE public.ledger_payload OWNER TO counterfoil_owner;

--
-- Name: ledger_refusal; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.ledger_refusal (
    id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    verb text NOT NULL,
    subject text NOT NULL,
    type text NOT NULL,
    detail text NOT NULL
);


ALTER TABLE public.ledger_refusal OWNER TO counterfoil_owner;

--
-- Name: ledger_refusal_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.ledger_refusal ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ledger_refusal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: ledger_tally; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.ledger_tally (
    id bigint NOT NULL,
    name character varying(80) NOT NULL,
    labels text NOT NULL,
    value double precision NOT NULL
);


ALTER TABLE public.ledger_tally OWNER TO counterfoil_owner;

--
-- Name: ledger_tally_id_seq; Type: SEQUENCE; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.ledger_tally ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ledger_tally_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: runs_attempt; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.runs_attempt (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    number integer NOT NULL,
    kind character varying(10) NOT NULL,
    fence bigint NOT NULL,
    worker text NOT NULL,
    dependency_name character varying(63) DEFAULT ''::character varying NOT NULL,
    state character varying(10) NOT NULL,
    outcome character varying(20) DEFAULT ''::character varying NOT NULL,
    http_status smallint,
    sent boolean,
    reason text DEFAULT ''::text NOT NULL,
    evidence text,
    evidence_digest bytea,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    late_outcome character varying(20) DEFAULT ''::character varying NOT NULL,
    late_evidence text,
    late_evidence_digest bytea,
    late_at timestamp with time zone,
    lease_expires_at timestamp with time zone,
    marks_before_send boolean DEFAULT false NOT NULL,
    sent_mark_at timestamp with time zone,
    effect_id uuid NOT NULL,
    run_id uuid NOT NULL,
    CONSTRAINT runs_attempt_lease_only_while_running CHECK ((((lease_expires_at IS NOT NULL) AND ((state)::text = 'running'::text)) OR ((NOT ((state)::text = 'running'::text)) AND (lease_expires_at IS NULL)))),
    CONSTRAINT runs_attempt_number_check CHECK ((number >= 0)),
    CONSTRAINT runs_attempt_state_known CHECK (((state)::text = ANY ((ARRAY['running'::character varying, 'ended'::character varying, 'lost'::character varying])::text[])))
);


ALTER TABLE public.runs_attempt OWNER TO counterfoil_owner;

--
-- Name: runs_dependency; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.runs_dependency (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    name character varying(63) NOT NULL,
    version integer NOT NULL,
    document text NOT NULL,
    digest bytea NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    concurrency integer NOT NULL,
    CONSTRAINT runs_dependency_concurrency_check CHECK ((concurrency >= 0)),
    CONSTRAINT runs_dependency_version_check CHECK ((version >= 0))
);


ALTER TABLE public.runs_dependency OWNER TO counterfoil_owner;

--
-- Name: runs_effect; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.runs_effect (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    number integer NOT NULL,
    key character varying(255) NOT NULL,
    key_scope character varying(6) NOT NULL,
    operation_name character varying(63) NOT NULL,
    executor character varying(10) NOT NULL,
    dependency_name character varying(63) DEFAULT ''::character varying NOT NULL,
    summary text NOT NULL,
    target text NOT NULL,
    arguments text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    required boolean NOT NULL,
    consequential boolean NOT NULL,
    irreversible boolean NOT NULL,
    after uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    intent_digest bytea NOT NULL,
    effect_digest bytea NOT NULL,
    state character varying(30) NOT NULL,
    state_reason text DEFAULT ''::text NOT NULL,
    verdict character varying(5) NOT NULL,
    rule character varying(63) DEFAULT ''::character varying NOT NULL,
    fence bigint DEFAULT 0 NOT NULL,
    attempts_count integer DEFAULT 0 NOT NULL,
    outcome character varying(20) DEFAULT ''::character varying NOT NULL,
    result text,
    operation_reference text DEFAULT ''::text NOT NULL,
    deadline_at timestamp with time zone NOT NULL,
    key_expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    unknown_since timestamp with time zone,
    next_attempt_at timestamp with time zone,
    traceparent character varying(55) DEFAULT ''::character varying NOT NULL,
    policy_id uuid,
    request_id uuid,
    supersedes_id uuid,
    operation_id uuid NOT NULL,
    run_id uuid NOT NULL,
    CONSTRAINT runs_effect_attempts_count_check CHECK ((attempts_count >= 0)),
    CONSTRAINT runs_effect_awaiting_has_a_request CHECK (((NOT ((state)::text = 'awaiting_approval'::text)) OR (request_id IS NOT NULL))),
    CONSTRAINT runs_effect_ended_when_terminal CHECK ((((ended_at IS NULL) AND ((state)::text = ANY ((ARRAY['accepted'::character varying, 'awaiting_approval'::character varying, 'blocked'::character varying, 'dispatched'::character varying, 'proposed'::character varying, 'ready'::character varying, 'unknown'::character varying])::text[]))) OR ((NOT ((state)::text = ANY ((ARRAY['accepted'::character varying, 'awaiting_approval'::character varying, 'blocked'::character varying, 'dispatched'::character varying, 'proposed'::character varying, 'ready'::character varying, 'unknown'::character varying])::text[]))) AND (ended_at IS NOT NULL)))),
    CONSTRAINT runs_effect_number_check CHECK ((number >= 0)),
    CONSTRAINT runs_effect_scope_known CHECK (((key_scope)::text = ANY ((ARRAY['run'::character varying, 'tenant'::character varying])::text[]))),
    CONSTRAINT runs_effect_unknown_has_an_age CHECK (((NOT ((state)::text = 'unknown'::text)) OR (unknown_since IS NOT NULL))),
    CONSTRAINT runs_effect_verdict_known CHECK (((verdict)::text = ANY ((ARRAY['allow'::character varying, 'ask'::character varying, 'deny'::character varying])::text[])))
);


ALTER TABLE public.runs_effect OWNER TO counterfoil_owner;

--
-- Name: runs_operationcontract; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.runs_operationcontract (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    name character varying(63) NOT NULL,
    version integer NOT NULL,
    document text NOT NULL,
    digest bytea NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    access character varying(5) NOT NULL,
    dependency_name character varying(63) DEFAULT ''::character varying NOT NULL,
    executor character varying(10) NOT NULL,
    marks_before_send boolean DEFAULT false NOT NULL,
    attempts_allowed integer DEFAULT 1 NOT NULL,
    can_be_asked boolean DEFAULT false NOT NULL,
    groups character varying(63)[] DEFAULT '{}'::character varying(63)[] NOT NULL,
    argument_names text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT runs_operation_access_known CHECK (((access)::text = ANY ((ARRAY['read'::character varying, 'write'::character varying])::text[]))),
    CONSTRAINT runs_operation_executor_known CHECK (((executor)::text = ANY ((ARRAY['http'::character varying, 'python'::character varying, 'agent'::character varying, 'human'::character varying])::text[]))),
    CONSTRAINT runs_operationcontract_attempts_allowed_check CHECK ((attempts_allowed >= 0)),
    CONSTRAINT runs_operationcontract_version_check CHECK ((version >= 0))
);


ALTER TABLE public.runs_operationcontract OWNER TO counterfoil_owner;

--
-- Name: runs_run; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.runs_run (
    ledger_seq bigint DEFAULT 0 NOT NULL,
    ledger_hash bytea DEFAULT '\x'::bytea NOT NULL,
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    key character varying(255) NOT NULL,
    intent_digest bytea NOT NULL,
    goal text NOT NULL,
    completes_itself boolean DEFAULT false NOT NULL,
    state character varying(30) NOT NULL,
    closing_toward character varying(30) DEFAULT ''::character varying NOT NULL,
    closing_reason text DEFAULT ''::text NOT NULL,
    epoch bigint NOT NULL,
    deadline_at timestamp with time zone,
    key_expires_at timestamp with time zone NOT NULL,
    result text,
    unresolved uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    hold text DEFAULT ''::text NOT NULL,
    erased_at timestamp with time zone,
    agent_id uuid NOT NULL,
    driver_id uuid NOT NULL,
    run_type_id uuid NOT NULL,
    CONSTRAINT runs_run_closing_says_whereto CHECK (((NOT ((state)::text = 'closing'::text)) OR (NOT ((closing_toward)::text = ''::text)))),
    CONSTRAINT runs_run_ended_when_terminal CHECK ((((ended_at IS NOT NULL) AND ((state)::text = ANY ((ARRAY['cancelled'::character varying, 'expired'::character varying, 'failed'::character varying, 'succeeded'::character varying, 'succeeded_with_unresolved'::character varying])::text[]))) OR ((NOT ((state)::text = ANY ((ARRAY['cancelled'::character varying, 'expired'::character varying, 'failed'::character varying, 'succeeded'::character varying, 'succeeded_with_unresolved'::character varying])::text[]))) AND (ended_at IS NULL))))
)
WITH (fillfactor='60');


ALTER TABLE public.runs_run OWNER TO counterfoil_owner;

--
-- Name: runs_runtypecontract; Type: TABLE; Schema: public; Owner: counterfoil_owner
--

CREATE TABLE public.runs_runtypecontract (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    name character varying(63) NOT NULL,
    version integer NOT NULL,
    document text NOT NULL,
    digest bytea NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT runs_runtypecontract_version_check CHECK ((version >= 0))
);


ALTER TABLE public.runs_runtypecontract OWNER TO counterfoil_owner;

--
-- Data for Name: account_emailaddress; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.account_emailaddress VALUES
	(1, 'ann@acme.example', true, true, '01a22929-3b83-74bd-af2c-6cf69d9141d1');


--
-- Data for Name: account_emailconfirmation; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.account_emailconfirmation VALUES
	(1, '2026-11-29 21:15:02.334655+00', '2026-11-29 21:15:02.334655+00', 'k', 1);


--
-- Data for Name: approvals_coverage; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.approvals_coverage VALUES
	(1, '01a22929-3b5a-73af-b093-e778a3b3d63f', '*', '01a22929-3f70-7452-abe8-b4f6b8b4506c');


--
-- Data for Name: approvals_decision; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.approvals_decision VALUES
	('01a22929-4211-72dc-a6fd-c888efc7ae6d', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'approve', 'Seen.', '\xc8954c0efa01d3f962d7236e78d8bc5167402c335cdae0e4135acf7edf28464f', 'page', '2026-11-29 21:14:59.471202+00', '01a22929-3b87-7681-9cde-f00269a1fce6', '01a22929-41c9-7015-801c-f1ed171a63a9'),
	('01a22929-434b-7572-b2c7-ecca669895e8', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'deny', 'No.', '\x920475133d7647aa21ecea19e5ad4c4bdaf5490873038a84597517559aea2204', 'page', '2026-11-29 21:14:59.784787+00', '01a22929-3b87-7681-9cde-f00269a1fce6', '01a22929-4327-7402-94b1-892a8c8dc249'),
	('01a22929-44b7-70c3-bdff-03de25b15898', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'approve', '', '\x5b2878fa38d77d2b9eea3e8e76649be452723c5330231149f0ca633e226b152d', 'page', '2026-11-29 21:15:00.148784+00', '01a22929-3b96-77d6-9412-d16d6669a29d', '01a22929-449a-7565-a8f8-374581bb5de1');


--
-- Data for Name: approvals_policy; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.approvals_policy VALUES
	('01a22929-3f70-7452-abe8-b4f6b8b4506c', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'money', 1, '{"apiVersion":"counterfoil/v1","description":"What moves money is asked about.","kind":"Policy","name":"money","operations":["*"],"otherwise":"deny","rules":[{"ask":{"decide_within_seconds":14400,"groups":["finance"],"quorum":1,"use_within_seconds":3600},"name":"transfers","reason":"A transfer cannot be called back, so finance is always asked.","then":"ask","when":{"op":"eq","path":"operation","value":"transfer"}},{"ask":{"decide_within_seconds":3600,"groups":["finance"],"quorum":2,"use_within_seconds":3600},"name":"very-large","then":"ask","when":{"op":"gt","path":"arguments.amount","value":1000}},{"ask":{"decide_within_seconds":1800,"groups":["support"],"quorum":1,"use_within_seconds":3600},"name":"dollars","then":"ask","when":{"op":"eq","path":"arguments.currency","value":"USD"}},{"ask":{"decide_within_seconds":259200,"groups":["finance"],"quorum":1,"use_within_seconds":3600},"name":"no-hurry","then":"ask","when":{"op":"prefix","path":"arguments.order","value":"9"}},{"ask":{"decide_within_seconds":1800,"groups":["finance"],"quorum":1,"use_within_seconds":3600},"name":"large","then":"ask","when":{"op":"gt","path":"arguments.amount","value":50}},{"name":"the-rest","then":"allow"}],"version":1}', '\xef8a69ecfcffe1d388aa5e9387269aa176e4fee162554498830d290621e97f2e', '{*}', '2026-11-29 21:14:58.586198+00', NULL, '{}');


--
-- Data for Name: approvals_request; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.approvals_request VALUES
	(3, '\x34b26460d9ba9cc10e1b296d2817633c505e5c5863e19e43c3bcc637eeef08cf', '01a22929-449a-7565-a8f8-374581bb5de1', '01a22929-3b5a-73af-b093-e778a3b3d63f', '01a22929-4494-75fc-8e5e-8b131f304044', '\x5b2878fa38d77d2b9eea3e8e76649be452723c5330231149f0ca633e226b152d', 'refund', 'Refund 2,000.00 EUR on order 1042', 'order:1042', '{"amount":"2000","currency":"EUR","order":"1042"}', '{"contract":"refund, version 1","description":"Pays money back to the customer''s card.","executor":"http","if_it_goes_wrong":"A refund is undone only by a new charge, which the customer must agree to.","residue":["The customer has been told by the bank."],"run_type":"customer-case"}', '', 'normal', false, 'very-large', '{finance}', 2, 'expired', 'nobody decided in time', '2026-11-29 22:15:00.100904+00', 3600, NULL, '2026-11-29 21:15:00.100904+00', '2026-11-29 23:15:02.376924+00', NULL, NULL, '2026-11-29 23:15:02.393509+00', '', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3baf-70d1-bc86-7caa48539f1d', '01a22929-3f70-7452-abe8-b4f6b8b4506c'),
	(3, '\x90d8b2ca45f8450af5ea75ebbe717ff37485cf0d72135936da5227089a8c7e9f', '01a22929-4327-7402-94b1-892a8c8dc249', '01a22929-3b5a-73af-b093-e778a3b3d63f', '01a22929-4313-7757-9bbe-cf4196bbe947', '\x920475133d7647aa21ecea19e5ad4c4bdaf5490873038a84597517559aea2204', 'transfer', 'Transfer 5,400.00 EUR from operating to Nordwind Papier, IBAN DE89370400440532013000, for invoice R-77', 'invoice:R-77', '{"amount":"5400","currency":"EUR","from":"operating","iban":"DE89370400440532013000","invoice":"R-77","to":"Nordwind Papier"}', '{"contract":"transfer, version 1","description":"Pays a supplier''s invoice by bank transfer.","executor":"http","if_it_goes_wrong":"Money that has left cannot be called back; the payee can only be asked to return it.","residue":["The transfer stands in the account''s statement."],"run_type":"close-invoice"}', '', 'high', true, 'transfers', '{finance}', 1, 'denied', 'No.', '2026-11-30 01:14:59.693053+00', 3600, NULL, '2026-11-29 21:14:59.693053+00', '2026-11-29 21:14:59.784787+00', NULL, NULL, '2026-11-29 21:14:59.970127+00', '', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3baf-70d1-bc86-7caa48539f1d', '01a22929-3f70-7452-abe8-b4f6b8b4506c'),
	(4, '\x5a5789d910a014097f1b75b67e9f962df7163f44ab2f6ffe54b9a7364337ed38', '01a22929-41c9-7015-801c-f1ed171a63a9', '01a22929-3b5a-73af-b093-e778a3b3d63f', '01a22929-41c6-70f0-b147-63fcf183f18b', '\xc8954c0efa01d3f962d7236e78d8bc5167402c335cdae0e4135acf7edf28464f', 'refund', 'Refund 120.00 EUR on order 1042', 'order:1042', '{"amount":"120","currency":"EUR","order":"1042"}', '{"contract":"refund, version 1","description":"Pays money back to the customer''s card.","executor":"http","if_it_goes_wrong":"A refund is undone only by a new charge, which the customer must agree to.","residue":["The customer has been told by the bank."],"run_type":"customer-case"}', '', 'normal', false, 'large', '{finance}', 1, 'consumed', '', '2026-11-29 21:44:59.387648+00', 3600, '2026-11-29 22:14:59.471202+00', '2026-11-29 21:14:59.387648+00', '2026-11-29 21:14:59.471202+00', '2026-11-29 21:14:59.505288+00', NULL, '2026-11-29 21:14:59.49692+00', '', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3baf-70d1-bc86-7caa48539f1d', '01a22929-3f70-7452-abe8-b4f6b8b4506c');


--
-- Data for Name: auth_group; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.auth_group VALUES
	(1, 'everybody');


--
-- Data for Name: auth_group_permissions; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.auth_group_permissions VALUES
	(1, 1, 1);


--
-- Data for Name: auth_permission; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.auth_permission VALUES
	(1, 'Can add log entry', 2, 'add_logentry'),
	(2, 'Can change log entry', 2, 'change_logentry'),
	(3, 'Can delete log entry', 2, 'delete_logentry'),
	(4, 'Can view log entry', 2, 'view_logentry'),
	(5, 'Can add permission', 3, 'add_permission'),
	(6, 'Can change permission', 3, 'change_permission'),
	(7, 'Can delete permission', 3, 'delete_permission'),
	(8, 'Can view permission', 3, 'view_permission'),
	(9, 'Can add group', 4, 'add_group'),
	(10, 'Can change group', 4, 'change_group'),
	(11, 'Can delete group', 4, 'delete_group'),
	(12, 'Can view group', 4, 'view_group'),
	(13, 'Can add content type', 5, 'add_contenttype'),
	(14, 'Can change content type', 5, 'change_contenttype'),
	(15, 'Can delete content type', 5, 'delete_contenttype'),
	(16, 'Can view content type', 5, 'view_contenttype'),
	(17, 'Can add session', 6, 'add_session'),
	(18, 'Can change session', 6, 'change_session'),
	(19, 'Can delete session', 6, 'delete_session'),
	(20, 'Can view session', 6, 'view_session'),
	(21, 'Can add email address', 7, 'add_emailaddress'),
	(22, 'Can change email address', 7, 'change_emailaddress'),
	(23, 'Can delete email address', 7, 'delete_emailaddress'),
	(24, 'Can view email address', 7, 'view_emailaddress'),
	(25, 'Can add email confirmation', 8, 'add_emailconfirmation'),
	(26, 'Can change email confirmation', 8, 'change_emailconfirmation'),
	(27, 'Can delete email confirmation', 8, 'delete_emailconfirmation'),
	(28, 'Can view email confirmation', 8, 'view_emailconfirmation'),
	(29, 'Access admin page', 1, 'admin'),
	(30, 'Can add beat', 9, 'add_beat'),
	(31, 'Can change beat', 9, 'change_beat'),
	(32, 'Can delete beat', 9, 'delete_beat'),
	(33, 'Can view beat', 9, 'view_beat'),
	(34, 'Can add tally', 10, 'add_tally'),
	(35, 'Can change tally', 10, 'change_tally'),
	(36, 'Can delete tally', 10, 'delete_tally'),
	(37, 'Can view tally', 10, 'view_tally'),
	(38, 'Can add entry', 11, 'add_entry'),
	(39, 'Can change entry', 11, 'change_entry'),
	(40, 'Can delete entry', 11, 'delete_entry'),
	(41, 'Can view entry', 11, 'view_entry'),
	(42, 'Can add incarnation', 12, 'add_incarnation'),
	(43, 'Can change incarnation', 12, 'change_incarnation'),
	(44, 'Can delete incarnation', 12, 'delete_incarnation'),
	(45, 'Can view incarnation', 12, 'view_incarnation'),
	(46, 'Can add refusal', 13, 'add_refusal'),
	(47, 'Can change refusal', 13, 'change_refusal'),
	(48, 'Can delete refusal', 13, 'delete_refusal'),
	(49, 'Can view refusal', 13, 'view_refusal'),
	(50, 'Can add payload', 14, 'add_payload'),
	(51, 'Can change payload', 14, 'change_payload'),
	(52, 'Can delete payload', 14, 'delete_payload'),
	(53, 'Can view payload', 14, 'view_payload'),
	(54, 'Can add tenant', 15, 'add_tenant'),
	(55, 'Can change tenant', 15, 'change_tenant'),
	(56, 'Can delete tenant', 15, 'delete_tenant'),
	(57, 'Can view tenant', 15, 'view_tenant'),
	(58, 'Can add user', 16, 'add_user'),
	(59, 'Can change user', 16, 'change_user'),
	(60, 'Can delete user', 16, 'delete_user'),
	(61, 'Can view user', 16, 'view_user'),
	(62, 'Can add member', 17, 'add_member'),
	(63, 'Can change member', 17, 'change_member'),
	(64, 'Can delete member', 17, 'delete_member'),
	(65, 'Can view member', 17, 'view_member'),
	(66, 'Can add agent', 18, 'add_agent'),
	(67, 'Can change agent', 18, 'change_agent'),
	(68, 'Can delete agent', 18, 'delete_agent'),
	(69, 'Can view agent', 18, 'view_agent'),
	(70, 'Can add api key', 19, 'add_apikey'),
	(71, 'Can change api key', 19, 'change_apikey'),
	(72, 'Can delete api key', 19, 'delete_apikey'),
	(73, 'Can view api key', 19, 'view_apikey'),
	(74, 'Can add idempotency record', 20, 'add_idempotencyrecord'),
	(75, 'Can change idempotency record', 20, 'change_idempotencyrecord'),
	(76, 'Can delete idempotency record', 20, 'delete_idempotencyrecord'),
	(77, 'Can view idempotency record', 20, 'view_idempotencyrecord'),
	(78, 'Can add policy', 21, 'add_policy'),
	(79, 'Can change policy', 21, 'change_policy'),
	(80, 'Can delete policy', 21, 'delete_policy'),
	(81, 'Can view policy', 21, 'view_policy'),
	(82, 'Can add request', 22, 'add_request'),
	(83, 'Can change request', 22, 'change_request'),
	(84, 'Can delete request', 22, 'delete_request'),
	(85, 'Can view request', 22, 'view_request'),
	(86, 'Can add decision', 23, 'add_decision'),
	(87, 'Can change decision', 23, 'change_decision'),
	(88, 'Can delete decision', 23, 'delete_decision'),
	(89, 'Can view decision', 23, 'view_decision'),
	(90, 'Can add coverage', 24, 'add_coverage'),
	(91, 'Can change coverage', 24, 'change_coverage'),
	(92, 'Can delete coverage', 24, 'delete_coverage'),
	(93, 'Can view coverage', 24, 'view_coverage'),
	(94, 'Can add dependency', 25, 'add_dependency'),
	(95, 'Can change dependency', 25, 'change_dependency'),
	(96, 'Can delete dependency', 25, 'delete_dependency'),
	(97, 'Can view dependency', 25, 'view_dependency'),
	(98, 'Can add operation contract', 26, 'add_operationcontract'),
	(99, 'Can change operation contract', 26, 'change_operationcontract'),
	(100, 'Can delete operation contract', 26, 'delete_operationcontract');
INSERT INTO public.auth_permission VALUES
	(101, 'Can view operation contract', 26, 'view_operationcontract'),
	(102, 'Can add run', 27, 'add_run'),
	(103, 'Can change run', 27, 'change_run'),
	(104, 'Can delete run', 27, 'delete_run'),
	(105, 'Can view run', 27, 'view_run'),
	(106, 'Can add effect', 28, 'add_effect'),
	(107, 'Can change effect', 28, 'change_effect'),
	(108, 'Can delete effect', 28, 'delete_effect'),
	(109, 'Can view effect', 28, 'view_effect'),
	(110, 'Can add attempt', 29, 'add_attempt'),
	(111, 'Can change attempt', 29, 'change_attempt'),
	(112, 'Can delete attempt', 29, 'delete_attempt'),
	(113, 'Can view attempt', 29, 'view_attempt'),
	(114, 'Can add run type contract', 30, 'add_runtypecontract'),
	(115, 'Can change run type contract', 30, 'change_runtypecontract'),
	(116, 'Can delete run type contract', 30, 'delete_runtypecontract'),
	(117, 'Can view run type contract', 30, 'view_runtypecontract');


--
-- Data for Name: django_admin_log; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.django_admin_log VALUES
	(1, '2026-11-29 21:15:02.337273+00', NULL, 'seen', 2, '[]', NULL, '01a22929-3b83-74bd-af2c-6cf69d9141d1');


--
-- Data for Name: django_content_type; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.django_content_type VALUES
	(1, 'django_rq', 'dashboard'),
	(2, 'admin', 'logentry'),
	(3, 'auth', 'permission'),
	(4, 'auth', 'group'),
	(5, 'contenttypes', 'contenttype'),
	(6, 'sessions', 'session'),
	(7, 'account', 'emailaddress'),
	(8, 'account', 'emailconfirmation'),
	(9, 'ledger', 'beat'),
	(10, 'ledger', 'tally'),
	(11, 'ledger', 'entry'),
	(12, 'ledger', 'incarnation'),
	(13, 'ledger', 'refusal'),
	(14, 'ledger', 'payload'),
	(15, 'identity', 'tenant'),
	(16, 'identity', 'user'),
	(17, 'identity', 'member'),
	(18, 'identity', 'agent'),
	(19, 'identity', 'apikey'),
	(20, 'http', 'idempotencyrecord'),
	(21, 'approvals', 'policy'),
	(22, 'approvals', 'request'),
	(23, 'approvals', 'decision'),
	(24, 'approvals', 'coverage'),
	(25, 'runs', 'dependency'),
	(26, 'runs', 'operationcontract'),
	(27, 'runs', 'run'),
	(28, 'runs', 'effect'),
	(29, 'runs', 'attempt'),
	(30, 'runs', 'runtypecontract');


--
-- Data for Name: django_migrations; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.django_migrations VALUES
	(1, 'ledger', '0001_clock', '2026-11-29 21:14:48.559747+00'),
	(2, 'identity', '0001_first', '2026-11-29 21:14:48.738391+00'),
	(3, 'account', '0001_initial', '2026-11-29 21:14:48.970244+00'),
	(4, 'account', '0002_email_max_length', '2026-11-29 21:14:48.99976+00'),
	(5, 'account', '0003_alter_emailaddress_create_unique_verified_email', '2026-11-29 21:14:49.108269+00'),
	(6, 'account', '0004_alter_emailaddress_drop_unique_email', '2026-11-29 21:14:49.174497+00'),
	(7, 'account', '0005_emailaddress_idx_upper_email', '2026-11-29 21:14:49.193868+00'),
	(8, 'account', '0006_emailaddress_lower', '2026-11-29 21:14:49.310067+00'),
	(9, 'account', '0007_emailaddress_idx_email', '2026-11-29 21:14:49.398731+00'),
	(10, 'account', '0008_emailaddress_unique_primary_email_fixup', '2026-11-29 21:14:49.414059+00'),
	(11, 'account', '0009_emailaddress_unique_primary_email', '2026-11-29 21:14:49.422734+00'),
	(12, 'contenttypes', '0001_initial', '2026-11-29 21:14:49.428276+00'),
	(13, 'admin', '0001_initial', '2026-11-29 21:14:49.453382+00'),
	(14, 'admin', '0002_logentry_remove_auto_add', '2026-11-29 21:14:49.45907+00'),
	(15, 'admin', '0003_logentry_add_action_flag_choices', '2026-11-29 21:14:49.472521+00'),
	(16, 'ledger', '0002_record', '2026-11-29 21:14:49.543969+00'),
	(17, 'ledger', '0003_rules', '2026-11-29 21:14:50.320121+00'),
	(18, 'sessions', '0001_initial', '2026-11-29 21:14:50.33387+00'),
	(19, 'contenttypes', '0002_remove_content_type_name', '2026-11-29 21:14:50.549729+00'),
	(20, 'auth', '0001_initial', '2026-11-29 21:14:50.826508+00'),
	(21, 'auth', '0002_alter_permission_name_max_length', '2026-11-29 21:14:50.902963+00'),
	(22, 'auth', '0003_alter_user_email_max_length', '2026-11-29 21:14:50.915047+00'),
	(23, 'auth', '0004_alter_user_username_opts', '2026-11-29 21:14:50.925243+00'),
	(24, 'auth', '0005_alter_user_last_login_null', '2026-11-29 21:14:50.932453+00'),
	(25, 'auth', '0006_require_contenttypes_0002', '2026-11-29 21:14:50.933314+00'),
	(26, 'auth', '0007_alter_validators_add_error_messages', '2026-11-29 21:14:50.971117+00'),
	(27, 'auth', '0008_alter_user_username_max_length', '2026-11-29 21:14:50.980478+00'),
	(28, 'auth', '0009_alter_user_last_name_max_length', '2026-11-29 21:14:50.987049+00'),
	(29, 'auth', '0010_alter_group_name_max_length', '2026-11-29 21:14:51.007354+00'),
	(30, 'auth', '0011_update_proxy_permissions', '2026-11-29 21:14:51.040265+00'),
	(31, 'auth', '0012_alter_user_first_name_max_length', '2026-11-29 21:14:51.057937+00'),
	(32, 'identity', '0002_rights', '2026-11-29 21:14:51.283809+00'),
	(33, 'approvals', '0001_first', '2026-11-29 21:14:52.307773+00'),
	(34, 'approvals', '0002_rules', '2026-11-29 21:14:52.755563+00'),
	(35, 'django_rq', '0001_initial', '2026-11-29 21:14:52.803956+00'),
	(36, 'django_rq', '0002_delete_queue_create_dashboard', '2026-11-29 21:14:52.948421+00'),
	(37, 'django_rq', '0003_alter_dashboard_permission_names', '2026-11-29 21:14:52.996033+00'),
	(38, 'http', '0001_first', '2026-11-29 21:14:53.026683+00'),
	(39, 'http', '0002_rights', '2026-11-29 21:14:53.195955+00'),
	(40, 'runs', '0001_first', '2026-11-29 21:14:55.956414+00'),
	(41, 'runs', '0002_rules', '2026-11-29 21:14:56.209334+00');


--
-- Data for Name: django_session; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.django_session VALUES
	('jdq4medmy0cbdyqqzy3wlb8izwk6xmgv', '.eJxVjE0OgjAQRu_StRA6bacdd3oRMp22gUggkbIy3l0wLHT5_bz3Uj1vdei3NT_7Mamr6jQDEFBjYjCNtzE1XEAalIKUSFudtLr8YpHlkeeD5Wk66pZFlm2u7fdzzmt721Oe6yhcx2W-n9SfauB12D2EYCCAD-RtgmQFu4iWIwT0IUcCC-Sczz6IoCuoTVdCycll9MTBqPcHyihEaQ:1xXmEf:0aN6GlRBU9PG2O1h-Wxt_QVi5JfSQX05v0d_HlWC_XA', '2026-12-13 21:15:01.357755+00');


--
-- Data for Name: http_idempotencyrecord; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.http_idempotencyrecord VALUES
	('01a22929-4208-72eb-92ab-82a3e189a831', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'member:01a22929-3b87-7681-9cde-f00269a1fce6', 'key-01a22929-4208-72eb-92ab-82a2ed646608', '\x539660711e609e63c2c05dbec13ea758672272182f1d0d8e858e17577b287ffa', 200, '{"at":"2026-11-29T21:14:59.471202Z","counted":1,"of":1,"receipt":"recorded","request":"01a22929-41c9-7015-801c-f1ed171a63a9","state":"approved","use_by":"2026-11-29T22:14:59.471202Z","verdict":"approve"}', '01a22929-41c9-7015-801c-f1ed171a63a9', '2026-11-29 21:14:59.464658+00', '2026-12-29 21:14:59.464658+00'),
	('01a22929-424d-775f-bac6-539b2f14968d', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', 'key-01a22929-424a-7163-aaef-f14ea4815c9b', '\x7f15c97f5cf3f747830d7b1a41253f598baa9ea39d16d0fd6f111d71a2b089ba', 200, '{"at":"2026-11-29T21:14:59.539337Z","run":"01a22929-4179-75a0-83a4-d010518de9c1","state":"succeeded"}', '01a22929-4179-75a0-83a4-d010518de9c1', '2026-11-29 21:14:59.532946+00', '2026-12-29 21:14:59.532946+00'),
	('01a22929-4342-738a-96e2-53de3980b599', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'member:01a22929-3b87-7681-9cde-f00269a1fce6', 'key-01a22929-433e-7537-9db0-0d6132140486', '\x95b0ffcf0004038cae9da097899feec10bd2167348e7818def0fe008e182a5f0', 200, '{"at":"2026-11-29T21:14:59.784787Z","counted":0,"of":1,"receipt":"recorded","request":"01a22929-4327-7402-94b1-892a8c8dc249","state":"denied","use_by":null,"verdict":"deny"}', '01a22929-4327-7402-94b1-892a8c8dc249', '2026-11-29 21:14:59.777913+00', '2026-12-29 21:14:59.777913+00'),
	('01a22929-44b0-71ee-9e47-9e11b80539aa', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'member:01a22929-3b96-77d6-9412-d16d6669a29d', 'key-01a22929-44aa-7604-9c3a-1f6b916754f6', '\xe3aebd2916e88927abb72bd8af326512cfb2431ea9dde121e8200fdccf1a4972', 200, '{"at":"2026-11-29T21:15:00.148784Z","counted":1,"of":2,"receipt":"counted","request":"01a22929-449a-7565-a8f8-374581bb5de1","state":"pending","use_by":null,"verdict":"approve"}', '01a22929-449a-7565-a8f8-374581bb5de1', '2026-11-29 21:15:00.144367+00', '2026-12-29 21:15:00.144367+00'),
	('01a22929-4534-7606-a12d-f64bcc323f52', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'member:01a22929-3b87-7681-9cde-f00269a1fce6', 'begin-01a22929-4533-74a1-805f-2dc913d54e8b', '\xd59da3374200afe21fc65c9820f6546e63bb79f35e86f12f69507bd130725b5a', 200, '{"arguments":{"currency":"EUR","customer":"Ana Lindqvist","order":"1042","paid":"120","subject":"half of it was missing"},"attempt":"01a22929-4544-7768-add1-cc5e460cbaaf","deadline_at":"2026-12-01T21:15:00.194834Z","effect":"01a22929-44ed-76a6-8c03-a44f6134d02d","effect_key":"cf-01a22929-44ed-76a6-8c03-a44f6134d02d","ends_at":"2026-11-30T01:15:00.288862Z","fence":1,"lease_expires_at":"2026-11-29T21:30:00.292844Z","number":1,"operation":"call_customer","run":"01a22929-44cf-72d9-9520-d6cb15dae278","summary":"Call Ana Lindqvist about order 1042: half of it was missing","target":"order:1042"}', '01a22929-44ed-76a6-8c03-a44f6134d02d', '2026-11-29 21:15:00.276388+00', '2026-12-29 21:15:00.276388+00');


--
-- Data for Name: identity_agent; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.identity_agent VALUES
	('01a22929-3bc5-7022-a748-7f0c25d5f4d5', 'refund-bot', true, '2026-11-29 21:14:57.861608+00', '01a22929-3baf-70d1-bc86-7caa48539f1d', '01a22929-3b5a-73af-b093-e778a3b3d63f');


--
-- Data for Name: identity_apikey; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.identity_apikey VALUES
	('01a22929-4561-7102-bf24-4e6381247220', 'cf_S0XSdcW', '\xcaa9aae55246814cf9bc4011a51e3b78987c9eda5d526b59b41468252bebcc04', '{runs:read,runs:write}', '2026-11-30 21:15:00.321224+00', NULL, '2026-11-29 21:15:00.321224+00', '2026-11-29 21:15:01.157802+00', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3b5a-73af-b093-e778a3b3d63f');


--
-- Data for Name: identity_member; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.identity_member VALUES
	('01a22929-3b87-7681-9cde-f00269a1fce6', '{approver}', '{finance}', true, '2026-11-29 21:14:57.799479+00', 0, '01a22929-3b83-74bd-af2c-6cf69d9141d1', '01a22929-3b5a-73af-b093-e778a3b3d63f'),
	('01a22929-3b96-77d6-9412-d16d6669a29d', '{approver}', '{finance}', true, '2026-11-29 21:14:57.814339+00', 0, '01a22929-3b8f-7236-b428-9c81e7859018', '01a22929-3b5a-73af-b093-e778a3b3d63f'),
	('01a22929-3ba7-7440-b3ec-d0fe70a7df22', '{approver}', '{support}', true, '2026-11-29 21:14:57.831045+00', 0, '01a22929-3ba0-7696-bb4e-902f1f198659', '01a22929-3b5a-73af-b093-e778a3b3d63f'),
	('01a22929-3baf-70d1-bc86-7caa48539f1d', '{approver}', '{finance}', true, '2026-11-29 21:14:57.839479+00', 0, '01a22929-3bac-77df-bb7b-250b6c67b286', '01a22929-3b5a-73af-b093-e778a3b3d63f'),
	('01a22929-3bb9-7623-8eac-21ca0f7c8e13', '{admin}', '{}', true, '2026-11-29 21:14:57.848942+00', 0, '01a22929-3bb5-74b1-be28-ae4dc79a6a52', '01a22929-3b5a-73af-b093-e778a3b3d63f'),
	('01a22929-3bbf-727f-afa8-8ff4d7ec429b', '{operator}', '{}', true, '2026-11-29 21:14:57.855322+00', 0, '01a22929-3bbd-70f2-9f5d-625535b94371', '01a22929-3b5a-73af-b093-e778a3b3d63f');


--
-- Data for Name: identity_tenant; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.identity_tenant VALUES
	(22, '\x075f0fba0bdeb4a03491405402bbc32ef2afacc6db6bada006cabe15abac11bd', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'acme', 'Acme', '2026-11-29 21:14:57.755762+00');


--
-- Data for Name: identity_user; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.identity_user VALUES
	('md5$uyiN3gKEgQ5zGODlMUOj08$838893bf336f68938a57e083b541f94c', NULL, '01a22929-3b8f-7236-b428-9c81e7859018', 'amir@acme.example', 'Amir Saleh', true, false, false, '2026-11-29 21:14:57.80908+00'),
	('md5$uyiN3gKEgQ5zGODlMUOj08$838893bf336f68938a57e083b541f94c', NULL, '01a22929-3ba0-7696-bb4e-902f1f198659', 'sam@acme.example', 'Sam Tran', true, false, false, '2026-11-29 21:14:57.826345+00'),
	('md5$uyiN3gKEgQ5zGODlMUOj08$838893bf336f68938a57e083b541f94c', NULL, '01a22929-3bac-77df-bb7b-250b6c67b286', 'ben@acme.example', 'Ben Osei', true, false, false, '2026-11-29 21:14:57.837008+00'),
	('md5$uyiN3gKEgQ5zGODlMUOj08$838893bf336f68938a57e083b541f94c', NULL, '01a22929-3bb5-74b1-be28-ae4dc79a6a52', 'dora@acme.example', 'Dora Lindqvist', true, false, false, '2026-11-29 21:14:57.845878+00'),
	('md5$uyiN3gKEgQ5zGODlMUOj08$838893bf336f68938a57e083b541f94c', NULL, '01a22929-3bbd-70f2-9f5d-625535b94371', 'oscar@acme.example', 'Oscar Wren', true, false, false, '2026-11-29 21:14:57.853724+00'),
	('md5$uyiN3gKEgQ5zGODlMUOj08$838893bf336f68938a57e083b541f94c', '2026-11-29 21:15:01.356421+00', '01a22929-3b83-74bd-af2c-6cf69d9141d1', 'ann@acme.example', 'Ann Okafor', true, false, false, '2026-11-29 21:14:57.796586+00');


--
-- Data for Name: ledger_beat; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.ledger_beat VALUES
	('clock', '2026-11-29 21:15:02.32022+00');


--
-- Data for Name: ledger_entry; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.ledger_entry VALUES
	(1, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 1, 'tenant.opened', '2026-11-29 21:14:57.776952+00', 'system:test', '\x49bce70b8e9008c7d4e65cbc8c6fc377d082af4d483c77ddaa5e196664c2d63a', '\x', '\x05f19818ee79be81b8c9cef6a01a832f8f5458a1fc2d00ab978fb1df6a5ff3dc'),
	(2, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 2, 1, 'member.added', '2026-11-29 21:14:57.799479+00', 'system:test', '\x600c889cc8b65ba2982ce6c86d2387ffd23f20f0216e9269e3e95d6b26e5740f', '\x05f19818ee79be81b8c9cef6a01a832f8f5458a1fc2d00ab978fb1df6a5ff3dc', '\x3b1d0b7bcc823bc9bd0fde9710be8761f943cc705936c76ec15b0d2db69e5ad5'),
	(3, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 3, 1, 'member.added', '2026-11-29 21:14:57.814339+00', 'system:test', '\x2539a88fc156f6a26f046feae73d1e0b843f93c0eefa78567374d8b9de02adb6', '\x3b1d0b7bcc823bc9bd0fde9710be8761f943cc705936c76ec15b0d2db69e5ad5', '\xfc1dcbc669eb513586a1fc7c2863e84b2a4270ed55d0c75c740975958e49c4e7'),
	(4, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 4, 1, 'member.added', '2026-11-29 21:14:57.831045+00', 'system:test', '\x2062433368256dff0c9240793a3f09053064396d153b10f854f7dec74ae16ebe', '\xfc1dcbc669eb513586a1fc7c2863e84b2a4270ed55d0c75c740975958e49c4e7', '\x1ad7b7b6877c97e8789dee4ec6cb9750cb0a9e1cf747a4dd7fbbc39e22ab062f'),
	(5, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 5, 1, 'member.added', '2026-11-29 21:14:57.839479+00', 'system:test', '\x7b49f6557778d0464339b46516d807719122d673370d9929ba34debd0720fb08', '\x1ad7b7b6877c97e8789dee4ec6cb9750cb0a9e1cf747a4dd7fbbc39e22ab062f', '\x74678c2b72049111a8613f674d5d98bf65699bfa9670750735d9567f8bee4ab1'),
	(6, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 6, 1, 'member.added', '2026-11-29 21:14:57.848942+00', 'system:test', '\xf37be3ca8eab137dd6de8e2c755c1c33707b2c61981159f784a1d45671c16fb3', '\x74678c2b72049111a8613f674d5d98bf65699bfa9670750735d9567f8bee4ab1', '\xe1363194b2e8a53b97c4c3f2d556947a57684472853c9c97e5e45e8cbae14510'),
	(7, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 7, 1, 'member.added', '2026-11-29 21:14:57.855322+00', 'system:test', '\xb701595552b0408bb92624f1a55b14519a8f93bf6d19d8cfb1c3d5b5b318f1bd', '\xe1363194b2e8a53b97c4c3f2d556947a57684472853c9c97e5e45e8cbae14510', '\x7f70c486092c1ec868cb57b255d568497cf0b1fcb1afdedba85464865f3e73f5'),
	(8, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 8, 1, 'agent.added', '2026-11-29 21:14:57.861608+00', 'system:test', '\x85795c6976371af54ab733257b12ada2dde7267749d8c348feae79db896d958f', '\x7f70c486092c1ec868cb57b255d568497cf0b1fcb1afdedba85464865f3e73f5', '\xf71802a1e317390cbc09b1243fecde75aa04384995afcc1468bb9789477fc81f'),
	(9, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 9, 1, 'dependency.applied', '2026-11-29 21:14:58.00161+00', 'system:test', '\xc3f3639b4501f2764a42fc0eb1fb393cfd01d9e1a9b76cf36fd2743388521fb6', '\xf71802a1e317390cbc09b1243fecde75aa04384995afcc1468bb9789477fc81f', '\xd1296d53b657ab91fc290627c8918ef7f9a3b2ed2cd76b99f6ad37a196c881e0'),
	(10, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 10, 1, 'operation.applied', '2026-11-29 21:14:58.01279+00', 'system:test', '\xdb42bf04854f3b65431b1feeb5ac44ba6174d327eb66d94939571a9ed7609302', '\xd1296d53b657ab91fc290627c8918ef7f9a3b2ed2cd76b99f6ad37a196c881e0', '\x81cb2764382d4892f026350ffc3cf313f84c601eba82354f4306b33eb6b8cab2'),
	(11, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 11, 1, 'operation.applied', '2026-11-29 21:14:58.035727+00', 'system:test', '\xcfdae114e17dfccf3a6fa92a26f9c4137cc4d21a04f57a50c4cd076ab243a07c', '\x81cb2764382d4892f026350ffc3cf313f84c601eba82354f4306b33eb6b8cab2', '\x939f92bfec1ed28ce3f3a6f29fea54bf45ecc75a5e79ac6e6ea044ec3c0a0b48'),
	(12, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 12, 1, 'operation.applied', '2026-11-29 21:14:58.203402+00', 'system:test', '\xd79aed1ed112c41cd1136bf199e35ffffa00b142246ec7280a0d1e003af5544f', '\x939f92bfec1ed28ce3f3a6f29fea54bf45ecc75a5e79ac6e6ea044ec3c0a0b48', '\x7ae946c51257f1c08ada4f6d057ceb92134c2ef191d4bd019e24bd77174a151b'),
	(13, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 13, 1, 'run_type.applied', '2026-11-29 21:14:58.348104+00', 'system:test', '\xfb6ae2fd69a59098ce78a42b3b7819d213ebb3acd872f3e2407c46a80d6d26dd', '\x7ae946c51257f1c08ada4f6d057ceb92134c2ef191d4bd019e24bd77174a151b', '\xec0de6b16696af6f12ab11fc051ab959e316cc8a5f65eba4fd37e559abb34e3e'),
	(14, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 14, 1, 'run_type.applied', '2026-11-29 21:14:58.530655+00', 'system:test', '\x0033ba8d6a96f18d5e8ba649fe849332476a254c15f6458ff6ec302cc1b039e6', '\xec0de6b16696af6f12ab11fc051ab959e316cc8a5f65eba4fd37e559abb34e3e', '\x5f44e747cc409ce3560d6e2f26ba17a03358ff520ddebde4af4da26792846e3a'),
	(15, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 15, 1, 'policy.published', '2026-11-29 21:14:58.586198+00', 'system:test', '\xd4f2b3dd499a6c412977f2fa25a1d124defc111ecd7a5d3517364b617177427f', '\x5f44e747cc409ce3560d6e2f26ba17a03358ff520ddebde4af4da26792846e3a', '\x5109371db5e524cabde10a86cbcef101448a12beaf9b3cb52b2b84c6f8250468'),
	(16, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 16, 1, 'operation.applied', '2026-11-29 21:14:59.120662+00', 'system:test', '\x5105c46d274a47830ef8a1187267edad02b789313940e3b0cdf7f1442d21e54e', '\x5109371db5e524cabde10a86cbcef101448a12beaf9b3cb52b2b84c6f8250468', '\x0d594cea2c1e2be38f2cb5820e86503b5ef1f5155a35ff33a19d309286ba5930'),
	(17, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 17, 1, 'run_type.applied', '2026-11-29 21:14:59.146939+00', 'system:test', '\xc702f8ff1d3275af6ff271ab14c7600813a8e19022098728db51a5352105a101', '\x0d594cea2c1e2be38f2cb5820e86503b5ef1f5155a35ff33a19d309286ba5930', '\x83bfa244b7cf2c9759a2144a77b7b33ed03f5c17e64bad147a3aea7716f924ee'),
	(18, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 18, 1, 'operation.applied', '2026-11-29 21:14:59.166084+00', 'system:test', '\x859ca97ef261471754e917336d9c9e3b276d06a10d8198e9db53f330b57b9044', '\x83bfa244b7cf2c9759a2144a77b7b33ed03f5c17e64bad147a3aea7716f924ee', '\xe4d651f0b485857d437c1d7a165414e0cbebd53c013b5d161bf9c8b80d60364c'),
	(19, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 19, 1, 'operation.applied', '2026-11-29 21:14:59.184119+00', 'system:test', '\x55ede94d6d4bb1185bf3dc6b45e1e8ff5f9444f8f5eccb4f68881e38a9268c17', '\xe4d651f0b485857d437c1d7a165414e0cbebd53c013b5d161bf9c8b80d60364c', '\x9f9a41c068a5860dd08a3c426c5bd5eabc084daf9e3ccf381c07735300a7dedb'),
	(20, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 20, 1, 'operation.applied', '2026-11-29 21:14:59.200504+00', 'system:test', '\x310904ab48536ada5061d8b3ecccfa1c0726fc7a6af331ae0438e9119a677775', '\x9f9a41c068a5860dd08a3c426c5bd5eabc084daf9e3ccf381c07735300a7dedb', '\xa93bcc8d8d59b7f264c235a89431f437467ece6cb15bdb1479ace425ef90cdfc'),
	(21, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 21, 1, 'run_type.applied', '2026-11-29 21:14:59.215432+00', 'system:test', '\x6333e066fae591b1301eb33f3507ec7f4a7f921472432934882dfd721e0e098c', '\xa93bcc8d8d59b7f264c235a89431f437467ece6cb15bdb1479ace425ef90cdfc', '\xf658062c8bfc65ba0096d802e4e690faff8639dd2c6af69edd5d7d9793402177'),
	(22, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4179-75a0-83a4-d010518de9c1', 1, 1, 'run.accepted', '2026-11-29 21:14:59.314016+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x72c2dbdbb04fe808946e678dc99c238ceedcf4567f0725df5ce0d67ea28fca85', '\x', '\x91c85ada407187edc84713e96c744cc432c14ca71993a1020bcd10a88b0b39d8'),
	(23, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4179-75a0-83a4-d010518de9c1', 2, 1, 'effect.proposed', '2026-11-29 21:14:59.350547+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\xa31ff33c7d87e393d7945fd40103c27837a60b308d2b00ca1e0ad389341b7c4e', '\x91c85ada407187edc84713e96c744cc432c14ca71993a1020bcd10a88b0b39d8', '\xb7cd98175c62b38898d8139b2dabfb889d031f2f0f99e25c783896d01a8e23a5'),
	(24, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-41c9-7015-801c-f1ed171a63a9', 1, 1, 'request.opened', '2026-11-29 21:14:59.387648+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x19a6b217dc324e2caca679729f2293d126ba9c355a0d56857bda67ac0c27a48f', '\x', '\x4256fc96516bf757221da5870a722100f6336984ddfd1fb4a177f78d0ecd221f'),
	(25, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4179-75a0-83a4-d010518de9c1', 3, 1, 'effect.proposed', '2026-11-29 21:14:59.387648+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\xfebd959cf6082e9b91f113a6749b35c424a2128ea8ecd6c1e360ae46e900bcf3', '\xb7cd98175c62b38898d8139b2dabfb889d031f2f0f99e25c783896d01a8e23a5', '\x5f3c6ef3521bc2e42d500e8ab119a39adc52dfdb9752d04cf261950cb990f5ba'),
	(26, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4179-75a0-83a4-d010518de9c1', 4, 1, 'attempt.dispatched', '2026-11-29 21:14:59.438199+00', 'worker:test:1', '\xbcfc3867fb60e0671062b3deed13c18ab5f6d187fcb0f9eae60c22a9e72e5677', '\x5f3c6ef3521bc2e42d500e8ab119a39adc52dfdb9752d04cf261950cb990f5ba', '\x6640d4702e9bde916e33840dc8aac468d62a721ff2358348ef9db300674ee5a5'),
	(27, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4179-75a0-83a4-d010518de9c1', 5, 1, 'attempt.settled', '2026-11-29 21:14:59.455863+00', 'worker:test:1', '\xee04709cdf1098706866ffc2f123285b85f2f9a583dd9c0c5b9cfc51a341801c', '\x6640d4702e9bde916e33840dc8aac468d62a721ff2358348ef9db300674ee5a5', '\x9fe29436055517d00e91727641f2138f73b0b741b8b5654f15eb089ac028ccbc'),
	(28, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-41c9-7015-801c-f1ed171a63a9', 2, 1, 'request.decided', '2026-11-29 21:14:59.471202+00', 'member:01a22929-3b87-7681-9cde-f00269a1fce6', '\x2eb4991d7704aabdc8b48a7ec93742a1c4cec5fc0731c58f84c211720d25ac24', '\x4256fc96516bf757221da5870a722100f6336984ddfd1fb4a177f78d0ecd221f', '\xf03e2ead691136cc68046e8ae6ff7afc5b20406b466e43e5723f9166ef2c7f47'),
	(29, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-41c9-7015-801c-f1ed171a63a9', 3, 1, 'request.approved', '2026-11-29 21:14:59.471202+00', 'member:01a22929-3b87-7681-9cde-f00269a1fce6', '\x608315c99d63139eac111c81160b52a5c7ba8221e259f2f02380e02143b18b27', '\xf03e2ead691136cc68046e8ae6ff7afc5b20406b466e43e5723f9166ef2c7f47', '\x50cef1121020309431da0b58f93e190f61891e912047672a652d8ccec15fcfa3'),
	(30, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4179-75a0-83a4-d010518de9c1', 6, 1, 'effect.released', '2026-11-29 21:14:59.49692+00', 'worker:test:1', '\x07547202f0adeed2d203c601c3e5d2224bc4aaa241f56d27cb7db763af13093a', '\x9fe29436055517d00e91727641f2138f73b0b741b8b5654f15eb089ac028ccbc', '\x451dcb970956cd7ca9664c1adf79fe24169bff76f118227c06e863dc58daeceb'),
	(31, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-41c9-7015-801c-f1ed171a63a9', 4, 1, 'request.consumed', '2026-11-29 21:14:59.505288+00', 'worker:test:1', '\x44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', '\x50cef1121020309431da0b58f93e190f61891e912047672a652d8ccec15fcfa3', '\x5a5789d910a014097f1b75b67e9f962df7163f44ab2f6ffe54b9a7364337ed38'),
	(32, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4179-75a0-83a4-d010518de9c1', 7, 1, 'attempt.dispatched', '2026-11-29 21:14:59.505288+00', 'worker:test:1', '\x559c732a721e5b71650713869869252d412efd870c0ca34e38f36fcfd1dc30c0', '\x451dcb970956cd7ca9664c1adf79fe24169bff76f118227c06e863dc58daeceb', '\x1638c4f9553d2d5d61b3eb1262148cd6a2334f25d9dd2d83c1f106e0b185a39e'),
	(33, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4179-75a0-83a4-d010518de9c1', 8, 1, 'attempt.settled', '2026-11-29 21:14:59.523324+00', 'worker:test:1', '\x43e2b811c74cb486eafa750567a4d7da9bfc7f3feb2682df35bdb82175af5585', '\x1638c4f9553d2d5d61b3eb1262148cd6a2334f25d9dd2d83c1f106e0b185a39e', '\xd5f126ba3fa05c146c784a9fe105b49cbbc180609362e1aed23ab43c8bfde0ab'),
	(42, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-426d-7792-8716-bab9f991b020', 3, 1, 'effect.denied', '2026-11-29 21:14:59.970127+00', 'worker:test:1', '\x56724969982acb7c4e7219f98f30cb2872c78538e6acaa30799f57eb7d68385b', '\xd1b000f296211dc6fe0ec2913a1765ae7897e7d5f74e8f292730b1873a5f4ce3', '\x0496cfd570f8e50091762698dd5bb14707a247f3f6f01ba766d4257b3a0fec71'),
	(43, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4386-77f5-bb7a-5ecc3f49c9c1', 3, 1, 'attempt.dispatched', '2026-11-29 21:14:59.982802+00', 'worker:test:1', '\x0de51f7e57322f11475b207c12e14631a58cbee585f45c95ff784504775f038e', '\xa52fc7c10d4e52300c5784aca4bbee2de682a95110e205b3c0c6cd0ed8cdf8e4', '\x4fc282dbdf63d1ccedd1203a41eeb82db51332df1960ffb20b1875462854f908'),
	(44, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4386-77f5-bb7a-5ecc3f49c9c1', 4, 1, 'attempt.settled', '2026-11-29 21:14:59.99452+00', 'worker:test:1', '\x35a331c227c6027f6c9cc882c625589af9cb616049026aac78da043e3d74443b', '\x4fc282dbdf63d1ccedd1203a41eeb82db51332df1960ffb20b1875462854f908', '\xff4778aaa0469fcff30af8fe8259830fad0451de0f3cdd78481cf5e72c0c3d7c'),
	(48, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4426-711e-9728-f3cae4f11769', 4, 1, 'attempt.dispatched', '2026-11-29 21:15:00.060683+00', 'worker:test:1', '\x73f0be0579f9a95e3f299874962f400517ae80ceec6c550325b4a8c2778ceb98', '\x21dd9e146a0ef398be152ddbd05d26cc9ede07e4e5055684c3426311e3e837a5', '\xa7227a998f2838437be22a88ece30c6dda9eb6f2feceb1096a54eaca57b23a46'),
	(49, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4426-711e-9728-f3cae4f11769', 5, 1, 'attempt.settled', '2026-11-29 21:15:00.067714+00', 'worker:test:1', '\x66f96ee986278e3a72cf07111e04cad6c1c542ce29fbdf14b2c9ebccbe4102a9', '\xa7227a998f2838437be22a88ece30c6dda9eb6f2feceb1096a54eaca57b23a46', '\xfca1017ca0387a73c1b1412c3f3be63a9c4b5837919d7f28d0b7c08c0a858fe9'),
	(57, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'tenant:01a22929-3b5a-73af-b093-e778a3b3d63f', 22, 1, 'key.issued', '2026-11-29 21:15:00.321224+00', 'system:test', '\x4e31967aaafd50f06c7a2752ec6e8d37764bee6730cfc9744af89a1f0766d4b8', '\xf658062c8bfc65ba0096d802e4e690faff8639dd2c6af69edd5d7d9793402177', '\x075f0fba0bdeb4a03491405402bbc32ef2afacc6db6bada006cabe15abac11bd'),
	(59, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-44cf-72d9-9520-d6cb15dae278', 4, 1, 'attempt.lost', '2026-11-29 23:15:02.357015+00', 'system:clock', '\x57f436f684461df175ecbb9f6b66624f6ef0a7654667f8843b5f164a344f79d9', '\xa59c71240e0ec4faf65d5998873d5020a5770982e3ad62875dc75ed8f861c7c5', '\xb12bd7885aadc9ace8cc3caa63715a994ea71ccf93421630025218979071ae3c'),
	(60, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-449a-7565-a8f8-374581bb5de1', 3, 1, 'request.expired', '2026-11-29 23:15:02.376924+00', 'system:clock', '\x9939cb57b272e8700ff15c20386f96e363f959aba7374f3f9075929a68c39e99', '\xca649a3ccaae5205e31242e8595e366f737476f1ea3b9a8236f0cfa2ceb715b0', '\x34b26460d9ba9cc10e1b296d2817633c505e5c5863e19e43c3bcc637eeef08cf'),
	(61, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4474-761f-be6c-2fa58b36435b', 3, 1, 'effect.expired', '2026-11-29 23:15:02.393509+00', 'system:clock', '\x4a2f917b2f9d9ed260b654401bf36e6e03d5a8762ba6249a3bd9d368802ff9c5', '\xbd7c98b856f56c01e33516ac3e1acd03bbad76fddfb74acf2be6e3848965c4f3', '\x76e09ecdc238eadeac511a7f0ecf03dc8fe3747bcb9aa8820c77dbc519732529'),
	(62, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4426-711e-9728-f3cae4f11769', 6, 1, 'effect.expired', '2026-11-29 23:15:02.406051+00', 'system:clock', '\x1cab8d55e1da8d4f8577603eb24161afc8cedcf204a4ccbb947670bd8ef3737c', '\xfca1017ca0387a73c1b1412c3f3be63a9c4b5837919d7f28d0b7c08c0a858fe9', '\x0d80439f4dfc4c175b1247c16db29da06de093df5bf0cebb5b8bc91b5c7e2142'),
	(63, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4426-711e-9728-f3cae4f11769', 7, 1, 'run.closing', '2026-11-29 23:15:02.426073+00', 'system:clock', '\x8bbfe15e07e2259af88c565e9c488916cd0127c0c7919b56bdef719793e694a0', '\x0d80439f4dfc4c175b1247c16db29da06de093df5bf0cebb5b8bc91b5c7e2142', '\xa58939658c7b56e014941f812e78503f1f7ef6255587c3a2f97fafab40d1b676'),
	(34, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4179-75a0-83a4-d010518de9c1', 9, 1, 'run.completed', '2026-11-29 21:14:59.539337+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x26423706cf1da1c3292041909652a001944dd6d0cbbc42c43935eaf182fe39ce', '\xd5f126ba3fa05c146c784a9fe105b49cbbc180609362e1aed23ab43c8bfde0ab', '\x03144134a30624aadc0523879615b9650293e9b247ab7f61d0ca0ba0459da310'),
	(35, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-426d-7792-8716-bab9f991b020', 1, 1, 'run.accepted', '2026-11-29 21:14:59.558355+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\xc2281697030609138287084a5aac55f8ddfb3c43bec534c5b9e1ebc9c25f2b36', '\x', '\x700d0d92cf8e2e7c9ac2ef6da9f07227c96c78c624792e722228f6e09e98909f'),
	(36, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-4327-7402-94b1-892a8c8dc249', 1, 1, 'request.opened', '2026-11-29 21:14:59.693053+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\xe72e08a94056139bf72cbe4ef19a066ceb3e4041f383442d113a781c41bc15c0', '\x', '\x727499319e693679f988429cda240a456a50453b00ff6acfb63c5089d2b86021'),
	(37, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-426d-7792-8716-bab9f991b020', 2, 1, 'effect.proposed', '2026-11-29 21:14:59.693053+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x3f74ee09b275329503725be3bd6d95694b2186edd1d46987cc2faab596c42470', '\x700d0d92cf8e2e7c9ac2ef6da9f07227c96c78c624792e722228f6e09e98909f', '\xd1b000f296211dc6fe0ec2913a1765ae7897e7d5f74e8f292730b1873a5f4ce3'),
	(38, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-4327-7402-94b1-892a8c8dc249', 2, 1, 'request.decided', '2026-11-29 21:14:59.784787+00', 'member:01a22929-3b87-7681-9cde-f00269a1fce6', '\x67c5909b71f82c8e16de174e66f782b5586eb24e17dedb06605053ca1c8c81cd', '\x727499319e693679f988429cda240a456a50453b00ff6acfb63c5089d2b86021', '\x38aaf17483ffb66a2730d5ff8fca0229abcc8be4daec00dcf6a1fbf23eb9914d'),
	(39, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-4327-7402-94b1-892a8c8dc249', 3, 1, 'request.denied', '2026-11-29 21:14:59.784787+00', 'member:01a22929-3b87-7681-9cde-f00269a1fce6', '\x6b85a7911ae38f8da08e43f3f32dcd260890b43772dba7eac4aa26a427f93fe7', '\x38aaf17483ffb66a2730d5ff8fca0229abcc8be4daec00dcf6a1fbf23eb9914d', '\x90d8b2ca45f8450af5ea75ebbe717ff37485cf0d72135936da5227089a8c7e9f'),
	(40, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4386-77f5-bb7a-5ecc3f49c9c1', 1, 1, 'run.accepted', '2026-11-29 21:14:59.831072+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x24025639c799688a5b837e6c2791c3dc27cbd0690dd13193b6dc89be8c1cb74c', '\x', '\xb4e3796942fcdb361635a1319d03fb5a6dcd35bba50d2cf1627fddd42c3c8909'),
	(41, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4386-77f5-bb7a-5ecc3f49c9c1', 2, 1, 'effect.proposed', '2026-11-29 21:14:59.894006+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\xf4b24a06022de3184e48fdb16cda193a3721620adf3399f8f99a87b1450bc5fc', '\xb4e3796942fcdb361635a1319d03fb5a6dcd35bba50d2cf1627fddd42c3c8909', '\xa52fc7c10d4e52300c5784aca4bbee2de682a95110e205b3c0c6cd0ed8cdf8e4'),
	(45, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4426-711e-9728-f3cae4f11769', 1, 1, 'run.accepted', '2026-11-29 21:15:00.003378+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\xcfd075901e44d5d987d0f4c0976fadf804f05decd0e7a0593fe827237fbc22b6', '\x', '\x5d62b92be51b4da94df2e1f2cf0bf3bc3de3f91ff87e901bcfcaf2282e85fc71'),
	(46, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4426-711e-9728-f3cae4f11769', 2, 1, 'effect.proposed', '2026-11-29 21:15:00.01417+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\xfbaa026058d01e54ac480a764e2730dd16dc418651dee60ba492362148a0f9de', '\x5d62b92be51b4da94df2e1f2cf0bf3bc3de3f91ff87e901bcfcaf2282e85fc71', '\x85b785584263c2be746606dacd66e6bb38355035af212c22f5eedef9a7522e5d'),
	(47, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4426-711e-9728-f3cae4f11769', 3, 1, 'effect.proposed', '2026-11-29 21:15:00.038956+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x19547b2bb8829ffbfc4d342ecc53543e6eb2cfbb16447a5e170f9e0dc9be4912', '\x85b785584263c2be746606dacd66e6bb38355035af212c22f5eedef9a7522e5d', '\x21dd9e146a0ef398be152ddbd05d26cc9ede07e4e5055684c3426311e3e837a5'),
	(50, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4474-761f-be6c-2fa58b36435b', 1, 1, 'run.accepted', '2026-11-29 21:15:00.080353+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x4885d2c98faaad9ebf57f614dcc82f84ec888db8b93d1ec1f0a78f140ad87633', '\x', '\x1d6db656dbe7299c684428c26a3c97215673fa42c45cba0f22686efca672931d'),
	(51, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-449a-7565-a8f8-374581bb5de1', 1, 1, 'request.opened', '2026-11-29 21:15:00.100904+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\xe3c2a49986856be4a1260569ca7106d4fdab3f45996b9ca5eaefee9a27f0baff', '\x', '\x2feebb8177079016cc3b3c917ba95501c20d57ff1f79d678e15218b0d45bcbdf'),
	(52, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-4474-761f-be6c-2fa58b36435b', 2, 1, 'effect.proposed', '2026-11-29 21:15:00.100904+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x87b6316b806a861a1b3ac1fec7546af20b054fd2991f2e9326fc68fa5092f6e8', '\x1d6db656dbe7299c684428c26a3c97215673fa42c45cba0f22686efca672931d', '\xbd7c98b856f56c01e33516ac3e1acd03bbad76fddfb74acf2be6e3848965c4f3'),
	(53, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'request:01a22929-449a-7565-a8f8-374581bb5de1', 2, 1, 'request.decided', '2026-11-29 21:15:00.148784+00', 'member:01a22929-3b96-77d6-9412-d16d6669a29d', '\x504ecb6122ca03b528841df2bcd56bde58235520eca2d3fd5742cd680538f486', '\x2feebb8177079016cc3b3c917ba95501c20d57ff1f79d678e15218b0d45bcbdf', '\xca649a3ccaae5205e31242e8595e366f737476f1ea3b9a8236f0cfa2ceb715b0'),
	(54, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-44cf-72d9-9520-d6cb15dae278', 1, 1, 'run.accepted', '2026-11-29 21:15:00.171985+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x73d1c36caa5685db94c434a45efe5ae28fda21c80af1967091bd670e57378714', '\x', '\x4fe377476428aa0e510f12e354201857dc087f994b55b75c2f40e67d61681fbc'),
	(55, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-44cf-72d9-9520-d6cb15dae278', 2, 1, 'effect.proposed', '2026-11-29 21:15:00.194834+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x176231a22dfe9be0ad09d5d53aa820334460bf7b7ed4ae2f1e33814efc9153db', '\x4fe377476428aa0e510f12e354201857dc087f994b55b75c2f40e67d61681fbc', '\xfe4c390df1f124421f04695a294eecef545e73ecdde5bef6bff6e73f1b769939'),
	(56, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-44cf-72d9-9520-d6cb15dae278', 3, 1, 'attempt.dispatched', '2026-11-29 21:15:00.292844+00', 'member:01a22929-3b87-7681-9cde-f00269a1fce6', '\x591097892b7d479597fe88a41258b28548b91498f137b516254aaf621d045938', '\xfe4c390df1f124421f04695a294eecef545e73ecdde5bef6bff6e73f1b769939', '\xa59c71240e0ec4faf65d5998873d5020a5770982e3ad62875dc75ed8f861c7c5'),
	(58, '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run:01a22929-48b9-7077-a45d-814e8410e90f', 1, 1, 'run.accepted', '2026-11-29 21:15:01.16959+00', 'agent:01a22929-3bc5-7022-a748-7f0c25d5f4d5', '\x221e6a10da67d418c727a9a233a24c37188a8b22cbaee69a9ed80e540f54ad38', '\x', '\x38ea4ec32400f48a90cd8a2e57561ed7498c13892d99ad8eb5696e9264a11d43');


--
-- Data for Name: ledger_incarnation; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.ledger_incarnation VALUES
	(1, 0);


--
-- Data for Name: ledger_payload; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.ledger_payload VALUES
	(1, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"name":"Acme","slug":"acme","via":"test"}', NULL),
	(2, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"active":true,"created_at":"2026-11-29T21:14:57.799479Z","groups":["finance"],"id":"01a22929-3b87-7681-9cde-f00269a1fce6","roles":["approver"],"user_id":"01a22929-3b83-74bd-af2c-6cf69d9141d1","via":"test"}', NULL),
	(3, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"active":true,"created_at":"2026-11-29T21:14:57.814339Z","groups":["finance"],"id":"01a22929-3b96-77d6-9412-d16d6669a29d","roles":["approver"],"user_id":"01a22929-3b8f-7236-b428-9c81e7859018","via":"test"}', NULL),
	(4, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"active":true,"created_at":"2026-11-29T21:14:57.831045Z","groups":["support"],"id":"01a22929-3ba7-7440-b3ec-d0fe70a7df22","roles":["approver"],"user_id":"01a22929-3ba0-7696-bb4e-902f1f198659","via":"test"}', NULL),
	(5, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"active":true,"created_at":"2026-11-29T21:14:57.839479Z","groups":["finance"],"id":"01a22929-3baf-70d1-bc86-7caa48539f1d","roles":["approver"],"user_id":"01a22929-3bac-77df-bb7b-250b6c67b286","via":"test"}', NULL),
	(6, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"active":true,"created_at":"2026-11-29T21:14:57.848942Z","groups":[],"id":"01a22929-3bb9-7623-8eac-21ca0f7c8e13","roles":["admin"],"user_id":"01a22929-3bb5-74b1-be28-ae4dc79a6a52","via":"test"}', NULL),
	(7, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"active":true,"created_at":"2026-11-29T21:14:57.855322Z","groups":[],"id":"01a22929-3bbf-727f-afa8-8ff4d7ec429b","roles":["operator"],"user_id":"01a22929-3bbd-70f2-9f5d-625535b94371","via":"test"}', NULL),
	(8, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"active":true,"created_at":"2026-11-29T21:14:57.861608Z","id":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","name":"refund-bot","owner_id":"01a22929-3baf-70d1-bc86-7caa48539f1d","via":"test"}', NULL),
	(9, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"applied_at":"2026-11-29T21:14:58.001610Z","concurrency":64,"digest":"038c1e8e1f7911459cbb44b6f98e370fd46adc816f45b7eadfa57934d6e92c2c","document":"{\"apiVersion\":\"counterfoil/v1\",\"base_url\":\"http://127.0.0.1:8701\",\"breaker\":{\"failures\":5,\"open_seconds\":30,\"window_seconds\":30},\"concurrency\":64,\"degraded\":{\"mode\":\"Nothing is done instead; refunds and transfers wait in the record.\",\"promise\":\"Nothing that was accepted is lost, and nothing is paid twice.\"},\"description\":\"The bank that keeps the shop''s accounts. It ships with the product as examples/bank.\",\"failover\":{\"eligible\":false,\"requirements\":\"No other bank keeps these accounts.\"},\"guards\":[\"uncompensable\"],\"kind\":\"Dependency\",\"late_results\":\"Recorded as evidence; they change nothing by themselves.\",\"name\":\"bank\",\"rate_per_second\":null,\"recovery\":{\"drain_per_second\":20,\"order\":1,\"warm_up_seconds\":30},\"retry_budget\":{\"share\":0.2},\"timeout_seconds\":15,\"version\":1}","id":"01a22929-3c53-77fb-9412-e4665633ee09","name":"bank","retired_at":null,"version":1,"via":"test"}', NULL),
	(10, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"access":"read","applied_at":"2026-11-29T21:14:58.012790Z","argument_names":["order"],"attempts_allowed":6,"can_be_asked":false,"dependency_name":"bank","digest":"a269cf98f662992ae6485e04f3fe0556fe535fcf203a4c397a5e8f2ff06bf553","document":"{\"access\":\"read\",\"apiVersion\":\"counterfoil/v1\",\"arguments\":{\"additionalProperties\":false,\"properties\":{\"order\":{\"description\":\"The number of the order.\",\"maxLength\":64,\"minLength\":1,\"type\":\"string\"}},\"required\":[\"order\"],\"type\":\"object\"},\"consequential\":false,\"deadline_seconds\":600,\"dependency\":\"bank\",\"description\":\"Reads what was ordered, what it cost and how the order stands.\",\"executor\":\"http\",\"http\":{\"attempt_timeout_seconds\":5,\"headers\":{\"Authorization\":\"Bearer {secret.bank-token}\"},\"mark_before_send\":false,\"max_response_bytes\":65536,\"method\":\"GET\",\"outcomes\":[{\"outcome\":\"succeeded\",\"result\":{\"currency\":\"{body.currency}\",\"customer\":\"{body.customer}\",\"order\":\"{body.order}\",\"state\":\"{body.state}\",\"total\":\"{body.total}\",\"version\":\"{body.version}\"},\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":200}},{\"outcome\":\"rejected\",\"reason\":\"{body.reason}\",\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[400,404,422]}},{\"outcome\":\"denied\",\"reason\":\"{body.reason}\",\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[401,403]}},{\"outcome\":\"overload\",\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[429,503]}}],\"url\":\"{dependency.base_url}/orders/{order}\"},\"irreversible\":false,\"kind\":\"Operation\",\"name\":\"lookup\",\"principal\":\"The run''s agent, within its own tenant.\",\"required\":true,\"retry\":{\"attempts\":6,\"backoff\":{\"base_seconds\":0.5,\"factor\":2,\"max_seconds\":20},\"exhausted\":\"failed\",\"honour_retry_after\":true,\"jitter\":\"full\",\"non_retryable\":[\"rejected\",\"denied\",\"invalid\"],\"owner\":\"counterfoil\",\"retryable\":[\"overload\",\"transient\",\"not_sent\"],\"total_seconds\":120},\"summary\":\"Look up order {order}\",\"target\":\"order:{order}\",\"tier\":\"low\",\"version\":1}","executor":"http","groups":[],"id":"01a22929-3c61-74e1-a7ce-e99dbaf2f8d8","marks_before_send":false,"name":"lookup","retired_at":null,"version":1,"via":"test"}', NULL),
	(11, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"access":"write","applied_at":"2026-11-29T21:14:58.035727Z","argument_names":["order","amount","currency"],"attempts_allowed":5,"can_be_asked":true,"dependency_name":"bank","digest":"b5d464ed68953ad512c75b90bde997a731c27d5a4d0dd052f9faeb40a8a85206","document":"{\"access\":\"write\",\"apiVersion\":\"counterfoil/v1\",\"arguments\":{\"additionalProperties\":false,\"properties\":{\"amount\":{\"description\":\"The amount to pay back.\",\"exclusiveMinimum\":\"0\",\"format\":\"decimal\",\"maximum\":\"10000\",\"multipleOf\":\"0.01\",\"type\":\"string\"},\"currency\":{\"default\":\"EUR\",\"description\":\"The currency of the order.\",\"enum\":[\"EUR\",\"USD\",\"GBP\"],\"type\":\"string\"},\"order\":{\"description\":\"The number of the order.\",\"maxLength\":64,\"minLength\":1,\"type\":\"string\"}},\"required\":[\"order\",\"amount\"],\"type\":\"object\"},\"cancellation\":{\"cleanup\":\"\",\"closed_by\":\"Nothing is in flight and no outcome is unknown.\",\"in_flight\":\"let_finish\",\"late_result\":\"recorded\",\"mode\":\"graceful\",\"scopes\":[\"effect\",\"run\",\"tree\"],\"who\":[\"driver\",\"operator\"]},\"checkpoint\":{\"after\":true,\"before\":true},\"compensation\":{\"authority\":null,\"deadline_seconds\":null,\"escalation\":null,\"operation\":null,\"order\":null,\"residue\":[\"The customer has been told by the bank.\"],\"verification\":null,\"when\":null,\"why_none\":\"A refund is undone only by a new charge, which the customer must agree to.\"},\"consequential\":true,\"deadline_seconds\":86400,\"dependency\":\"bank\",\"description\":\"Pays money back to the customer''s card.\",\"escalation\":{\"evidence\":\"The bank''s own record of the refund.\",\"to\":\"operators\"},\"executor\":\"http\",\"http\":{\"attempt_timeout_seconds\":10,\"body\":{\"amount\":\"{amount}\",\"currency\":\"{currency}\",\"order\":\"{order}\"},\"headers\":{\"Authorization\":\"Bearer {secret.bank-token}\"},\"mark_before_send\":false,\"max_response_bytes\":65536,\"method\":\"POST\",\"outcomes\":[{\"outcome\":\"partial\",\"result\":{\"parts\":\"{body.parts}\",\"refund\":\"{body.id}\"},\"when\":{\"all\":[{\"op\":\"in\",\"path\":\"status\",\"value\":[200,201]},{\"op\":\"eq\",\"path\":\"body.status\",\"value\":\"partial\"}]}},{\"outcome\":\"succeeded\",\"result\":{\"refund\":\"{body.id}\"},\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[200,201]}},{\"operation_id\":\"{body.operation}\",\"outcome\":\"accepted\",\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":202}},{\"outcome\":\"rejected\",\"reason\":\"{body.reason}\",\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[400,404,409,422]}},{\"outcome\":\"denied\",\"reason\":\"{body.reason}\",\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[401,403]}},{\"outcome\":\"overload\",\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[429,503]}}],\"status\":{\"absence_is_proof\":false,\"attempt_timeout_seconds\":5,\"every_seconds\":5,\"headers\":{\"Authorization\":\"Bearer {secret.bank-token}\"},\"max_response_bytes\":65536,\"method\":\"GET\",\"objective_seconds\":300,\"outcomes\":[{\"outcome\":\"partial\",\"result\":{\"parts\":\"{body.parts}\",\"refund\":\"{body.id}\"},\"when\":{\"all\":[{\"op\":\"eq\",\"path\":\"status\",\"value\":200},{\"op\":\"eq\",\"path\":\"body.status\",\"value\":\"partial\"}]}},{\"outcome\":\"succeeded\",\"result\":{\"refund\":\"{body.id}\"},\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":200}},{\"outcome\":\"pending\",\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":202}},{\"outcome\":\"absent\",\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":404}},{\"outcome\":\"rejected\",\"reason\":\"{body.reason}\",\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":422}}],\"url\":\"{dependency.base_url}/effects/{effect.key}\"},\"url\":\"{dependency.base_url}/refunds\"},\"irreversible\":false,\"irreversible_point\":null,\"key\":{\"equivalence\":\"The same operation, target and arguments.\",\"retention_seconds\":2592000,\"scope\":\"run\",\"storage\":\"record\"},\"kind\":\"Operation\",\"name\":\"refund\",\"partial\":{\"recognised_by\":{\"op\":\"eq\",\"path\":\"body.status\",\"value\":\"partial\"},\"then\":\"The bank names the parts that were paid; finance decides about the rest.\"},\"preconditions\":[],\"principal\":\"The run''s agent, within its own tenant, on the shop''s account.\",\"required\":true,\"retry\":{\"attempts\":5,\"backoff\":{\"base_seconds\":0.5,\"factor\":2,\"max_seconds\":30},\"exhausted\":\"failed\",\"honour_retry_after\":true,\"jitter\":\"full\",\"non_retryable\":[\"rejected\",\"denied\",\"invalid\",\"partial\",\"unknown\"],\"owner\":\"counterfoil\",\"retryable\":[\"overload\",\"not_sent\"],\"total_seconds\":300},\"state_version\":{\"from\":null,\"why_none\":\"A refund adds a record to the order and overwrites nothing.\"},\"summary\":\"Refund {amount} {currency} on order {order}\",\"target\":\"order:{order}\",\"tier\":\"normal\",\"unknown\":{\"age_objective_seconds\":900,\"owner\":\"operators\",\"resend_same_key\":false,\"resolve\":\"status\"},\"verify\":null,\"version\":1}","executor":"http","groups":[],"id":"01a22929-3c89-755a-90c0-a84fb6b797fe","marks_before_send":false,"name":"refund","retired_at":null,"version":1,"via":"test"}', NULL),
	(12, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"access":"write","applied_at":"2026-11-29T21:14:58.203402Z","argument_names":["from","to","iban","amount","currency","invoice"],"attempts_allowed":4,"can_be_asked":true,"dependency_name":"bank","digest":"7a71e22d22f186bde40858275eec64e6438d3d713cc51ca96fcf269e2c8f84cf","document":"{\"access\":\"write\",\"apiVersion\":\"counterfoil/v1\",\"arguments\":{\"additionalProperties\":false,\"properties\":{\"amount\":{\"description\":\"The amount to pay.\",\"exclusiveMinimum\":\"0\",\"format\":\"decimal\",\"maximum\":\"1000000\",\"multipleOf\":\"0.01\",\"type\":\"string\"},\"currency\":{\"default\":\"EUR\",\"description\":\"The currency of the invoice.\",\"enum\":[\"EUR\",\"USD\",\"GBP\"],\"type\":\"string\"},\"from\":{\"description\":\"The account that pays.\",\"maxLength\":64,\"minLength\":1,\"type\":\"string\"},\"iban\":{\"description\":\"The payee''s account.\",\"maxLength\":34,\"pattern\":\"^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$\",\"type\":\"string\"},\"invoice\":{\"description\":\"The number of the invoice.\",\"maxLength\":64,\"minLength\":1,\"type\":\"string\"},\"to\":{\"description\":\"The name of the payee.\",\"maxLength\":140,\"minLength\":1,\"type\":\"string\"}},\"required\":[\"from\",\"to\",\"iban\",\"amount\",\"invoice\"],\"type\":\"object\"},\"cancellation\":{\"cleanup\":\"\",\"closed_by\":\"Nothing is in flight and no outcome is unknown.\",\"in_flight\":\"let_finish\",\"late_result\":\"recorded\",\"mode\":\"graceful\",\"scopes\":[\"effect\",\"run\",\"tree\"],\"who\":[\"operator\"]},\"checkpoint\":{\"after\":true,\"before\":true},\"compensation\":{\"authority\":null,\"deadline_seconds\":null,\"escalation\":null,\"operation\":null,\"order\":null,\"residue\":[\"The transfer stands in the account''s statement.\"],\"verification\":null,\"when\":null,\"why_none\":\"Money that has left cannot be called back; the payee can only be asked to return it.\"},\"consequential\":true,\"deadline_seconds\":172800,\"dependency\":\"bank\",\"description\":\"Pays a supplier''s invoice by bank transfer.\",\"escalation\":{\"evidence\":\"The bank''s own record of the transfer and the account''s statement.\",\"to\":\"operators\"},\"executor\":\"http\",\"http\":{\"attempt_timeout_seconds\":10,\"body\":{\"amount\":\"{amount}\",\"currency\":\"{currency}\",\"from\":\"{from}\",\"iban\":\"{iban}\",\"invoice\":\"{invoice}\",\"to\":\"{to}\"},\"headers\":{\"Authorization\":\"Bearer {secret.bank-token}\"},\"mark_before_send\":true,\"max_response_bytes\":65536,\"method\":\"POST\",\"outcomes\":[{\"outcome\":\"succeeded\",\"result\":{\"transfer\":\"{body.id}\"},\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[200,201]}},{\"operation_id\":\"{body.operation}\",\"outcome\":\"accepted\",\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":202}},{\"outcome\":\"rejected\",\"reason\":\"{body.reason}\",\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[400,404,409,422]}},{\"outcome\":\"denied\",\"reason\":\"{body.reason}\",\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[401,403]}},{\"outcome\":\"overload\",\"when\":{\"op\":\"in\",\"path\":\"status\",\"value\":[429,503]}}],\"status\":{\"absence_is_proof\":false,\"attempt_timeout_seconds\":5,\"every_seconds\":5,\"headers\":{\"Authorization\":\"Bearer {secret.bank-token}\"},\"max_response_bytes\":65536,\"method\":\"GET\",\"objective_seconds\":600,\"outcomes\":[{\"outcome\":\"succeeded\",\"result\":{\"transfer\":\"{body.id}\"},\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":200}},{\"outcome\":\"pending\",\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":202}},{\"outcome\":\"absent\",\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":404}},{\"outcome\":\"rejected\",\"reason\":\"{body.reason}\",\"when\":{\"op\":\"eq\",\"path\":\"status\",\"value\":422}}],\"url\":\"{dependency.base_url}/effects/{effect.key}\"},\"url\":\"{dependency.base_url}/transfers\"},\"irreversible\":true,\"irreversible_point\":\"When the bank takes the transfer.\",\"key\":{\"equivalence\":\"The same operation, target and arguments.\",\"retention_seconds\":7776000,\"scope\":\"tenant\",\"storage\":\"record\"},\"kind\":\"Operation\",\"name\":\"transfer\",\"partial\":{\"recognised_by\":null,\"then\":\"Not possible: one transfer is one record.\"},\"preconditions\":[\"The invoice was matched with an order and its goods have arrived.\"],\"principal\":\"The run''s agent, within its own tenant, on the shop''s account.\",\"required\":true,\"retry\":{\"attempts\":4,\"backoff\":{\"base_seconds\":1,\"factor\":2,\"max_seconds\":30},\"exhausted\":\"failed\",\"honour_retry_after\":true,\"jitter\":\"full\",\"non_retryable\":[\"rejected\",\"denied\",\"invalid\",\"partial\",\"unknown\"],\"owner\":\"counterfoil\",\"retryable\":[\"overload\",\"not_sent\"],\"total_seconds\":300},\"state_version\":{\"from\":null,\"why_none\":\"The bank keeps no version of an invoice; the invoice''s number is in the arguments that are approved.\"},\"summary\":\"Transfer {amount} {currency} from {from} to {to}, IBAN {iban}, for invoice {invoice}\",\"target\":\"invoice:{invoice}\",\"tier\":\"high\",\"unknown\":{\"age_objective_seconds\":600,\"owner\":\"operators\",\"resend_same_key\":false,\"resolve\":\"status\"},\"verify\":null,\"version\":1}","executor":"http","groups":[],"id":"01a22929-3d1e-76a6-9e56-3a2a28fe8494","marks_before_send":true,"name":"transfer","retired_at":null,"version":1,"via":"test"}', NULL),
	(13, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"applied_at":"2026-11-29T21:14:58.348104Z","digest":"e0e48530142d55ddbcec9eda698fe14a9d886b2dcc912d73d8d0c211775fc7c4","document":"{\"apiVersion\":\"counterfoil/v1\",\"checkpoint\":{\"boundaries\":[\"transition\",\"before_effect\",\"after_effect\",\"wait\",\"approval\"],\"max_lost_progress\":\"Nothing that was accepted; at most one message that was being written.\",\"schema_version\":1},\"complete_with_unresolved\":false,\"consequential\":true,\"deadline_seconds\":259200,\"description\":\"A customer writes about an order; the agent looks it up and, where it is due, pays money back.\",\"evidence\":{\"failure_injection\":\"tests/crash kills a worker at every named point of an effect.\",\"restore\":\"tests/crash restores a run from the record alone after every process was killed.\"},\"kind\":\"RunType\",\"migrations\":[],\"name\":\"customer-case\",\"objectives\":{\"drain_per_second\":10,\"recovery_seconds\":60},\"operations\":[\"lookup\",\"refund\"],\"ownership\":{\"concurrency\":\"one driver\",\"fencing\":true,\"lease_seconds\":60},\"persisted\":{\"artifacts\":\"In the shop''s own store, referred to by number and digest.\",\"history\":\"ledger\",\"state\":\"The case''s number, what was found out, and what remains to be done.\"},\"pins\":{\"code\":\"decide\",\"context\":\"continue\",\"interface\":\"decide\",\"model\":\"continue\",\"policy\":\"decide\",\"prompt\":\"continue\",\"workflow\":\"quarantine\"},\"quarantine\":{\"path\":\"An operator reads the history and finishes the case by hand.\",\"to\":\"operators\"},\"revalidate\":[\"identity\",\"approval\",\"policy\",\"secret\",\"state\"],\"success_criteria\":[\"The order was looked up.\",\"What was owed to the customer has been paid back, or the case says why not.\"],\"unknown\":{\"before_continue\":\"reconcile\"},\"version\":1,\"waits\":{\"children\":[],\"subscriptions\":[],\"timers\":[]}}","id":"01a22929-3dc3-72fe-bff4-d7ec5169c477","name":"customer-case","retired_at":null,"version":1,"via":"test"}', NULL),
	(19, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"access":"read","applied_at":"2026-11-29T21:14:59.184119Z","argument_names":["currency","day"],"attempts_allowed":4,"can_be_asked":false,"dependency_name":"","digest":"21ffd2d7ab28d56d10fc50e4b1693dc3d950d28df29685ffd0f8559878da071f","document":"{\"access\":\"read\",\"apiVersion\":\"counterfoil/v1\",\"arguments\":{\"additionalProperties\":false,\"properties\":{\"currency\":{\"description\":\"The currency.\",\"maxLength\":3,\"pattern\":\"^[A-Z]{3}$\",\"type\":\"string\"},\"day\":{\"description\":\"The day that the rate is of.\",\"format\":\"date\",\"type\":\"string\"}},\"required\":[\"currency\",\"day\"],\"type\":\"object\"},\"consequential\":false,\"deadline_seconds\":600,\"dependency\":null,\"description\":\"Asks the treasury''s table for a rate. It only reads, so it may be repeated at any time.\",\"executor\":\"python\",\"irreversible\":false,\"kind\":\"Operation\",\"name\":\"exchange_rate\",\"principal\":\"The run''s agent, within its own tenant.\",\"python\":{\"attempt_timeout_seconds\":5,\"function\":\"exchange_rate\",\"outcomes\":[\"succeeded\",\"rejected\",\"transient\"],\"result\":{\"additionalProperties\":false,\"properties\":{\"currency\":{\"maxLength\":3,\"type\":\"string\"},\"day\":{\"format\":\"date\",\"type\":\"string\"},\"rate\":{\"description\":\"EUR for one of the currency.\",\"exclusiveMinimum\":\"0\",\"format\":\"decimal\",\"type\":\"string\"}},\"required\":[\"currency\",\"day\",\"rate\"],\"type\":\"object\"},\"secrets\":[]},\"required\":true,\"retry\":{\"attempts\":4,\"backoff\":{\"base_seconds\":1,\"factor\":2,\"max_seconds\":10},\"exhausted\":\"failed\",\"honour_retry_after\":true,\"jitter\":\"full\",\"non_retryable\":[\"rejected\",\"denied\",\"invalid\"],\"owner\":\"counterfoil\",\"retryable\":[\"transient\",\"not_sent\"],\"total_seconds\":120},\"summary\":\"Ask what one {currency} is in EUR on {day}\",\"target\":\"rate:{currency}\",\"tier\":\"low\",\"version\":1}","executor":"python","groups":[],"id":"01a22929-40f1-76f9-b9cc-d1fcf07f61e5","marks_before_send":false,"name":"exchange_rate","retired_at":null,"version":1,"via":"test"}', NULL),
	(20, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"access":"write","applied_at":"2026-11-29T21:14:59.200504Z","argument_names":["day","payments","total","currency"],"attempts_allowed":4,"can_be_asked":true,"dependency_name":"","digest":"01dea5f59f5f7a632afcebb8c741cb0270f6db9078aa6b3c67b87743b6fe88ec","document":"{\"access\":\"write\",\"apiVersion\":\"counterfoil/v1\",\"arguments\":{\"additionalProperties\":false,\"properties\":{\"currency\":{\"description\":\"The currency of the books.\",\"maxLength\":3,\"pattern\":\"^[A-Z]{3}$\",\"type\":\"string\"},\"day\":{\"description\":\"The day that is settled.\",\"format\":\"date\",\"type\":\"string\"},\"payments\":{\"description\":\"What was paid, each once.\",\"items\":{\"additionalProperties\":false,\"properties\":{\"amount\":{\"format\":\"decimal\",\"multipleOf\":\"0.01\",\"type\":\"string\"},\"reference\":{\"maxLength\":64,\"minLength\":1,\"type\":\"string\"}},\"required\":[\"reference\",\"amount\"],\"type\":\"object\"},\"maxItems\":500,\"minItems\":1,\"type\":\"array\"},\"total\":{\"description\":\"What they come to; it is reckoned again.\",\"format\":\"decimal\",\"multipleOf\":\"0.01\",\"type\":\"string\"}},\"required\":[\"day\",\"payments\",\"total\",\"currency\"],\"type\":\"object\"},\"cancellation\":{\"cleanup\":\"\",\"closed_by\":\"Nothing is in flight and no outcome is unknown.\",\"in_flight\":\"let_finish\",\"late_result\":\"recorded\",\"mode\":\"graceful\",\"scopes\":[\"effect\",\"run\",\"tree\"],\"who\":[\"driver\",\"operator\"]},\"checkpoint\":{\"after\":true,\"before\":true},\"compensation\":{\"authority\":null,\"deadline_seconds\":null,\"escalation\":null,\"operation\":null,\"order\":null,\"residue\":[\"The page stays in the books.\"],\"verification\":null,\"when\":null,\"why_none\":\"A page of the books is never taken out; a correction is another page.\"},\"consequential\":true,\"deadline_seconds\":86400,\"dependency\":null,\"description\":\"Writes the settlement of a day''s payments into the shop''s books, once.\",\"escalation\":{\"evidence\":\"The books themselves.\",\"to\":\"operators\"},\"executor\":\"python\",\"irreversible\":false,\"irreversible_point\":null,\"key\":{\"equivalence\":\"The same operation, target and arguments.\",\"retention_seconds\":2592000,\"scope\":\"run\",\"storage\":\"record\"},\"kind\":\"Operation\",\"name\":\"settlement\",\"partial\":{\"recognised_by\":null,\"then\":\"The page names the payments that it leaves out; they are settled on a page of their own.\"},\"preconditions\":[\"All payments of the day are in.\"],\"principal\":\"The run''s agent, within its own tenant, on the shop''s books.\",\"python\":{\"attempt_timeout_seconds\":6,\"function\":\"write_settlement\",\"outcomes\":[\"succeeded\",\"partial\",\"rejected\",\"transient\"],\"result\":{\"additionalProperties\":false,\"properties\":{\"digest\":{\"description\":\"SHA-256 of the page.\",\"maxLength\":64,\"type\":\"string\"},\"left_out\":{\"description\":\"Payments that are not on the page.\",\"items\":{\"maxLength\":64,\"type\":\"string\"},\"type\":\"array\"},\"page\":{\"description\":\"The page of the books.\",\"maxLength\":200,\"type\":\"string\"},\"payments\":{\"minimum\":0,\"type\":\"integer\"},\"total\":{\"format\":\"decimal\",\"type\":\"string\"}},\"required\":[\"page\",\"payments\",\"total\"],\"type\":\"object\"},\"secrets\":[],\"status\":{\"absence_is_proof\":false,\"attempt_timeout_seconds\":5,\"every_seconds\":5,\"function\":\"find_settlement\",\"objective_seconds\":120}},\"required\":true,\"retry\":{\"attempts\":4,\"backoff\":{\"base_seconds\":1,\"factor\":2,\"max_seconds\":30},\"exhausted\":\"failed\",\"honour_retry_after\":true,\"jitter\":\"full\",\"non_retryable\":[\"rejected\",\"denied\",\"invalid\",\"partial\",\"unknown\"],\"owner\":\"counterfoil\",\"retryable\":[\"transient\",\"not_sent\"],\"total_seconds\":300},\"state_version\":{\"from\":null,\"why_none\":\"A settlement is a new page of the books under its effect''s own key; it overwrites nothing.\"},\"summary\":\"Write the settlement of {day}: {total} {currency}\",\"target\":\"settlement:{day}\",\"tier\":\"normal\",\"unknown\":{\"age_objective_seconds\":300,\"owner\":\"operators\",\"resend_same_key\":false,\"resolve\":\"status\"},\"verify\":null,\"version\":1}","executor":"python","groups":[],"id":"01a22929-4102-75eb-97de-d063cd8e79a9","marks_before_send":false,"name":"settlement","retired_at":null,"version":1,"via":"test"}', NULL),
	(14, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"applied_at":"2026-11-29T21:14:58.530655Z","digest":"797d29a67181f0090fd82256afd89f4f199db08611ba4ddd4e65a16bed05d85b","document":"{\"apiVersion\":\"counterfoil/v1\",\"checkpoint\":{\"boundaries\":[\"transition\",\"before_effect\",\"after_effect\",\"wait\",\"approval\",\"hand_over\"],\"max_lost_progress\":\"Nothing that was accepted.\",\"schema_version\":1},\"complete_with_unresolved\":false,\"consequential\":true,\"deadline_seconds\":604800,\"description\":\"A supplier''s invoice is checked against its order and paid.\",\"evidence\":{\"failure_injection\":\"tests/crash kills a worker at every named point of an effect.\",\"restore\":\"tests/crash restores a run from the record alone after every process was killed.\"},\"kind\":\"RunType\",\"migrations\":[],\"name\":\"close-invoice\",\"objectives\":{\"drain_per_second\":5,\"recovery_seconds\":60},\"operations\":[\"lookup\",\"transfer\"],\"ownership\":{\"concurrency\":\"one driver\",\"fencing\":true,\"lease_seconds\":60},\"persisted\":{\"artifacts\":\"The invoice in the shop''s own store, referred to by number and digest.\",\"history\":\"ledger\",\"state\":\"The invoice''s number, the order it was matched with, and the payment proposed.\"},\"pins\":{\"code\":\"decide\",\"context\":\"continue\",\"interface\":\"quarantine\",\"model\":\"decide\",\"policy\":\"decide\",\"prompt\":\"decide\",\"workflow\":\"quarantine\"},\"quarantine\":{\"path\":\"An operator compares the account''s statement with the history and decides.\",\"to\":\"operators\"},\"revalidate\":[\"identity\",\"approval\",\"policy\",\"secret\",\"state\"],\"success_criteria\":[\"The invoice was matched with its order.\",\"It has been paid once, or the run says why not.\"],\"unknown\":{\"before_continue\":\"reconcile\"},\"version\":1,\"waits\":{\"children\":[],\"subscriptions\":[],\"timers\":[]}}","id":"01a22929-3e66-75ce-9741-7cfb9b3eb6c4","name":"close-invoice","retired_at":null,"version":1,"via":"test"}', NULL),
	(15, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"digest":"ef8a69ecfcffe1d388aa5e9387269aa176e4fee162554498830d290621e97f2e","document":"{\"apiVersion\":\"counterfoil/v1\",\"description\":\"What moves money is asked about.\",\"kind\":\"Policy\",\"name\":\"money\",\"operations\":[\"*\"],\"otherwise\":\"deny\",\"rules\":[{\"ask\":{\"decide_within_seconds\":14400,\"groups\":[\"finance\"],\"quorum\":1,\"use_within_seconds\":3600},\"name\":\"transfers\",\"reason\":\"A transfer cannot be called back, so finance is always asked.\",\"then\":\"ask\",\"when\":{\"op\":\"eq\",\"path\":\"operation\",\"value\":\"transfer\"}},{\"ask\":{\"decide_within_seconds\":3600,\"groups\":[\"finance\"],\"quorum\":2,\"use_within_seconds\":3600},\"name\":\"very-large\",\"then\":\"ask\",\"when\":{\"op\":\"gt\",\"path\":\"arguments.amount\",\"value\":1000}},{\"ask\":{\"decide_within_seconds\":1800,\"groups\":[\"support\"],\"quorum\":1,\"use_within_seconds\":3600},\"name\":\"dollars\",\"then\":\"ask\",\"when\":{\"op\":\"eq\",\"path\":\"arguments.currency\",\"value\":\"USD\"}},{\"ask\":{\"decide_within_seconds\":259200,\"groups\":[\"finance\"],\"quorum\":1,\"use_within_seconds\":3600},\"name\":\"no-hurry\",\"then\":\"ask\",\"when\":{\"op\":\"prefix\",\"path\":\"arguments.order\",\"value\":\"9\"}},{\"ask\":{\"decide_within_seconds\":1800,\"groups\":[\"finance\"],\"quorum\":1,\"use_within_seconds\":3600},\"name\":\"large\",\"then\":\"ask\",\"when\":{\"op\":\"gt\",\"path\":\"arguments.amount\",\"value\":50}},{\"name\":\"the-rest\",\"then\":\"allow\"}],\"version\":1}","id":"01a22929-3f70-7452-abe8-b4f6b8b4506c","name":"money","operations":["*"],"published_at":"2026-11-29T21:14:58.586198Z","superseded_at":null,"version":1,"via":"test"}', NULL),
	(16, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"access":"write","applied_at":"2026-11-29T21:14:59.120662Z","argument_names":["order","customer","subject","text"],"attempts_allowed":3,"can_be_asked":false,"dependency_name":"","digest":"d97987c3185d24b69c0dd2b2d93e8cab4dec04a4be081cfa3e420e0f8dcb677e","document":"{\"access\":\"write\",\"agent\":{\"attempt_timeout_seconds\":300,\"lease_seconds\":20,\"outcomes\":[\"succeeded\",\"rejected\",\"transient\"],\"result\":{\"additionalProperties\":false,\"properties\":{\"letter\":{\"description\":\"The letter''s number in the agent''s own post book.\",\"maxLength\":120,\"minLength\":1,\"type\":\"string\"},\"words\":{\"description\":\"How long it became.\",\"maximum\":10000,\"minimum\":1,\"type\":\"integer\"}},\"required\":[\"letter\",\"words\"],\"type\":\"object\"}},\"apiVersion\":\"counterfoil/v1\",\"arguments\":{\"additionalProperties\":false,\"properties\":{\"customer\":{\"description\":\"Whom the letter is to.\",\"maxLength\":120,\"minLength\":1,\"type\":\"string\"},\"order\":{\"description\":\"The number of the order.\",\"maxLength\":64,\"minLength\":1,\"type\":\"string\"},\"subject\":{\"description\":\"The letter''s subject.\",\"maxLength\":120,\"minLength\":1,\"type\":\"string\"},\"text\":{\"description\":\"What the letter says.\",\"maxLength\":4000,\"minLength\":1,\"type\":\"string\"}},\"required\":[\"order\",\"customer\",\"subject\",\"text\"],\"type\":\"object\"},\"cancellation\":{\"cleanup\":\"\",\"closed_by\":\"Nothing is in flight and no outcome is unknown.\",\"in_flight\":\"let_finish\",\"late_result\":\"recorded\",\"mode\":\"graceful\",\"scopes\":[\"effect\",\"run\",\"tree\"],\"who\":[\"driver\",\"operator\"]},\"checkpoint\":{\"after\":true,\"before\":true},\"compensation\":{\"authority\":null,\"deadline_seconds\":null,\"escalation\":null,\"operation\":null,\"order\":null,\"residue\":[\"The customer has read it.\"],\"verification\":null,\"when\":null,\"why_none\":\"A letter that was posted can only be followed by another one.\"},\"consequential\":true,\"deadline_seconds\":86400,\"dependency\":null,\"description\":\"Writes a letter to a customer and gives it to the post. The agent does it itself.\",\"escalation\":{\"evidence\":\"The agent''s post book.\",\"to\":\"operators\"},\"executor\":\"agent\",\"irreversible\":false,\"irreversible_point\":null,\"key\":{\"equivalence\":\"The same operation, target and arguments.\",\"retention_seconds\":2592000,\"scope\":\"run\",\"storage\":\"record\"},\"kind\":\"Operation\",\"name\":\"letter\",\"partial\":{\"recognised_by\":null,\"then\":\"Not possible: a letter was given to the post or not.\"},\"preconditions\":[],\"principal\":\"The run''s agent, within its own tenant, in the shop''s name.\",\"required\":true,\"retry\":{\"attempts\":3,\"backoff\":{\"base_seconds\":2,\"factor\":2,\"max_seconds\":30},\"exhausted\":\"failed\",\"honour_retry_after\":true,\"jitter\":\"full\",\"non_retryable\":[\"rejected\",\"denied\",\"invalid\",\"partial\",\"unknown\"],\"owner\":\"counterfoil\",\"retryable\":[\"transient\",\"not_sent\"],\"total_seconds\":600},\"state_version\":{\"from\":null,\"why_none\":\"A letter adds to what was written about the order and overwrites nothing.\"},\"summary\":\"Write to {customer} about order {order}: {subject}\",\"target\":\"order:{order}\",\"tier\":\"normal\",\"unknown\":{\"age_objective_seconds\":900,\"owner\":\"operators\",\"resend_same_key\":false,\"resolve\":\"person\"},\"verify\":null,\"version\":1}","executor":"agent","groups":[],"id":"01a22929-40b9-70a7-a527-54249fbda9dc","marks_before_send":false,"name":"letter","retired_at":null,"version":1,"via":"test"}', NULL),
	(17, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"applied_at":"2026-11-29T21:14:59.146939Z","digest":"7c008613d7e03aae3472e142072c8d14ea933beba22223c4e92fcc02df4d4a20","document":"{\"apiVersion\":\"counterfoil/v1\",\"checkpoint\":{\"boundaries\":[\"transition\",\"before_effect\",\"after_effect\",\"wait\",\"approval\"],\"max_lost_progress\":\"Nothing that was accepted; at most one letter that was being written.\",\"schema_version\":1},\"complete_with_unresolved\":false,\"consequential\":true,\"deadline_seconds\":259200,\"description\":\"A customer wants to know something; the agent looks the order up, and writes, or leaves a call to a person.\",\"evidence\":{\"failure_injection\":\"tests/crash kills a worker at every named point of an effect.\",\"restore\":\"tests/crash restores a run from the record alone after every process was killed.\"},\"kind\":\"RunType\",\"migrations\":[],\"name\":\"correspondence\",\"objectives\":{\"drain_per_second\":5,\"recovery_seconds\":60},\"operations\":[\"lookup\",\"letter\",\"call_customer\"],\"ownership\":{\"concurrency\":\"one driver\",\"fencing\":true,\"lease_seconds\":60},\"persisted\":{\"artifacts\":\"Letters in the agent''s own post book, referred to by number.\",\"history\":\"ledger\",\"state\":\"The case''s number, what was found out, and how the customer is answered.\"},\"pins\":{\"code\":\"decide\",\"context\":\"continue\",\"interface\":\"decide\",\"model\":\"continue\",\"policy\":\"decide\",\"prompt\":\"continue\",\"workflow\":\"quarantine\"},\"quarantine\":{\"path\":\"An operator reads the post book and answers the customer by hand.\",\"to\":\"operators\"},\"revalidate\":[\"identity\",\"approval\",\"policy\",\"secret\",\"state\"],\"success_criteria\":[\"The customer was answered once, in writing or on the telephone.\"],\"unknown\":{\"before_continue\":\"reconcile\"},\"version\":1,\"waits\":{\"children\":[],\"subscriptions\":[],\"timers\":[]}}","id":"01a22929-40ce-7261-9990-6135039aac5c","name":"correspondence","retired_at":null,"version":1,"via":"test"}', NULL),
	(18, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"access":"write","applied_at":"2026-11-29T21:14:59.166084Z","argument_names":["order","customer","subject","paid","currency"],"attempts_allowed":3,"can_be_asked":false,"dependency_name":"","digest":"44d6822ee125288ea06526f697d203fc02032373a402f9bcc42125969e7e8fdc","document":"{\"access\":\"write\",\"apiVersion\":\"counterfoil/v1\",\"arguments\":{\"additionalProperties\":false,\"properties\":{\"currency\":{\"description\":\"The currency of the order.\",\"enum\":[\"EUR\",\"USD\",\"GBP\"],\"type\":\"string\"},\"customer\":{\"description\":\"Whom to call.\",\"maxLength\":120,\"minLength\":1,\"type\":\"string\"},\"order\":{\"description\":\"The number of the order.\",\"maxLength\":64,\"minLength\":1,\"type\":\"string\"},\"paid\":{\"description\":\"What the order cost.\",\"format\":\"decimal\",\"minimum\":\"0\",\"multipleOf\":\"0.01\",\"type\":\"string\"},\"subject\":{\"description\":\"What it is about.\",\"maxLength\":200,\"minLength\":1,\"type\":\"string\"}},\"required\":[\"order\",\"customer\",\"subject\",\"paid\",\"currency\"],\"type\":\"object\"},\"cancellation\":{\"cleanup\":\"\",\"closed_by\":\"Nothing is in flight and no outcome is unknown.\",\"in_flight\":\"let_finish\",\"late_result\":\"recorded\",\"mode\":\"graceful\",\"scopes\":[\"effect\",\"run\",\"tree\"],\"who\":[\"driver\",\"operator\"]},\"checkpoint\":{\"after\":true,\"before\":true},\"compensation\":{\"authority\":null,\"deadline_seconds\":null,\"escalation\":null,\"operation\":null,\"order\":null,\"residue\":[\"The customer remembers the call.\"],\"verification\":null,\"when\":null,\"why_none\":\"What was said cannot be unsaid; another call can put it right.\"},\"consequential\":true,\"deadline_seconds\":172800,\"dependency\":null,\"description\":\"A person of the shop calls a customer and finds out what would put the order right.\",\"escalation\":{\"evidence\":\"The telephone''s list of calls and the notes of whoever called.\",\"to\":\"operators\"},\"executor\":\"human\",\"human\":{\"attempt_timeout_seconds\":14400,\"evidence_required\":true,\"form\":{\"additionalProperties\":false,\"properties\":{\"agrees\":{\"title\":\"The customer agrees that we write it down\",\"type\":\"boolean\"},\"amount\":{\"description\":\"For a refund: what the customer asks for, in the currency of the order.\",\"exclusiveMinimum\":\"0\",\"format\":\"decimal\",\"maximum\":\"10000\",\"multipleOf\":\"0.01\",\"title\":\"How much of it\",\"type\":\"string\"},\"call_again_on\":{\"format\":\"date\",\"title\":\"Call again on\",\"type\":\"string\"},\"notes\":{\"description\":\"What was said that matters later.\",\"maxLength\":2000,\"title\":\"Notes\",\"type\":\"string\"},\"spoke_to\":{\"description\":\"The name as it was given.\",\"maxLength\":120,\"minLength\":2,\"title\":\"Who was on the line\",\"type\":\"string\"},\"wish\":{\"enum\":[\"refund\",\"replacement\",\"repair\",\"nothing\"],\"title\":\"What would put it right\",\"type\":\"string\"}},\"required\":[\"spoke_to\",\"wish\",\"agrees\"],\"type\":\"object\"},\"groups\":[\"support\",\"finance\"],\"instructions\":\"Call the customer on the number that stands in the shop''s own books, never on one from a message.\\nAsk what would put it right. Promise nothing above what the order cost; whatever is paid back is proposed and approved afterwards.\\nWhen nobody answers, try twice more within the day, and report it as \\\"not now\\\".\",\"lease_seconds\":900,\"outcomes\":[\"succeeded\",\"partial\",\"rejected\",\"transient\"]},\"irreversible\":false,\"irreversible_point\":null,\"key\":{\"equivalence\":\"The same operation, target and arguments.\",\"retention_seconds\":2592000,\"scope\":\"run\",\"storage\":\"record\"},\"kind\":\"Operation\",\"name\":\"call_customer\",\"partial\":{\"recognised_by\":null,\"then\":\"The customer was spoken to and something was left open; the notes say what.\"},\"preconditions\":[],\"principal\":\"Somebody of support or finance, in the shop''s name.\",\"required\":true,\"retry\":{\"attempts\":3,\"backoff\":{\"base_seconds\":30,\"factor\":4,\"max_seconds\":3600},\"exhausted\":\"failed\",\"honour_retry_after\":true,\"jitter\":\"full\",\"non_retryable\":[\"rejected\",\"denied\",\"invalid\",\"partial\",\"unknown\"],\"owner\":\"counterfoil\",\"retryable\":[\"transient\",\"not_sent\"],\"total_seconds\":86400},\"state_version\":{\"from\":null,\"why_none\":\"A call changes nothing that has a version; what the customer says is new.\"},\"summary\":\"Call {customer} about order {order}: {subject}\",\"target\":\"order:{order}\",\"tier\":\"normal\",\"unknown\":{\"age_objective_seconds\":28800,\"owner\":\"operators\",\"resend_same_key\":false,\"resolve\":\"person\"},\"verify\":null,\"version\":1}","executor":"human","groups":["support","finance"],"id":"01a22929-40e0-730b-9c04-84338695475d","marks_before_send":false,"name":"call_customer","retired_at":null,"version":1,"via":"test"}', NULL),
	(43, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-440a-755a-88c6-5561b83d282d", "effect" : "01a22929-43db-7752-9426-d48817ff3f00", "number" : 1, "kind" : "act", "fence" : 1, "dependency" : "bank"}', NULL),
	(44, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-440a-755a-88c6-5561b83d282d", "effect" : "01a22929-43db-7752-9426-d48817ff3f00", "outcome" : "rejected", "to" : "rejected", "http_status" : 422, "sent" : true, "reason" : "The bank says no.", "result" : null, "reference" : "", "evidence_digest" : "5806d0ae58e486184bc1630c5fedba65e2305bb679809953223017684928ccf2"}', NULL),
	(48, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-445a-73ae-a4d4-baa64d389663", "effect" : "01a22929-4432-7432-88e7-a534ccc699e8", "number" : 1, "kind" : "act", "fence" : 1, "dependency" : "bank"}', NULL),
	(21, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"applied_at":"2026-11-29T21:14:59.215432Z","digest":"bd93f6fc2f764acc33c357fe464615d53f94c752c04d0675a045f7ad20d04ab0","document":"{\"apiVersion\":\"counterfoil/v1\",\"checkpoint\":{\"boundaries\":[\"transition\",\"before_effect\",\"after_effect\",\"wait\",\"approval\"],\"max_lost_progress\":\"Nothing that was accepted.\",\"schema_version\":1},\"complete_with_unresolved\":true,\"consequential\":true,\"deadline_seconds\":259200,\"description\":\"The payments of a day are brought into one currency and settled in the books.\",\"evidence\":{\"failure_injection\":\"tests/crash kills a worker at every named point of an effect.\",\"restore\":\"tests/crash restores a run from the record alone after every process was killed.\"},\"kind\":\"RunType\",\"migrations\":[],\"name\":\"close-day\",\"objectives\":{\"drain_per_second\":5,\"recovery_seconds\":60},\"operations\":[\"exchange_rate\",\"settlement\"],\"ownership\":{\"concurrency\":\"one driver\",\"fencing\":true,\"lease_seconds\":60},\"persisted\":{\"artifacts\":\"The page of the books, referred to by its name and digest.\",\"history\":\"ledger\",\"state\":\"The day, its payments and the rates that were asked for.\"},\"pins\":{\"code\":\"decide\",\"context\":\"continue\",\"interface\":\"decide\",\"model\":\"continue\",\"policy\":\"decide\",\"prompt\":\"continue\",\"workflow\":\"quarantine\"},\"quarantine\":{\"path\":\"An operator compares the books with the day''s payments and decides.\",\"to\":\"operators\"},\"revalidate\":[\"identity\",\"approval\",\"policy\",\"secret\",\"state\"],\"success_criteria\":[\"The day''s payments stand on one page of the books, or those left out are named.\"],\"unknown\":{\"before_continue\":\"reconcile\"},\"version\":1,\"waits\":{\"children\":[],\"subscriptions\":[],\"timers\":[]}}","id":"01a22929-4110-71ed-9e31-e70a59f141ab","name":"close-day","retired_at":null,"version":1,"via":"test"}', NULL),
	(22, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","completes_itself":false,"deadline_at":"2026-12-02T21:14:59.314016Z","driver":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","epoch":1,"goal":"Make order 1042 right","intent_digest":"ffdb2511bfe6b41ee8535e27264a3e021ac6405b891ac30175253899627203d2","key":"run-01a22929-4114-7758-88d2-3586de545df9","key_expires_at":"2026-12-29T21:14:59.314016Z","run_type":"01a22929-3dc3-72fe-bff4-d7ec5169c477","via":"api"}', NULL),
	(23, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"after":[],"arguments":"{\"order\":\"1042\"}","consequential":false,"deadline_at":"2026-11-29T21:24:59.350547Z","dependency_name":"bank","effect":"01a22929-41a1-76f8-b00c-b74378f57f51","effect_digest":"fe403aa5342e0e79b2b667a5360964339888b75637ceabe7228af5c755cae119","executor":"http","intent_digest":"fc092042c761f6ca2eb900679813b65861780e929a54e9cb3d92a1ec17ade8f4","irreversible":false,"key":"lookup-01a22929-418d-764f-a2f8-dce0c82c3708","key_expires_at":"2026-12-29T21:14:59.350547Z","key_scope":"run","number":1,"operation":"01a22929-3c61-74e1-a7ce-e99dbaf2f8d8","operation_name":"lookup","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","reason":"","request":null,"required":true,"rule":"the-rest","state_reason":"","summary":"Look up order 1042","supersedes":null,"target":"order:1042","to":"ready","verdict":"allow","via":"api"}', NULL),
	(24, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","arguments":"{\"amount\":\"120\",\"currency\":\"EUR\",\"order\":\"1042\"}","decide_by":"2026-11-29T21:44:59.387648Z","groups":["finance"],"irreversible":false,"operation":"refund","owner":"01a22929-3baf-70d1-bc86-7caa48539f1d","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","quorum":1,"reason":"","rule":"large","shown":"{\"contract\":\"refund, version 1\",\"description\":\"Pays money back to the customer''s card.\",\"executor\":\"http\",\"if_it_goes_wrong\":\"A refund is undone only by a new charge, which the customer must agree to.\",\"residue\":[\"The customer has been told by the bank.\"],\"run_type\":\"customer-case\"}","subject":"01a22929-41c6-70f0-b147-63fcf183f18b","subject_digest":"c8954c0efa01d3f962d7236e78d8bc5167402c335cdae0e4135acf7edf28464f","summary":"Refund 120.00 EUR on order 1042","target":"order:1042","tier":"normal","use_within_seconds":3600,"via":"api"}', NULL),
	(25, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"after":[],"arguments":"{\"amount\":\"120\",\"currency\":\"EUR\",\"order\":\"1042\"}","consequential":true,"deadline_at":"2026-11-30T21:14:59.387648Z","dependency_name":"bank","effect":"01a22929-41c6-70f0-b147-63fcf183f18b","effect_digest":"c8954c0efa01d3f962d7236e78d8bc5167402c335cdae0e4135acf7edf28464f","executor":"http","intent_digest":"c65d6aacea8a180c3db2aa8a90850e721aabc29b22e4ef2e6e4e2fd3d44dafa5","irreversible":false,"key":"refund-01a22929-41b8-77ab-97d5-9e1e7c4ee7aa","key_expires_at":"2026-12-29T21:14:59.387648Z","key_scope":"run","number":2,"operation":"01a22929-3c89-755a-90c0-a84fb6b797fe","operation_name":"refund","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","reason":"","request":"01a22929-41c9-7015-801c-f1ed171a63a9","required":true,"rule":"large","state_reason":"","summary":"Refund 120.00 EUR on order 1042","supersedes":null,"target":"order:1042","to":"awaiting_approval","verdict":"ask","via":"api"}', NULL),
	(26, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-41de-7601-bc00-559e5e75ce26", "effect" : "01a22929-41a1-76f8-b00c-b74378f57f51", "number" : 1, "kind" : "act", "fence" : 1, "dependency" : "bank"}', NULL),
	(27, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-41de-7601-bc00-559e5e75ce26", "effect" : "01a22929-41a1-76f8-b00c-b74378f57f51", "outcome" : "succeeded", "to" : "succeeded", "http_status" : 201, "sent" : true, "reason" : "", "result" : "{\"note\":\"zwölf € — “so”\",\"order\":\"1042\"}", "reference" : "", "evidence_digest" : "b8be0ab6dac0a91c0102ff2cb9dd8561ce30e0f67a3aac41f3faf6d0a15acb5e"}', NULL),
	(28, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"decision":"01a22929-4211-72dc-a6fd-c888efc7ae6d","member":"01a22929-3b87-7681-9cde-f00269a1fce6","reason":"Seen.","shown_digest":"c8954c0efa01d3f962d7236e78d8bc5167402c335cdae0e4135acf7edf28464f","verdict":"approve","via":"page"}', NULL),
	(29, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"use_by":"2026-11-29T22:14:59.471202Z","via":"page"}', NULL),
	(30, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"effect" : "01a22929-41c6-70f0-b147-63fcf183f18b", "request" : "01a22929-41c9-7015-801c-f1ed171a63a9", "reason" : ""}', NULL),
	(31, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{}', NULL),
	(32, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-422e-733f-b9af-1f09bee2ba7a", "effect" : "01a22929-41c6-70f0-b147-63fcf183f18b", "number" : 1, "kind" : "act", "fence" : 1, "dependency" : "bank"}', NULL),
	(33, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-422e-733f-b9af-1f09bee2ba7a", "effect" : "01a22929-41c6-70f0-b147-63fcf183f18b", "outcome" : "succeeded", "to" : "succeeded", "http_status" : 201, "sent" : true, "reason" : "", "result" : "{\"id\":\"r-1\"}", "reference" : "", "evidence_digest" : "4e12052c119ab92e05baa9cc6fdf641b1b2a3625459b6c3df15dc883d81c9cec"}', NULL),
	(34, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"result":"{\"refunded\":\"120.00\"}","to":"succeeded","unresolved":[],"via":"api"}', NULL),
	(35, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","completes_itself":false,"deadline_at":"2026-12-06T21:14:59.558355Z","driver":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","epoch":1,"goal":"Pay the invoice","intent_digest":"b6bac98dd7a0f4c7676a6b4ab2de31f67d45ad8543a49fa2a176734b2812a6c5","key":"run-01a22929-4265-7078-a34d-9e50f7861b2a","key_expires_at":"2026-12-29T21:14:59.558355Z","run_type":"01a22929-3e66-75ce-9741-7cfb9b3eb6c4","via":"api"}', NULL),
	(42, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"effect" : "01a22929-4313-7757-9bbe-cf4196bbe947", "request" : "01a22929-4327-7402-94b1-892a8c8dc249", "reason" : "No."}', NULL),
	(36, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","arguments":"{\"amount\":\"5400\",\"currency\":\"EUR\",\"from\":\"operating\",\"iban\":\"DE89370400440532013000\",\"invoice\":\"R-77\",\"to\":\"Nordwind Papier\"}","decide_by":"2026-11-30T01:14:59.693053Z","groups":["finance"],"irreversible":true,"operation":"transfer","owner":"01a22929-3baf-70d1-bc86-7caa48539f1d","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","quorum":1,"reason":"","rule":"transfers","shown":"{\"contract\":\"transfer, version 1\",\"description\":\"Pays a supplier''s invoice by bank transfer.\",\"executor\":\"http\",\"if_it_goes_wrong\":\"Money that has left cannot be called back; the payee can only be asked to return it.\",\"residue\":[\"The transfer stands in the account''s statement.\"],\"run_type\":\"close-invoice\"}","subject":"01a22929-4313-7757-9bbe-cf4196bbe947","subject_digest":"920475133d7647aa21ecea19e5ad4c4bdaf5490873038a84597517559aea2204","summary":"Transfer 5,400.00 EUR from operating to Nordwind Papier, IBAN DE89370400440532013000, for invoice R-77","target":"invoice:R-77","tier":"high","use_within_seconds":3600,"via":"api"}', NULL),
	(37, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"after":[],"arguments":"{\"amount\":\"5400\",\"currency\":\"EUR\",\"from\":\"operating\",\"iban\":\"DE89370400440532013000\",\"invoice\":\"R-77\",\"to\":\"Nordwind Papier\"}","consequential":true,"deadline_at":"2026-12-01T21:14:59.693053Z","dependency_name":"bank","effect":"01a22929-4313-7757-9bbe-cf4196bbe947","effect_digest":"920475133d7647aa21ecea19e5ad4c4bdaf5490873038a84597517559aea2204","executor":"http","intent_digest":"6192379629180a93202a180de5eecad59f82d2ebae3ae84fec529977fa167fa7","irreversible":true,"key":"transfer-01a22929-42e6-7018-82ef-23296457f26d","key_expires_at":"2027-02-27T21:14:59.693053Z","key_scope":"tenant","number":1,"operation":"01a22929-3d1e-76a6-9e56-3a2a28fe8494","operation_name":"transfer","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","reason":"","request":"01a22929-4327-7402-94b1-892a8c8dc249","required":true,"rule":"transfers","state_reason":"","summary":"Transfer 5,400.00 EUR from operating to Nordwind Papier, IBAN DE89370400440532013000, for invoice R-77","supersedes":null,"target":"invoice:R-77","to":"awaiting_approval","verdict":"ask","via":"api"}', NULL),
	(38, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"decision":"01a22929-434b-7572-b2c7-ecca669895e8","member":"01a22929-3b87-7681-9cde-f00269a1fce6","reason":"No.","shown_digest":"920475133d7647aa21ecea19e5ad4c4bdaf5490873038a84597517559aea2204","verdict":"deny","via":"page"}', NULL),
	(39, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"reason":"No.","via":"page"}', NULL),
	(40, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","completes_itself":false,"deadline_at":"2026-12-02T21:14:59.831072Z","driver":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","epoch":1,"goal":"A small one","intent_digest":"7b3c34b5ec4d656f2e6ca01dc01df29d486ce39eeb38fe815499aec18a6d52b7","key":"run-01a22929-4374-702f-b2ec-49074fa99f64","key_expires_at":"2026-12-29T21:14:59.831072Z","run_type":"01a22929-3dc3-72fe-bff4-d7ec5169c477","via":"api"}', NULL),
	(41, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"after":[],"arguments":"{\"amount\":\"20\",\"currency\":\"EUR\",\"order\":\"1042\"}","consequential":true,"deadline_at":"2026-11-30T21:14:59.894006Z","dependency_name":"bank","effect":"01a22929-43db-7752-9426-d48817ff3f00","effect_digest":"71686b241a0f93a4bf98f260d1cccd8384673d24cd9a6106b586289614b87e2a","executor":"http","intent_digest":"12e7ce9a99058917ffe708d657067bd9ee3650fe793625d28e812aa1181268f2","irreversible":false,"key":"refund-01a22929-43a5-719b-8765-0a58bb990b6d","key_expires_at":"2026-12-29T21:14:59.894006Z","key_scope":"run","number":1,"operation":"01a22929-3c89-755a-90c0-a84fb6b797fe","operation_name":"refund","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","reason":"","request":null,"required":true,"rule":"the-rest","state_reason":"","summary":"Refund 20.00 EUR on order 1042","supersedes":null,"target":"order:1042","to":"ready","verdict":"allow","via":"api"}', NULL),
	(45, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","completes_itself":false,"deadline_at":"2026-11-29T22:15:00.003378Z","driver":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","epoch":1,"goal":"Who knows","intent_digest":"2fb16d17d5843550fa4bed10ae34ef7097e799b3bfb63f71aa6e42df208ee34f","key":"run-01a22929-4422-71fa-99a0-4f5cdfdd45bf","key_expires_at":"2026-12-29T21:15:00.003378Z","run_type":"01a22929-3dc3-72fe-bff4-d7ec5169c477","via":"api"}', NULL),
	(46, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"after":[],"arguments":"{\"amount\":\"21\",\"currency\":\"EUR\",\"order\":\"1042\"}","consequential":true,"deadline_at":"2026-11-29T22:15:00.003378Z","dependency_name":"bank","effect":"01a22929-4432-7432-88e7-a534ccc699e8","effect_digest":"8ed2b5f6eb8cf64f5373ad1246d495e826138332ea01a277752fbcfcda1f1cab","executor":"http","intent_digest":"02ae2475aee36e57022b1bbce68b1ad3d9a105f85b5bae23a90dff2ae54107e3","irreversible":false,"key":"refund-01a22929-442c-7729-a57f-2e2c25521257","key_expires_at":"2026-12-29T21:15:00.014170Z","key_scope":"run","number":1,"operation":"01a22929-3c89-755a-90c0-a84fb6b797fe","operation_name":"refund","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","reason":"","request":null,"required":true,"rule":"the-rest","state_reason":"","summary":"Refund 21.00 EUR on order 1042","supersedes":null,"target":"order:1042","to":"ready","verdict":"allow","via":"api"}', NULL),
	(47, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"after":["01a22929-4432-7432-88e7-a534ccc699e8"],"arguments":"{\"amount\":\"22\",\"currency\":\"EUR\",\"order\":\"1042\"}","consequential":true,"deadline_at":"2026-11-29T22:15:00.003378Z","dependency_name":"bank","effect":"01a22929-444d-7093-99f9-398241713a02","effect_digest":"bfb24e5043da45fbe2df4252c01b2c6e728fb296d08f48126cfd84761d7e9bff","executor":"http","intent_digest":"ba3c9b32c429432368347cb4fd6d69940214d81decfa03c93c21925e18448419","irreversible":false,"key":"refund-01a22929-4444-74de-8527-2feb5597148f","key_expires_at":"2026-12-29T21:15:00.038956Z","key_scope":"run","number":2,"operation":"01a22929-3c89-755a-90c0-a84fb6b797fe","operation_name":"refund","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","reason":"","request":null,"required":true,"rule":"the-rest","state_reason":"","summary":"Refund 22.00 EUR on order 1042","supersedes":null,"target":"order:1042","to":"blocked","verdict":"allow","via":"api"}', NULL),
	(50, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","completes_itself":false,"deadline_at":"2026-12-02T21:15:00.080353Z","driver":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","epoch":1,"goal":"Large","intent_digest":"16f4224a92c8dfc3424d30e4482108b076274dee747ee56ce77a2301346526ec","key":"run-01a22929-446f-7449-8580-750c1615ae60","key_expires_at":"2026-12-29T21:15:00.080353Z","run_type":"01a22929-3dc3-72fe-bff4-d7ec5169c477","via":"api"}', NULL),
	(51, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","arguments":"{\"amount\":\"2000\",\"currency\":\"EUR\",\"order\":\"1042\"}","decide_by":"2026-11-29T22:15:00.100904Z","groups":["finance"],"irreversible":false,"operation":"refund","owner":"01a22929-3baf-70d1-bc86-7caa48539f1d","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","quorum":2,"reason":"","rule":"very-large","shown":"{\"contract\":\"refund, version 1\",\"description\":\"Pays money back to the customer''s card.\",\"executor\":\"http\",\"if_it_goes_wrong\":\"A refund is undone only by a new charge, which the customer must agree to.\",\"residue\":[\"The customer has been told by the bank.\"],\"run_type\":\"customer-case\"}","subject":"01a22929-4494-75fc-8e5e-8b131f304044","subject_digest":"5b2878fa38d77d2b9eea3e8e76649be452723c5330231149f0ca633e226b152d","summary":"Refund 2,000.00 EUR on order 1042","target":"order:1042","tier":"normal","use_within_seconds":3600,"via":"api"}', NULL),
	(49, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-445a-73ae-a4d4-baa64d389663", "effect" : "01a22929-4432-7432-88e7-a534ccc699e8", "outcome" : "unknown", "to" : "unknown", "http_status" : null, "sent" : true, "reason" : "", "result" : null, "reference" : "", "evidence_digest" : "bf851bbae351233e940dced2029b4feab93febc0f1b2675c559d1cda36982f99"}', NULL),
	(57, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent_id":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","created_at":"2026-11-29T21:15:00.321224Z","digest":"caa9aae55246814cf9bc4011a51e3b78987c9eda5d526b59b41468252bebcc04","expires_at":"2026-11-30T21:15:00.321224Z","id":"01a22929-4561-7102-bf24-4e6381247220","prefix":"cf_S0XSdcW","revoked_at":null,"scopes":["runs:read","runs:write"],"via":"test"}', NULL),
	(59, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-4544-7768-add1-cc5e460cbaaf", "effect" : "01a22929-44ed-76a6-8c03-a44f6134d02d", "outcome" : "unknown", "to" : "unknown", "sent" : null, "reason" : "the lease ended without a report"}', NULL),
	(60, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"reason":"nobody decided in time","via":"clock"}', NULL),
	(61, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"effect" : "01a22929-4494-75fc-8e5e-8b131f304044", "request" : "01a22929-449a-7565-a8f8-374581bb5de1", "reason" : "nobody decided in time"}', NULL),
	(62, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"effect":"01a22929-444d-7093-99f9-398241713a02","reason":"its deadline passed before it was begun","to":"expired","via":"clock"}', NULL),
	(63, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"reason":"the run''s deadline passed","toward":"expired","via":"clock"}', NULL),
	(52, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"after":[],"arguments":"{\"amount\":\"2000\",\"currency\":\"EUR\",\"order\":\"1042\"}","consequential":true,"deadline_at":"2026-11-30T21:15:00.100904Z","dependency_name":"bank","effect":"01a22929-4494-75fc-8e5e-8b131f304044","effect_digest":"5b2878fa38d77d2b9eea3e8e76649be452723c5330231149f0ca633e226b152d","executor":"http","intent_digest":"cfd849a4d8ec593c7cb41db1e15958183ac026e632ae905a4f987a9023b8529e","irreversible":false,"key":"refund-01a22929-4481-7753-8561-fa8df8557c63","key_expires_at":"2026-12-29T21:15:00.100904Z","key_scope":"run","number":1,"operation":"01a22929-3c89-755a-90c0-a84fb6b797fe","operation_name":"refund","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","reason":"","request":"01a22929-449a-7565-a8f8-374581bb5de1","required":true,"rule":"very-large","state_reason":"","summary":"Refund 2,000.00 EUR on order 1042","supersedes":null,"target":"order:1042","to":"awaiting_approval","verdict":"ask","via":"api"}', NULL),
	(53, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"decision":"01a22929-44b7-70c3-bdff-03de25b15898","member":"01a22929-3b96-77d6-9412-d16d6669a29d","reason":"","shown_digest":"5b2878fa38d77d2b9eea3e8e76649be452723c5330231149f0ca633e226b152d","verdict":"approve","via":"page"}', NULL),
	(54, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","completes_itself":false,"deadline_at":"2026-12-02T21:15:00.171985Z","driver":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","epoch":1,"goal":"Answer about order 1042","intent_digest":"560bbdb5dd46883fb72634d314c13e26098c8181164a60135b28fd45fc7b61a3","key":"run-01a22929-44cb-7154-b47f-1675c1f7b4e9","key_expires_at":"2026-12-29T21:15:00.171985Z","run_type":"01a22929-40ce-7261-9990-6135039aac5c","via":"api"}', NULL),
	(55, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"after":[],"arguments":"{\"currency\":\"EUR\",\"customer\":\"Ana Lindqvist\",\"order\":\"1042\",\"paid\":\"120\",\"subject\":\"half of it was missing\"}","consequential":true,"deadline_at":"2026-12-01T21:15:00.194834Z","dependency_name":"","effect":"01a22929-44ed-76a6-8c03-a44f6134d02d","effect_digest":"c9b78400fc5ddb93c7d30348b8ce169962b631f98a571040f80ac1d9652837e5","executor":"human","intent_digest":"ad5967bf19901d2f5507eec77e830e43eb27427bba1363e79ad441d63905213b","irreversible":false,"key":"call-01a22929-44d4-702d-9a66-f2fd6c9fe3cc","key_expires_at":"2026-12-29T21:15:00.194834Z","key_scope":"run","number":1,"operation":"01a22929-40e0-730b-9c04-84338695475d","operation_name":"call_customer","policy":"01a22929-3f70-7452-abe8-b4f6b8b4506c","reason":"The customer asked to be called.","request":null,"required":true,"rule":"the-rest","state_reason":"","summary":"Call Ana Lindqvist about order 1042: half of it was missing","supersedes":null,"target":"order:1042","to":"ready","verdict":"allow","via":"api"}', NULL),
	(56, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"attempt" : "01a22929-4544-7768-add1-cc5e460cbaaf", "effect" : "01a22929-44ed-76a6-8c03-a44f6134d02d", "number" : 1, "kind" : "act", "fence" : 1, "dependency" : "", "via" : "page"}', NULL),
	(58, '01a22929-3b5a-73af-b093-e778a3b3d63f', '{"agent":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","completes_itself":false,"deadline_at":"2026-12-02T21:15:01.169590Z","driver":"01a22929-3bc5-7022-a748-7f0c25d5f4d5","epoch":1,"goal":"Over the wire","intent_digest":"8c2d8aa68000af2f30d2eb218dc19cbc2320f9b45e058ae86c5cd165633d2877","key":"01a22929-4565-731f-b6f0-6e4393812849","key_expires_at":"2026-12-29T21:15:01.169590Z","run_type":"01a22929-3dc3-72fe-bff4-d7ec5169c477","via":"api"}', NULL);


--
-- Data for Name: ledger_refusal; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.ledger_refusal VALUES
	(1, '01a22929-3b5a-73af-b093-e778a3b3d63f', '2026-11-29 21:15:00.169513+00', 'member:01a22929-3b96-77d6-9412-d16d6669a29d', 'approve', '01a22929-449a-7565-a8f8-374581bb5de1', 'already_counted', 'Your word on this is already counted; nobody is counted twice.');


--
-- Data for Name: ledger_tally; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.ledger_tally VALUES
	(1, 'refusals', '{}', 1);


--
-- Data for Name: runs_attempt; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.runs_attempt VALUES
	('01a22929-41de-7601-bc00-559e5e75ce26', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'act', 1, 'worker:test:1', 'bank', 'ended', 'succeeded', 201, true, '', '{"request":{"method":"POST","url":"http://bank/refunds"},"response":{"body":{"note":"zwölf € — “so”","order":"1042"},"status":201}}', '\xb8be0ab6dac0a91c0102ff2cb9dd8561ce30e0f67a3aac41f3faf6d0a15acb5e', '2026-11-29 21:14:59.438199+00', '2026-11-29 21:14:59.455863+00', '', NULL, NULL, NULL, NULL, false, NULL, '01a22929-41a1-76f8-b00c-b74378f57f51', '01a22929-4179-75a0-83a4-d010518de9c1'),
	('01a22929-422e-733f-b9af-1f09bee2ba7a', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'act', 1, 'worker:test:1', 'bank', 'ended', 'succeeded', 201, true, '', '{"request":{"method":"POST","url":"http://bank/refunds"},"response":{"body":{"id":"r-1"},"status":201}}', '\x4e12052c119ab92e05baa9cc6fdf641b1b2a3625459b6c3df15dc883d81c9cec', '2026-11-29 21:14:59.505288+00', '2026-11-29 21:14:59.523324+00', '', NULL, NULL, NULL, NULL, false, NULL, '01a22929-41c6-70f0-b147-63fcf183f18b', '01a22929-4179-75a0-83a4-d010518de9c1'),
	('01a22929-440a-755a-88c6-5561b83d282d', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'act', 1, 'worker:test:1', 'bank', 'ended', 'rejected', 422, true, 'The bank says no.', '{"request":{"method":"POST","url":"http://bank/refunds"},"response":{"body":null,"status":422}}', '\x5806d0ae58e486184bc1630c5fedba65e2305bb679809953223017684928ccf2', '2026-11-29 21:14:59.982802+00', '2026-11-29 21:14:59.99452+00', '', NULL, NULL, NULL, NULL, false, NULL, '01a22929-43db-7752-9426-d48817ff3f00', '01a22929-4386-77f5-bb7a-5ecc3f49c9c1'),
	('01a22929-445a-73ae-a4d4-baa64d389663', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'act', 1, 'worker:test:1', 'bank', 'ended', 'unknown', NULL, true, '', '{"request":{"method":"POST","url":"http://bank/refunds"},"response":{"body":null,"status":null}}', '\xbf851bbae351233e940dced2029b4feab93febc0f1b2675c559d1cda36982f99', '2026-11-29 21:15:00.060683+00', '2026-11-29 21:15:00.067714+00', '', NULL, NULL, NULL, NULL, false, NULL, '01a22929-4432-7432-88e7-a534ccc699e8', '01a22929-4426-711e-9728-f3cae4f11769'),
	('01a22929-4544-7768-add1-cc5e460cbaaf', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'act', 1, 'member:01a22929-3b87-7681-9cde-f00269a1fce6', '', 'lost', 'unknown', NULL, NULL, 'the lease ended without a report', NULL, NULL, '2026-11-29 21:15:00.292844+00', '2026-11-29 23:15:02.357015+00', '', NULL, NULL, NULL, NULL, false, NULL, '01a22929-44ed-76a6-8c03-a44f6134d02d', '01a22929-44cf-72d9-9520-d6cb15dae278');


--
-- Data for Name: runs_dependency; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.runs_dependency VALUES
	('01a22929-3c53-77fb-9412-e4665633ee09', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'bank', 1, '{"apiVersion":"counterfoil/v1","base_url":"http://127.0.0.1:8701","breaker":{"failures":5,"open_seconds":30,"window_seconds":30},"concurrency":64,"degraded":{"mode":"Nothing is done instead; refunds and transfers wait in the record.","promise":"Nothing that was accepted is lost, and nothing is paid twice."},"description":"The bank that keeps the shop''s accounts. It ships with the product as examples/bank.","failover":{"eligible":false,"requirements":"No other bank keeps these accounts."},"guards":["uncompensable"],"kind":"Dependency","late_results":"Recorded as evidence; they change nothing by themselves.","name":"bank","rate_per_second":null,"recovery":{"drain_per_second":20,"order":1,"warm_up_seconds":30},"retry_budget":{"share":0.2},"timeout_seconds":15,"version":1}', '\x038c1e8e1f7911459cbb44b6f98e370fd46adc816f45b7eadfa57934d6e92c2c', '2026-11-29 21:14:58.00161+00', NULL, 64);


--
-- Data for Name: runs_effect; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.runs_effect VALUES
	('01a22929-41a1-76f8-b00c-b74378f57f51', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'lookup-01a22929-418d-764f-a2f8-dce0c82c3708', 'run', 'lookup', 'http', 'bank', 'Look up order 1042', 'order:1042', '{"order":"1042"}', '', true, false, false, '{}', '\xfc092042c761f6ca2eb900679813b65861780e929a54e9cb3d92a1ec17ade8f4', '\xfe403aa5342e0e79b2b667a5360964339888b75637ceabe7228af5c755cae119', 'succeeded', '', 'allow', 'the-rest', 1, 1, 'succeeded', '{"note":"zwölf € — “so”","order":"1042"}', '', '2026-11-29 21:24:59.350547+00', '2026-12-29 21:14:59.350547+00', '2026-11-29 21:14:59.350547+00', '2026-11-29 21:14:59.455863+00', NULL, NULL, '', '01a22929-3f70-7452-abe8-b4f6b8b4506c', NULL, NULL, '01a22929-3c61-74e1-a7ce-e99dbaf2f8d8', '01a22929-4179-75a0-83a4-d010518de9c1'),
	('01a22929-41c6-70f0-b147-63fcf183f18b', '01a22929-3b5a-73af-b093-e778a3b3d63f', 2, 'refund-01a22929-41b8-77ab-97d5-9e1e7c4ee7aa', 'run', 'refund', 'http', 'bank', 'Refund 120.00 EUR on order 1042', 'order:1042', '{"amount":"120","currency":"EUR","order":"1042"}', '', true, true, false, '{}', '\xc65d6aacea8a180c3db2aa8a90850e721aabc29b22e4ef2e6e4e2fd3d44dafa5', '\xc8954c0efa01d3f962d7236e78d8bc5167402c335cdae0e4135acf7edf28464f', 'succeeded', '', 'ask', 'large', 1, 1, 'succeeded', '{"id":"r-1"}', '', '2026-11-30 21:14:59.387648+00', '2026-12-29 21:14:59.387648+00', '2026-11-29 21:14:59.387648+00', '2026-11-29 21:14:59.523324+00', NULL, NULL, '', '01a22929-3f70-7452-abe8-b4f6b8b4506c', '01a22929-41c9-7015-801c-f1ed171a63a9', NULL, '01a22929-3c89-755a-90c0-a84fb6b797fe', '01a22929-4179-75a0-83a4-d010518de9c1'),
	('01a22929-4313-7757-9bbe-cf4196bbe947', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'transfer-01a22929-42e6-7018-82ef-23296457f26d', 'tenant', 'transfer', 'http', 'bank', 'Transfer 5,400.00 EUR from operating to Nordwind Papier, IBAN DE89370400440532013000, for invoice R-77', 'invoice:R-77', '{"amount":"5400","currency":"EUR","from":"operating","iban":"DE89370400440532013000","invoice":"R-77","to":"Nordwind Papier"}', '', true, true, true, '{}', '\x6192379629180a93202a180de5eecad59f82d2ebae3ae84fec529977fa167fa7', '\x920475133d7647aa21ecea19e5ad4c4bdaf5490873038a84597517559aea2204', 'denied', 'No.', 'ask', 'transfers', 0, 0, '', NULL, '', '2026-12-01 21:14:59.693053+00', '2027-02-27 21:14:59.693053+00', '2026-11-29 21:14:59.693053+00', '2026-11-29 21:14:59.970127+00', NULL, NULL, '', '01a22929-3f70-7452-abe8-b4f6b8b4506c', '01a22929-4327-7402-94b1-892a8c8dc249', NULL, '01a22929-3d1e-76a6-9e56-3a2a28fe8494', '01a22929-426d-7792-8716-bab9f991b020'),
	('01a22929-43db-7752-9426-d48817ff3f00', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'refund-01a22929-43a5-719b-8765-0a58bb990b6d', 'run', 'refund', 'http', 'bank', 'Refund 20.00 EUR on order 1042', 'order:1042', '{"amount":"20","currency":"EUR","order":"1042"}', '', true, true, false, '{}', '\x12e7ce9a99058917ffe708d657067bd9ee3650fe793625d28e812aa1181268f2', '\x71686b241a0f93a4bf98f260d1cccd8384673d24cd9a6106b586289614b87e2a', 'rejected', 'The bank says no.', 'allow', 'the-rest', 1, 1, 'rejected', NULL, '', '2026-11-30 21:14:59.894006+00', '2026-12-29 21:14:59.894006+00', '2026-11-29 21:14:59.894006+00', '2026-11-29 21:14:59.99452+00', NULL, NULL, '', '01a22929-3f70-7452-abe8-b4f6b8b4506c', NULL, NULL, '01a22929-3c89-755a-90c0-a84fb6b797fe', '01a22929-4386-77f5-bb7a-5ecc3f49c9c1'),
	('01a22929-4432-7432-88e7-a534ccc699e8', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'refund-01a22929-442c-7729-a57f-2e2c25521257', 'run', 'refund', 'http', 'bank', 'Refund 21.00 EUR on order 1042', 'order:1042', '{"amount":"21","currency":"EUR","order":"1042"}', '', true, true, false, '{}', '\x02ae2475aee36e57022b1bbce68b1ad3d9a105f85b5bae23a90dff2ae54107e3', '\x8ed2b5f6eb8cf64f5373ad1246d495e826138332ea01a277752fbcfcda1f1cab', 'unknown', '', 'allow', 'the-rest', 1, 1, 'unknown', NULL, '', '2026-11-29 22:15:00.003378+00', '2026-12-29 21:15:00.01417+00', '2026-11-29 21:15:00.01417+00', NULL, '2026-11-29 21:15:00.067714+00', '2026-11-29 22:15:00.067714+00', '', '01a22929-3f70-7452-abe8-b4f6b8b4506c', NULL, NULL, '01a22929-3c89-755a-90c0-a84fb6b797fe', '01a22929-4426-711e-9728-f3cae4f11769'),
	('01a22929-44ed-76a6-8c03-a44f6134d02d', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'call-01a22929-44d4-702d-9a66-f2fd6c9fe3cc', 'run', 'call_customer', 'human', '', 'Call Ana Lindqvist about order 1042: half of it was missing', 'order:1042', '{"currency":"EUR","customer":"Ana Lindqvist","order":"1042","paid":"120","subject":"half of it was missing"}', 'The customer asked to be called.', true, true, false, '{}', '\xad5967bf19901d2f5507eec77e830e43eb27427bba1363e79ad441d63905213b', '\xc9b78400fc5ddb93c7d30348b8ce169962b631f98a571040f80ac1d9652837e5', 'unknown', 'the lease ended without a report', 'allow', 'the-rest', 1, 1, 'unknown', NULL, '', '2026-12-01 21:15:00.194834+00', '2026-12-29 21:15:00.194834+00', '2026-11-29 21:15:00.194834+00', NULL, '2026-11-29 23:15:02.357015+00', NULL, '', '01a22929-3f70-7452-abe8-b4f6b8b4506c', NULL, NULL, '01a22929-40e0-730b-9c04-84338695475d', '01a22929-44cf-72d9-9520-d6cb15dae278'),
	('01a22929-4494-75fc-8e5e-8b131f304044', '01a22929-3b5a-73af-b093-e778a3b3d63f', 1, 'refund-01a22929-4481-7753-8561-fa8df8557c63', 'run', 'refund', 'http', 'bank', 'Refund 2,000.00 EUR on order 1042', 'order:1042', '{"amount":"2000","currency":"EUR","order":"1042"}', '', true, true, false, '{}', '\xcfd849a4d8ec593c7cb41db1e15958183ac026e632ae905a4f987a9023b8529e', '\x5b2878fa38d77d2b9eea3e8e76649be452723c5330231149f0ca633e226b152d', 'expired', 'nobody decided in time', 'ask', 'very-large', 0, 0, '', NULL, '', '2026-11-30 21:15:00.100904+00', '2026-12-29 21:15:00.100904+00', '2026-11-29 21:15:00.100904+00', '2026-11-29 23:15:02.393509+00', NULL, NULL, '', '01a22929-3f70-7452-abe8-b4f6b8b4506c', '01a22929-449a-7565-a8f8-374581bb5de1', NULL, '01a22929-3c89-755a-90c0-a84fb6b797fe', '01a22929-4474-761f-be6c-2fa58b36435b'),
	('01a22929-444d-7093-99f9-398241713a02', '01a22929-3b5a-73af-b093-e778a3b3d63f', 2, 'refund-01a22929-4444-74de-8527-2feb5597148f', 'run', 'refund', 'http', 'bank', 'Refund 22.00 EUR on order 1042', 'order:1042', '{"amount":"22","currency":"EUR","order":"1042"}', '', true, true, false, '{01a22929-4432-7432-88e7-a534ccc699e8}', '\xba3c9b32c429432368347cb4fd6d69940214d81decfa03c93c21925e18448419', '\xbfb24e5043da45fbe2df4252c01b2c6e728fb296d08f48126cfd84761d7e9bff', 'expired', 'its deadline passed before it was begun', 'allow', 'the-rest', 0, 0, '', NULL, '', '2026-11-29 22:15:00.003378+00', '2026-12-29 21:15:00.038956+00', '2026-11-29 21:15:00.038956+00', '2026-11-29 23:15:02.406051+00', NULL, NULL, '', '01a22929-3f70-7452-abe8-b4f6b8b4506c', NULL, NULL, '01a22929-3c89-755a-90c0-a84fb6b797fe', '01a22929-4426-711e-9728-f3cae4f11769');


--
-- Data for Name: runs_operationcontract; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.runs_operationcontract VALUES
	('01a22929-3c61-74e1-a7ce-e99dbaf2f8d8', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'lookup', 1, '{"access":"read","apiVersion":"counterfoil/v1","arguments":{"additionalProperties":false,"properties":{"order":{"description":"The number of the order.","maxLength":64,"minLength":1,"type":"string"}},"required":["order"],"type":"object"},"consequential":false,"deadline_seconds":600,"dependency":"bank","description":"Reads what was ordered, what it cost and how the order stands.","executor":"http","http":{"attempt_timeout_seconds":5,"headers":{"Authorization":"Bearer {secret.bank-token}"},"mark_before_send":false,"max_response_bytes":65536,"method":"GET","outcomes":[{"outcome":"succeeded","result":{"currency":"{body.currency}","customer":"{body.customer}","order":"{body.order}","state":"{body.state}","total":"{body.total}","version":"{body.version}"},"when":{"op":"eq","path":"status","value":200}},{"outcome":"rejected","reason":"{body.reason}","when":{"op":"in","path":"status","value":[400,404,422]}},{"outcome":"denied","reason":"{body.reason}","when":{"op":"in","path":"status","value":[401,403]}},{"outcome":"overload","when":{"op":"in","path":"status","value":[429,503]}}],"url":"{dependency.base_url}/orders/{order}"},"irreversible":false,"kind":"Operation","name":"lookup","principal":"The run''s agent, within its own tenant.","required":true,"retry":{"attempts":6,"backoff":{"base_seconds":0.5,"factor":2,"max_seconds":20},"exhausted":"failed","honour_retry_after":true,"jitter":"full","non_retryable":["rejected","denied","invalid"],"owner":"counterfoil","retryable":["overload","transient","not_sent"],"total_seconds":120},"summary":"Look up order {order}","target":"order:{order}","tier":"low","version":1}', '\xa269cf98f662992ae6485e04f3fe0556fe535fcf203a4c397a5e8f2ff06bf553', '2026-11-29 21:14:58.01279+00', NULL, 'read', 'bank', 'http', false, 6, false, '{}', '{order}'),
	('01a22929-3c89-755a-90c0-a84fb6b797fe', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'refund', 1, '{"access":"write","apiVersion":"counterfoil/v1","arguments":{"additionalProperties":false,"properties":{"amount":{"description":"The amount to pay back.","exclusiveMinimum":"0","format":"decimal","maximum":"10000","multipleOf":"0.01","type":"string"},"currency":{"default":"EUR","description":"The currency of the order.","enum":["EUR","USD","GBP"],"type":"string"},"order":{"description":"The number of the order.","maxLength":64,"minLength":1,"type":"string"}},"required":["order","amount"],"type":"object"},"cancellation":{"cleanup":"","closed_by":"Nothing is in flight and no outcome is unknown.","in_flight":"let_finish","late_result":"recorded","mode":"graceful","scopes":["effect","run","tree"],"who":["driver","operator"]},"checkpoint":{"after":true,"before":true},"compensation":{"authority":null,"deadline_seconds":null,"escalation":null,"operation":null,"order":null,"residue":["The customer has been told by the bank."],"verification":null,"when":null,"why_none":"A refund is undone only by a new charge, which the customer must agree to."},"consequential":true,"deadline_seconds":86400,"dependency":"bank","description":"Pays money back to the customer''s card.","escalation":{"evidence":"The bank''s own record of the refund.","to":"operators"},"executor":"http","http":{"attempt_timeout_seconds":10,"body":{"amount":"{amount}","currency":"{currency}","order":"{order}"},"headers":{"Authorization":"Bearer {secret.bank-token}"},"mark_before_send":false,"max_response_bytes":65536,"method":"POST","outcomes":[{"outcome":"partial","result":{"parts":"{body.parts}","refund":"{body.id}"},"when":{"all":[{"op":"in","path":"status","value":[200,201]},{"op":"eq","path":"body.status","value":"partial"}]}},{"outcome":"succeeded","result":{"refund":"{body.id}"},"when":{"op":"in","path":"status","value":[200,201]}},{"operation_id":"{body.operation}","outcome":"accepted","when":{"op":"eq","path":"status","value":202}},{"outcome":"rejected","reason":"{body.reason}","when":{"op":"in","path":"status","value":[400,404,409,422]}},{"outcome":"denied","reason":"{body.reason}","when":{"op":"in","path":"status","value":[401,403]}},{"outcome":"overload","when":{"op":"in","path":"status","value":[429,503]}}],"status":{"absence_is_proof":false,"attempt_timeout_seconds":5,"every_seconds":5,"headers":{"Authorization":"Bearer {secret.bank-token}"},"max_response_bytes":65536,"method":"GET","objective_seconds":300,"outcomes":[{"outcome":"partial","result":{"parts":"{body.parts}","refund":"{body.id}"},"when":{"all":[{"op":"eq","path":"status","value":200},{"op":"eq","path":"body.status","value":"partial"}]}},{"outcome":"succeeded","result":{"refund":"{body.id}"},"when":{"op":"eq","path":"status","value":200}},{"outcome":"pending","when":{"op":"eq","path":"status","value":202}},{"outcome":"absent","when":{"op":"eq","path":"status","value":404}},{"outcome":"rejected","reason":"{body.reason}","when":{"op":"eq","path":"status","value":422}}],"url":"{dependency.base_url}/effects/{effect.key}"},"url":"{dependency.base_url}/refunds"},"irreversible":false,"irreversible_point":null,"key":{"equivalence":"The same operation, target and arguments.","retention_seconds":2592000,"scope":"run","storage":"record"},"kind":"Operation","name":"refund","partial":{"recognised_by":{"op":"eq","path":"body.status","value":"partial"},"then":"The bank names the parts that were paid; finance decides about the rest."},"preconditions":[],"principal":"The run''s agent, within its own tenant, on the shop''s account.","required":true,"retry":{"attempts":5,"backoff":{"base_seconds":0.5,"factor":2,"max_seconds":30},"exhausted":"failed","honour_retry_after":true,"jitter":"full","non_retryable":["rejected","denied","invalid","partial","unknown"],"owner":"counterfoil","retryable":["overload","not_sent"],"total_seconds":300},"state_version":{"from":null,"why_none":"A refund adds a record to the order and overwrites nothing."},"summary":"Refund {amount} {currency} on order {order}","target":"order:{order}","tier":"normal","unknown":{"age_objective_seconds":900,"owner":"operators","resend_same_key":false,"resolve":"status"},"verify":null,"version":1}', '\xb5d464ed68953ad512c75b90bde997a731c27d5a4d0dd052f9faeb40a8a85206', '2026-11-29 21:14:58.035727+00', NULL, 'write', 'bank', 'http', false, 5, true, '{}', '{order,amount,currency}'),
	('01a22929-3d1e-76a6-9e56-3a2a28fe8494', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'transfer', 1, '{"access":"write","apiVersion":"counterfoil/v1","arguments":{"additionalProperties":false,"properties":{"amount":{"description":"The amount to pay.","exclusiveMinimum":"0","format":"decimal","maximum":"1000000","multipleOf":"0.01","type":"string"},"currency":{"default":"EUR","description":"The currency of the invoice.","enum":["EUR","USD","GBP"],"type":"string"},"from":{"description":"The account that pays.","maxLength":64,"minLength":1,"type":"string"},"iban":{"description":"The payee''s account.","maxLength":34,"pattern":"^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$","type":"string"},"invoice":{"description":"The number of the invoice.","maxLength":64,"minLength":1,"type":"string"},"to":{"description":"The name of the payee.","maxLength":140,"minLength":1,"type":"string"}},"required":["from","to","iban","amount","invoice"],"type":"object"},"cancellation":{"cleanup":"","closed_by":"Nothing is in flight and no outcome is unknown.","in_flight":"let_finish","late_result":"recorded","mode":"graceful","scopes":["effect","run","tree"],"who":["operator"]},"checkpoint":{"after":true,"before":true},"compensation":{"authority":null,"deadline_seconds":null,"escalation":null,"operation":null,"order":null,"residue":["The transfer stands in the account''s statement."],"verification":null,"when":null,"why_none":"Money that has left cannot be called back; the payee can only be asked to return it."},"consequential":true,"deadline_seconds":172800,"dependency":"bank","description":"Pays a supplier''s invoice by bank transfer.","escalation":{"evidence":"The bank''s own record of the transfer and the account''s statement.","to":"operators"},"executor":"http","http":{"attempt_timeout_seconds":10,"body":{"amount":"{amount}","currency":"{currency}","from":"{from}","iban":"{iban}","invoice":"{invoice}","to":"{to}"},"headers":{"Authorization":"Bearer {secret.bank-token}"},"mark_before_send":true,"max_response_bytes":65536,"method":"POST","outcomes":[{"outcome":"succeeded","result":{"transfer":"{body.id}"},"when":{"op":"in","path":"status","value":[200,201]}},{"operation_id":"{body.operation}","outcome":"accepted","when":{"op":"eq","path":"status","value":202}},{"outcome":"rejected","reason":"{body.reason}","when":{"op":"in","path":"status","value":[400,404,409,422]}},{"outcome":"denied","reason":"{body.reason}","when":{"op":"in","path":"status","value":[401,403]}},{"outcome":"overload","when":{"op":"in","path":"status","value":[429,503]}}],"status":{"absence_is_proof":false,"attempt_timeout_seconds":5,"every_seconds":5,"headers":{"Authorization":"Bearer {secret.bank-token}"},"max_response_bytes":65536,"method":"GET","objective_seconds":600,"outcomes":[{"outcome":"succeeded","result":{"transfer":"{body.id}"},"when":{"op":"eq","path":"status","value":200}},{"outcome":"pending","when":{"op":"eq","path":"status","value":202}},{"outcome":"absent","when":{"op":"eq","path":"status","value":404}},{"outcome":"rejected","reason":"{body.reason}","when":{"op":"eq","path":"status","value":422}}],"url":"{dependency.base_url}/effects/{effect.key}"},"url":"{dependency.base_url}/transfers"},"irreversible":true,"irreversible_point":"When the bank takes the transfer.","key":{"equivalence":"The same operation, target and arguments.","retention_seconds":7776000,"scope":"tenant","storage":"record"},"kind":"Operation","name":"transfer","partial":{"recognised_by":null,"then":"Not possible: one transfer is one record."},"preconditions":["The invoice was matched with an order and its goods have arrived."],"principal":"The run''s agent, within its own tenant, on the shop''s account.","required":true,"retry":{"attempts":4,"backoff":{"base_seconds":1,"factor":2,"max_seconds":30},"exhausted":"failed","honour_retry_after":true,"jitter":"full","non_retryable":["rejected","denied","invalid","partial","unknown"],"owner":"counterfoil","retryable":["overload","not_sent"],"total_seconds":300},"state_version":{"from":null,"why_none":"The bank keeps no version of an invoice; the invoice''s number is in the arguments that are approved."},"summary":"Transfer {amount} {currency} from {from} to {to}, IBAN {iban}, for invoice {invoice}","target":"invoice:{invoice}","tier":"high","unknown":{"age_objective_seconds":600,"owner":"operators","resend_same_key":false,"resolve":"status"},"verify":null,"version":1}', '\x7a71e22d22f186bde40858275eec64e6438d3d713cc51ca96fcf269e2c8f84cf', '2026-11-29 21:14:58.203402+00', NULL, 'write', 'bank', 'http', true, 4, true, '{}', '{from,to,iban,amount,currency,invoice}'),
	('01a22929-40b9-70a7-a527-54249fbda9dc', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'letter', 1, '{"access":"write","agent":{"attempt_timeout_seconds":300,"lease_seconds":20,"outcomes":["succeeded","rejected","transient"],"result":{"additionalProperties":false,"properties":{"letter":{"description":"The letter''s number in the agent''s own post book.","maxLength":120,"minLength":1,"type":"string"},"words":{"description":"How long it became.","maximum":10000,"minimum":1,"type":"integer"}},"required":["letter","words"],"type":"object"}},"apiVersion":"counterfoil/v1","arguments":{"additionalProperties":false,"properties":{"customer":{"description":"Whom the letter is to.","maxLength":120,"minLength":1,"type":"string"},"order":{"description":"The number of the order.","maxLength":64,"minLength":1,"type":"string"},"subject":{"description":"The letter''s subject.","maxLength":120,"minLength":1,"type":"string"},"text":{"description":"What the letter says.","maxLength":4000,"minLength":1,"type":"string"}},"required":["order","customer","subject","text"],"type":"object"},"cancellation":{"cleanup":"","closed_by":"Nothing is in flight and no outcome is unknown.","in_flight":"let_finish","late_result":"recorded","mode":"graceful","scopes":["effect","run","tree"],"who":["driver","operator"]},"checkpoint":{"after":true,"before":true},"compensation":{"authority":null,"deadline_seconds":null,"escalation":null,"operation":null,"order":null,"residue":["The customer has read it."],"verification":null,"when":null,"why_none":"A letter that was posted can only be followed by another one."},"consequential":true,"deadline_seconds":86400,"dependency":null,"description":"Writes a letter to a customer and gives it to the post. The agent does it itself.","escalation":{"evidence":"The agent''s post book.","to":"operators"},"executor":"agent","irreversible":false,"irreversible_point":null,"key":{"equivalence":"The same operation, target and arguments.","retention_seconds":2592000,"scope":"run","storage":"record"},"kind":"Operation","name":"letter","partial":{"recognised_by":null,"then":"Not possible: a letter was given to the post or not."},"preconditions":[],"principal":"The run''s agent, within its own tenant, in the shop''s name.","required":true,"retry":{"attempts":3,"backoff":{"base_seconds":2,"factor":2,"max_seconds":30},"exhausted":"failed","honour_retry_after":true,"jitter":"full","non_retryable":["rejected","denied","invalid","partial","unknown"],"owner":"counterfoil","retryable":["transient","not_sent"],"total_seconds":600},"state_version":{"from":null,"why_none":"A letter adds to what was written about the order and overwrites nothing."},"summary":"Write to {customer} about order {order}: {subject}","target":"order:{order}","tier":"normal","unknown":{"age_objective_seconds":900,"owner":"operators","resend_same_key":false,"resolve":"person"},"verify":null,"version":1}', '\xd97987c3185d24b69c0dd2b2d93e8cab4dec04a4be081cfa3e420e0f8dcb677e', '2026-11-29 21:14:59.120662+00', NULL, 'write', '', 'agent', false, 3, false, '{}', '{order,customer,subject,text}'),
	('01a22929-40e0-730b-9c04-84338695475d', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'call_customer', 1, '{"access":"write","apiVersion":"counterfoil/v1","arguments":{"additionalProperties":false,"properties":{"currency":{"description":"The currency of the order.","enum":["EUR","USD","GBP"],"type":"string"},"customer":{"description":"Whom to call.","maxLength":120,"minLength":1,"type":"string"},"order":{"description":"The number of the order.","maxLength":64,"minLength":1,"type":"string"},"paid":{"description":"What the order cost.","format":"decimal","minimum":"0","multipleOf":"0.01","type":"string"},"subject":{"description":"What it is about.","maxLength":200,"minLength":1,"type":"string"}},"required":["order","customer","subject","paid","currency"],"type":"object"},"cancellation":{"cleanup":"","closed_by":"Nothing is in flight and no outcome is unknown.","in_flight":"let_finish","late_result":"recorded","mode":"graceful","scopes":["effect","run","tree"],"who":["driver","operator"]},"checkpoint":{"after":true,"before":true},"compensation":{"authority":null,"deadline_seconds":null,"escalation":null,"operation":null,"order":null,"residue":["The customer remembers the call."],"verification":null,"when":null,"why_none":"What was said cannot be unsaid; another call can put it right."},"consequential":true,"deadline_seconds":172800,"dependency":null,"description":"A person of the shop calls a customer and finds out what would put the order right.","escalation":{"evidence":"The telephone''s list of calls and the notes of whoever called.","to":"operators"},"executor":"human","human":{"attempt_timeout_seconds":14400,"evidence_required":true,"form":{"additionalProperties":false,"properties":{"agrees":{"title":"The customer agrees that we write it down","type":"boolean"},"amount":{"description":"For a refund: what the customer asks for, in the currency of the order.","exclusiveMinimum":"0","format":"decimal","maximum":"10000","multipleOf":"0.01","title":"How much of it","type":"string"},"call_again_on":{"format":"date","title":"Call again on","type":"string"},"notes":{"description":"What was said that matters later.","maxLength":2000,"title":"Notes","type":"string"},"spoke_to":{"description":"The name as it was given.","maxLength":120,"minLength":2,"title":"Who was on the line","type":"string"},"wish":{"enum":["refund","replacement","repair","nothing"],"title":"What would put it right","type":"string"}},"required":["spoke_to","wish","agrees"],"type":"object"},"groups":["support","finance"],"instructions":"Call the customer on the number that stands in the shop''s own books, never on one from a message.\nAsk what would put it right. Promise nothing above what the order cost; whatever is paid back is proposed and approved afterwards.\nWhen nobody answers, try twice more within the day, and report it as \"not now\".","lease_seconds":900,"outcomes":["succeeded","partial","rejected","transient"]},"irreversible":false,"irreversible_point":null,"key":{"equivalence":"The same operation, target and arguments.","retention_seconds":2592000,"scope":"run","storage":"record"},"kind":"Operation","name":"call_customer","partial":{"recognised_by":null,"then":"The customer was spoken to and something was left open; the notes say what."},"preconditions":[],"principal":"Somebody of support or finance, in the shop''s name.","required":true,"retry":{"attempts":3,"backoff":{"base_seconds":30,"factor":4,"max_seconds":3600},"exhausted":"failed","honour_retry_after":true,"jitter":"full","non_retryable":["rejected","denied","invalid","partial","unknown"],"owner":"counterfoil","retryable":["transient","not_sent"],"total_seconds":86400},"state_version":{"from":null,"why_none":"A call changes nothing that has a version; what the customer says is new."},"summary":"Call {customer} about order {order}: {subject}","target":"order:{order}","tier":"normal","unknown":{"age_objective_seconds":28800,"owner":"operators","resend_same_key":false,"resolve":"person"},"verify":null,"version":1}', '\x44d6822ee125288ea06526f697d203fc02032373a402f9bcc42125969e7e8fdc', '2026-11-29 21:14:59.166084+00', NULL, 'write', '', 'human', false, 3, false, '{support,finance}', '{order,customer,subject,paid,currency}'),
	('01a22929-40f1-76f9-b9cc-d1fcf07f61e5', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'exchange_rate', 1, '{"access":"read","apiVersion":"counterfoil/v1","arguments":{"additionalProperties":false,"properties":{"currency":{"description":"The currency.","maxLength":3,"pattern":"^[A-Z]{3}$","type":"string"},"day":{"description":"The day that the rate is of.","format":"date","type":"string"}},"required":["currency","day"],"type":"object"},"consequential":false,"deadline_seconds":600,"dependency":null,"description":"Asks the treasury''s table for a rate. It only reads, so it may be repeated at any time.","executor":"python","irreversible":false,"kind":"Operation","name":"exchange_rate","principal":"The run''s agent, within its own tenant.","python":{"attempt_timeout_seconds":5,"function":"exchange_rate","outcomes":["succeeded","rejected","transient"],"result":{"additionalProperties":false,"properties":{"currency":{"maxLength":3,"type":"string"},"day":{"format":"date","type":"string"},"rate":{"description":"EUR for one of the currency.","exclusiveMinimum":"0","format":"decimal","type":"string"}},"required":["currency","day","rate"],"type":"object"},"secrets":[]},"required":true,"retry":{"attempts":4,"backoff":{"base_seconds":1,"factor":2,"max_seconds":10},"exhausted":"failed","honour_retry_after":true,"jitter":"full","non_retryable":["rejected","denied","invalid"],"owner":"counterfoil","retryable":["transient","not_sent"],"total_seconds":120},"summary":"Ask what one {currency} is in EUR on {day}","target":"rate:{currency}","tier":"low","version":1}', '\x21ffd2d7ab28d56d10fc50e4b1693dc3d950d28df29685ffd0f8559878da071f', '2026-11-29 21:14:59.184119+00', NULL, 'read', '', 'python', false, 4, false, '{}', '{currency,day}'),
	('01a22929-4102-75eb-97de-d063cd8e79a9', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'settlement', 1, '{"access":"write","apiVersion":"counterfoil/v1","arguments":{"additionalProperties":false,"properties":{"currency":{"description":"The currency of the books.","maxLength":3,"pattern":"^[A-Z]{3}$","type":"string"},"day":{"description":"The day that is settled.","format":"date","type":"string"},"payments":{"description":"What was paid, each once.","items":{"additionalProperties":false,"properties":{"amount":{"format":"decimal","multipleOf":"0.01","type":"string"},"reference":{"maxLength":64,"minLength":1,"type":"string"}},"required":["reference","amount"],"type":"object"},"maxItems":500,"minItems":1,"type":"array"},"total":{"description":"What they come to; it is reckoned again.","format":"decimal","multipleOf":"0.01","type":"string"}},"required":["day","payments","total","currency"],"type":"object"},"cancellation":{"cleanup":"","closed_by":"Nothing is in flight and no outcome is unknown.","in_flight":"let_finish","late_result":"recorded","mode":"graceful","scopes":["effect","run","tree"],"who":["driver","operator"]},"checkpoint":{"after":true,"before":true},"compensation":{"authority":null,"deadline_seconds":null,"escalation":null,"operation":null,"order":null,"residue":["The page stays in the books."],"verification":null,"when":null,"why_none":"A page of the books is never taken out; a correction is another page."},"consequential":true,"deadline_seconds":86400,"dependency":null,"description":"Writes the settlement of a day''s payments into the shop''s books, once.","escalation":{"evidence":"The books themselves.","to":"operators"},"executor":"python","irreversible":false,"irreversible_point":null,"key":{"equivalence":"The same operation, target and arguments.","retention_seconds":2592000,"scope":"run","storage":"record"},"kind":"Operation","name":"settlement","partial":{"recognised_by":null,"then":"The page names the payments that it leaves out; they are settled on a page of their own."},"preconditions":["All payments of the day are in."],"principal":"The run''s agent, within its own tenant, on the shop''s books.","python":{"attempt_timeout_seconds":6,"function":"write_settlement","outcomes":["succeeded","partial","rejected","transient"],"result":{"additionalProperties":false,"properties":{"digest":{"description":"SHA-256 of the page.","maxLength":64,"type":"string"},"left_out":{"description":"Payments that are not on the page.","items":{"maxLength":64,"type":"string"},"type":"array"},"page":{"description":"The page of the books.","maxLength":200,"type":"string"},"payments":{"minimum":0,"type":"integer"},"total":{"format":"decimal","type":"string"}},"required":["page","payments","total"],"type":"object"},"secrets":[],"status":{"absence_is_proof":false,"attempt_timeout_seconds":5,"every_seconds":5,"function":"find_settlement","objective_seconds":120}},"required":true,"retry":{"attempts":4,"backoff":{"base_seconds":1,"factor":2,"max_seconds":30},"exhausted":"failed","honour_retry_after":true,"jitter":"full","non_retryable":["rejected","denied","invalid","partial","unknown"],"owner":"counterfoil","retryable":["transient","not_sent"],"total_seconds":300},"state_version":{"from":null,"why_none":"A settlement is a new page of the books under its effect''s own key; it overwrites nothing."},"summary":"Write the settlement of {day}: {total} {currency}","target":"settlement:{day}","tier":"normal","unknown":{"age_objective_seconds":300,"owner":"operators","resend_same_key":false,"resolve":"status"},"verify":null,"version":1}', '\x01dea5f59f5f7a632afcebb8c741cb0270f6db9078aa6b3c67b87743b6fe88ec', '2026-11-29 21:14:59.200504+00', NULL, 'write', '', 'python', false, 4, true, '{}', '{day,payments,total,currency}');


--
-- Data for Name: runs_run; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.runs_run VALUES
	(3, '\x0496cfd570f8e50091762698dd5bb14707a247f3f6f01ba766d4257b3a0fec71', '01a22929-426d-7792-8716-bab9f991b020', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run-01a22929-4265-7078-a34d-9e50f7861b2a', '\xb6bac98dd7a0f4c7676a6b4ab2de31f67d45ad8543a49fa2a176734b2812a6c5', 'Pay the invoice', false, 'running', '', '', 1, '2026-12-06 21:14:59.558355+00', '2026-12-29 21:14:59.558355+00', NULL, '{}', '2026-11-29 21:14:59.558355+00', NULL, '', NULL, '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3e66-75ce-9741-7cfb9b3eb6c4'),
	(7, '\xa58939658c7b56e014941f812e78503f1f7ef6255587c3a2f97fafab40d1b676', '01a22929-4426-711e-9728-f3cae4f11769', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run-01a22929-4422-71fa-99a0-4f5cdfdd45bf', '\x2fb16d17d5843550fa4bed10ae34ef7097e799b3bfb63f71aa6e42df208ee34f', 'Who knows', false, 'closing', 'expired', 'the run''s deadline passed', 1, '2026-11-29 22:15:00.003378+00', '2026-12-29 21:15:00.003378+00', NULL, '{}', '2026-11-29 21:15:00.003378+00', NULL, '', NULL, '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3dc3-72fe-bff4-d7ec5169c477'),
	(4, '\xff4778aaa0469fcff30af8fe8259830fad0451de0f3cdd78481cf5e72c0c3d7c', '01a22929-4386-77f5-bb7a-5ecc3f49c9c1', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run-01a22929-4374-702f-b2ec-49074fa99f64', '\x7b3c34b5ec4d656f2e6ca01dc01df29d486ce39eeb38fe815499aec18a6d52b7', 'A small one', false, 'running', '', '', 1, '2026-12-02 21:14:59.831072+00', '2026-12-29 21:14:59.831072+00', NULL, '{}', '2026-11-29 21:14:59.831072+00', NULL, '', NULL, '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3dc3-72fe-bff4-d7ec5169c477'),
	(9, '\x03144134a30624aadc0523879615b9650293e9b247ab7f61d0ca0ba0459da310', '01a22929-4179-75a0-83a4-d010518de9c1', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run-01a22929-4114-7758-88d2-3586de545df9', '\xffdb2511bfe6b41ee8535e27264a3e021ac6405b891ac30175253899627203d2', 'Make order 1042 right', false, 'succeeded', '', '', 1, '2026-12-02 21:14:59.314016+00', '2026-12-29 21:14:59.314016+00', '{"refunded":"120.00"}', '{}', '2026-11-29 21:14:59.314016+00', '2026-11-29 21:14:59.539337+00', '', NULL, '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3dc3-72fe-bff4-d7ec5169c477'),
	(1, '\x38ea4ec32400f48a90cd8a2e57561ed7498c13892d99ad8eb5696e9264a11d43', '01a22929-48b9-7077-a45d-814e8410e90f', '01a22929-3b5a-73af-b093-e778a3b3d63f', '01a22929-4565-731f-b6f0-6e4393812849', '\x8c2d8aa68000af2f30d2eb218dc19cbc2320f9b45e058ae86c5cd165633d2877', 'Over the wire', false, 'running', '', '', 1, '2026-12-02 21:15:01.16959+00', '2026-12-29 21:15:01.16959+00', NULL, '{}', '2026-11-29 21:15:01.16959+00', NULL, '', NULL, '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3dc3-72fe-bff4-d7ec5169c477'),
	(4, '\xb12bd7885aadc9ace8cc3caa63715a994ea71ccf93421630025218979071ae3c', '01a22929-44cf-72d9-9520-d6cb15dae278', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run-01a22929-44cb-7154-b47f-1675c1f7b4e9', '\x560bbdb5dd46883fb72634d314c13e26098c8181164a60135b28fd45fc7b61a3', 'Answer about order 1042', false, 'running', '', '', 1, '2026-12-02 21:15:00.171985+00', '2026-12-29 21:15:00.171985+00', NULL, '{}', '2026-11-29 21:15:00.171985+00', NULL, '', NULL, '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-40ce-7261-9990-6135039aac5c'),
	(3, '\x76e09ecdc238eadeac511a7f0ecf03dc8fe3747bcb9aa8820c77dbc519732529', '01a22929-4474-761f-be6c-2fa58b36435b', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'run-01a22929-446f-7449-8580-750c1615ae60', '\x16f4224a92c8dfc3424d30e4482108b076274dee747ee56ce77a2301346526ec', 'Large', false, 'running', '', '', 1, '2026-12-02 21:15:00.080353+00', '2026-12-29 21:15:00.080353+00', NULL, '{}', '2026-11-29 21:15:00.080353+00', NULL, '', NULL, '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3bc5-7022-a748-7f0c25d5f4d5', '01a22929-3dc3-72fe-bff4-d7ec5169c477');


--
-- Data for Name: runs_runtypecontract; Type: TABLE DATA; Schema: public; Owner: counterfoil_owner
--

INSERT INTO public.runs_runtypecontract VALUES
	('01a22929-3dc3-72fe-bff4-d7ec5169c477', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'customer-case', 1, '{"apiVersion":"counterfoil/v1","checkpoint":{"boundaries":["transition","before_effect","after_effect","wait","approval"],"max_lost_progress":"Nothing that was accepted; at most one message that was being written.","schema_version":1},"complete_with_unresolved":false,"consequential":true,"deadline_seconds":259200,"description":"A customer writes about an order; the agent looks it up and, where it is due, pays money back.","evidence":{"failure_injection":"tests/crash kills a worker at every named point of an effect.","restore":"tests/crash restores a run from the record alone after every process was killed."},"kind":"RunType","migrations":[],"name":"customer-case","objectives":{"drain_per_second":10,"recovery_seconds":60},"operations":["lookup","refund"],"ownership":{"concurrency":"one driver","fencing":true,"lease_seconds":60},"persisted":{"artifacts":"In the shop''s own store, referred to by number and digest.","history":"ledger","state":"The case''s number, what was found out, and what remains to be done."},"pins":{"code":"decide","context":"continue","interface":"decide","model":"continue","policy":"decide","prompt":"continue","workflow":"quarantine"},"quarantine":{"path":"An operator reads the history and finishes the case by hand.","to":"operators"},"revalidate":["identity","approval","policy","secret","state"],"success_criteria":["The order was looked up.","What was owed to the customer has been paid back, or the case says why not."],"unknown":{"before_continue":"reconcile"},"version":1,"waits":{"children":[],"subscriptions":[],"timers":[]}}', '\xe0e48530142d55ddbcec9eda698fe14a9d886b2dcc912d73d8d0c211775fc7c4', '2026-11-29 21:14:58.348104+00', NULL),
	('01a22929-3e66-75ce-9741-7cfb9b3eb6c4', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'close-invoice', 1, '{"apiVersion":"counterfoil/v1","checkpoint":{"boundaries":["transition","before_effect","after_effect","wait","approval","hand_over"],"max_lost_progress":"Nothing that was accepted.","schema_version":1},"complete_with_unresolved":false,"consequential":true,"deadline_seconds":604800,"description":"A supplier''s invoice is checked against its order and paid.","evidence":{"failure_injection":"tests/crash kills a worker at every named point of an effect.","restore":"tests/crash restores a run from the record alone after every process was killed."},"kind":"RunType","migrations":[],"name":"close-invoice","objectives":{"drain_per_second":5,"recovery_seconds":60},"operations":["lookup","transfer"],"ownership":{"concurrency":"one driver","fencing":true,"lease_seconds":60},"persisted":{"artifacts":"The invoice in the shop''s own store, referred to by number and digest.","history":"ledger","state":"The invoice''s number, the order it was matched with, and the payment proposed."},"pins":{"code":"decide","context":"continue","interface":"quarantine","model":"decide","policy":"decide","prompt":"decide","workflow":"quarantine"},"quarantine":{"path":"An operator compares the account''s statement with the history and decides.","to":"operators"},"revalidate":["identity","approval","policy","secret","state"],"success_criteria":["The invoice was matched with its order.","It has been paid once, or the run says why not."],"unknown":{"before_continue":"reconcile"},"version":1,"waits":{"children":[],"subscriptions":[],"timers":[]}}', '\x797d29a67181f0090fd82256afd89f4f199db08611ba4ddd4e65a16bed05d85b', '2026-11-29 21:14:58.530655+00', NULL),
	('01a22929-40ce-7261-9990-6135039aac5c', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'correspondence', 1, '{"apiVersion":"counterfoil/v1","checkpoint":{"boundaries":["transition","before_effect","after_effect","wait","approval"],"max_lost_progress":"Nothing that was accepted; at most one letter that was being written.","schema_version":1},"complete_with_unresolved":false,"consequential":true,"deadline_seconds":259200,"description":"A customer wants to know something; the agent looks the order up, and writes, or leaves a call to a person.","evidence":{"failure_injection":"tests/crash kills a worker at every named point of an effect.","restore":"tests/crash restores a run from the record alone after every process was killed."},"kind":"RunType","migrations":[],"name":"correspondence","objectives":{"drain_per_second":5,"recovery_seconds":60},"operations":["lookup","letter","call_customer"],"ownership":{"concurrency":"one driver","fencing":true,"lease_seconds":60},"persisted":{"artifacts":"Letters in the agent''s own post book, referred to by number.","history":"ledger","state":"The case''s number, what was found out, and how the customer is answered."},"pins":{"code":"decide","context":"continue","interface":"decide","model":"continue","policy":"decide","prompt":"continue","workflow":"quarantine"},"quarantine":{"path":"An operator reads the post book and answers the customer by hand.","to":"operators"},"revalidate":["identity","approval","policy","secret","state"],"success_criteria":["The customer was answered once, in writing or on the telephone."],"unknown":{"before_continue":"reconcile"},"version":1,"waits":{"children":[],"subscriptions":[],"timers":[]}}', '\x7c008613d7e03aae3472e142072c8d14ea933beba22223c4e92fcc02df4d4a20', '2026-11-29 21:14:59.146939+00', NULL),
	('01a22929-4110-71ed-9e31-e70a59f141ab', '01a22929-3b5a-73af-b093-e778a3b3d63f', 'close-day', 1, '{"apiVersion":"counterfoil/v1","checkpoint":{"boundaries":["transition","before_effect","after_effect","wait","approval"],"max_lost_progress":"Nothing that was accepted.","schema_version":1},"complete_with_unresolved":true,"consequential":true,"deadline_seconds":259200,"description":"The payments of a day are brought into one currency and settled in the books.","evidence":{"failure_injection":"tests/crash kills a worker at every named point of an effect.","restore":"tests/crash restores a run from the record alone after every process was killed."},"kind":"RunType","migrations":[],"name":"close-day","objectives":{"drain_per_second":5,"recovery_seconds":60},"operations":["exchange_rate","settlement"],"ownership":{"concurrency":"one driver","fencing":true,"lease_seconds":60},"persisted":{"artifacts":"The page of the books, referred to by its name and digest.","history":"ledger","state":"The day, its payments and the rates that were asked for."},"pins":{"code":"decide","context":"continue","interface":"decide","model":"continue","policy":"decide","prompt":"continue","workflow":"quarantine"},"quarantine":{"path":"An operator compares the books with the day''s payments and decides.","to":"operators"},"revalidate":["identity","approval","policy","secret","state"],"success_criteria":["The day''s payments stand on one page of the books, or those left out are named."],"unknown":{"before_continue":"reconcile"},"version":1,"waits":{"children":[],"subscriptions":[],"timers":[]}}', '\xbd93f6fc2f764acc33c357fe464615d53f94c752c04d0675a045f7ad20d04ab0', '2026-11-29 21:14:59.215432+00', NULL);


--
-- Name: account_emailaddress_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.account_emailaddress_id_seq', 1, true);


--
-- Name: account_emailconfirmation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.account_emailconfirmation_id_seq', 1, true);


--
-- Name: approvals_coverage_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.approvals_coverage_id_seq', 1, true);


--
-- Name: auth_group_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.auth_group_id_seq', 1, true);


--
-- Name: auth_group_permissions_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.auth_group_permissions_id_seq', 1, true);


--
-- Name: auth_permission_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.auth_permission_id_seq', 117, true);


--
-- Name: django_admin_log_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.django_admin_log_id_seq', 1, true);


--
-- Name: django_content_type_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.django_content_type_id_seq', 30, true);


--
-- Name: django_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.django_migrations_id_seq', 41, true);


--
-- Name: ledger_entry_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.ledger_entry_id_seq', 63, true);


--
-- Name: ledger_refusal_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.ledger_refusal_id_seq', 1, true);


--
-- Name: ledger_tally_id_seq; Type: SEQUENCE SET; Schema: public; Owner: counterfoil_owner
--

SELECT pg_catalog.setval('public.ledger_tally_id_seq', 1, true);


--
-- Name: account_emailaddress account_emailaddress_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_pkey PRIMARY KEY (id);


--
-- Name: account_emailaddress account_emailaddress_user_id_email_987c8728_uniq; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_email_987c8728_uniq UNIQUE (user_id, email);


--
-- Name: account_emailconfirmation account_emailconfirmation_key_key; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_key_key UNIQUE (key);


--
-- Name: account_emailconfirmation account_emailconfirmation_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_pkey PRIMARY KEY (id);


--
-- Name: approvals_coverage approvals_coverage_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_coverage
    ADD CONSTRAINT approvals_coverage_pkey PRIMARY KEY (id);


--
-- Name: approvals_decision approvals_decision_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_decision
    ADD CONSTRAINT approvals_decision_pkey PRIMARY KEY (id);


--
-- Name: approvals_coverage approvals_one_policy_an_operation; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_coverage
    ADD CONSTRAINT approvals_one_policy_an_operation UNIQUE (tenant_id, operation);


--
-- Name: approvals_decision approvals_one_word_a_member; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_decision
    ADD CONSTRAINT approvals_one_word_a_member UNIQUE (request_id, member_id);


--
-- Name: approvals_policy approvals_policy_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_policy
    ADD CONSTRAINT approvals_policy_pkey PRIMARY KEY (id);


--
-- Name: approvals_policy approvals_policy_version_once; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_policy
    ADD CONSTRAINT approvals_policy_version_once UNIQUE (tenant_id, name, version);


--
-- Name: approvals_request approvals_request_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_request
    ADD CONSTRAINT approvals_request_pkey PRIMARY KEY (id);


--
-- Name: auth_group auth_group_name_key; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);


--
-- Name: auth_group_permissions auth_group_permissions_group_id_permission_id_0cd325b0_uniq; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);


--
-- Name: auth_group_permissions auth_group_permissions_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);


--
-- Name: auth_group auth_group_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);


--
-- Name: auth_permission auth_permission_content_type_id_codename_01ab375a_uniq; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);


--
-- Name: auth_permission auth_permission_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);


--
-- Name: django_admin_log django_admin_log_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_pkey PRIMARY KEY (id);


--
-- Name: django_content_type django_content_type_app_label_model_76bd3d3b_uniq; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);


--
-- Name: django_content_type django_content_type_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);


--
-- Name: django_migrations django_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);


--
-- Name: django_session django_session_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.django_session
    ADD CONSTRAINT django_session_pkey PRIMARY KEY (session_key);


--
-- Name: http_idempotencyrecord http_idempotencyrecord_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.http_idempotencyrecord
    ADD CONSTRAINT http_idempotencyrecord_pkey PRIMARY KEY (id);


--
-- Name: http_idempotencyrecord http_one_answer_a_key; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.http_idempotencyrecord
    ADD CONSTRAINT http_one_answer_a_key UNIQUE (tenant_id, principal, key);


--
-- Name: identity_agent identity_agent_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_agent
    ADD CONSTRAINT identity_agent_pkey PRIMARY KEY (id);


--
-- Name: identity_apikey identity_apikey_digest_key; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_apikey
    ADD CONSTRAINT identity_apikey_digest_key UNIQUE (digest);


--
-- Name: identity_apikey identity_apikey_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_apikey
    ADD CONSTRAINT identity_apikey_pkey PRIMARY KEY (id);


--
-- Name: identity_member identity_member_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_member
    ADD CONSTRAINT identity_member_pkey PRIMARY KEY (id);


--
-- Name: identity_agent identity_one_agent_a_name; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_agent
    ADD CONSTRAINT identity_one_agent_a_name UNIQUE (tenant_id, name);


--
-- Name: identity_member identity_one_membership; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_member
    ADD CONSTRAINT identity_one_membership UNIQUE (tenant_id, user_id);


--
-- Name: identity_tenant identity_tenant_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_tenant
    ADD CONSTRAINT identity_tenant_pkey PRIMARY KEY (id);


--
-- Name: identity_tenant identity_tenant_slug_key; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_tenant
    ADD CONSTRAINT identity_tenant_slug_key UNIQUE (slug);


--
-- Name: identity_user identity_user_email_key; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_user
    ADD CONSTRAINT identity_user_email_key UNIQUE (email);


--
-- Name: identity_user identity_user_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_user
    ADD CONSTRAINT identity_user_pkey PRIMARY KEY (id);


--
-- Name: ledger_beat ledger_beat_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.ledger_beat
    ADD CONSTRAINT ledger_beat_pkey PRIMARY KEY (name);


--
-- Name: ledger_entry ledger_entry_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.ledger_entry
    ADD CONSTRAINT ledger_entry_pkey PRIMARY KEY (id);


--
-- Name: ledger_incarnation ledger_incarnation_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.ledger_incarnation
    ADD CONSTRAINT ledger_incarnation_pkey PRIMARY KEY (id);


--
-- Name: ledger_entry ledger_one_entry_a_place; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.ledger_entry
    ADD CONSTRAINT ledger_one_entry_a_place UNIQUE (stream, seq);


--
-- Name: ledger_tally ledger_one_tally_a_name; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.ledger_tally
    ADD CONSTRAINT ledger_one_tally_a_name UNIQUE (name, labels);


--
-- Name: ledger_payload ledger_payload_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.ledger_payload
    ADD CONSTRAINT ledger_payload_pkey PRIMARY KEY (entry_id);


--
-- Name: ledger_refusal ledger_refusal_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.ledger_refusal
    ADD CONSTRAINT ledger_refusal_pkey PRIMARY KEY (id);


--
-- Name: ledger_tally ledger_tally_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.ledger_tally
    ADD CONSTRAINT ledger_tally_pkey PRIMARY KEY (id);


--
-- Name: runs_attempt runs_attempt_number_once; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_attempt
    ADD CONSTRAINT runs_attempt_number_once UNIQUE (effect_id, number);


--
-- Name: runs_attempt runs_attempt_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_attempt
    ADD CONSTRAINT runs_attempt_pkey PRIMARY KEY (id);


--
-- Name: runs_dependency runs_dependency_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_dependency
    ADD CONSTRAINT runs_dependency_pkey PRIMARY KEY (id);


--
-- Name: runs_dependency runs_dependency_version_once; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_dependency
    ADD CONSTRAINT runs_dependency_version_once UNIQUE (tenant_id, name, version);


--
-- Name: runs_effect runs_effect_number_once; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_effect
    ADD CONSTRAINT runs_effect_number_once UNIQUE (run_id, number);


--
-- Name: runs_effect runs_effect_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_effect
    ADD CONSTRAINT runs_effect_pkey PRIMARY KEY (id);


--
-- Name: runs_run runs_one_run_a_key; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_run
    ADD CONSTRAINT runs_one_run_a_key UNIQUE (tenant_id, agent_id, key);


--
-- Name: runs_operationcontract runs_operationcontract_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_operationcontract
    ADD CONSTRAINT runs_operationcontract_pkey PRIMARY KEY (id);


--
-- Name: runs_operationcontract runs_operationcontract_version_once; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_operationcontract
    ADD CONSTRAINT runs_operationcontract_version_once UNIQUE (tenant_id, name, version);


--
-- Name: runs_run runs_run_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_run
    ADD CONSTRAINT runs_run_pkey PRIMARY KEY (id);


--
-- Name: runs_runtypecontract runs_runtypecontract_pkey; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_runtypecontract
    ADD CONSTRAINT runs_runtypecontract_pkey PRIMARY KEY (id);


--
-- Name: runs_runtypecontract runs_runtypecontract_version_once; Type: CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_runtypecontract
    ADD CONSTRAINT runs_runtypecontract_version_once UNIQUE (tenant_id, name, version);


--
-- Name: account_emailaddress_email_03be32b2; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX account_emailaddress_email_03be32b2 ON public.account_emailaddress USING btree (email);


--
-- Name: account_emailaddress_email_03be32b2_like; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX account_emailaddress_email_03be32b2_like ON public.account_emailaddress USING btree (email varchar_pattern_ops);


--
-- Name: account_emailaddress_user_id_2c513194; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX account_emailaddress_user_id_2c513194 ON public.account_emailaddress USING btree (user_id);


--
-- Name: account_emailconfirmation_email_address_id_5b7f8c58; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX account_emailconfirmation_email_address_id_5b7f8c58 ON public.account_emailconfirmation USING btree (email_address_id);


--
-- Name: account_emailconfirmation_key_f43612bd_like; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX account_emailconfirmation_key_f43612bd_like ON public.account_emailconfirmation USING btree (key varchar_pattern_ops);


--
-- Name: approvals_coverage_policy_id_190717f6; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_coverage_policy_id_190717f6 ON public.approvals_coverage USING btree (policy_id);


--
-- Name: approvals_decided_by_state; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_decided_by_state ON public.approvals_request USING btree (tenant_id, state, decided_at DESC, id DESC) WHERE (NOT ((state)::text = 'pending'::text));


--
-- Name: approvals_decided_by_time; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_decided_by_time ON public.approvals_request USING btree (tenant_id, decided_at DESC, id DESC) WHERE (NOT ((state)::text = 'pending'::text));


--
-- Name: approvals_decision_member_id_4fd82fb1; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_decision_member_id_4fd82fb1 ON public.approvals_decision USING btree (member_id);


--
-- Name: approvals_decision_request_id_b886f0d6; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_decision_request_id_b886f0d6 ON public.approvals_decision USING btree (request_id);


--
-- Name: approvals_due_decide_by; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_due_decide_by ON public.approvals_request USING btree (decide_by) WHERE ((state)::text = 'pending'::text);


--
-- Name: approvals_due_use_by; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_due_use_by ON public.approvals_request USING btree (use_by) WHERE ((state)::text = 'approved'::text);


--
-- Name: approvals_news; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_news ON public.approvals_request USING btree (decided_at) WHERE ((heard_at IS NULL) AND (NOT ((state)::text = 'pending'::text)));


--
-- Name: approvals_one_open_request_a_subject; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX approvals_one_open_request_a_subject ON public.approvals_request USING btree (subject) WHERE ((state)::text = ANY ((ARRAY['pending'::character varying, 'approved'::character varying, 'consumed'::character varying])::text[]));


--
-- Name: approvals_one_policy_in_force; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX approvals_one_policy_in_force ON public.approvals_policy USING btree (tenant_id, name) WHERE (superseded_at IS NULL);


--
-- Name: approvals_pending_by_deadline; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_pending_by_deadline ON public.approvals_request USING btree (tenant_id, decide_by, id) WHERE ((state)::text = 'pending'::text);


--
-- Name: approvals_policy_not_whole; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_policy_not_whole ON public.approvals_policy USING btree (id) WHERE ((superseded_at IS NOT NULL) OR (NOT (displaced = '{}'::character varying(63)[])));


--
-- Name: approvals_request_agent_id_18fbd2de; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_request_agent_id_18fbd2de ON public.approvals_request USING btree (agent_id);


--
-- Name: approvals_request_by_subject; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_request_by_subject ON public.approvals_request USING btree (subject);


--
-- Name: approvals_request_owner_id_f926918f; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_request_owner_id_f926918f ON public.approvals_request USING btree (owner_id);


--
-- Name: approvals_request_policy_id_0ac49354; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX approvals_request_policy_id_0ac49354 ON public.approvals_request USING btree (policy_id);


--
-- Name: auth_group_name_a6ea08ec_like; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX auth_group_name_a6ea08ec_like ON public.auth_group USING btree (name varchar_pattern_ops);


--
-- Name: auth_group_permissions_group_id_b120cbf9; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON public.auth_group_permissions USING btree (group_id);


--
-- Name: auth_group_permissions_permission_id_84c5c92e; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON public.auth_group_permissions USING btree (permission_id);


--
-- Name: auth_permission_content_type_id_2f476e4b; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX auth_permission_content_type_id_2f476e4b ON public.auth_permission USING btree (content_type_id);


--
-- Name: django_admin_log_content_type_id_c4bce8eb; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX django_admin_log_content_type_id_c4bce8eb ON public.django_admin_log USING btree (content_type_id);


--
-- Name: django_admin_log_user_id_c564eba6; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX django_admin_log_user_id_c564eba6 ON public.django_admin_log USING btree (user_id);


--
-- Name: django_session_expire_date_a5c62663; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX django_session_expire_date_a5c62663 ON public.django_session USING btree (expire_date);


--
-- Name: django_session_session_key_c0390e0f_like; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX django_session_session_key_c0390e0f_like ON public.django_session USING btree (session_key varchar_pattern_ops);


--
-- Name: http_record_by_expiry; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX http_record_by_expiry ON public.http_idempotencyrecord USING btree (tenant_id, expires_at) WHERE (NOT (status = 410));


--
-- Name: http_record_by_subject; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX http_record_by_subject ON public.http_idempotencyrecord USING btree (subject) WHERE (subject IS NOT NULL);


--
-- Name: identity_agent_owner_id_974ae4bd; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX identity_agent_owner_id_974ae4bd ON public.identity_agent USING btree (owner_id);


--
-- Name: identity_agent_tenant_id_ba266dfc; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX identity_agent_tenant_id_ba266dfc ON public.identity_agent USING btree (tenant_id);


--
-- Name: identity_apikey_agent_id_02848952; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX identity_apikey_agent_id_02848952 ON public.identity_apikey USING btree (agent_id);


--
-- Name: identity_apikey_tenant_id_28218d1e; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX identity_apikey_tenant_id_28218d1e ON public.identity_apikey USING btree (tenant_id);


--
-- Name: identity_member_tenant_id_81bd2e91; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX identity_member_tenant_id_81bd2e91 ON public.identity_member USING btree (tenant_id);


--
-- Name: identity_member_user_id_d4e23fca; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX identity_member_user_id_d4e23fca ON public.identity_member USING btree (user_id);


--
-- Name: identity_one_user_an_address; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX identity_one_user_an_address ON public.identity_user USING btree (lower((email)::text));


--
-- Name: identity_tenant_slug_05c1e97e_like; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX identity_tenant_slug_05c1e97e_like ON public.identity_tenant USING btree (slug varchar_pattern_ops);


--
-- Name: identity_user_email_65af1202_like; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX identity_user_email_65af1202_like ON public.identity_user USING btree (email varchar_pattern_ops);


--
-- Name: ledger_beat_name_33d67bdb_like; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX ledger_beat_name_33d67bdb_like ON public.ledger_beat USING btree (name varchar_pattern_ops);


--
-- Name: ledger_entry_by_tenant; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX ledger_entry_by_tenant ON public.ledger_entry USING btree (tenant_id, at DESC, id DESC);


--
-- Name: ledger_refusal_by_subject; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX ledger_refusal_by_subject ON public.ledger_refusal USING btree (subject, id DESC);


--
-- Name: ledger_refusal_by_tenant; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX ledger_refusal_by_tenant ON public.ledger_refusal USING btree (tenant_id, at DESC, id DESC);


--
-- Name: runs_attempt_by_worker; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_attempt_by_worker ON public.runs_attempt USING btree (worker) WHERE ((state)::text = 'running'::text);


--
-- Name: runs_attempt_due_lease; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_attempt_due_lease ON public.runs_attempt USING btree (lease_expires_at) WHERE ((state)::text = 'running'::text);


--
-- Name: runs_attempt_in_flight; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_attempt_in_flight ON public.runs_attempt USING btree (tenant_id, dependency_name) WHERE ((state)::text = 'running'::text);


--
-- Name: runs_attempt_lately; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_attempt_lately ON public.runs_attempt USING btree (tenant_id, dependency_name, started_at DESC) WHERE ((state)::text = 'ended'::text);


--
-- Name: runs_dependency_one_current; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX runs_dependency_one_current ON public.runs_dependency USING btree (tenant_id, name) WHERE (retired_at IS NULL);


--
-- Name: runs_effect_blocked; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_blocked ON public.runs_effect USING btree (run_id) WHERE ((state)::text = 'blocked'::text);


--
-- Name: runs_effect_by_request; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_by_request ON public.runs_effect USING btree (request_id) WHERE (request_id IS NOT NULL);


--
-- Name: runs_effect_due_deadline; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_due_deadline ON public.runs_effect USING btree (deadline_at) WHERE ((state)::text = ANY ((ARRAY['awaiting_approval'::character varying, 'blocked'::character varying, 'proposed'::character varying, 'ready'::character varying])::text[]));


--
-- Name: runs_effect_partial; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_partial ON public.runs_effect USING btree (tenant_id, run_id) WHERE (required AND ((state)::text = 'partial'::text));


--
-- Name: runs_effect_proposed; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_proposed ON public.runs_effect USING btree (id) WHERE ((state)::text = 'proposed'::text);


--
-- Name: runs_effect_ready; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_ready ON public.runs_effect USING btree (tenant_id, dependency_name, next_attempt_at) WHERE (((executor)::text = ANY ((ARRAY['http'::character varying, 'python'::character varying])::text[])) AND ((state)::text = 'ready'::text));


--
-- Name: runs_effect_ready_on_its_own; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_ready_on_its_own ON public.runs_effect USING btree (next_attempt_at) WHERE (((dependency_name)::text = ''::text) AND ((executor)::text = ANY ((ARRAY['http'::character varying, 'python'::character varying])::text[])) AND ((state)::text = 'ready'::text));


--
-- Name: runs_effect_superseding; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_superseding ON public.runs_effect USING btree (supersedes_id) WHERE (supersedes_id IS NOT NULL);


--
-- Name: runs_effect_tasks; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_tasks ON public.runs_effect USING btree (tenant_id, deadline_at, id) WHERE (((executor)::text = 'human'::text) AND ((state)::text = ANY ((ARRAY['ready'::character varying, 'dispatched'::character varying])::text[])));


--
-- Name: runs_effect_to_ask; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_to_ask ON public.runs_effect USING btree (next_attempt_at) WHERE ((state)::text = ANY ((ARRAY['unknown'::character varying, 'accepted'::character varying])::text[]));


--
-- Name: runs_effect_to_judge_again; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_to_judge_again ON public.runs_effect USING btree (policy_id) WHERE ((state)::text = ANY ((ARRAY['awaiting_approval'::character varying, 'blocked'::character varying, 'ready'::character varying])::text[]));


--
-- Name: runs_effect_unknown_by_age; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_effect_unknown_by_age ON public.runs_effect USING btree (tenant_id, unknown_since, id) WHERE ((state)::text = 'unknown'::text);


--
-- Name: runs_one_attempt_at_a_time; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX runs_one_attempt_at_a_time ON public.runs_attempt USING btree (effect_id) WHERE ((state)::text = 'running'::text);


--
-- Name: runs_one_effect_a_key_in_run; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX runs_one_effect_a_key_in_run ON public.runs_effect USING btree (run_id, key) WHERE ((key_scope)::text = 'run'::text);


--
-- Name: runs_one_effect_a_key_in_tenant; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX runs_one_effect_a_key_in_tenant ON public.runs_effect USING btree (tenant_id, key) WHERE ((key_scope)::text = 'tenant'::text);


--
-- Name: runs_operationcontract_one_current; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX runs_operationcontract_one_current ON public.runs_operationcontract USING btree (tenant_id, name) WHERE (retired_at IS NULL);


--
-- Name: runs_run_by_agent; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_run_by_agent ON public.runs_run USING btree (agent_id, created_at DESC, id DESC);


--
-- Name: runs_run_by_state; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_run_by_state ON public.runs_run USING btree (tenant_id, state, created_at DESC, id DESC);


--
-- Name: runs_run_by_time; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_run_by_time ON public.runs_run USING btree (tenant_id, created_at DESC, id DESC);


--
-- Name: runs_run_by_type; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_run_by_type ON public.runs_run USING btree (run_type_id, created_at DESC, id DESC);


--
-- Name: runs_run_closing; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_run_closing ON public.runs_run USING btree (id) WHERE ((state)::text = 'closing'::text);


--
-- Name: runs_run_due_deadline; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_run_due_deadline ON public.runs_run USING btree (deadline_at) WHERE ((state)::text = 'running'::text);


--
-- Name: runs_run_to_erase; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE INDEX runs_run_to_erase ON public.runs_run USING btree (tenant_id, ended_at) WHERE ((ended_at IS NOT NULL) AND (erased_at IS NULL));


--
-- Name: runs_runtypecontract_one_current; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX runs_runtypecontract_one_current ON public.runs_runtypecontract USING btree (tenant_id, name) WHERE (retired_at IS NULL);


--
-- Name: unique_primary_email; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX unique_primary_email ON public.account_emailaddress USING btree (user_id, "primary") WHERE "primary";


--
-- Name: unique_verified_email; Type: INDEX; Schema: public; Owner: counterfoil_owner
--

CREATE UNIQUE INDEX unique_verified_email ON public.account_emailaddress USING btree (email) WHERE verified;


--
-- Name: approvals_policy approvals_policy_immutable; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER approvals_policy_immutable BEFORE UPDATE ON public.approvals_policy FOR EACH ROW EXECUTE FUNCTION public.ledger_refuse_rewrite('superseded_at', 'displaced');


--
-- Name: approvals_request approvals_request_moves_insert; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER approvals_request_moves_insert BEFORE INSERT ON public.approvals_request FOR EACH ROW EXECUTE FUNCTION public.approvals_request_moves();


--
-- Name: approvals_request approvals_request_moves_update; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER approvals_request_moves_update BEFORE UPDATE OF state ON public.approvals_request FOR EACH ROW WHEN (((old.state)::text IS DISTINCT FROM (new.state)::text)) EXECUTE FUNCTION public.approvals_request_moves();


--
-- Name: ledger_entry ledger_entry_append_only; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_change();


--
-- Name: ledger_payload ledger_payload_append_only; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER ledger_payload_append_only BEFORE DELETE OR TRUNCATE ON public.ledger_payload FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_change();


--
-- Name: ledger_payload ledger_payload_only_erased; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER ledger_payload_only_erased BEFORE UPDATE ON public.ledger_payload FOR EACH ROW EXECUTE FUNCTION public.ledger_only_erased();


--
-- Name: ledger_refusal ledger_refusal_append_only; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER ledger_refusal_append_only BEFORE UPDATE OR TRUNCATE ON public.ledger_refusal FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse_change();


--
-- Name: ledger_refusal ledger_refusal_only_forgotten; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER ledger_refusal_only_forgotten BEFORE DELETE ON public.ledger_refusal FOR EACH ROW EXECUTE FUNCTION public.ledger_only_forgotten();


--
-- Name: runs_attempt runs_attempt_moves_insert; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER runs_attempt_moves_insert BEFORE INSERT ON public.runs_attempt FOR EACH ROW EXECUTE FUNCTION public.runs_attempt_moves();


--
-- Name: runs_attempt runs_attempt_moves_update; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER runs_attempt_moves_update BEFORE UPDATE OF state ON public.runs_attempt FOR EACH ROW WHEN (((old.state)::text IS DISTINCT FROM (new.state)::text)) EXECUTE FUNCTION public.runs_attempt_moves();


--
-- Name: runs_dependency runs_dependency_immutable; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER runs_dependency_immutable BEFORE UPDATE ON public.runs_dependency FOR EACH ROW EXECUTE FUNCTION public.ledger_refuse_rewrite('retired_at');


--
-- Name: runs_effect runs_effect_moves_insert; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER runs_effect_moves_insert BEFORE INSERT ON public.runs_effect FOR EACH ROW EXECUTE FUNCTION public.runs_effect_moves();


--
-- Name: runs_effect runs_effect_moves_update; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER runs_effect_moves_update BEFORE UPDATE OF state ON public.runs_effect FOR EACH ROW WHEN (((old.state)::text IS DISTINCT FROM (new.state)::text)) EXECUTE FUNCTION public.runs_effect_moves();


--
-- Name: runs_operationcontract runs_operationcontract_immutable; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER runs_operationcontract_immutable BEFORE UPDATE ON public.runs_operationcontract FOR EACH ROW EXECUTE FUNCTION public.ledger_refuse_rewrite('retired_at');


--
-- Name: runs_run runs_run_moves_insert; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER runs_run_moves_insert BEFORE INSERT ON public.runs_run FOR EACH ROW EXECUTE FUNCTION public.runs_run_moves();


--
-- Name: runs_run runs_run_moves_update; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER runs_run_moves_update BEFORE UPDATE OF state ON public.runs_run FOR EACH ROW WHEN (((old.state)::text IS DISTINCT FROM (new.state)::text)) EXECUTE FUNCTION public.runs_run_moves();


--
-- Name: runs_runtypecontract runs_runtypecontract_immutable; Type: TRIGGER; Schema: public; Owner: counterfoil_owner
--

CREATE TRIGGER runs_runtypecontract_immutable BEFORE UPDATE ON public.runs_runtypecontract FOR EACH ROW EXECUTE FUNCTION public.ledger_refuse_rewrite('retired_at');


--
-- Name: account_emailaddress account_emailaddress_user_id_2c513194_fk_identity_user_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_2c513194_fk_identity_user_id FOREIGN KEY (user_id) REFERENCES public.identity_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: account_emailconfirmation account_emailconfirm_email_address_id_5b7f8c58_fk_account_e; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirm_email_address_id_5b7f8c58_fk_account_e FOREIGN KEY (email_address_id) REFERENCES public.account_emailaddress(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: approvals_coverage approvals_coverage_policy_id_190717f6_fk_approvals_policy_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_coverage
    ADD CONSTRAINT approvals_coverage_policy_id_190717f6_fk_approvals_policy_id FOREIGN KEY (policy_id) REFERENCES public.approvals_policy(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: approvals_decision approvals_decision_member_id_4fd82fb1_fk_identity_member_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_decision
    ADD CONSTRAINT approvals_decision_member_id_4fd82fb1_fk_identity_member_id FOREIGN KEY (member_id) REFERENCES public.identity_member(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: approvals_decision approvals_decision_request_id_b886f0d6_fk_approvals_request_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_decision
    ADD CONSTRAINT approvals_decision_request_id_b886f0d6_fk_approvals_request_id FOREIGN KEY (request_id) REFERENCES public.approvals_request(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: approvals_request approvals_request_agent_id_18fbd2de_fk_identity_agent_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_request
    ADD CONSTRAINT approvals_request_agent_id_18fbd2de_fk_identity_agent_id FOREIGN KEY (agent_id) REFERENCES public.identity_agent(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: approvals_request approvals_request_owner_id_f926918f_fk_identity_member_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_request
    ADD CONSTRAINT approvals_request_owner_id_f926918f_fk_identity_member_id FOREIGN KEY (owner_id) REFERENCES public.identity_member(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: approvals_request approvals_request_policy_id_0ac49354_fk_approvals_policy_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.approvals_request
    ADD CONSTRAINT approvals_request_policy_id_0ac49354_fk_approvals_policy_id FOREIGN KEY (policy_id) REFERENCES public.approvals_policy(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_group_permissions auth_group_permissio_permission_id_84c5c92e_fk_auth_perm; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_group_permissions auth_group_permissions_group_id_b120cbf9_fk_auth_group_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_permission auth_permission_content_type_id_2f476e4b_fk_django_co; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: django_admin_log django_admin_log_content_type_id_c4bce8eb_fk_django_co; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_content_type_id_c4bce8eb_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: django_admin_log django_admin_log_user_id_c564eba6_fk_identity_user_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_user_id_c564eba6_fk_identity_user_id FOREIGN KEY (user_id) REFERENCES public.identity_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: identity_agent identity_agent_owner_id_974ae4bd_fk_identity_member_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_agent
    ADD CONSTRAINT identity_agent_owner_id_974ae4bd_fk_identity_member_id FOREIGN KEY (owner_id) REFERENCES public.identity_member(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: identity_agent identity_agent_tenant_id_ba266dfc_fk_identity_tenant_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_agent
    ADD CONSTRAINT identity_agent_tenant_id_ba266dfc_fk_identity_tenant_id FOREIGN KEY (tenant_id) REFERENCES public.identity_tenant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: identity_apikey identity_apikey_agent_id_02848952_fk_identity_agent_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_apikey
    ADD CONSTRAINT identity_apikey_agent_id_02848952_fk_identity_agent_id FOREIGN KEY (agent_id) REFERENCES public.identity_agent(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: identity_apikey identity_apikey_tenant_id_28218d1e_fk_identity_tenant_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_apikey
    ADD CONSTRAINT identity_apikey_tenant_id_28218d1e_fk_identity_tenant_id FOREIGN KEY (tenant_id) REFERENCES public.identity_tenant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: identity_member identity_member_tenant_id_81bd2e91_fk_identity_tenant_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_member
    ADD CONSTRAINT identity_member_tenant_id_81bd2e91_fk_identity_tenant_id FOREIGN KEY (tenant_id) REFERENCES public.identity_tenant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: identity_member identity_member_user_id_d4e23fca_fk_identity_user_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.identity_member
    ADD CONSTRAINT identity_member_user_id_d4e23fca_fk_identity_user_id FOREIGN KEY (user_id) REFERENCES public.identity_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: ledger_payload ledger_payload_entry_id_0edfb22b_fk_ledger_entry_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.ledger_payload
    ADD CONSTRAINT ledger_payload_entry_id_0edfb22b_fk_ledger_entry_id FOREIGN KEY (entry_id) REFERENCES public.ledger_entry(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_attempt runs_attempt_effect_id_349b3e0c_fk_runs_effect_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_attempt
    ADD CONSTRAINT runs_attempt_effect_id_349b3e0c_fk_runs_effect_id FOREIGN KEY (effect_id) REFERENCES public.runs_effect(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_attempt runs_attempt_run_id_651e9d12_fk_runs_run_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_attempt
    ADD CONSTRAINT runs_attempt_run_id_651e9d12_fk_runs_run_id FOREIGN KEY (run_id) REFERENCES public.runs_run(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_effect runs_effect_operation_id_24dd9d2d_fk_runs_operationcontract_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_effect
    ADD CONSTRAINT runs_effect_operation_id_24dd9d2d_fk_runs_operationcontract_id FOREIGN KEY (operation_id) REFERENCES public.runs_operationcontract(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_effect runs_effect_policy_id_1bd28546_fk_approvals_policy_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_effect
    ADD CONSTRAINT runs_effect_policy_id_1bd28546_fk_approvals_policy_id FOREIGN KEY (policy_id) REFERENCES public.approvals_policy(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_effect runs_effect_request_id_e2b102b5_fk_approvals_request_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_effect
    ADD CONSTRAINT runs_effect_request_id_e2b102b5_fk_approvals_request_id FOREIGN KEY (request_id) REFERENCES public.approvals_request(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_effect runs_effect_run_id_8a7233cb_fk_runs_run_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_effect
    ADD CONSTRAINT runs_effect_run_id_8a7233cb_fk_runs_run_id FOREIGN KEY (run_id) REFERENCES public.runs_run(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_effect runs_effect_supersedes_id_c84f7c02_fk_runs_effect_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_effect
    ADD CONSTRAINT runs_effect_supersedes_id_c84f7c02_fk_runs_effect_id FOREIGN KEY (supersedes_id) REFERENCES public.runs_effect(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_run runs_run_agent_id_d228ac08_fk_identity_agent_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_run
    ADD CONSTRAINT runs_run_agent_id_d228ac08_fk_identity_agent_id FOREIGN KEY (agent_id) REFERENCES public.identity_agent(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_run runs_run_driver_id_89a004d9_fk_identity_agent_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_run
    ADD CONSTRAINT runs_run_driver_id_89a004d9_fk_identity_agent_id FOREIGN KEY (driver_id) REFERENCES public.identity_agent(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: runs_run runs_run_run_type_id_3a083222_fk_runs_runtypecontract_id; Type: FK CONSTRAINT; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE ONLY public.runs_run
    ADD CONSTRAINT runs_run_run_type_id_3a083222_fk_runs_runtypecontract_id FOREIGN KEY (run_type_id) REFERENCES public.runs_runtypecontract(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: approvals_coverage all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.approvals_coverage TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: approvals_decision all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.approvals_decision TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: approvals_policy all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.approvals_policy TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: approvals_request all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.approvals_request TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: http_idempotencyrecord all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.http_idempotencyrecord TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: ledger_entry all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.ledger_entry TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: ledger_payload all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.ledger_payload TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: ledger_refusal all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.ledger_refusal TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: runs_attempt all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.runs_attempt TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: runs_dependency all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.runs_dependency TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: runs_effect all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.runs_effect TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: runs_operationcontract all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.runs_operationcontract TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: runs_run all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.runs_run TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: runs_runtypecontract all_tenants; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY all_tenants ON public.runs_runtypecontract TO counterfoil_worker USING (true) WITH CHECK (true);


--
-- Name: approvals_coverage; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.approvals_coverage ENABLE ROW LEVEL SECURITY;

--
-- Name: approvals_decision; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.approvals_decision ENABLE ROW LEVEL SECURITY;

--
-- Name: approvals_policy; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.approvals_policy ENABLE ROW LEVEL SECURITY;

--
-- Name: approvals_request; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.approvals_request ENABLE ROW LEVEL SECURITY;

--
-- Name: http_idempotencyrecord; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.http_idempotencyrecord ENABLE ROW LEVEL SECURITY;

--
-- Name: ledger_entry; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.ledger_entry ENABLE ROW LEVEL SECURITY;

--
-- Name: ledger_payload; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.ledger_payload ENABLE ROW LEVEL SECURITY;

--
-- Name: ledger_refusal; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.ledger_refusal ENABLE ROW LEVEL SECURITY;

--
-- Name: approvals_coverage one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.approvals_coverage USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: approvals_decision one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.approvals_decision USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: approvals_policy one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.approvals_policy USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: approvals_request one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.approvals_request USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: http_idempotencyrecord one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.http_idempotencyrecord USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: ledger_entry one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.ledger_entry USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: ledger_payload one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.ledger_payload USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: ledger_refusal one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.ledger_refusal USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: runs_attempt one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.runs_attempt USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: runs_dependency one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.runs_dependency USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: runs_effect one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.runs_effect USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: runs_operationcontract one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.runs_operationcontract USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: runs_run one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.runs_run USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: runs_runtypecontract one_tenant; Type: POLICY; Schema: public; Owner: counterfoil_owner
--

CREATE POLICY one_tenant ON public.runs_runtypecontract USING ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((tenant_id = ( SELECT (NULLIF(current_setting('cf.tenant'::text, true), ''::text))::uuid AS "nullif")));


--
-- Name: runs_attempt; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.runs_attempt ENABLE ROW LEVEL SECURITY;

--
-- Name: runs_dependency; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.runs_dependency ENABLE ROW LEVEL SECURITY;

--
-- Name: runs_effect; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.runs_effect ENABLE ROW LEVEL SECURITY;

--
-- Name: runs_operationcontract; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.runs_operationcontract ENABLE ROW LEVEL SECURITY;

--
-- Name: runs_run; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.runs_run ENABLE ROW LEVEL SECURITY;

--
-- Name: runs_runtypecontract; Type: ROW SECURITY; Schema: public; Owner: counterfoil_owner
--

ALTER TABLE public.runs_runtypecontract ENABLE ROW LEVEL SECURITY;

--
-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: pg_database_owner
--

REVOKE USAGE ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO counterfoil_owner;
GRANT USAGE ON SCHEMA public TO counterfoil_app;
GRANT USAGE ON SCHEMA public TO counterfoil_worker;


--
-- Name: FUNCTION approvals_erase_reasons(p_requests uuid[]); Type: ACL; Schema: public; Owner: counterfoil_owner
--

REVOKE ALL ON FUNCTION public.approvals_erase_reasons(p_requests uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.approvals_erase_reasons(p_requests uuid[]) TO counterfoil_worker;


--
-- Name: TABLE approvals_policy; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.approvals_policy TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.approvals_policy TO counterfoil_worker;


--
-- Name: FUNCTION ledger_erase(p_tenant uuid, p_streams text[], p_below bigint[], p_at timestamp with time zone); Type: ACL; Schema: public; Owner: counterfoil_owner
--

REVOKE ALL ON FUNCTION public.ledger_erase(p_tenant uuid, p_streams text[], p_below bigint[], p_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_erase(p_tenant uuid, p_streams text[], p_below bigint[], p_at timestamp with time zone) TO counterfoil_worker;


--
-- Name: FUNCTION ledger_forget_refusals(p_tenant uuid, p_before timestamp with time zone, p_limit integer); Type: ACL; Schema: public; Owner: counterfoil_owner
--

REVOKE ALL ON FUNCTION public.ledger_forget_refusals(p_tenant uuid, p_before timestamp with time zone, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_forget_refusals(p_tenant uuid, p_before timestamp with time zone, p_limit integer) TO counterfoil_worker;


--
-- Name: TABLE account_emailaddress; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_emailaddress TO counterfoil_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_emailaddress TO counterfoil_worker;


--
-- Name: SEQUENCE account_emailaddress_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.account_emailaddress_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.account_emailaddress_id_seq TO counterfoil_worker;


--
-- Name: TABLE account_emailconfirmation; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_emailconfirmation TO counterfoil_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_emailconfirmation TO counterfoil_worker;


--
-- Name: SEQUENCE account_emailconfirmation_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.account_emailconfirmation_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.account_emailconfirmation_id_seq TO counterfoil_worker;


--
-- Name: TABLE approvals_coverage; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approvals_coverage TO counterfoil_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approvals_coverage TO counterfoil_worker;


--
-- Name: SEQUENCE approvals_coverage_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.approvals_coverage_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.approvals_coverage_id_seq TO counterfoil_worker;


--
-- Name: TABLE approvals_decision; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT ON TABLE public.approvals_decision TO counterfoil_app;
GRANT SELECT,INSERT ON TABLE public.approvals_decision TO counterfoil_worker;


--
-- Name: TABLE approvals_request; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.approvals_request TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.approvals_request TO counterfoil_worker;


--
-- Name: TABLE auth_group; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT ON TABLE public.auth_group TO counterfoil_app;
GRANT SELECT ON TABLE public.auth_group TO counterfoil_worker;


--
-- Name: SEQUENCE auth_group_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.auth_group_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.auth_group_id_seq TO counterfoil_worker;


--
-- Name: TABLE auth_group_permissions; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_group_permissions TO counterfoil_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_group_permissions TO counterfoil_worker;


--
-- Name: SEQUENCE auth_group_permissions_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.auth_group_permissions_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.auth_group_permissions_id_seq TO counterfoil_worker;


--
-- Name: TABLE auth_permission; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT ON TABLE public.auth_permission TO counterfoil_app;
GRANT SELECT ON TABLE public.auth_permission TO counterfoil_worker;


--
-- Name: SEQUENCE auth_permission_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.auth_permission_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.auth_permission_id_seq TO counterfoil_worker;


--
-- Name: TABLE django_admin_log; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT ON TABLE public.django_admin_log TO counterfoil_app;
GRANT SELECT ON TABLE public.django_admin_log TO counterfoil_worker;


--
-- Name: SEQUENCE django_admin_log_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.django_admin_log_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.django_admin_log_id_seq TO counterfoil_worker;


--
-- Name: TABLE django_content_type; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT ON TABLE public.django_content_type TO counterfoil_app;
GRANT SELECT ON TABLE public.django_content_type TO counterfoil_worker;


--
-- Name: SEQUENCE django_content_type_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.django_content_type_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.django_content_type_id_seq TO counterfoil_worker;


--
-- Name: TABLE django_migrations; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT ON TABLE public.django_migrations TO counterfoil_app;
GRANT SELECT ON TABLE public.django_migrations TO counterfoil_worker;


--
-- Name: SEQUENCE django_migrations_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.django_migrations_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.django_migrations_id_seq TO counterfoil_worker;


--
-- Name: TABLE django_session; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.django_session TO counterfoil_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.django_session TO counterfoil_worker;


--
-- Name: TABLE http_idempotencyrecord; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.http_idempotencyrecord TO counterfoil_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.http_idempotencyrecord TO counterfoil_worker;


--
-- Name: TABLE identity_agent; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_agent TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_agent TO counterfoil_worker;


--
-- Name: TABLE identity_apikey; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_apikey TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_apikey TO counterfoil_worker;


--
-- Name: TABLE identity_member; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_member TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_member TO counterfoil_worker;


--
-- Name: TABLE identity_tenant; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_tenant TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_tenant TO counterfoil_worker;


--
-- Name: TABLE identity_user; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_user TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.identity_user TO counterfoil_worker;


--
-- Name: TABLE ledger_beat; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.ledger_beat TO counterfoil_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.ledger_beat TO counterfoil_worker;


--
-- Name: TABLE ledger_entry; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT ON TABLE public.ledger_entry TO counterfoil_app;
GRANT SELECT,INSERT ON TABLE public.ledger_entry TO counterfoil_worker;


--
-- Name: SEQUENCE ledger_entry_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.ledger_entry_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.ledger_entry_id_seq TO counterfoil_worker;


--
-- Name: TABLE ledger_incarnation; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT ON TABLE public.ledger_incarnation TO counterfoil_app;
GRANT SELECT ON TABLE public.ledger_incarnation TO counterfoil_worker;


--
-- Name: TABLE ledger_payload; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT ON TABLE public.ledger_payload TO counterfoil_app;
GRANT SELECT,INSERT ON TABLE public.ledger_payload TO counterfoil_worker;


--
-- Name: TABLE ledger_refusal; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT ON TABLE public.ledger_refusal TO counterfoil_app;
GRANT SELECT,INSERT ON TABLE public.ledger_refusal TO counterfoil_worker;


--
-- Name: SEQUENCE ledger_refusal_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.ledger_refusal_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.ledger_refusal_id_seq TO counterfoil_worker;


--
-- Name: TABLE ledger_tally; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.ledger_tally TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.ledger_tally TO counterfoil_worker;


--
-- Name: SEQUENCE ledger_tally_id_seq; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,USAGE ON SEQUENCE public.ledger_tally_id_seq TO counterfoil_app;
GRANT SELECT,USAGE ON SEQUENCE public.ledger_tally_id_seq TO counterfoil_worker;


--
-- Name: TABLE runs_attempt; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_attempt TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_attempt TO counterfoil_worker;


--
-- Name: TABLE runs_dependency; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_dependency TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_dependency TO counterfoil_worker;


--
-- Name: TABLE runs_effect; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_effect TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_effect TO counterfoil_worker;


--
-- Name: TABLE runs_operationcontract; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_operationcontract TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_operationcontract TO counterfoil_worker;


--
-- Name: TABLE runs_run; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_run TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_run TO counterfoil_worker;


--
-- Name: TABLE runs_runtypecontract; Type: ACL; Schema: public; Owner: counterfoil_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_runtypecontract TO counterfoil_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.runs_runtypecontract TO counterfoil_worker;


--
-- Name: DEFAULT PRIVILEGES FOR SEQUENCES; Type: DEFAULT ACL; Schema: public; Owner: counterfoil_owner
--

ALTER DEFAULT PRIVILEGES FOR ROLE counterfoil_owner IN SCHEMA public GRANT SELECT,USAGE ON SEQUENCES TO counterfoil_app;
ALTER DEFAULT PRIVILEGES FOR ROLE counterfoil_owner IN SCHEMA public GRANT SELECT,USAGE ON SEQUENCES TO counterfoil_worker;


--
-- Name: DEFAULT PRIVILEGES FOR TABLES; Type: DEFAULT ACL; Schema: public; Owner: counterfoil_owner
--

ALTER DEFAULT PRIVILEGES FOR ROLE counterfoil_owner IN SCHEMA public GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES TO counterfoil_app;
ALTER DEFAULT PRIVILEGES FOR ROLE counterfoil_owner IN SCHEMA public GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES TO counterfoil_worker;


--
-- PostgreSQL database dump complete
--


