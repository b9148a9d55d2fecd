"""Why a run needs a person, in words: one sentence for each reason that the record knows, and what was said of it."""

from typing import Final

from runs.models import Run

SENTENCES: Final = {
    "stalled": "Nothing will wake it: nobody drives it, and it waits for nothing.",
    "decision": "A person decides how it goes on.",
    "quarantined": "It is set aside, and a person decides what becomes of it.",
    "exhausted": "A budget ran out. Somebody gives it more, or ends it.",
    "overdue_wait": "It waits in vain. Somebody has it go on, or ends it.",
    "late": "Something came after it had ended. Look whether anything follows from it.",
}


def sentence(run: Run) -> str:
    """Say why somebody is needed, or nothing; a reason that this version does not know is named as it is."""
    if not run.attention:
        return ""
    said = SENTENCES.get(run.attention, f"It needs somebody: {run.attention.replace('_', ' ')}.")
    reason = run.attention_reason.strip()
    if not reason or reason.rstrip(".").lower() in said.lower():
        return said
    return f"{said} {reason[:1].upper()}{reason[1:].rstrip('.')}."
