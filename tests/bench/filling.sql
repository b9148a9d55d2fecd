-- Fills the database of the lists with %(runs)s runs as a long life leaves them: nine in ten have ended; of the open ones every second has
-- an effect whose outcome is unknown, and every other one waits for a person. For the superuser, with triggers off.
set session_replication_role = replica;

create temporary table base as
select t.id as tenant, a.id as agent, a.owner_id as owner, m.id as member, o.id as operation, r.id as run_type, p.id as policy
from identity_tenant t
join identity_agent a on a.tenant_id = t.id
join identity_member m on m.tenant_id = t.id and 'approver' = any (m.roles)
join runs_operationcontract o on o.tenant_id = t.id and o.name = 'ask' and o.retired_at is null
join runs_runtypecontract r on r.tenant_id = t.id and r.retired_at is null
join approvals_policy p on p.tenant_id = t.id and p.superseded_at is null
limit 1;

create temporary table numbers as
select i, md5('run' || i)::uuid as run, cf_now() - make_interval(secs => %(runs)s - i + 60) as at, i %% 10 = 0 as open
from generate_series(1, %(runs)s) as i;

insert into runs_run (
    ledger_seq, ledger_hash, id, tenant_id, key, intent_digest, goal, completes_itself, state, epoch, key_expires_at, created_at, ended_at,
    agent_id, driver_id, run_type_id)
select 3, sha256('head'), run, tenant, 'filling-' || i, sha256('intent'), 'Pay for order ' || i, true,
       case when open then 'running' when i %% 10 < 8 then 'succeeded' when i %% 10 = 8 then 'failed' else 'cancelled' end,
       1, at + interval '30 days', at, case when not open then at + interval '20 seconds' end, agent, agent, run_type
from numbers, base;

create temporary table parts as
select n.*, number, md5('effect' || i || '-' || number)::uuid as effect, md5('request' || i)::uuid as request,
       case when number = 2 and i %% 20 = 0 then 'unknown' when number = 2 and i %% 20 = 10 then 'awaiting_approval'
            when number = 2 and i %% 10 = 8 then 'failed' else 'succeeded' end as state,
       number = 2 and i %% 10 in (0, 1) and i %% 20 <> 0 as asks
from numbers n, generate_series(1, 2) as number;

insert into runs_effect (
    id, tenant_id, run_id, number, key, key_scope, operation_id, operation_name, executor, dependency_name, summary, target, arguments, required,
    consequential, irreversible, intent_digest, effect_digest, state, verdict, rule, policy_id, request_id, fence, attempts_count, outcome,
    result, deadline_at, key_expires_at, created_at, ended_at, unknown_since, next_attempt_at)
select effect, tenant, run, number, 'effect-' || number, 'run', operation, 'ask', 'http', 'bank', 'Pay 1 for ' || i || ', if somebody agrees',
       'order:' || i, '{"amount":"1","order":"' || i || '"}', true, false, false, sha256('intent'), sha256(convert_to('effect' || i, 'UTF8')), state,
       case when asks then 'ask' else 'allow' end, 'ask-finance', policy, case when asks then request end,
       case when state = 'awaiting_approval' then 0 else 1 end, case when state = 'awaiting_approval' then 0 else 1 end,
       case when state = 'awaiting_approval' then '' else state end, case when state = 'succeeded' then '{"ok":true}' end,
       at + interval '30 days', at + interval '60 days', at,
       case when state in ('succeeded', 'failed') then at + interval '10 seconds' end,
       case when state = 'unknown' then at + interval '10 seconds' end,
       case when state = 'unknown' then cf_now() + interval '1 day' end
from parts, base;

insert into runs_attempt (
    id, tenant_id, run_id, effect_id, number, kind, fence, worker, dependency_name, state, outcome, http_status, sent, evidence,
    evidence_digest, started_at, ended_at)
select md5('attempt' || effect)::uuid, tenant, run, effect, 1, 'act', 1, 'worker:filling:1', 'bank', 'ended', state, 200, true,
       '{"status":200}', sha256('{"status":200}'), at, at + interval '5 seconds'
from parts, base where state <> 'awaiting_approval';

insert into approvals_request (
    ledger_seq, ledger_hash, id, tenant_id, subject, subject_digest, operation, summary, target, arguments, shown, tier, irreversible, rule,
    groups, quorum, state, decide_by, use_within_seconds, use_by, created_at, decided_at, consumed_at, heard_at, agent_id, owner_id, policy_id)
select 1, sha256('head'), request, tenant, effect, sha256(convert_to('effect' || i, 'UTF8')), 'ask', 'Pay 1 for ' || i || ', if somebody agrees', 'order:' || i,
       '{"amount":"1","order":"' || i || '"}',
       '{"contract":"ask, version 1","description":"","if_it_goes_wrong":"","residue":[],"run_type":"errand"}', 'normal', false,
       'ask-finance', '{finance}', 1, case when open then 'pending' else 'consumed' end,
       cf_now() + make_interval(secs => 86400 + i), 3600, case when not open then at + interval '1 hour' end, at,
       case when not open then at + interval '5 seconds' end, case when not open then at + interval '6 seconds' end,
       case when not open then at + interval '6 seconds' end, agent, owner, policy
from parts, base where asks;

insert into approvals_decision (id, tenant_id, request_id, member_id, verdict, shown_digest, via, at)
select md5('decision' || i)::uuid, tenant, request, member, 'approve', sha256(convert_to('effect' || i, 'UTF8')), 'page', at + interval '5 seconds'
from parts, base where asks and not open;

with written as (
    insert into ledger_entry (tenant_id, stream, seq, format, kind, at, actor, payload_digest, prev_hash, hash)
    select tenant, 'run:' || run, seq, 1, (array['run.accepted', 'effect.proposed', 'run.ended'])[seq], at, 'agent:' || agent,
           sha256('{}'), sha256('previous'), sha256('this')
    from numbers, base, generate_series(1, 3) as seq
    returning id, tenant_id)
insert into ledger_payload (entry_id, tenant_id, body) select id, tenant_id, '{}' from written;

drop table base, numbers, parts;
set session_replication_role = origin;
