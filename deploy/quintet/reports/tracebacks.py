"""A traceback as a person reads it: what was raised first, then where, innermost call first."""

import re

_HEADER = "Traceback (most recent call last):"
_LINKS = {
    "The above exception was the direct cause of the following exception:": "caused by",
    "During handling of the above exception, another exception occurred:": "while handling",
}
"""What Python writes between two exceptions, the earlier first; and what stands between them here, the later first."""


def innermost_first(text: str) -> str:
    """Python's text of a traceback, turned around; any other text as it is."""
    before, *parts = re.split(rf"^{re.escape(_HEADER)}\n", text, flags=re.MULTILINE)
    if before.strip() or not parts:
        return text
    lines: list[str] = []
    for part in reversed(parts):
        frames, raised = _split(part)
        link = next((link for sentence, link in _LINKS.items() if sentence in raised), None)
        lines += [f"{link}:"] if link and lines else []
        lines += [line for line in raised if line and line not in _LINKS]
        lines += reversed(frames)
    return "\n".join(lines)


def _split(part: str) -> tuple[list[str], list[str]]:
    """The calls, each with its lines of code, and the lines of what was raised."""
    frames: list[str] = []
    lines = part.splitlines()
    while lines and lines[0].startswith("  "):
        line = lines.pop(0)
        if line.startswith("    ") and frames:
            frames[-1] += f"\n{line}"
        else:
            frames.append(line)
    return frames, lines
