"""The past of the work on a question in plain sentences, its parts, and what goals and observations are about."""

import re
from collections.abc import Iterator, Sequence

from quintet.models.sim.hotpotqa.names import name_spans_in
from quintet.models.sim.hotpotqa.pages import Notebook, ReadPage, key_of, mentions, notebook_after
from quintet.models.sim.hotpotqa.progress import believes_answered, parts_of
from quintet.models.sim.hotpotqa.question import ParsedQuestion
from quintet.models.sim.hotpotqa.task import ReadingTask
from quintet.models.sim.hotpotqa.topics import reading_topic
from quintet.models.sim.hotpotqa.view import view_of
from quintet.models.sim.hotpotqa.words import meanings_in
from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.sorting import Topic
from quintet.models.sim.transcript import Exchange, Reading

_READ = re.compile(r"on the page of (?P<title>.+?) i read: (?P<sentence>.+)", re.IGNORECASE)
_OPENED = re.compile(r"i opened the page of (?P<title>.+?), which says nothing for the question", re.IGNORECASE)
_NO_PAGE = re.compile(r"there is no page (?P<title>.+?)(?: \(similar: (?P<similar>.*)\))?", re.IGNORECASE)
_NO_WORD = re.compile(r"(?P<word>.+) stands in no other sentence of (?P<title>.+)", re.IGNORECASE)
_STOPS = re.compile(r"(?<=[.!?])\s+")


class HotpotqaMemory(Player[ReadingTask]):
    """Writes and reads what a memory holds of questions and pages."""

    def subgoals(self, reading: Reading[ReadingTask], mind: Mind) -> Iterator[tuple[str, bool]]:
        view = view_of(reading, mind)
        for part, done in parts_of(view):
            yield " ".join(part), done != mind.misreading.wrong(reading.task.wording, "is done", *part)
        if reading.task.aim == "answer":
            yield reading.task.wording, believes_answered(view)

    def sum_up(self, task: ReadingTask, steps: Sequence[Exchange]) -> Iterator[str]:
        """The sentences of each page that are of use for the question, word for word, and what was not found."""
        known = notebook_after(([task.last] if task.last else []) + list(steps))
        for title, similar in known.missing.items():
            names = "; ".join(f"'{_without_stops(each)}'" for each in similar)
            yield f"There is no page {_without_stops(title)}{f' (similar: {names})' if names else ''}."
        for page in known.pages.values():
            title = _without_stops(page.title)
            of_use = [each for each in page.sentences if _is_of_use(task.question, each, page, known)]
            if not of_use:
                yield f"I opened the page of {title}, which says nothing for the question."
            for sentence in of_use:
                yield f"On the page of {title} I read: {_in_one(sentence)}"
            yield from (f"{word} stands in no other sentence of {title}." for word in sorted(page.looked_up))

    def hear(self, sentence: str) -> Iterator[Exchange]:
        said = sentence.strip()
        bare = said.rstrip(".")
        if read := _READ.fullmatch(said):
            yield self.read_exchange(f"Action: search[{read['title']}]", read["sentence"])
        elif opened := _OPENED.fullmatch(bare):
            yield self.read_exchange(f"Action: search[{opened['title']}]", f"{opened['title']}.")
        elif missing := _NO_PAGE.fullmatch(bare):
            similar = f" Similar: [{missing['similar']}]." if missing["similar"] else ""
            yield self.read_exchange(
                f"Action: search[{missing['title']}]", f"Could not find {missing['title']}.{similar}"
            )
        elif word := _NO_WORD.fullmatch(bare):
            yield self.read_exchange(f"Action: lookup[{word['word']}]", "No more results.")

    def topic(self, text: str) -> Topic | None:
        return reading_topic(text)


def _is_of_use(question: ParsedQuestion, sentence: str, page: ReadPage, known: Notebook) -> bool:
    """Whether it has words or names of the question, or what else might be the answer or lead on."""
    asked = question.terms & meanings_in(sentence)
    return bool(asked) or any(mentions(sentence, name) for name in question.names) or _names_page(sentence, page, known)


def _names_page(sentence: str, page: ReadPage, known: Notebook) -> bool:
    return any(
        key_of(span.text) in known.pages and key_of(span.text) != key_of(page.title) for span in name_spans_in(sentence)
    )


def _without_stops(title: str) -> str:
    """A title with its initials together, so that no sentence ends in it."""
    return title.replace(". ", ".")


def _in_one(sentence: str) -> str:
    """A sentence with no full stop before its end, so that it is read back as one."""
    return _STOPS.sub("; ", sentence.rstrip(".").replace(". ", "; ")) + "."
