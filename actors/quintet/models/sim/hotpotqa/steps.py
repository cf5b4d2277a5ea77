"""Plans one question, and judges which of the plan's steps an action serves."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from quintet.models.sim.hotpotqa.evidence import ways_to
from quintet.models.sim.hotpotqa.pages import FOUND_NOTHING, key_of, mentions, sentences_in
from quintet.models.sim.hotpotqa.plans import reading_plan
from quintet.models.sim.hotpotqa.task import ReadingTask, read_reading_goal, read_reading_step
from quintet.models.sim.hotpotqa.view import view_of
from quintet.models.sim.hotpotqa.words import meanings_in
from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.transcript import Exchange, Reading


class HotpotqaSteps(Player[ReadingTask]):
    """Plans what to find out, and judges it step by step."""

    def plan_steps(self, reading: Reading[ReadingTask], mind: Mind) -> Sequence[str]:
        return list(reading_plan(view_of(reading, mind))) or [reading.task.wording]

    def with_goal(self, task: ReadingTask, goal: str, times: int) -> ReadingTask | None:
        """However often a plan asks for it, a page is read once."""
        read = read_reading_step(goal)
        return None if read is None else replace(read, last=task.last)

    def serves(self, reading: Reading[ReadingTask], before: Exchange, done: Exchange, mind: Mind) -> bool:
        """Whether it opened a page that the step's names or words lead to, showed a sentence of use, or answered."""
        if not done.observation or FOUND_NOTHING.match(done.observation):
            return False
        view = view_of(replace(reading, steps=(), past=(before, done)), mind)
        if reading.task.aim == "page":
            return view.is_open(reading.task.name)
        if view.known.answer is not None:
            return reading.task.aim == "answer"
        here = view.known.here
        if here is None or not here.sentences:
            return bool(view.question.terms & meanings_in(done.observation))
        led = key_of(here.title) in ways_to(view.question, view.known)
        return led or any(view.question.terms & meanings_in(sentence) for sentence in here.sentences)

    def shorten(self, goal: str, observation: str) -> str | None:
        """The sentences of a page with a name or a word of the question, and the first one, which says what it is."""
        read = read_reading_goal(goal)
        if read is None:
            return None
        first, *rest = sentences_in(observation) or ("",)
        question = read.question
        kept = [
            each
            for each in rest
            if question.terms & meanings_in(each) or any(mentions(each, name) for name in question.names)
        ]
        return " ".join([first, *kept])

    def outlasting(self, steps: Sequence[Exchange]) -> Iterable[Exchange]:
        """Every page that was read, and what was not found: nothing but the answer is taken back."""
        return (step for step in steps if not step.action.lower().startswith("finish["))
