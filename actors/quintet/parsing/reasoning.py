"""Reasoning that a model writes in line with its answer: where it stands, and the answer without it."""

import re

_NAMES = "(?:think|thinking|reasoning|scratchpad|seed:think)"
_HARMONY = r"<\|channel\|>[ \t]*"

_BORDER = re.compile(
    rf"(?P<opening><{_NAMES}(?:[ \t][^<>\n]{{0,80}})?>|◁think▷|<\|begin_of_thought\|>|{_HARMONY}(?!final)\w{{1,20}})"
    rf"|</{_NAMES}>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|{_HARMONY}final[^<>\n]{{0,40}}<\|message\|>",
    re.IGNORECASE,
)


def answer_spans(completion: str) -> list[tuple[int, int]]:
    """Where the answer stands in a completion: starts and ends of the parts outside reasoning; any text is allowed.

    A closing tag without an opening one ends reasoning that began in the prompt: the chat templates of some models open
    it. Reasoning that is not closed goes on to the end.
    """
    spans: list[tuple[int, int]] = []
    start, inside = 0, False
    for border in _BORDER.finditer(completion):
        if not border["opening"]:
            if not inside:
                spans.clear()
            start, inside = border.end(), False
        elif not inside:
            spans.append((start, border.start()))
            inside = True
    return spans if inside else [*spans, (start, len(completion))]


def without_reasoning(completion: str) -> str:
    """The answer alone; any text is allowed."""
    return "".join(completion[start:end] for start, end in answer_spans(completion))
