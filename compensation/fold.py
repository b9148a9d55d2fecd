"""What the facts of a plan amount to. Each entry says what the columns of its row are from then on (compensation/writing.py)."""

from compensation.models import Ending, EvidenceFile, Plan, WorkItem
from compensation.writing import NAMES
from console.ledger.folding import Fact, Folded, Reducer
from console.ledger.verification import Book, Table


def _is(folded: Folded, plan: str, fact: Fact) -> None:
    for name in NAMES.values():
        if name in fact.says:
            folded.set(fact, name, fact.says[name], **fact.says["is"])
            return


KINDS = (
    "plan.made", "plan.told", "plan.approved", "plan.declined", "plan.emptied", "plan.erased",
    "item.planned", "item.waits", "item.began", "item.verifying", "item.done", "item.failed", "item.escalated", "item.resolved",
    "item.waived", "item.dropped", "item.hurried", "item.asked_again", "item.tried_again", "item.owned", "item.checked", "item.told",
    "item.remains",
    "ending.proposed", "ending.confirmed", "ending.declined", "ending.withdrawn", "ending.overtaken", "ending.remains",
    "file.added", "file.remains",
)  # fmt: skip
REDUCERS: dict[str, Reducer] = dict.fromkeys(KINDS, _is)
BOOK = Book(
    "plan", Plan, REDUCERS,
    [
        Table("plan", Plan, "id", Plan.recorded),
        Table("item", WorkItem, "plan_id", WorkItem.recorded),
        Table("ending", Ending, "plan_id", Ending.recorded),
        Table("file", EvidenceFile, "plan_id", EvidenceFile.recorded, contents=[("content", "digest")]),
    ],
)  # fmt: skip
