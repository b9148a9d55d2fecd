-- Reading the state of what would be acted on. The row of the request is what is due (`read_due_at`) and what is in hand (`reading_until`); a
-- worker that dies leaves nothing behind but a time that passes. A reading does nothing to anybody, so it is no attempt: it has no fence, and
-- the time at which it was taken in hand says which of two readings is the later one.

-- Takes targets to read in hand, the longest due first. `p_requests` were found unlocked; what somebody else holds comes again.
create or replace function approvals_take_readings(p_requests uuid[], p_lease_seconds double precision, p_now timestamptz) returns uuid[]
language plpgsql as $$
declare
    held uuid[]; taken uuid[];
begin
    select array_agg(q.id) into held from (
        select id from approvals_request where id = any (p_requests) and read_due_at <= p_now order by id for no key update skip locked) q;
    if held is null then return null; end if;
    with going as (
        update approvals_request set
            -- What is closed, or past its time to be decided, is not read any more.
            read_due_at = case when state in ('approved', 'consumed') or (state = 'pending' and decide_by > p_now)
                               then p_now + make_interval(secs => p_lease_seconds) end,
            reading_until = case when state in ('approved', 'consumed') or (state = 'pending' and decide_by > p_now)
                                 then p_now + make_interval(secs => p_lease_seconds) end
        where id = any (held) returning id, reading_until)
    select array_agg(id) filter (where reading_until is not null) into taken from going;
    return taken;
end $$;

-- Writes down what was read, for requests that stand: `p_taken` says when each was taken in hand, which is when its state is known to be of.
-- Older than what is known changes nothing. A fault (`p_faults` not '') leaves what is known, and it is read again after `p_delays` seconds.
-- Where somebody approved another version than is there now, the request is sent back for another look; gives those.
create or replace function approvals_target_read(
    p_requests uuid[], p_taken timestamptz[], p_versions text[], p_states text[], p_faults text[], p_delays double precision[], p_actor text,
    p_now timestamptz)
returns uuid[] language plpgsql as $$
#variable_conflict use_column
declare
    read uuid[]; facts text[]; drifted uuid[];
begin
    perform 1 from approvals_request where id = any (p_requests) order by id for no key update;
    update approvals_request q set reads_failed = least(q.reads_failed + 1, 1000), read_fault = x.fault, reading_until = null,
        read_due_at = case when q.state in ('pending', 'approved', 'consumed') then p_now + make_interval(secs => x.delay) end
    from unnest(p_requests, p_taken, p_faults, p_delays) as x (id, taken, fault, delay)
    where q.id = x.id and x.fault <> '' and q.state in ('pending', 'approved', 'consumed') and (q.target_read_at is null or q.target_read_at < x.taken);

    select array_agg(q.id) into drifted
    from unnest(p_requests, p_taken, p_versions, p_faults) as x (id, taken, version, fault) join approvals_request q on q.id = x.id
    where x.fault = '' and q.target_read_at < x.taken and q.target_version <> x.version
      and (q.state in ('approved', 'consumed') or (q.state = 'pending' and exists (
          select from approvals_decision d where d.request_id = q.id and d.verdict = 'approve' and d.withdrawn_at is null)));

    with told as (
        update approvals_request q set target_version = x.version, target_state = x.state, target_read_at = x.taken, read_due_at = null,
            reading_until = null, reads_failed = 0, read_fault = ''
        from unnest(p_requests, p_taken, p_versions, p_states, p_faults) as x (id, taken, version, state, fault)
        where q.id = x.id and x.fault = '' and q.state in ('pending', 'approved', 'consumed') and not (q.id = any (coalesce(drifted, '{}')))
          and (q.target_read_at is null or q.target_read_at < x.taken)
        returning q.id, q.target_version, q.target_state, q.target_read_at)
    select array_agg(id order by id), array_agg(json_build_object(
        'version', target_version, 'state', target_state, 'read_at', to_char(target_read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text order by id)
    into read, facts from told;
    if read is not null then
        perform approvals_record(read, array_fill('request.target_read'::text, array[cardinality(read)]),
            array_fill(p_actor, array[cardinality(read)]), facts, p_now);
    end if;
    if drifted is not null then
        update approvals_request set state = 'rerouted', closing_reason = 'the target changed', decided_at = coalesce(decided_at, p_now), heard_at = null,
            read_due_at = null, reading_until = null
        where id = any (drifted);
        perform approvals_record(drifted, array_fill('request.rerouted'::text, array[cardinality(drifted)]),
            array_fill(p_actor, array[cardinality(drifted)]), array_fill('{"reason":"the target changed"}'::text, array[cardinality(drifted)]), p_now);
    end if;
    return drifted;
end $$;

-- Of requests that a claim is about to use: those whose target has to be read first, because that was not done since it was approved, or too
-- long ago by its contract. They are due to be read now, unless a try that failed waits for its time.
create or replace function approvals_to_read_first(p_requests uuid[], p_now timestamptz) returns uuid[] language plpgsql as $$
declare
    unread uuid[];
begin
    select array_agg(q.id) into unread from approvals_request q
    where q.id = any (p_requests) and q.read_within_seconds is not null and (
        q.target_read_at is null or q.target_read_at < p_now - make_interval(secs => q.read_within_seconds) or q.target_read_at < q.decided_at);
    if unread is not null then
        update approvals_request set read_due_at = p_now where id = any (unread) and read_due_at is null;
    end if;
    return unread;
end $$;
