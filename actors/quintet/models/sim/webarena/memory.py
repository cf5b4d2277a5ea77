"""A past on websites in plain sentences, the parts of a task, and what pages are about."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.sorting import Topic
from quintet.models.sim.transcript import Exchange, Reading
from quintet.models.sim.webarena.browsing import browsing_of
from quintet.models.sim.webarena.page import read_web_page
from quintet.models.sim.webarena.picture import WebPicture, labelled
from quintet.models.sim.webarena.progress import parts_on_sites
from quintet.models.sim.webarena.task import WebPromptTask

_DID = re.compile(r"i did: (?P<action>.+)", re.IGNORECASE)
_ENDING = re.compile(r"(?<=[.!])\s+")


class WebarenaMemory(Player[WebPromptTask]):
    """Writes and reads what a memory holds of websites."""

    def subgoals(self, reading: Reading[WebPromptTask], mind: Mind) -> Iterator[tuple[str, bool]]:
        browsing = browsing_of(reading, mind)
        for part, done in parts_on_sites(browsing):
            yield part, done != browsing.wrong("is complete", part)

    def sum_up(self, task: WebPromptTask, steps: Sequence[Exchange]) -> Iterator[str]:
        picture = WebPicture(task.page)
        for step in steps:
            if step.action:
                yield f"I did: {_ENDING.sub('; ', labelled(step.action, picture.page))}."
            picture.learn(step)

    def hear(self, sentence: str) -> Iterator[Exchange]:
        if did := _DID.fullmatch(sentence.strip().removesuffix(".")):
            yield Exchange(did["action"], "")

    def topic(self, text: str) -> Topic | None:
        """The site of a page, and the first part of its address."""
        page = read_web_page(text)
        if page is None:
            return None
        parts = urlsplit(page.url)
        return Topic(parts.hostname or "a site", parts.path.strip("/").partition("/")[0] or "start")
