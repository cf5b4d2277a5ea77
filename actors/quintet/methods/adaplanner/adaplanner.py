"""AdaPlanner: a plan as a program, carried out step by step and revised from the step that failed."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from quintet.messages.environment import Close
from quintet.messages.message import Request, Unanswered
from quintet.messages.programs import Extract, FailedProgram, ProgramWritten, WriteProgram
from quintet.messages.solving import DecisionProcess, Solved, Unsolved
from quintet.methods.adaplanner.config import AdaPlannerConfig
from quintet.methods.adaplanner.session_run import SessionRun, TaskBudget
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.base.trials import TrialStart
from quintet.parsing.programs import Program, parse_program
from quintet.ports.model import SamplingOverride

_NOT_WRITTEN = "the planner's model refused to write a program"


class AdaPlanner(Method[AdaPlannerConfig]):
    """Lets the planner write a program, and carries it out; what fails is revised, and gone on with from there.

    A program that is refused or cut off is an attempt that failed: another is asked for, with what was wrong.

    Solved if the world is done with the full reward. At a part of a task, inside another method, also if a program
    comes to its end.

    Source: AdaPlanner (Sun et al., 2023). Differs: see README.md.
    """

    name = "adaplanner"
    version = "3"
    requests = (WriteProgram, Extract)
    prompt_folders = (Path(__file__).parent / "prompts",)
    worlds = {
        "textcraft": {"max_actions": 80},
        "alfworld": {"max_actions": 60},
        "hotpotqa": {"max_actions": 7},
        "webshop": {"max_actions": 45},
        "webarena": {"max_actions": 30},
        "miniwob": {"max_actions": 30},
        "scienceworld": {"max_actions": 100},
    }
    environments = {"hotpotqa": {"max_steps": 7}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        config = self.config
        budget = TaskBudget(config.max_actions, config.max_questions)
        start = await TrialStart.of(episode, trials=2 if self._begins_anew else 1)
        run = SessionRun(episode, episode.session, budget, self._sampling)
        failed: FailedProgram | None = None
        refused: tuple[str, ...] = ()
        number = 1
        while True:
            program = await self._write(episode, failed, refused)
            if program is None:
                return run.answer(_NOT_WRITTEN)
            before = len(run.turns)
            if isinstance(program, Unanswered):
                answer, steps = run.answer(program.reason), 0
                refused = (*refused, program.reason)
            else:
                answer, steps = _with_program(episode, await run.carry_out(program), program), program.steps
                refused = ()
                failed = FailedProgram(program=program.text, step=run.step, reason=answer.reason, turns=answer.turns)
            actions = len(run.turns) - before
            episode.journal_trial(number=number, actions=actions, reward=answer.reward, steps=steps, revised=number > 1)
            episode.offer(answer)
            if isinstance(answer, Solved) or answer.done or not budget.actions or number == config.attempts:
                return answer
            if config.reset_after is not None and number % config.reset_after == 0:
                failed = None if failed is None else replace(failed, step=1, anew=True)
                await episode.ask(Close(session=run.session))
                run = SessionRun(episode, await start.open(), budget, self._sampling)
            number += 1

    async def _write(
        self, episode: Episode, failed: FailedProgram | None, refused: tuple[str, ...]
    ) -> Program | Unanswered | None:
        """The planner's program, or why what it wrote is none; None: its model refuses the question for good."""
        request = WriteProgram(
            setting=episode.lasting_setting or episode.setting,
            goal=episode.goal,
            parts=episode.inherited,
            failed=failed,
            refused=refused,
            sampling=self._sampling,
        )
        written = await episode.unless_refused(episode.ask, request)
        match written:
            case ProgramWritten(program=text):
                return parse_program(text)
            case Unanswered():
                return written
            case _:
                return None

    def instructions(self, request: type[Request[Any]]) -> tuple[str, ...]:
        if request is not WriteProgram:
            return super().instructions(request)
        asks = ("write_program.ask",) if self.config.max_questions else ()
        return (*super().instructions(request), *asks, "write_program.task")

    def needs_snapshots_as_inner(self) -> bool:
        return self._begins_anew

    def describe(self) -> Description:
        return Description(budget=f"{self.config.max_actions} actions")

    def most_calls(self) -> int:
        # A program or an answer that cannot be read is asked for twice.
        return 2 * (self.config.attempts + self.config.max_questions)

    @property
    def _begins_anew(self) -> bool:
        return self.config.reset_after is not None and self.config.attempts > self.config.reset_after

    @property
    def _sampling(self) -> SamplingOverride:
        return SamplingOverride(temperature=self.config.temperature, top_p=1.0)


def _with_program(episode: Episode, answer: Solved | Unsolved, program: Program) -> Solved | Unsolved:
    """The answer with its program, for the learner."""
    assert answer.session is not None
    process = DecisionProcess(
        goal=episode.goal,
        setting=episode.setting,
        session=answer.session.id,
        reward=answer.reward,
        program=program.text,
    )
    return replace(answer, processes=(process,))
