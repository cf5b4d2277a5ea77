"""Reflects on a job on websites, and writes the plan from it.

A reader of the whole job sees what was answered without a page, what changed nothing, and an answer that no page says.
"""

from collections.abc import Iterator, Sequence

from quintet.messages.planning import Lesson
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.hindsight import learn_habits
from quintet.models.sim.mind import Mind, Skill
from quintet.models.sim.player import Player
from quintet.models.sim.transcript import Exchange, Reading
from quintet.models.sim.webarena.browsing import Browsing
from quintet.models.sim.webarena.page import read_web_page
from quintet.models.sim.webarena.picture import pages_after
from quintet.models.sim.webarena.progress import ended_well
from quintet.models.sim.webarena.task import WebPromptTask
from quintet.ports.model import Sampling

_SEARCH = "Where no link names what the goal names, type it into a search field."
_LEAVE = "Leave a page that says nothing of the goal: go back, and open another link."
_HABITS = (_SEARCH, _LEAVE)
"""What a plan may ask for beside opening and answering, in one sentence each."""


class WebarenaHindsight(Player[WebPromptTask]):
    """Looks back on jobs, and writes their plan."""

    def summarize(self, steps: Sequence[Exchange]) -> Iterator[str]:
        return (step.action for step in steps if step.action and read_web_page(step.observation) is not None)

    def find_flaws(self, reading: Reading[WebPromptTask], plan: str) -> Iterator[str]:
        before = reading.task.page
        for step in reading.steps:
            page = read_web_page(step.observation)
            if step.action and page is None and not step.action.startswith("stop"):
                yield f"- {step.action}: {' '.join(step.observation.split())[:200]}"
            elif step.action and page == before:
                yield f"- {step.action}: it changed nothing."
            before = page or before
        whole = _whole(reading)
        if whole.page is not None and not whole.seen.ended:
            yield "- The job did not end with stop [answer]."
        elif whole.page is not None and not ended_well(whole):
            yield "- The answer is not what the last page says."

    def suggest(self, reading: Reading[WebPromptTask], plan: str, skill: Skill) -> Iterator[str]:
        whole = _whole(reading)
        if whole.page is not None and not ended_well(whole):
            yield _LEAVE
            if not any(deed.typed for deed in whole.seen.done):
                yield _SEARCH

    def rewrite_plan(
        self, plan: str, jobs: Sequence[tuple[WebPromptTask, Lesson]], instructions: str, mind: Mind
    ) -> Sequence[str] | None:
        habits = learn_habits(_HABITS, plan, [lesson for _, lesson in jobs], _has, mind)
        if habits is None:
            return None
        return ["Open what the goal names: click [id].", *habits, "End with what was asked for: stop [answer]."]


def _has(text: str, habit: str) -> bool:
    return habit in text


def _whole(reading: Reading[WebPromptTask]) -> Browsing:
    """What all steps show, read without an error."""
    mind = Mind(Skill("strong"), Chance((), Sampling(temperature=0.0)), Misreading(0.0))
    return Browsing(reading.task, pages_after(reading.task.page, reading.steps), mind)
