"""The stops of the tour: what each shows, in two sentences, at a thing that is really there."""

from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse

from runs import queries


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the tour is: its number from 1, what it says, the page it is about, and whether another follows."""

    number: int
    of: int
    title: str
    text: str
    where: str
    place: str
    next: int | None
    next_title: str


# title, text, the page's name, what the page is called
STOPS = (
    ("Home says what needs somebody", ("Most uncertain first: effects that nobody can vouch for, questions to people, runs that are stuck. "
     "While it is empty, runs go on without you."), "home", "home"),
    ("An approval is a ticket", ("It says exactly what will be sent, and an approval holds for that and nothing else. "
     "The stub keeps who asked, by which rule, and by when somebody must decide."), "approvals", "approvals"),
    ("A run is a book of tickets", ("Each leaf is one effect with its key, its attempts and what became of it. "
     "Below stands the record itself, each entry sealed with the hash of the one before."), "run", "the latest run"),
    ("Unknown is not failed", ("Something was sent and no answer came, so it may have happened or not. "
     "It is asked about, has an age and an owner, and never turns into a failure with time."), "unknown", "unknown effects"),
    ("Somebody finds out, with evidence", ("Each way out says beforehand what will happen. What matters takes a second person: "
     "write a finding down as Omar, then sign in as Ravi to confirm it."), "resolve", "the oldest unknown effect"),
    ("Some things only a person can do", ("A task is an effect that somebody carries out by hand and reports, with evidence. "
     "It is permitted, counted and recorded as any other."), "tasks", "tasks"),
    ("Contracts say what may be done, and how", ("Each operation answers the same questions beforehand: what if it is cut off, sent twice, "
     "or wrong. What is left open is named, with why it matters."), "contracts", "contracts"),
)  # fmt: skip


def stop(tenant_id: UUID, step: int) -> Stop | None:
    """Give a stop by its place from 0; None past the last."""
    if not 0 <= step < len(STOPS):
        return None
    title, text, page, place = STOPS[step]
    follows = step + 1 < len(STOPS)
    return Stop(
        number=step + 1, of=len(STOPS), title=title, text=text, where=where(tenant_id, page), place=place,
        next=step + 2 if follows else None, next_title=STOPS[step + 1][0] if follows else "",
    )  # fmt: skip


def where(tenant_id: UUID, page: str) -> str:
    """Give the address of the thing that a stop is about; while there is none yet, the list where it will be."""
    if page == "resolve":
        oldest = queries.oldest_unknown(tenant_id)
        return reverse("resolve", args=oldest) if oldest else reverse("unknown")
    if page != "run":
        return reverse(page)
    latest = queries.runs(tenant_id, (), None, 1)
    return reverse("run", args=[latest[0].pk]) if latest else reverse("runs")
