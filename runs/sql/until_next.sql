-- What processes of the release before call, in the words that they know, so that they go on working while a new one is rolled out. They
-- know acts and status queries; what is due to be read back or sent again is left to those that say that they can. Gone with the release after.
create or replace function runs_claim(p_worker text, p_lease_seconds double precision, p_attempts uuid[], p_without uuid[])
returns table (
    attempt_id uuid, tenant_id uuid, run_id uuid, effect_id uuid, operation_id uuid, dependency_id uuid, kind text, number int, fence bigint,
    traceparent text, due_at timestamptz, target text, arguments text, operation_reference text, deadline_at timestamptz, created_at timestamptz, claimed_at timestamptz, first_at timestamptz, acts int, looks int, effect_state text)
language sql rows 64 as $$
    select attempt_id, tenant_id, run_id, effect_id, operation_id, dependency_id, kind, number, fence, traceparent, due_at, target, arguments,
           operation_reference, deadline_at, created_at, claimed_at, first_at, acts, looks, effect_state
    from runs_claim(p_worker, p_lease_seconds, p_attempts, p_without, array['act', 'status'])
$$;

create or replace function runs_take(
    p_effects uuid[], p_runs uuid[], p_worker text, p_lease_seconds double precision, p_attempts uuid[], p_without uuid[], p_via text)
returns table (
    attempt_id uuid, tenant_id uuid, run_id uuid, effect_id uuid, operation_id uuid, dependency_id uuid, kind text, number int, fence bigint,
    traceparent text, due_at timestamptz, target text, arguments text, operation_reference text, deadline_at timestamptz, created_at timestamptz, claimed_at timestamptz, first_at timestamptz, acts int, looks int, effect_state text)
language sql rows 64 as $$
    select attempt_id, tenant_id, run_id, effect_id, operation_id, dependency_id, kind, number, fence, traceparent, due_at, target, arguments,
           operation_reference, deadline_at, created_at, claimed_at, first_at, acts, looks, effect_state
    from runs_take(p_effects, p_runs, p_worker, p_lease_seconds, p_attempts, p_without, p_via, array['act'])
$$;

create or replace function runs_settle(
    p_attempts uuid[], p_fences bigint[], p_outcomes text[], p_states text[], p_delays double precision[], p_http smallint[], p_sent boolean[],
    p_reasons text[], p_results text[], p_references text[], p_evidence text[], p_actor text, p_via text default null)
returns table (attempt_id uuid) language sql as $$
    select attempt_id from runs_settle(p_attempts, p_fences, p_outcomes, p_states, p_delays, p_http, p_sent, p_reasons, p_results, p_references, p_evidence,
                                       array_fill(''::text, array[cardinality(p_attempts)]), p_actor, p_via)
$$;
