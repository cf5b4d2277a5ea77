"""The player of HotpotQA: one answerer for each request."""

import re
from collections.abc import Set

from quintet.models.sim.hotpotqa.hindsight import HotpotqaHindsight
from quintet.models.sim.hotpotqa.memory import HotpotqaMemory
from quintet.models.sim.hotpotqa.moves import ABOUT_ANSWER, next_reading_move
from quintet.models.sim.hotpotqa.plans import question_plan
from quintet.models.sim.hotpotqa.progress import believes_answered, share_found
from quintet.models.sim.hotpotqa.steps import HotpotqaSteps
from quintet.models.sim.hotpotqa.task import ReadingTask, read_reading_exchange, read_reading_task
from quintet.models.sim.hotpotqa.view import view_of
from quintet.models.sim.mind import Mind
from quintet.models.sim.player import FAILED, Decomposition, Move
from quintet.models.sim.transcript import Exchange, Reading, without_opening

_FORMS = re.compile(r"\bsearch\[<", re.IGNORECASE)
_FORM = re.compile(r"(?P<verb>search|lookup|finish)\[(?P<of>.*)\]", re.IGNORECASE | re.DOTALL)
_WORDS = r"[\"“]?(?P<of>.+?)[\"”]?"
_MEANT = (
    ("lookup", r"(?:look|search) up {}(?: on (?:the|this) page)?"),
    ("lookup", r"lookup {}"),
    ("search", r"(?:search|look)(?: for)?(?: the page of)? {}"),
    ("search", r"(?:open|read) the page of {}"),
    ("finish", r"(?:finish|answer)(?: with)?(?: the answer)?:? {}"),
    ("finish", r"the answer is {}"),
)
_SAID = [(verb, re.compile(said.format(_WORDS), re.IGNORECASE)) for verb, said in _MEANT]
"""What may be said for an action. The first that fits is meant."""


class HotpotqaPlayer(HotpotqaHindsight, HotpotqaMemory, HotpotqaSteps):
    """Opens the pages of what a question names, follows what they name, and answers with what a sentence says."""

    idle = Move("I see nothing more to read, and have to answer.", "finish[unknown]", ABOUT_ANSWER)

    def read_task(self, text: str) -> ReadingTask | None:
        return read_reading_task(text)

    def read_exchange(self, answer: str, observation: str) -> Exchange:
        return read_reading_exchange(answer, observation)

    def decide(self, reading: Reading[ReadingTask], mind: Mind, plan: str, instead_of: Set[str] = frozenset()) -> Move:
        return next_reading_move(view_of(reading, mind, instead_of))

    def decompose(self, reading: Reading[ReadingTask], mind: Mind) -> Decomposition:
        return question_plan(view_of(reading, mind))

    def progress(self, reading: Reading[ReadingTask], mind: Mind) -> float:
        view = view_of(reading, mind)
        if believes_answered(view):
            return 1.0
        ended = view.known.answer is not None or next_reading_move(view).action == FAILED
        return 0.0 if ended else share_found(view)

    def formalize(self, action: str, instructions: str) -> str | None:
        if not _FORMS.search(instructions):
            return None
        if _FORM.fullmatch(action.strip()):
            return action.strip()
        meant = without_opening(action.strip().rstrip("."))
        for verb, said in _SAID:
            if found := said.fullmatch(meant):
                return f"{verb}[{found['of']}]"
        return meant
