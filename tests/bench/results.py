"""The results file: a list of measures with value, unit and how each was taken; a new run of a case replaces its own only."""

import json
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from console import env
from tests.bench.machine import described

FILE = Path(__file__).parent / "results.json"


@dataclass(frozen=True)
class Measure:
    """One figure. `values` are what the value is the median of; `noisy` counts those taken while others used the machine."""

    case: str
    name: str
    value: float
    unit: str
    how: str
    values: list[float] = field(default_factory=list)
    noisy: int = 0
    details: dict[str, Any] = field(default_factory=dict)


def middle(values: Sequence[float], digits: int = 1) -> float:
    """Give the median, rounded."""
    return round(statistics.median(values), digits)


def write(case: str, measures: Sequence[Measure], file: Path) -> None:
    """Put a case's measures into the file, in place of its earlier ones."""
    kept = json.loads(file.read_text())["measures"] if file.exists() else []
    taken = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "commit": commit()}
    new = [{**asdict(measure), **taken} for measure in measures]
    whole = {"machine": described(), "measures": [old for old in kept if old["case"] != case] + new}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")


def show(measures: Sequence[Measure]) -> None:
    """Print measures for a person."""
    for measure in measures:
        spread = (
            f"  [{min(measure.values):g} to {max(measure.values):g}, n={len(measure.values)}]" if measure.values else ""
        )
        noisy = f"  {measure.noisy} of them NOISY" if measure.noisy else ""
        print(f"  {measure.name:52} {measure.value:>10g} {measure.unit}{spread}{noisy}", flush=True)


def commit() -> str:
    """Give the commit that was measured, with a + when files differ from it."""
    asked = ["git", "-C", str(env.BASE_DIR), "describe", "--always", "--dirty=+", "--abbrev=10", "--exclude=*"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
