"""How a contract lets it be found out what became of a call: by a look (a status query, a read-back), or by sending it again (R-F2).

The database knows the first step too, for attempts that nobody answers for (runs/sql/repeat.sql); a test compares the two."""

from dataclasses import dataclass

from runs.contracts.asking import Asking
from runs.contracts.operation import OperationDocument
from runs.states import READ, RESEND, STATUS


@dataclass(frozen=True, slots=True)
class Look:
    """A question that changes nothing: which kind of attempt asks it, how often, and what it means that nothing is found."""

    kind: str
    asking: Asking


@dataclass(frozen=True, slots=True)
class FindingOut:
    """What may be done about an outcome that is not known: the look, if there is one, and whether it may be sent once more, and when."""

    look: Look | None = None
    resends: bool = False  # under the same key, when a look proves nothing
    resends_unasked: bool = False  # and where no look can be made
    told_within_seconds: float | None = (
        None  # how long a message is waited for, of what was accepted and cannot be asked about
    )

    @property
    def first_step(self) -> str:
        """Name the step that follows an attempt whose outcome is not known; nothing where only a person can find out."""
        if self.look is not None:
            return self.look.kind
        return RESEND if self.resends_unasked else ""


NOTHING = FindingOut()


def finding_out(document: OperationDocument) -> FindingOut:
    """Read from a contract how its outcomes are found out."""
    rule = document.unknown
    return FindingOut(
        look=_look(document),
        resends=rule.resend_same_key and rule.resolve != "person",
        resends_unasked=rule.resend_same_key and rule.resolve == "resend",
        told_within_seconds=document.http.callback.objective_seconds
        if document.http is not None and document.http.callback is not None
        else None,
    )


def _look(document: OperationDocument) -> Look | None:
    http, python = document.http, document.python
    if http is not None and http.read_back is not None and (document.unknown.resolve == "read_back" or not http.status):
        return Look(READ, http.read_back)
    status = http.status if http is not None else python.status if python is not None else None
    return None if status is None else Look(STATUS, status)
