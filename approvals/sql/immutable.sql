create or replace trigger approvals_policy_immutable before update on approvals_policy
    for each row execute function ledger_refuse_rewrite('superseded_at', 'displaced');
