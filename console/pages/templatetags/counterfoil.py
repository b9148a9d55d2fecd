"""The words, times, amounts and states of the pages, as tags and filters that every template has."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from compensation import sentences
from console.exact.visible import visible
from console.pages.templatetags import amounts, arguments, history, states, times
from runs.failures import FailureClass, class_of
from runs.states import ACT, CHECK, CLOSING, RESEND, RUN_REACHED, VERIFY

register = template.Library()

MOVING = {"ready", "dispatched", "accepted", "unknown"}

register.filter("amount", amounts.amount)
register.filter("plain", arguments.plain)
register.filter("rows", arguments.rows)
register.filter("pretty", arguments.pretty)
register.filter("folded", history.folded)
register.filter("as_json", arguments.as_json)
register.filter("took", times.took)
register.filter("because", sentences.because)


def now_of(context: Mapping[str, Any] | Context) -> datetime:
    """Give the page's `now`, the database's time, or else this machine's."""
    now = context.get("now")
    return now if isinstance(now, datetime) else timezone.now()


def part(context: Context, name: str, values: dict[str, object]) -> SafeString:
    """Give a small template's text without the line ends around it, so that it can stand inside a sentence."""
    engine = context.template.engine  # type: ignore[union-attr]
    return mark_safe(engine.get_template(name).render(Context(values)).strip())  # noqa: S308 - rendered with escaping


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """Draw an icon of the sprite; without a label it is decoration, and words must stand beside it."""
    if label:
        return format_html('<svg class="icon" role="img" aria-label="{}"><use href="#i-{}"/></svg>', label, name)
    return format_html('<svg class="icon" aria-hidden="true" focusable="false"><use href="#i-{}"/></svg>', name)


@register.simple_tag(takes_context=True)
def state(context: Context, value: object, noun: str = "run", style: str = "tag") -> SafeString:
    """Show a state as word, icon and colour; `noun` is one of states.LOOKS."""
    return part(context, "_state.html", {"shown": states.shown(noun, value), "style": style})


@register.simple_tag(takes_context=True)
def run_state(context: Context, run: Any, style: str = "tag") -> SafeString:
    """Show a run's state; one that is closing says toward what."""
    toward = getattr(run, "closing_toward", "") if run.state == CLOSING else ""
    found = states.shown("closing", toward) if toward in states.LOOKS["closing"] else states.shown("run", run.state)
    return part(context, "_state.html", {"shown": found, "style": style})


@register.simple_tag
def meaning(value: object, noun: str = "run") -> str:
    """Say in a sentence what a state means."""
    return states.shown(noun, value).meaning


@register.simple_tag
def failure(outcome: object, state: object = "", reason: object = "") -> FailureClass | None:
    """Name the class of failure that an effect or an attempt fell into, or nothing."""
    return class_of(str(outcome or ""), str(state or ""), str(reason or ""))


@register.simple_tag
def tone(value: object, noun: str = "run") -> str:
    """Give the colour's name of a state, for a class."""
    return states.shown(noun, value).tone


@register.simple_tag(takes_context=True)
def when(context: Context, at: datetime | None, style: str = "ago", since: datetime | None = None) -> SafeString:
    """Show an instant; style is ago (6 min ago), age (6 min), left (18 min left, loud when near), due (left, never loud) or clock.

    `since` says from when the time counts that is left; in its last quarter it is near."""
    now = now_of(context)
    words = {"age": times.age, "left": times.left, "due": times.left}.get(style, times.ago)(at, now)
    if style == "clock" and at is not None:
        words = times.clock(at, now)
    near = times.last_quarter(since, at)
    values: dict[str, object] = {
        "at": at and times.aware(at), "absolute": at and times.absolute(at), "words": words, "style": style,
        "soon": style == "left" and times.soon(at, now, near), "near_seconds": int(near.total_seconds()),
    }  # fmt: skip
    return part(context, "_time.html", values)


@register.filter
def ago(at: datetime | None, now: datetime | None = None) -> str:
    """Give how long ago it was."""
    return times.ago(at, now or timezone.now())


@register.filter
def left(until: datetime | None, now: datetime | None = None) -> str:
    """Give what is left until then."""
    return times.left(until, now or timezone.now())


@register.simple_tag(takes_context=True)
def older_than(context: Context, at: datetime | None, seconds: int) -> bool:
    """Tell whether the instant is missing or longer ago than this."""
    return at is None or (times.aware(now_of(context)) - times.aware(at)).total_seconds() > seconds


@register.simple_tag(takes_context=True)
def soon(context: Context, until: datetime | None) -> bool:
    """Tell whether less than an hour is left."""
    return times.soon(until, now_of(context))


@register.simple_tag(takes_context=True)
def over(context: Context, until: datetime | None) -> bool:
    """Tell whether the deadline has passed."""
    return until is not None and times.aware(until) <= times.aware(now_of(context))


@register.filter
def deed(question: Any, verb: str) -> str:
    """Say what a button does: Approve refund of 120.00 EUR; without an amount, Approve: publish correction."""
    return amounts.deed(verb, question.operation, question.arguments)


@register.filter
def moving(question: Any) -> bool:
    """Tell whether something may still become of a request without this page."""
    effect = getattr(question, "effect", None)
    under_way = question.state == "consumed" and effect and effect.state in MOVING
    return question.state in {"pending", "approved"} or bool(under_way)


@register.filter
def number(value: object) -> str:
    """Give a number of the book: 00318."""
    return f"{value:05d}" if isinstance(value, int) else str(value)


@register.filter
def fence(value: object) -> str:
    """Give a fence or an epoch as book.number (1.3): its high bits are the incarnation of the database (see fence.sql)."""
    if not isinstance(value, int):
        return "none"
    incarnation, step = value >> 40, value & ((1 << 40) - 1)
    return f"{incarnation}.{step}" if incarnation else str(step)


@register.filter
def short(digest: object) -> str:
    """Give a digest's short form: 9f3c…b21e."""
    text = str(digest or "")
    return text if len(text) <= 12 else f"{text[:4]}…{text[-4:]}"


@register.filter
def spelled(names: object) -> str:
    """Give names as people list them: ann, ben and cara."""
    if not isinstance(names, Iterable) or isinstance(names, str):
        return str(names or "")
    *most, last = [str(name) for name in names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


@register.filter
def listed(value: object) -> list[object]:
    """Give a list whether one thing or several were handed over."""
    if value in (None, ""):
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


@register.filter
def words(value: object) -> str:
    """Give a name without its joints: succeeded with unresolved."""
    return str(value or "").replace("_", " ").replace("-", " ")


@register.filter
def answered_as(kind: object) -> str:
    """Name the table of states.LOOKS that says what an attempt of this kind brought: only acts have outcomes."""
    nouns = {ACT: "outcome", RESEND: "outcome", CHECK: "check", VERIFY: "verification"}
    return nouns.get(str(kind), "answer")


@register.filter
def state_word(value: object) -> str:
    """Give a state of the record without its joints, and anything else as it is."""
    text = str(value)
    return words(text) if any(text in states.LOOKS[noun] for noun in ("run", "effect", "request")) else text


@register.filter
def tally(things: Iterable[Any], noun: str = "effect") -> Iterator[tuple[str, int, states.Shown]]:
    """Count things by state, in the order of the table of states."""
    counts = Counter(str(thing.state) for thing in things)
    order = [*states.LOOKS[noun], *counts]
    for name in sorted(counts, key=order.index):
        yield name, counts[name], states.shown(noun, name)


@register.filter
def count(value: object) -> str:
    """Give a count with grouped thousands; one that could not be taken is a question mark, never zero."""
    return f"{value:,}" if isinstance(value, int) else "?"


@register.simple_tag
@cache
def version() -> str:
    """Give the version that is running, as pyproject.toml says it."""
    path = settings.BASE_DIR / "pyproject.toml"
    return str(tomllib.loads(path.read_text())["project"]["version"]) if path.is_file() else ""


@register.filter
def states_of(noun: str) -> list[str]:
    """Give every state of a noun, in the order of the table."""
    return list(states.LOOKS[noun])


@register.filter
def seen(text: object) -> str:
    """Give text for a place that takes no markup (a title), what hides in it written as escapes."""
    return visible(str(text))


@register.filter
def reached(noun: str) -> list[str]:
    """Give the states of a noun that it can come into today; of others than runs, all."""
    return [state for state in states_of(noun) if noun != "run" or state in RUN_REACHED]


@register.filter
def numbered(effects: Iterable[Any] | None, number: object) -> Any:
    """Find the effect of this number, or nothing."""
    return next((effect for effect in effects or [] if effect.number == number), None)


@register.filter
def effect_named(line: object) -> str:
    """Give what is unresolved as words; a bare number is an effect's."""
    return f"Effect No. {line}" if isinstance(line, int) else str(line)
