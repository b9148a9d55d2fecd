"""What the agent does itself: it writes a letter under a permit, gives signs of life meanwhile, and reports.

The letter is named after the effect, so that after a crash the agent finds that it was written and does not write it twice."""

import time
from collections.abc import Callable
from pathlib import Path

from examples.agent.api import Api, Document, Refused

SECONDS_A_PARAGRAPH = 2.0
VANISHES, NO_STAMPS, MOVED = "vanishes", "no stamps", "moved away"


class PostBook:
    """The letters that were written, each a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def written(self, name: str) -> bool:
        """Tell whether this letter was given to the post."""
        return self._path(name).exists()

    def give(self, name: str, text: str) -> None:
        """Write the letter whole, and give it to the post."""
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self._path(name).with_suffix(".part")
        part.write_text(text, encoding="utf-8")
        part.replace(self._path(name))

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.txt"


def perform(
    effect: Document,
    number: int,
    run: Document,
    api: Api,
    post: PostBook,
    tell: Callable[[str], None],
    wrinkle: str,
) -> None:
    """Carry one attempt out. What came of it is reported, except when the agent vanishes in the middle."""
    permit = api.begin(run, effect, number)
    tell(f"“{effect['summary']}”: writing it myself")
    if not post.written(permit["effect_key"]):
        for paragraph in range(len(permit["arguments"]["text"].split("\n\n"))):
            time.sleep(SECONDS_A_PARAGRAPH)
            api.heartbeat(permit)
            if wrinkle == VANISHES and paragraph == 0:
                tell("stopped in the middle of the letter, and says nothing any more")
                return
    try:
        _finish(permit, api, post, wrinkle if number == 1 or wrinkle == MOVED else "")
    except Refused as refusal:
        tell(f"the report came too late: {refusal}")


def _finish(permit: Document, api: Api, post: PostBook, wrinkle: str) -> None:
    name, told = permit["effect_key"], permit["arguments"]
    if wrinkle == NO_STAMPS:
        api.report(permit, "transient", reason="There are no stamps left; more are on their way.")
        return
    if wrinkle == MOVED:
        api.report(permit, "rejected", reason=f"{told['customer']} has moved, and nobody knows where to.")
        return
    if not post.written(name):
        post.give(name, f"To {told['customer']}\nAbout order {told['order']}: {told['subject']}\n\n{told['text']}\n")
    result = {"letter": name, "words": len(told["text"].split())}
    api.report(permit, "succeeded", result=result, reference=name, evidence=f"The post book has it as {name}.")
