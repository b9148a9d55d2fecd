create or replace trigger runs_resolution_immutable before update on runs_resolution
    for each row execute function ledger_refuse_rewrite('state', 'decided_by_id', 'decided_at', 'decided_reason', 'evidence', 'link', 'reason', 'result', 'reference');
create or replace trigger runs_evidencefile_immutable before update on runs_evidencefile
    for each row execute function ledger_refuse_rewrite('content', 'name');
