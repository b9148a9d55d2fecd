"""Reading a Dockerfile and a .dockerignore, as much of both as ours use."""

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Stage:
    """One stage: its name, and its instructions in order, each with what follows it."""

    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def last(self, word: str) -> str:
        """Give what the last instruction of that word says."""
        return [rest for each, rest in self.steps if each == word][-1]

    def environment(self) -> dict[str, str]:
        """Give what ENV sets."""
        pairs = [pair.partition("=") for each, rest in self.steps if each == "ENV" for pair in shlex.split(rest)]
        return {name: value for name, _, value in pairs}


def stages(path: Path) -> list[Stage]:
    """Read the stages of a Dockerfile."""
    found: list[Stage] = []
    text = "\n".join(line for line in path.read_text().splitlines() if not line.lstrip().startswith("#"))
    for line in filter(None, (line.strip() for line in text.replace("\\\n", " ").splitlines())):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            found.append(Stage(rest.partition(" AS ")[2]))
        elif found:
            found[-1].steps.append((word, rest.strip()))
    return found


def exec_form(rest: str) -> list[str]:
    """Give the words of an instruction in exec form; a shell would keep signals from the process."""
    words = json.loads(rest)
    assert isinstance(words, list)
    return words


class Context:
    """What may be copied into an image: a folder, less what its .dockerignore leaves out."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self.folder = folder
        lines = [line.strip() for line in (folder / ".dockerignore").read_text().splitlines()]
        self.rules = [
            (not line.startswith("!"), pattern(line.removeprefix("!")))
            for line in lines
            if line and not line.startswith("#")
        ]
        self.files = [name for name in names if not self.ignored(name)]

    def ignored(self, name: str) -> bool:
        """Tell whether a file is left out: the last rule that fits it, or a folder above it, decides."""
        parts = name.split("/")
        paths = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        out = False
        for leaves_out, rule in self.rules:
            if any(rule.fullmatch(path) for path in paths):
                out = leaves_out
        return out

    def under(self, source: str) -> list[str]:
        """Give the files that a COPY of this source takes."""
        return [name for name in self.files if name == source or name.startswith(f"{source}/")]


def pattern(line: str) -> "re.Pattern[str]":
    """Make a pattern of .dockerignore into one of Python's."""
    parts = [re.escape(part).replace(r"\*", "[^/]*") for part in line.strip("/").split("/")]
    return re.compile("/".join(parts).replace("[^/]*[^/]*/", "(?:.*/)?"))
