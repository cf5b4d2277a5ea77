"""What the planner, the executor and the reflector are asked: the paper's functions G.

Each question is asked under `unless_refused`. A model that refuses or cannot be read ends nothing by itself: there is
then the goal as the only step, no remedy, no alignment, no completion, the whole observation, or the action as it was.
"""

from typing import Any, Final

from quintet.messages.environment import Session
from quintet.messages.execution import Candidate, Decide, Retarget, Retargeted, Turn
from quintet.messages.parts import Situation
from quintet.messages.planning import MakePlan, PlanMade
from quintet.messages.reflection import (
    Align,
    Aligned,
    AnswerGiven,
    Condense,
    Condensed,
    GiveAnswer,
    Judge,
    Judged,
)
from quintet.methods.base.episode import Episode
from quintet.methods.devils_advocate.config import PlanTrialConfig
from quintet.methods.devils_advocate.history import TaskHistory
from quintet.methods.devils_advocate.opening import GoalOpening
from quintet.methods.devils_advocate.stack import CurrentStep, Observation
from quintet.parsing.notes import read_note
from quintet.ports.model import SamplingOverride
from quintet.search.proposals import Proposal, merge, tried

REQUESTS: Final = (MakePlan, Decide, Align, Judge, Condense, GiveAnswer)
"""All but `Retarget`, which only going back asks."""


class Questions:
    """Asks about one task.

    Args:
        remedies: that are asked for after an action; the paper's R.
        history: shown to planner, executor and judge.
    """

    def __init__(self, episode: Episode, config: PlanTrialConfig, remedies: int, history: TaskHistory) -> None:
        self._episode = episode
        self._config = config
        self._remedies = remedies
        self._history = history
        self._sampling = episode.sampling or SamplingOverride(temperature=config.temperature, top_p=1.0)
        self.opening = GoalOpening(episode)

    async def plan(self, failed: tuple[str, ...]) -> tuple[str, ...]:
        """The steps of a plan, at least one: G_plan.

        Args:
            failed: the steps of the plan that failed before; empty: there was none.

        Source: equations 1, 2 and 10.
        """
        request = MakePlan(
            setting=self.opening.seen,
            goal=self._episode.goal,
            parts=(*self.opening.inherited, *self._history.parts),
            failed=failed,
            sampling=self._sampling,
        )
        made = await self._episode.unless_refused(self._episode.ask, request)
        return tuple(each.text for each in made.steps) if isinstance(made, PlanMade) else (self._episode.goal,)

    async def action(
        self, session: Session, step: CurrentStep, seen: Observation, unread: tuple[Turn, ...]
    ) -> Candidate | None:
        """An answer to "what next?": G_action; None if the model refuses.

        Args:
            unread: the last answer with what was said to it, if it had no action.

        Source: equation 3.
        """
        candidates = await self._decide(session, step, seen, history=unread, phase="actions")
        return candidates[0] if candidates else None

    async def remedies(
        self, session: Session, step: CurrentStep, seen: Observation, first: Candidate
    ) -> tuple[Proposal, ...]:
        """What to do instead if an action was wrong: G_remedy, asked R times at once; once at temperature 0.

        Args:
            first: the action; no remedy knows of the others.

        Returns:
            Actions in the order in which they were asked for, each once, none equal to the first, no notes.

        Source: equation 8. Differs: equal ones are dropped.
        """
        if not self._remedies:
            return ()
        taken = tried(merge((first,)))
        n = self._remedies if self._sampling.temperature else 1
        answers = await self._decide(session, step, seen, instead_of=taken, tried=False, n=n, phase="remedies")
        proposals = merge((first, *answers))
        return tuple(proposal for proposal in proposals[1:] if read_note(proposal.action) is None)

    async def align(self, step: CurrentStep, action: str, before: str, after: str) -> tuple[bool, str]:
        """Whether an action serves the current step, and what it did, in one sentence or none: G_align and G_describe.

        Source: equations 5 and 9, which are one prompt.
        """
        request = Align(
            setting=self._episode.lasting_setting,
            goal=self._episode.goal,
            steps=step.steps,
            current=step.number,
            action=action,
            before=before,
            after=after,
            parts=self.opening.inherited,
            sampling=self._sampling,
        )
        return await self._episode.unless_refused(self._align, request) or (self._config.alignment == "off", "")

    async def is_completed(self, step: CurrentStep, seen: Observation, *, task: bool) -> bool:
        """Whether the task, or else the current step of the plan, is completed: G_completed.

        Source: equations 6 and 7.
        """
        request = self._judge(step, seen, current=None if task else step.number)
        judged = await self._episode.unless_refused(self._episode.ask, request)
        return isinstance(judged, Judged) and judged.completed

    async def answer(self, step: CurrentStep, seen: Observation) -> str:
        """The action that ends the task with its answer: G_answer.

        Source: appendix (answer delivery).
        """
        judged = self._judge(step, seen, current=None)
        request = GiveAnswer(judged=judged, observation=seen.text, sampling=self._sampling)
        given = await self._episode.unless_refused(self._episode.ask, request)
        return self._episode.answer_action(given.answer if isinstance(given, AnswerGiven) else "")

    def _judge(self, step: CurrentStep, seen: Observation, *, current: int | None) -> Judge:
        return Judge(
            setting=self._episode.lasting_setting,
            goal=self._episode.goal,
            steps=step.steps,
            current=current,
            history=self._history.sentences,
            notes=self._history.notes,
            observation=seen.short,
            parts=self.opening.inherited,
            sampling=self._sampling,
        )

    async def opening_seen(self) -> Observation:
        """What is seen first, without a summary if it stands in every prompt."""
        seen = self.opening.seen
        return Observation(seen, seen) if seen == self._episode.lasting_setting else await self.observe(seen)

    async def observe(self, text: str) -> Observation:
        """What is seen, with a summary if it is long.

        Source: section 3.2.
        """
        above = self._config.summarize_above
        if above is None or len(text) <= above:
            return Observation(text, text)
        request = Condense(goal=self._episode.goal, observation=text, sampling=self._sampling)
        condensed = await self._episode.unless_refused(self._episode.ask, request)
        return Observation(text, condensed.text if isinstance(condensed, Condensed) else text)

    async def retarget(self, action: str, seen: str, now: str) -> str:
        """The action that does now what another would have done: G_map.

        Source: section 3.3.2 and appendix.
        """
        request = Retarget(action=action, seen=seen, now=now, sampling=self._sampling)
        answer = await self._episode.unless_refused(self._episode.ask, request)
        return answer.action if isinstance(answer, Retargeted) else action

    async def _decide(
        self, session: Session, step: CurrentStep, seen: Observation, **asked: Any
    ) -> tuple[Candidate, ...]:
        """The executor's answers; none if the model refuses."""
        now = () if seen.text and seen.text == self._episode.lasting_setting else (Situation(observation=seen.text),)
        request = Decide(
            setting=self._episode.lasting_setting,
            goal=self._episode.goal,
            parts=(*self.opening.parts, step.part, *self._history.parts, *now),
            sampling=self._sampling,
            tools_of=session,
            **asked,
        )
        return await self._episode.unless_refused(self._draw, request) or ()

    async def _draw(self, request: Decide) -> tuple[Candidate, ...]:
        return (await self._episode.ask(request)).candidates

    async def _align(self, request: Align) -> tuple[bool, str]:
        answer = await self._episode.ask(request)
        description = answer.description if isinstance(answer, Aligned) else answer.said
        match self._config.alignment:
            case "judged":
                return isinstance(answer, Aligned) and answer.aligned, description
            case "random":  # by the path of this question, which no other has
                return self._episode.random().random() < 0.5, description
            case "off":
                return True, description
