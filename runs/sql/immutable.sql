create or replace trigger runs_operationcontract_immutable before update on runs_operationcontract
    for each row execute function ledger_refuse_rewrite('retired_at');
create or replace trigger runs_runtypecontract_immutable before update on runs_runtypecontract
    for each row execute function ledger_refuse_rewrite('retired_at');
create or replace trigger runs_dependency_immutable before update on runs_dependency
    for each row execute function ledger_refuse_rewrite('retired_at');
