"""The player of WebArena: one answerer for each request."""

import re
from collections.abc import Iterator, Set
from dataclasses import replace

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Decomposition, Move
from quintet.models.sim.transcript import Exchange, Reading, without_opening
from quintet.models.sim.webarena.browsing import browsing_of
from quintet.models.sim.webarena.hindsight import WebarenaHindsight
from quintet.models.sim.webarena.memory import WebarenaMemory
from quintet.models.sim.webarena.moves import browsing_move
from quintet.models.sim.webarena.progress import NOT_FOUND, parts_on_sites, progress_on_sites
from quintet.models.sim.webarena.steps import WebarenaSteps
from quintet.models.sim.webarena.task import WebPromptTask, part_for, read_web_exchange, read_web_task

_FORMS = re.compile(r"\bclick \[.*\bgoto \[", re.DOTALL)
_MEANT = tuple(
    (re.compile(said, re.IGNORECASE), form)
    for said, form in (
        (r"(?:click|press)(?: on)?(?: the)?(?: \w+)? \[?(\d{1,9})\]?", "click [{}]"),
        (r"scroll(?: \w+)*? (up|down)", "scroll [{}]"),
        (r"(?:go to|open|visit|goto) \[?(https?://[^\]\s]+)\]?", "goto [{}]"),
        (r"(?:stop|answer)(?: with)?:? \[?([^\]]+)\]?", "stop [{}]"),
    )
)


class WebarenaPlayer(WebarenaHindsight, WebarenaMemory, WebarenaSteps):
    """Follows what the goal names from page to page, and stops where a page says or is what was asked for."""

    idle = Move("I see nothing more that leads on.", f"stop [{NOT_FOUND}]")

    def read_task(self, text: str) -> WebPromptTask | None:
        return read_web_task(text)

    def read_exchange(self, answer: str, observation: str) -> Exchange:
        return read_web_exchange(answer, observation)

    def decide(
        self, reading: Reading[WebPromptTask], mind: Mind, plan: str, instead_of: Set[str] = frozenset()
    ) -> Move:
        return browsing_move(browsing_of(reading, mind, instead_of))

    def decompose(self, reading: Reading[WebPromptTask], mind: Mind) -> Decomposition:
        goal = reading.task.goal
        steps = [reading.task.wording] if goal.part else [part_for(goal), reading.task.wording]
        return Decomposition("Thought: First I find the page, then I do there what is asked for.", steps)

    def progress(self, reading: Reading[WebPromptTask], mind: Mind) -> float:
        return progress_on_sites(browsing_of(reading, mind))

    def left_to_do(self, reading: Reading[WebPromptTask], mind: Mind) -> Iterator[str]:
        browsing = browsing_of(replace(reading, steps=(), past=reading.steps), mind)
        yield from (f"Next time: {part}." for part, done in parts_on_sites(browsing) if not done)

    def formalize(self, action: str, instructions: str) -> str | None:
        if not _FORMS.search(instructions):
            return None
        action = " ".join(action.split()).rstrip(".")
        meant = without_opening(action)
        for said, form in _MEANT:
            if found := said.fullmatch(meant):
                return form.format(found[1].lower() if "scroll" in form else found[1])
        return action
