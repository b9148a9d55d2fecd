"""The words of a digest: what is to be decided, by what it is part of, the oldest deadline first; then what has ended."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from console.notices.letters import link
from console.notices.models import Notice
from console.notices.ways import ASKING

SHOWN: Final = 25
LONGEST: Final = 120


def written(told: Sequence[Notice], topics: Mapping[UUID, str], reasons: Sequence[str]) -> tuple[str, str]:
    """Write the title and the text of a digest. Of several notices about one thing the last is told."""
    last: dict[UUID | None, Notice] = {}
    for each in sorted(told, key=lambda notice: notice.posted_at):
        last[each.about] = each
    asking = sorted((each for each in last.values() if each.kind in ASKING), key=_deadline)
    ended = [each for each in last.values() if each.kind not in ASKING]
    counts = [f"{len(asking)} to decide"] if asking else []
    counts += [f"{len(ended)} ended or done"] if ended else []
    lines: list[str] = []
    for topic, mine in _by_topic(asking, topics).items():
        lines += ["", f"{_short(topic) or 'Other requests'}: {len(mine)} to decide", *(_line(each) for each in mine)]
    if ended:
        lines += ["", "Ended or done", *(_line(each) for each in ended)]
    left = sum(line.startswith("- ") for line in lines[_cut(lines) :])
    text = "\n".join([f"{' and '.join(counts)}.", *lines[: _cut(lines)]])
    more = f"\n\nAnd {left} more on the page." if left else ""
    return ", ".join(counts), "\n\n".join([text + more, *reasons])


def _by_topic(asking: Sequence[Notice], topics: Mapping[UUID, str]) -> dict[str, list[Notice]]:
    """Group them; the group with the oldest deadline comes first, for they come in that order."""
    found: dict[str, list[Notice]] = defaultdict(list)
    for each in asking:
        found[topics.get(each.about, "") if each.about else ""].append(each)
    return found


def _line(notice: Notice) -> str:
    until = f", until {notice.deadline_at:%Y-%m-%d %H:%M} UTC" if notice.kind in ASKING and notice.deadline_at else ""
    return f"- {_short(notice.title)}{until}: {link(notice.path) or notice.path}"


def _cut(lines: Sequence[str]) -> int:
    """Say how many lines are shown."""
    items = [place for place, line in enumerate(lines) if line.startswith("- ")]
    return items[SHOWN] if len(items) > SHOWN else len(lines)


def _deadline(notice: Notice) -> tuple[float, datetime]:
    return (notice.deadline_at.timestamp() if notice.deadline_at else float("inf"), notice.posted_at)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} …"
