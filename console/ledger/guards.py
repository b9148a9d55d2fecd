"""From a table of moves to the trigger by which the database refuses every other change of state, and to the diagram people read."""

from collections.abc import Iterable, Mapping

Move = tuple[frozenset[str], frozenset[str]]


def trigger_sql(table: str, initial: Iterable[str], moves: Mapping[str, Move]) -> str:
    """Write the guard of `table.state`: a BEFORE trigger with the moves compiled in (a lookup table would cost 14 %)."""
    steps = sorted(
        {(source, target) for sources, targets in moves.values() for source in sources for target in targets}
    )
    by_source: dict[str, list[str]] = {}
    for source, target in steps:
        if source != target:
            by_source.setdefault(source, []).append(target)
    lines = [f"        when '{source}' then new.state in ({_quoted(targets)})" for source, targets in by_source.items()]
    return f"""-- Written by `manage.py states`; change the table of moves and run it again.
create or replace function {table}_moves() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        if new.state not in ({_quoted(sorted(initial))}) then
            raise exception '{table}: % is no first state', new.state using errcode = 'check_violation', constraint = '{table}_moves';
        end if;
    elsif not (case old.state
{chr(10).join(lines)}
        else false end) then
        raise exception '{table}: no move leads from % to %', old.state, new.state
            using errcode = 'check_violation', constraint = '{table}_moves';
    end if;
    return new;
end $$;
create or replace trigger {table}_moves_insert before insert on {table} for each row execute function {table}_moves();
create or replace trigger {table}_moves_update before update of state on {table}
    for each row when (old.state is distinct from new.state) execute function {table}_moves();
"""


def diagram(name: str, initial: Iterable[str], moves: Mapping[str, Move]) -> str:
    """Draw the moves as a Mermaid state diagram, with the same as a table for those who read."""
    lines = [f"## {name}", "", "```mermaid", "stateDiagram-v2"]
    lines += [f"    [*] --> {state}" for state in sorted(initial)]
    for verb, (sources, targets) in moves.items():
        lines += [
            f"    {source} --> {target}: {verb}"
            for source in sorted(sources)
            for target in sorted(targets)
            if source != target
        ]
    lines += ["```", "", "| move | from | to |", "| --- | --- | --- |"]
    lines += [
        f"| {verb} | {', '.join(sorted(sources))} | {', '.join(sorted(targets))} |"
        for verb, (sources, targets) in moves.items()
    ]
    return "\n".join(lines) + "\n"


def _quoted(states: Iterable[str]) -> str:
    return ", ".join(f"'{state}'" for state in states)
