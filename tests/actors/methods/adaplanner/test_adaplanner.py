"""AdaPlanner in the kitchen: what its programs do, and what its planner is asked."""

from collections.abc import Sequence
from typing import Any

import pytest

from quintet.errors import ModelFault
from quintet.events import TrialEnded
from quintet.messages.environment import Close, Open, Snapshot
from quintet.messages.parts import FreeText
from quintet.messages.programs import Extract, WriteProgram
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.methods.adaplanner.adaplanner import AdaPlanner
from quintet.methods.adaplanner.config import AdaPlannerConfig
from quintet.ports.model import Completion, SamplingOverride
from quintet.roles.turn_text import actions_of
from tests.actors.fakes import GOAL, SETTING, TASK, Answering, Here, Kitchens, Script, converse

HEAD = "def solution(agent, start_from=1):\n"
SERVES = f"{HEAD}    agent.act('serve')"
UNFINISHED = "the program came to its end, and the task is not done"


def steps(*bodies: str) -> str:
    """A program of these steps, each of lines with `;` between them."""
    lines = [
        f"    if start_from <= {number}:\n" + "".join(f"        {line.strip()}\n" for line in body.split(";"))
        for number, body in enumerate(bodies, 1)
    ]
    return HEAD + "".join(lines).rstrip()


ASKING = steps("what = agent.ask('what?'); agent.act('take [' + what + ']'); agent.act('serve')")


class Play:
    """An episode, by the planner's programs and by its answers to what they ask.

    Args:
        programs: one after the other; an error is raised.
        answers: to questions.
        part: the goal is a part of the task, in a session that has begun.
    """

    def __init__(
        self, *programs: str | Completion | Exception, answers: Sequence[str] = (), part: bool = False, **config: Any
    ) -> None:
        planned, answered = iter(programs), iter(answers)

        def plan(prompt: list[str]) -> str | Completion:
            if prompt[0] == "system: Find it in the kitchen.":
                return f"Found: {next(answered)}"
            program = next(planned)
            if isinstance(program, Exception):
                raise program
            return program

        self.model = Answering(plan)
        self.roles = Kitchens(Script({}), self.model)
        self.method = AdaPlanner(AdaPlannerConfig(**config))
        if part:
            self.answer: Solved | Unsolved = converse(self._solve_part, self.roles.noted.append)
        else:
            self.answer = self.roles.solve(self.method, given=(FreeText(text="Be quick."),), shown=())
        self.written = self.roles.requests(WriteProgram)
        self.asked = self.roles.requests(Extract)
        self.trials = [each for each in self.roles.noted if isinstance(each, TrialEnded)]

    async def _solve_part(self) -> Solved | Unsolved:
        session = await self.roles.opened()
        request = Solve(task=TASK, session=session, setting=SETTING, goal="find salt", subgoal=True)
        return await Here("subtask", self.roles.subtask(self.method, ()), self.roles.asked).ask(request)


def test_a_program_is_carried_out_until_the_world_is_done() -> None:
    play = Play(steps("seen = agent.act('take salt')", "agent.act('serve')", "agent.act('burn')"))
    assert play.roles.actions == ["take salt", "serve"]
    answer = play.answer
    assert isinstance(answer, Solved)
    assert (answer.reward, answer.done) == (1.0, True)
    assert actions_of(answer.turns) == ("take salt", "serve")
    (trial,) = play.trials
    assert (trial.number, trial.actions, trial.reward, trial.steps, trial.revised) == (1, 2, 1.0, 3, False)


def test_the_planner_is_shown_what_came_with_the_goal_and_draws_nothing() -> None:
    (request,) = Play(SERVES).written
    assert (request.setting, request.goal, request.parts) == (SETTING, GOAL, (FreeText(text="Be quick."),))
    assert (request.failed, request.sampling) == (None, SamplingOverride(temperature=0.0, top_p=1.0))


def test_the_answer_has_its_program_for_a_learner() -> None:
    program = steps("agent.act('serve')")
    answer = Play(f"```python\n{program}\n```").answer
    (process,) = answer.processes
    assert answer.session is not None
    assert (process.goal, process.program, process.session) == (GOAL, program, answer.session.id)


def test_a_program_that_fails_is_revised_and_gone_on_with_from_its_step_in_the_same_session() -> None:
    fails = steps("what = 'salt'", "seen = agent.act('take ' + what)", "agent.act('fly'); assert agent.accepted, 'no'")
    again = steps("agent.act('never')", "agent.act('never')", "agent.act('inventory'); agent.act('taste ' + what)")
    play = Play(fails, again, SERVES)
    first, second, third = (request.failed for request in play.written)
    assert first is None
    assert second is not None
    assert (second.program, second.step, second.anew) == (fails, 3, False)
    assert second.reason == "line 8: the assertion failed: no"
    assert actions_of(second.turns) == ("take salt", "fly")
    assert third is not None
    assert (third.step, third.reason) == (3, UNFINISHED)
    assert play.roles.actions == ["take salt", "fly", "inventory", "taste salt", "serve"]
    assert len(play.roles.requests(Open)) == 1
    assert [(trial.number, trial.actions, trial.revised) for trial in play.trials] == [
        (1, 2, False),
        (2, 2, True),
        (3, 1, True),
    ]
    assert isinstance(play.answer, Solved)
    assert actions_of(play.answer.turns) == ("take salt", "fly", "inventory", "taste salt", "serve")


def test_after_some_failures_the_task_begins_anew() -> None:
    fails = steps("x = 1; agent.act('take salt')", "assert False")
    uses = steps("agent.act('take ' + str(x))")
    play = Play(fails, fails, uses, SERVES, reset_after=2)
    third = play.written[2].failed
    assert third is not None
    assert (third.step, third.anew) == (1, True)
    assert actions_of(third.turns) == ("take salt",)
    assert play.roles.requests(Snapshot) == []
    first, second = (request.task for request in play.roles.requests(Open))
    assert first == second
    (closed,) = play.roles.requests(Close)
    assert play.answer.session != closed.session
    fourth = play.written[3].failed
    assert fourth is not None
    assert fourth.reason == "line 3: the name x has no value yet"
    assert actions_of(play.answer.turns) == ("serve",)


def test_with_one_attempt_nothing_is_revised() -> None:
    play = Play(steps("agent.act('take salt')", "assert False, 'lost'"), attempts=1)
    answer = play.answer
    assert isinstance(answer, Unsolved)
    assert (answer.reason, len(play.written)) == ("line 5: the assertion failed: lost", 1)


def test_attempts_are_limited() -> None:
    play = Play(*[steps("assert False")] * 4, attempts=4, reset_after=None)
    assert [trial.number for trial in play.trials] == [1, 2, 3, 4]
    assert len(play.roles.requests(Open)) == 1
    assert isinstance(play.answer, Unsolved)


def test_what_the_next_action_needs_is_asked_of_what_was_seen_last() -> None:
    program = steps(
        "where = agent.ask('where am I?')",
        "agent.act('take salt'); what = agent.ask('what do I have?')",
        "agent.act('take ' + what + where); agent.act('serve')",
    )
    play = Play(program, answers=["-here", "tea"])
    assert play.roles.actions == ["take salt", "take tea-here", "serve"]
    assert [(each.question, each.observation) for each in play.asked] == [
        ("where am I?", SETTING),
        ("what do I have?", "You take salt."),
    ]
    assert {each.sampling for each in play.asked} == {SamplingOverride(temperature=0.0, top_p=1.0)}


@pytest.mark.parametrize("said", ["", ModelFault("400: not allowed")])
def test_a_question_without_an_answer_is_an_empty_text(said: str | Exception) -> None:
    def plan(prompt: list[str]) -> str:
        if prompt[0] != "system: Find it in the kitchen.":
            return ASKING
        if isinstance(said, Exception):
            raise said
        return said

    roles = Kitchens(Script({}), Answering(plan))
    roles.solve(AdaPlanner(AdaPlannerConfig()), shown=())
    assert roles.actions == ["take []", "serve"]


def test_without_questions_none_is_asked_and_no_prompt_offers_it() -> None:
    play = Play(ASKING, max_questions=0, attempts=1)
    assert isinstance(play.answer, Unsolved)
    assert (play.answer.reason, play.asked, play.roles.actions) == ("out of questions", [], [])
    assert play.method.instructions(WriteProgram) == ("write_program", "write_program.task")
    asking = AdaPlanner(AdaPlannerConfig())
    assert asking.instructions(WriteProgram) == ("write_program", "write_program.ask", "write_program.task")
    assert asking.instructions(Extract) == ("extract",)


def test_actions_of_all_programs_are_limited_together() -> None:
    play = Play(*[steps("agent.act('wait'); agent.act('inventory'); assert False")] * 3, max_actions=3)
    assert play.roles.actions == ["wait", "inventory", "wait"]
    assert isinstance(play.answer, Unsolved)
    assert (play.answer.reason, len(play.written)) == ("out of actions", 2)


def test_a_world_that_is_done_without_the_reward_ends_it() -> None:
    play = Play(steps("agent.act('burn')", "agent.act('serve')"))
    assert play.roles.actions == ["burn"]
    assert isinstance(play.answer, Unsolved)
    assert play.answer.reason == "the task ended without success"


def test_a_score_that_the_world_tells_is_not_shown() -> None:
    play = Play(steps("seen = agent.act('sell'); agent.act(seen)"))
    assert [turn.observation for turn in play.answer.turns] == ["The task has ended."]


def test_a_part_of_a_task_is_done_where_its_program_ends() -> None:
    answer = Play(steps("agent.act('take salt')"), part=True).answer
    assert isinstance(answer, Solved)
    assert (answer.claimed, answer.done, answer.reward) == (True, False, 0.0)
    assert (answer.last_action, answer.last_observation) == ("take salt", "You take salt.")
    failed = Play(*[steps("agent.act('fly'); assert agent.accepted")] * 2, part=True, attempts=2).answer
    assert isinstance(failed, Unsolved)


def test_a_part_of_a_task_begins_anew_where_it_began() -> None:
    play = Play(steps("agent.act('take salt')", "assert False"), steps("pass"), part=True, reset_after=1)
    (taken,) = play.roles.requests(Snapshot)
    first, second = play.roles.requests(Open)
    assert first.snapshot is None
    assert second.snapshot is not None
    assert second.origin == taken.session.id
    assert play.answer.turns == ()


NO_PROGRAM = "the model left out the program"
IMPORTS = f"{HEAD}    import os"
IMPORT = "the program was refused: line 2: expected what the language has, got `import os`"


def test_without_a_program_an_attempt_has_failed_and_the_next_is_told_why() -> None:
    tastes = steps("agent.act('taste')")
    play = Play(tastes, *["I do not know."] * 2, *[IMPORTS] * 2, SERVES, tastes, reset_after=None)
    assert isinstance(play.answer, Solved)
    assert [each.refused for each in play.written] == [(), (), (NO_PROGRAM,), (NO_PROGRAM, IMPORT)]
    first, *others = (each.failed for each in play.written)
    assert first is None
    assert {each.program for each in others if each} == {tastes}
    told = play.model.prompts[-1].messages()[-1].content
    assert f"could not be carried out: {IMPORT}.\n" in told
    assert [(trial.number, trial.actions, trial.steps) for trial in play.trials] == [
        (1, 1, 1),
        (2, 0, 0),
        (3, 0, 0),
        (4, 1, 0),
    ]
    assert actions_of(play.answer.turns) == ("taste", "serve")


def test_what_was_refused_is_told_until_a_program_is_carried_out() -> None:
    fails = steps("assert False")
    play = Play(IMPORTS, IMPORTS, fails, fails, SERVES)
    assert [each.refused for each in play.written] == [(), (IMPORT,), (), ()]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("I do not know.", NO_PROGRAM),
        (IMPORTS, IMPORT),
        (Completion(text=SERVES, finish="length"), "the model was cut off before the program was whole"),
    ],
)
def test_attempts_without_a_program_are_limited_and_it_ends_with_what_was_done(
    said: str | Completion, reason: str
) -> None:
    play = Play(steps("agent.act('taste')"), *[said] * 4, attempts=3, reset_after=None)
    assert isinstance(play.answer, Unsolved)
    assert (play.answer.reason, play.answer.reward) == (reason, 0.5)
    assert actions_of(play.answer.turns) == ("taste",)
    assert [trial.number for trial in play.trials] == [1, 2, 3]


def test_after_attempts_without_a_program_too_the_task_begins_anew() -> None:
    play = Play(steps("agent.act('taste')"), *[IMPORTS] * 2, SERVES, reset_after=2)
    second, third = (each.failed for each in play.written[1:])
    assert second is not None
    assert third is not None
    assert (second.anew, third.anew, third.step) == (False, True, 1)
    assert play.written[2].refused == (IMPORT,)
    assert actions_of(play.answer.turns) == ("serve",)


def test_a_model_that_refuses_for_good_is_not_asked_again() -> None:
    play = Play(steps("agent.act('taste')"), ModelFault("400: not allowed"))
    assert isinstance(play.answer, Unsolved)
    assert (play.answer.reason, play.answer.reward) == ("the planner's model refused to write a program", 0.5)
    assert len(play.trials) == 1


def test_a_program_that_is_refused_is_asked_for_once_more_in_words() -> None:
    play = Play(IMPORTS, SERVES)
    assert isinstance(play.answer, Solved)
    assert len(play.written) == 1
    last = play.model.prompts[-1].messages()[-1].content
    assert last.startswith("I cannot carry that out: line 2: expected what the language has, got `import os`. Please")


def test_it_says_what_it_may_need() -> None:
    assert AdaPlanner(AdaPlannerConfig()).describe().budget == "60 actions"
    assert AdaPlanner(AdaPlannerConfig(attempts=2, max_questions=3)).most_calls() == 10
    assert AdaPlanner(AdaPlannerConfig()).needs_snapshots_as_inner()
    assert not AdaPlanner(AdaPlannerConfig(attempts=3)).needs_snapshots_as_inner()
    assert not AdaPlanner(AdaPlannerConfig(reset_after=None)).needs_snapshots_as_inner()


def test_an_action_is_one_line() -> None:
    play = Play(steps("agent.act(' take \\n salt '); agent.act('serve')"))
    assert play.roles.actions == ["take salt", "serve"]


def test_half_a_character_that_no_message_can_carry_is_refused() -> None:
    play = Play(steps(r"agent.act('\ud800')"), SERVES)
    assert isinstance(play.answer, Solved)
    assert play.roles.actions == ["serve"]
