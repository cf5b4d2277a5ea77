"""The inputs of a decision: the task, what was read, what is believed of the tool, and the mind."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from quintet.models.sim.hotpotqa.compare import compared, page_of
from quintet.models.sim.hotpotqa.evidence import Evidence, evidence_in
from quintet.models.sim.hotpotqa.pages import Notebook, bare, mentions, names_same, notebook_after
from quintet.models.sim.hotpotqa.question import ParsedQuestion
from quintet.models.sim.hotpotqa.task import ReadingTask
from quintet.models.sim.mind import Mind
from quintet.models.sim.transcript import Reading

_SHOWN_SHORT = re.compile(r"finish\[(?:[^\s\]<>]+ ){0,4}[^\s\]<>.]+\]", re.IGNORECASE)
_SAID_SHORT = re.compile(
    r"\b(?:answers?|finish)\b[^.\n]*\b(?:short|few words|no(?:t a)? (?:whole )?sentence|words? alone)\b",
    re.IGNORECASE,
)
_SHOWN_NAME = re.compile(r"search\[[A-Z][^\]<>]*\]")
_SAID_NAME = re.compile(
    r"\b(?:search|page)[^.\n]*\b(?:(?:by (?:its|the|their)|exact|full) (?:name|title)|not (?:by )?a description)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ReaderView:
    """One moment of the work on a question."""

    task: ReadingTask
    known: Notebook
    mind: Mind
    answers_short: bool = True
    """It believes that an answer is the words that are asked for; otherwise the sentence that says them."""
    searches_names: bool = True
    """It believes that a page is found by a name; otherwise by a description just as well."""
    instead_of: Set[str] = frozenset()
    """Actions to do without."""

    @property
    def question(self) -> ParsedQuestion:
        return self.task.question

    def possible(self, action: str) -> bool:
        """Whether an action is not refused, and is none to do without."""
        return action not in self.known.refused and action not in self.instead_of

    def answers(self) -> list[Evidence]:
        """The possible answers, the best first."""
        if self.question.form == "open" or self.question.pair is None:
            return evidence_in(self.question, self.known)
        found = compared(self.question, self.known)
        return [] if found is None else [found]

    def answer(self) -> Evidence | None:
        """The answer as it is read. One that is misread is one from another sentence."""
        found = self.answers()
        if not found:
            return None
        others = [each for each in found if each.sentence != found[0].sentence] or _opposites(self.question, found[0])
        wording = self.task.wording
        return self.mind.misreading.answer(found[0], others, wording, "answers", found[0].sentence)

    def believes_found(self) -> bool:
        """Whether the answer is thought to be found. The question comes up once a page was read."""
        best = next(iter(self.answers()), None)
        found = best is not None and best.complete
        return found != (best is not None and self.mind.misreading.wrong(self.task.wording, "found"))

    def is_open(self, name: str) -> bool:
        """Whether the page of a name was read, or that of a similar one."""
        return page_of(name, self.known) is not None or any(
            mentions(page.title, name) for page in self.known.pages.values()
        )

    def supports(self, answer: str) -> bool:
        """Whether what was read says an answer that was given."""
        return any(each.complete and bare(each.answer) == bare(answer) for each in self.answers())


def _opposites(question: ParsedQuestion, of: Evidence) -> list[Evidence]:
    other = {"yes": "no", "no": "yes"}.get(of.answer)
    if other is None and question.pair is not None:
        other = next((name for name in question.pair if not names_same(name, of.answer)), None)
    return [] if other is None else [replace(of, answer=other)]


def view_of(reading: Reading[ReadingTask], mind: Mind, instead_of: Set[str] = frozenset()) -> ReaderView:
    """The view as a reader with this mind has it, and the actions to do without."""
    steps = mind.skill.remembered(reading)
    before = (reading.task.last,) if reading.task.last is not None else ()
    misled = mind.skill.misled
    return ReaderView(
        task=reading.task,
        known=notebook_after((*before, *steps)),
        mind=mind,
        answers_short=not misled or shows_short_answers(reading.texts),
        searches_names=not misled or shows_names(reading.texts),
        instead_of=instead_of,
    )


def shows_short_answers(texts: Iterable[str]) -> bool:
    """Whether a text says, or shows by an example, that an answer is short."""
    return any(_found(text)[0] for text in texts)


def shows_names(texts: Iterable[str]) -> bool:
    """Whether a text says, or shows by an example, that a page is searched by its name."""
    return any(_found(text)[1] for text in texts)


@lru_cache(maxsize=4096)
def _found(text: str) -> tuple[bool, bool]:
    short = _SHOWN_SHORT.search(text) or _SAID_SHORT.search(text)
    return short is not None, (_SHOWN_NAME.search(text) or _SAID_NAME.search(text)) is not None
