-- Takes the news from decided requests to the effects they stand for: the row is the message, and `heard_at` says that it arrived. A word
-- that this version does not know is left as it is: whoever brought it will know what follows.
create or replace function runs_follow(p_actor text, p_limit int) returns table (effect_id uuid, state text) language plpgsql as $$
#variable_conflict use_column
declare
    found_requests uuid[]; found_runs uuid[]; v_now timestamptz; runs uuid[]; kinds text[]; bodies text[]; touched uuid[];
begin
    select array_agg(id) into found_requests from (
        select id from approvals_request where heard_at is null and state <> 'pending'
          and state in ('approved', 'consumed', 'denied', 'expired', 'lapsed', 'rerouted', 'revoked', 'withdrawn') order by decided_at limit p_limit) q;
    if found_requests is null then return; end if;
    select array_agg(id) into found_runs from (
        select id from runs_run where id in (select run_id from runs_effect where request_id = any (found_requests)) order by id for no key update skip locked) r;
    v_now := cf_now();
    perform 1 from runs_effect where request_id = any (found_requests) and run_id = any (found_runs) order by id for no key update;
    -- Held, so that what comes while these are told (a revocation) is news of its own.
    perform 1 from approvals_request where id = any (found_requests) order by id for no key update;

    with news as (
        -- What was approved for less than was asked is not released: the agent is told, and proposes something that fits.
        select e.id, case when q.to_fit and q.state = 'approved' then 'narrowed' else q.state end as word,
               case when q.to_fit and q.state = 'approved' then 'it was approved for less than was asked' else q.closing_reason end as reason
        from runs_effect e join approvals_request q on q.id = e.request_id
        where q.id = any (found_requests) and e.run_id = any (found_runs) and q.heard_at is null and q.state <> 'pending'
          and (e.state = 'awaiting_approval' or (e.state = 'ready' and q.state in ('lapsed', 'rerouted', 'revoked')))),
    moved as (
        update runs_effect e set
            state = case n.word when 'approved' then 'ready' when 'consumed' then 'ready' when 'denied' then 'denied' when 'expired' then 'expired'
                                when 'narrowed' then 'denied' when 'revoked' then 'denied' when 'lapsed' then 'lapsed'
                                when 'rerouted' then 'proposed' when 'withdrawn' then 'withdrawn' end,
            state_reason = n.reason,
            next_attempt_at = case when n.word in ('approved', 'consumed') then v_now end,
            ended_at = case when n.word in ('denied', 'narrowed', 'revoked', 'expired', 'lapsed', 'withdrawn') then v_now end
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
