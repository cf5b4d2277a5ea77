"""Reflects on the work on a question, and writes the plan from it.

A reader of the whole job sees what was searched in vain, what was searched or looked up again and again, and an answer
that was a whole sentence. A revision says what to do in its place. Where a job failed and no reflection says why, the
writer changes one habit at a guess.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from quintet.messages.planning import Lesson
from quintet.models.sim.hindsight import learn_habits
from quintet.models.sim.hotpotqa.evidence import leads_in
from quintet.models.sim.hotpotqa.pages import FOUND_NOTHING, notebook_after
from quintet.models.sim.hotpotqa.task import ReadingTask
from quintet.models.sim.hotpotqa.view import shows_names, shows_short_answers
from quintet.models.sim.mind import Mind, Skill
from quintet.models.sim.player import Player
from quintet.models.sim.transcript import Exchange, Reading

_OFTEN = 2
_MOST_WORDS = 6
"""A longer answer is more than a name, a number or a date."""
_FINISH = re.compile(r"finish\[(?P<answer>.*)\]", re.IGNORECASE | re.DOTALL)
_SEARCH = re.compile(r"search\[(?P<name>.*)\]", re.IGNORECASE | re.DOTALL)
_DESCRIPTION = re.compile(r"(?:the )?[a-z]+ (?:.*\b)?of\b", re.DOTALL)

BY_NAME = "Search for a page by its name, as the question or a page writes it, and not by a description."
SHORT_ANSWER = (
    "Answer in few words, with the name, number, date, yes or no that is asked for, and no sentence around it."
)
LOOKING_UP = "Look up words of the question on a page before you leave it."

_HABITS = (BY_NAME, SHORT_ANSWER, LOOKING_UP)
"""What a plan may ask for beside the way questions are answered, in one sentence each."""


class HotpotqaHindsight(Player[ReadingTask]):
    """Looks back on jobs, and writes their plan."""

    def summarize(self, steps: Sequence[Exchange]) -> Iterator[str]:
        return (
            step.action
            for step in steps
            if step.action and step.observation and not FOUND_NOTHING.match(step.observation)
        )

    def find_flaws(self, reading: Reading[ReadingTask], plan: str) -> Iterator[str]:
        again = Counter(step.action for step in reading.steps if step.action)
        refused = {
            step.action: step.observation
            for step in reading.steps
            if step.action and FOUND_NOTHING.match(step.observation)
        }
        yield from (f"- {action}: {_first_line(said)}" for action, said in refused.items())
        yield from (f"- {action}: {times} times." for action, times in again.items() if times > _OFTEN)
        if (answer := _long_answer(reading.steps)) is not None:
            yield f"- finish[{answer}]: this answer is a whole sentence, and the question asks for a part of it."

    def suggest(self, reading: Reading[ReadingTask], plan: str, skill: Skill) -> Iterator[str]:
        if any(_described(step) for step in reading.steps):
            yield BY_NAME
        if _long_answer(reading.steps) is not None:
            yield SHORT_ANSWER

    def rewrite_plan(
        self, plan: str, jobs: Sequence[tuple[ReadingTask, Lesson]], instructions: str, mind: Mind
    ) -> Sequence[str] | None:
        habits = learn_habits(_HABITS, plan, [lesson for _, lesson in jobs], _has, mind)
        if habits is None:
            return None
        return [
            "Open the page of what the question names: search[<entity>].",
            *habits,
            "Read which sentence says what the question asks for, or names what it is about, and open that page too.",
            "Of two things that are compared, open both pages and compare what they say.",
            "When the pages say it, answer: finish[<answer>].",
        ]

    def left_to_do(self, reading: Reading[ReadingTask], mind: Mind) -> Iterator[str]:
        """The names that the pages gave and that were not read."""
        known = notebook_after(reading.steps)
        leads = leads_in(reading.task.question, known)
        yield from (
            f"Next time: read the page of {lead.name}, which the page of {lead.title} names." for lead in leads[:2]
        )


def _has(plan: str, habit: str) -> bool:
    """Whether a plan asks for a habit, in its own words or in others."""
    match habit:
        case _ if habit in plan:
            return True
        case _ if habit == BY_NAME:
            return shows_names([plan])
        case _ if habit == SHORT_ANSWER:
            return shows_short_answers([plan])
        case _:
            return False


def _described(step: Exchange) -> bool:
    """Whether a description was searched in place of a name, in vain."""
    found = _SEARCH.fullmatch(step.action)
    return found is not None and bool(FOUND_NOTHING.match(step.observation)) and bool(_DESCRIPTION.match(found["name"]))


def _long_answer(steps: Sequence[Exchange]) -> str | None:
    """The answer that was given, where it is a whole sentence."""
    given = next((found["answer"] for step in steps if (found := _FINISH.fullmatch(step.action))), "")
    return given if len(given.split()) > _MOST_WORDS else None


def _first_line(text: str) -> str:
    return text.splitlines()[0]
