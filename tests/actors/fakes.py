"""Roles, a world and a model small enough to read: actors are called in place, through the real wire codec."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from quintet.events import AnyEvent
from quintet.events.recording import Recording
from quintet.messages.environment import Open, Session, Step, Task
from quintet.messages.execution import Execute, Executed
from quintet.messages.message import Message, ReplyT, Request
from quintet.messages.parts import Demonstrations, PromptPart
from quintet.messages.paths import Path, episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.reflection import Reflect
from quintet.messages.solving import Solve, Solved, Unsolved
from quintet.messages.wire import MessageDecoder, decode_reply, encode
from quintet.methods.base.method import Method
from quintet.ports.model import Completion, Model, Sampling, SamplingOverride
from quintet.ports.world import Opening, Outcome, World, WorldState
from quintet.questions.curating import CURATING, REVIEWING
from quintet.questions.judging import GRADING, JUDGING
from quintet.questions.noting import NOTING
from quintet.questions.planning import PLANNING
from quintet.questions.programming import PROGRAMMING
from quintet.questions.reflecting import REFLECTING
from quintet.questions.shape import AnswerForm
from quintet.questions.simulating import SIMULATING
from quintet.roles.asking import Asker, Asking
from quintet.roles.context import RequestContext, current, running
from quintet.roles.environment import Environment
from quintet.roles.executor import Executor
from quintet.roles.registry import role_of
from quintet.roles.role import RunMethod
from quintet.roles.role_model import RoleModel
from quintet.roles.sir import reflect
from quintet.roles.subtask import Subtask

T = TypeVar("T")

TASK = Task(name="supper", seed=7)
SETTING = "You stand in a kitchen."
GOAL = "serve supper"
INSTRUCTIONS = "Act in the kitchen."
THOUGHT = "What comes next?"
FORMALIZER = "Rewrite the action."
PLANNER_INSTRUCTIONS = "Plan for the kitchen."
PROGRAM_INSTRUCTIONS = "Write a program for the kitchen."
CANDIDATES = "Name {n} actions."
UPDATE = "Rewrite the plan."
REFLECTOR_INSTRUCTIONS = "Look back on the kitchen."
VALUE_INSTRUCTIONS = "Mark the kitchen."
CHOICE_INSTRUCTIONS = "Choose a kitchen."
ALIGN_INSTRUCTIONS = "Look at an action in the kitchen."
JUDGE_INSTRUCTIONS = "Judge the kitchen."
REVIEW_INSTRUCTIONS = "Review what was cooked."
CURATION_INSTRUCTIONS = "Keep the cookery book."
ANSWER_INSTRUCTIONS = "You give the answer."
CONDENSE_INSTRUCTIONS = "Describe the kitchen in short."
RETARGET_INSTRUCTIONS = "Find the same move in the kitchen."
SUMMARY = "Tell it again."
FLAW = "What was wrong?"
REVISION = "What instead?"
SAMPLING = Sampling(temperature=0.7, stop=("###",))
PROMPTS = {
    "execute": INSTRUCTIONS,
    "decide": INSTRUCTIONS,
    "decide.candidates": CANDIDATES,
    "decompose": PLANNER_INSTRUCTIONS,
    "make_plan": PLANNER_INSTRUCTIONS,
    "revise_plan": PLANNER_INSTRUCTIONS,
    "write_program": PROGRAM_INSTRUCTIONS,
    "extract": "Find it in the kitchen.",
    "revise_plan.update": UPDATE,
    "reflect": REFLECTOR_INSTRUCTIONS,
    "look_back": REFLECTOR_INSTRUCTIONS,
    "value": VALUE_INSTRUCTIONS,
    "choose": CHOICE_INSTRUCTIONS,
    "align": ALIGN_INSTRUCTIONS,
    "judge": JUDGE_INSTRUCTIONS,
    "judge_attempt": JUDGE_INSTRUCTIONS,
    "review_attempt": REVIEW_INSTRUCTIONS,
    "revise_notes.review": CURATION_INSTRUCTIONS,
    "revise_notes.pair": "Compare two attempts.",
    "revise_notes.successes": "Compare several attempts.",
    "give_answer": ANSWER_INSTRUCTIONS,
    "condense": CONDENSE_INSTRUCTIONS,
    "compare": "Compare the two.",
    **{f"write_notes.{of}": f"Write notes of {of}." for of in ("success", "failure", "contrast", "workflows")},
    "grade": "Grade an answer.",
    "grade.reason": "Grade a reason.",
    "answer_as_user": "Play a user.",
    "retarget": RETARGET_INSTRUCTIONS,
    "reflect.summary": SUMMARY,
    "reflect.flaw": FLAW,
    "reflect.revision": REVISION,
}
APART = {
    f"{request}.{part}": text
    for request in ("execute", "decide")
    for part, text in (("thought", THOUGHT), ("formalizer", FORMALIZER))
}
"""Further prompts, with which thoughts and actions are completions of their own."""
SCORE = "It was sold for 0.5."
"""The answer to `sell`, which tells the reward."""
DEMONSTRATIONS = "Goal: take salt.\nAction: take salt"


class Kitchen(World):
    """`take X`, `inventory`, `taste` (earns 0.5), `serve` (earns 1, done), `burn` (done).

    `sell` earns 0.5, is done, and is answered with a score. All else is rejected.
    """

    name = "kitchen"
    splits: tuple[str, ...] = ("all",)

    def tasks(self, split: str) -> tuple[str, ...]:
        return (TASK.name,)

    def metadata(self, task: str) -> Mapping[str, str]:
        return {}

    def open(self, task: Task) -> "KitchenState":
        return KitchenState()


class KitchenState(WorldState):
    carried: list[str]

    def __init__(self, goal: str = GOAL) -> None:
        super().__init__(Opening(observation=f"{SETTING} Please {goal}.", setting=SETTING, goal=goal))
        self.carried = []

    def step(self, action: str) -> Outcome:
        match action.split():
            case ["take", thing]:
                self.carried.append(thing)
                return self.accept(f"You take {thing}.")
            case ["inventory"]:
                return self.accept("You carry: " + ", ".join(self.carried or ["nothing"]))
            case ["wait"]:
                return self.accept("")
            case ["taste"]:
                return self.accept("Not bad.", max(self.reward, 0.5))
            case ["serve"]:
                return self.accept("Supper is served.", 1.0, done=True)
            case ["sell"]:
                return self.accept(SCORE, max(self.reward, 0.5), done=True, tells_reward=True)
            case ["present"]:
                return self.accept("The jury tastes.", max(self.reward, 0.5), done=True, final_answer=True)
            case ["burn"]:
                return self.accept("It is burnt.", done=True)
            case _:
                return self.reject("Nothing happens.")

    def admissible(self) -> tuple[str, ...] | None:
        return ("inventory", *(["serve"] if self.carried else []))


class Script:
    """A model that answers in the order written down, per goal; running out of answers fails the test."""

    name = "script"

    def __init__(self, answers: Mapping[str, Sequence[str | Completion]]) -> None:
        self._answers = answers
        self._given: Counter[str] = Counter()
        self.prompts: list[Prompt] = []
        self.samplings: list[Sampling] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        # As the journal's wrapper does: a call is a thing of its own in the conversation.
        with current().turn():
            await asyncio.sleep(0)
            self.prompts.append(prompt)
            self.samplings.append(sampling)
            goal = goal_of(prompt)
            answer = self._answers[goal][self._given[goal]]
            self._given[goal] += 1
            return Completion(text=answer) if isinstance(answer, str) else answer

    def goals(self) -> list[str]:
        """What was asked about, call by call."""
        return [goal_of(prompt) for prompt in self.prompts]


class Answering:
    """A model that answers by what it reads, as `role: text`."""

    name = "answering"

    def __init__(self, answer: Callable[[list[str]], str | Completion]) -> None:
        self._answer = answer
        self.prompts: list[Prompt] = []
        self.samplings: list[Sampling] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        with current().turn():
            await asyncio.sleep(0)
            self.prompts.append(prompt)
            self.samplings.append(sampling)
            answer = self._answer(contents(prompt))
            return Completion(text=answer) if isinstance(answer, str) else answer


def goal_of(prompt: Prompt) -> str:
    asked = prompt.messages()[1].content
    return asked[asked.rindex("Goal: ") + len("Goal: ") :].partition("\n\n")[0].removesuffix(".")


def contents(prompt: Prompt) -> list[str]:
    """The prompt, as `role: text`."""
    return [f"{message.role}: {message.content}" for message in prompt.messages()]


class Here:
    """A reference to an actor in this process."""

    def __init__(self, role: str, actor: Any, asked: list[Request[Any]]) -> None:
        self._decode = MessageDecoder[Request[Message]](role, actor.receive)
        self._actor = actor
        self._asked = asked

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        asker = current()
        with asker.turn(numbered=request.numbered) as (path, recording):
            self._asked.append(request)
            with running(RequestContext(path, asker.incarnation, recording, asker.commit, asker.note)):
                reply: Message = await self._actor.receive(self._decode(msgspec.Raw(encode(request))))
            return decode_reply(type(request), msgspec.Raw(encode(reply)))


def _shown(parts: tuple[PromptPart, ...], _task: Task) -> tuple[PromptPart, ...]:
    return parts


class Kitchens:
    """All roles around one kitchen, in which no episodes are run for anybody.

    Args:
        acting: the executor's model.
        planning: the planner's.
        world: another one that has the task; None: the plain kitchen.
        reflecting: the reflector's, the curator's, the judge's and the user's.
        apart: whether thoughts and actions are completions of their own.
        answers: what they are.
    """

    def __init__(
        self,
        acting: Model,
        planning: Model | None = None,
        world: World | None = None,
        *,
        reflecting: Model | None = None,
        apart: bool = False,
        answers: AnswerForm = "text",
    ) -> None:
        self.asked: list[Request[Any]] = []
        """Every request, in order."""
        self.noted: list[AnyEvent] = []
        """What methods journaled, in order."""
        self.world = world or Kitchen()
        self.actor = Environment(self.world, host="here")

        def formed(model: Model | None) -> RoleModel:
            return RoleModel(model or Script({}), SAMPLING, answers=answers, roles=self)

        self._actors: dict[str, Any] = {
            "environment": self.actor,
            "executor": Executor(formed(acting), self, {**PROMPTS, **(APART if apart else {})}),
            "planner": Asking(Asker(formed(planning), PROMPTS), (*PLANNING, *PROGRAMMING)),
            "reflector": Asking(
                Asker(formed(reflecting), PROMPTS),
                (*REFLECTING, *JUDGING, *REVIEWING, *NOTING),
                {Reflect: reflect},
            ),
            "curator": Asking(Asker(formed(reflecting), PROMPTS), CURATING),
            "judge": Asking(Asker(formed(reflecting), PROMPTS), GRADING),
            "user": Asking(Asker(formed(reflecting), PROMPTS), SIMULATING),
        }

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        role = role_of(request).name
        return await Here(role, self._actors[role], self.asked).ask(request)

    async def opened(self) -> Session:
        """A new session."""
        opened = await self.ask(Open(task=TASK))
        return opened.session

    def solve(
        self,
        method: Method[Any],
        given: tuple[PromptPart, ...] = (),
        shown: tuple[PromptPart, ...] = (Demonstrations(text=DEMONSTRATIONS),),
        sampling: SamplingOverride | None = None,
        purpose: str = "",
    ) -> Solved | Unsolved:
        """An episode of the method, given what outlives episodes, and shown what is the method's own."""
        self._actors["subtask"] = subtask = self.subtask(method, shown)
        self.asked.append(episode := Solve(task=TASK, parts=given, sampling=sampling, purpose=purpose))
        return converse(lambda: subtask.receive(episode), self.noted.append)

    def subtask(self, method: Method[Any] | None, shown: tuple[PromptPart, ...]) -> Subtask:
        """The actor of a method and its inner ones; the innermost is shown what is its own."""
        methods: list[RunMethod] = []
        while method is not None:
            own: tuple[PromptPart, ...] = shown if method.inner is None else ()
            inner = "" if method.inner is None else method.inner.name
            methods.append(RunMethod(method.name, inner, method, partial(_shown, own), self))
            method = method.inner
        return Subtask(methods, self.world)

    def execute(self, **asked: Any) -> Executed:
        """A run of the executor at the goal, in a new session.

        Args:
            asked: fields of the request, where it is not the usual one.
        """
        usual: dict[str, Any] = {"setting": SETTING, "goal": GOAL, "max_calls": 20, "patience": 3}

        async def work() -> Executed:
            return await self.ask(Execute(session=await self.opened(), **{**usual, **asked}))

        return converse(work)

    def requests(self, kind: type[T]) -> list[T]:
        """The requests of one kind, in order."""
        return [request for request in self.asked if isinstance(request, kind)]

    @property
    def actions(self) -> list[str]:
        """The actions that the world got."""
        return [step.action for step in self.requests(Step)]


def ask(request: Request[Any], *answers: str | Completion, structured: bool = False) -> tuple[Any, Answering]:
    """The reply to a request, and the model that gives these answers to whoever asks."""
    left = [*answers]
    model = Answering(lambda _said: left.pop(0))
    kitchens = Kitchens(model, model, reflecting=model, answers="schema" if structured else "text")
    return converse(lambda: kitchens.ask(request)), model


def _drop(_event: AnyEvent) -> None: ...


def converse(work: Callable[[], Coroutine[Any, Any, T]], note: Callable[[AnyEvent], None] = _drop) -> T:
    """Run `work` as an episode would be."""

    async def commit(*_events: AnyEvent) -> None: ...

    async def speak() -> T:
        path: Path = episode_path(TASK.name, 0, 0)
        with running(RequestContext(path, 1, Recording(path), commit, note)):
            return await work()

    return asyncio.run(speak())
