create or replace trigger runs_wait_immutable before update on runs_wait
    for each row execute function ledger_refuse_rewrite('state', 'ended_at', 'reason', 'result', 'condition', 'correlation', 'expires_at', 'overdue_at');
create or replace trigger runs_signal_immutable before update on runs_signal
    for each row execute function ledger_refuse_rewrite('state', 'run_id', 'wait_id', 'note', 'body', 'correlation', 'settled_at', 'expires_at');
create or replace trigger runs_checkpoint_immutable before update on runs_checkpoint
    for each row execute function ledger_refuse_rewrite('authoritative', 'state', 'artifacts', 'note', 'versions', 'contradictions', 'dropped_at',
        'sealed_with', 'drop_at');
create or replace trigger runs_resumption_immutable before update on runs_resumption
    for each row execute function ledger_refuse_rewrite('brief', 'steps', 'reason', 'versions');
create or replace trigger runs_correction_immutable before update on runs_correction
    for each row execute function ledger_refuse_rewrite('text', 'contradicts', 'source');
create or replace trigger runs_cancellation_immutable before update on runs_cancellation
    for each row execute function ledger_refuse_rewrite('state', 'reason', 'evidence', 'proven_at', 'grace_until', 'due_at');
create or replace trigger runs_pause_immutable before update on runs_pause
    for each row execute function ledger_refuse_rewrite('lifted_at', 'lifted_by_id', 'lift_reason', 'released_at', 'release_after', 'reason');
