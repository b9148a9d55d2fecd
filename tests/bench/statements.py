"""Where the database's time goes: pg_stat_statements over a load, statements inside functions included."""

from tests.bench.databases import Databases
from tests.bench.ground import FRESH, Ground
from tests.bench.machine import Watch
from tests.bench.rounds import Pace

TOP = """
    select round(total_exec_time::numeric, 1),
           round((100 * total_exec_time / sum(total_exec_time) over (partition by toplevel))::numeric, 1), calls, rows,
           round(mean_exec_time::numeric, 3), shared_blks_hit + shared_blks_read, wal_bytes,
           regexp_replace(left(query, 150), '\\s+', ' ', 'g')
    from pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname = %s and toplevel = %s order by total_exec_time desc limit %s
"""


def profile(ground: Ground, pace: Pace) -> None:
    """Load the product once, and print where the processor's and the database's time went; the counting itself slows the load."""
    runs = pace.size(2_000, 100)
    with ground.databases.with_statements(), ground.product(workers=1) as product:
        product.ask("load", runs=pace.size(400, 50), name="filling")
        product.settle()
        begin(ground.databases, FRESH)
        with Watch(product.groups()) as watch:
            told = product.ask("load", runs=runs, name="profiled")
        effects = runs * 5
        print(
            f"  {effects / told['seconds']:.0f} effects/s, {told['submitting_seconds']:.1f} of {told['seconds']:.1f} s submitting"
        )
        print("  CPU, ms an effect:", {name: round(used * 1000 / effects, 3) for name, used in watch.cpu.items()})
        show(ground.databases, FRESH, effects)


def begin(databases: Databases, database: str) -> None:
    """Count from now on; the server must have been started with pg_stat_statements."""
    with databases.as_superuser(database) as inside:
        inside.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        inside.execute("ALTER SYSTEM SET pg_stat_statements.track = 'all'")
        inside.execute("SELECT pg_reload_conf()")
        inside.execute("SELECT pg_stat_statements_reset()")


def show(databases: Databases, database: str, effects: int, most: int = 25) -> None:
    """Print the statements that took most time: those of clients first, then those inside functions."""
    with databases.as_superuser(database) as inside:
        for toplevel in (True, False):
            print("  statements of clients:" if toplevel else "  statements inside functions:")
            print("    total ms  share    calls     rows  mean ms  blocks/eff  WAL/eff  statement")
            for total, share, calls, rows, mean, blocks, wal, text in inside.execute(TOP, [database, toplevel, most]):
                print(
                    f"  {total:>10} {share:>5}% {calls:>8} {rows:>8} {mean:>8} {blocks / effects:>11.1f} {wal / effects:>8.0f}  {text}"
                )
        inside.execute("ALTER SYSTEM RESET pg_stat_statements.track")
