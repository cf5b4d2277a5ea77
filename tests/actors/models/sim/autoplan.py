"""AutoPlan by hand: its actors and its prompts around a simulated model, without the rest of a run."""

from collections.abc import Callable, Sequence
from random import Random

from msgspec.structs import replace

from quintet.environments.alfworld.world import AlfWorld
from quintet.environments.textcraft.world import TextCraft
from quintet.messages.environment import Task
from quintet.messages.execution import Act, Decide, Turn
from quintet.messages.learning import Experience
from quintet.messages.planning import Lesson, PlanRevised, RevisePlan
from quintet.messages.prompts import Prompt, system, user
from quintet.messages.reflection import Depth, Reflect, Reflected
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.base.prompts import Prompts
from quintet.models.sim.model import Simulated
from quintet.ports.model import Sampling
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import as_messages
from quintet.roles.turns import SeparateCallsTurn
from tests.actors.asking import start_planner, start_reflector
from tests.actors.fakes import converse
from tests.actors.models.sim.answers import result

GREEDY = Sampling()
SAMPLING = Sampling(temperature=1.0, top_p=0.9)


class TrainingWorld:
    """One world and one simulated model, in all of AutoPlan's roles.

    Args:
        world: where the jobs are.
        model: who does them, reflects on them, and writes the plan.
        steps: how many turns a job has.
        seen: what becomes of an observation before the model reads it.
    """

    def __init__(
        self, world: AlfWorld | TextCraft, model: Simulated, *, steps: int = 35, seen: Callable[[str], str] = str
    ) -> None:
        prompts = Prompts(AutoPlan.prompt_folders, world.name)
        worded = world.worded if isinstance(world, AlfWorld) else str
        self.texts = {name: worded(prompts.text(name)) for name in prompts.names}
        self._world = world
        self._model = model
        self._steps = steps
        self._seen = seen

    def job(self, task: str, plan: str = "", sampling: Sampling = GREEDY) -> tuple[Experience, bool]:
        """What a job went through, and whether it succeeded."""
        state = self._world.open(Task(name=task, seed=0))
        opening = f"{state.opening.setting}\n\nGoal: {state.opening.goal}."
        instructions = self.texts["execute"]
        shown = f"{instructions}\n\nA plan for tasks of this kind:\n\n{plan}" if plan else instructions
        words = {name: self.texts[f"execute.{name}"] for name in ("thought", "formalizer")}
        apart = SeparateCallsTurn(RoleModel(self._model, sampling), **words, expected="Thought: ...\nAction: ...")
        prompt, turns, done, reward = Prompt(system(shown), user(opening)), list[Turn](), False, 0.0
        while not done and len(turns) < self._steps:
            candidate = result(apart.decide(prompt, Decide(setting="", goal="")))
            assert isinstance(candidate.decision, Act), candidate
            outcome = state.step(candidate.decision.action)
            done, reward = outcome.done, outcome.reward
            turns.append(Turn(completion=candidate.completion, observation=self._seen(outcome.observation)))
            prompt = prompt.extend(*as_messages(turns[-1]))
        return Experience(task=task, opening=opening, turns=tuple(turns)), reward >= 1

    def success(self, tasks: Sequence[str], plan: str = "") -> float:
        """The share of tasks that succeed with a plan."""
        return sum(self.job(task, plan)[1] for task in tasks) / len(tasks)

    def reflected(self, request: Reflect, sampling: Sampling = GREEDY) -> Reflected:
        reflector = start_reflector(RoleModel(self._model, sampling), self.texts)
        reply = converse(lambda: reflector.receive(request))
        assert isinstance(reply, Reflected), reply
        return reply

    def lesson(self, task: str, plan: str = "", *, depth: Depth = "full", sampling: Sampling = GREEDY) -> Lesson:
        """The lesson of a job."""
        experience, succeeded = self.job(task, plan, sampling)
        request = Reflect(experience=experience, plan=plan, succeeded=succeeded, depth=depth)
        found = self.reflected(request, sampling)
        return Lesson(
            opening=experience.opening,
            succeeded=succeeded,
            summary=found.summary,
            flaws=found.flaws,
            revision=found.revision,
        )

    def rewritten(self, plan: str, lessons: Sequence[Lesson], sampling: Sampling = GREEDY) -> str:
        planner = start_planner(RoleModel(self._model, sampling), self.texts)
        request = RevisePlan(plan=plan, lessons=tuple(lessons))
        reply = result(planner.receive(request))
        assert isinstance(reply, PlanRevised), reply
        return reply.text

    def learn(
        self, tasks: Sequence[str], *, seed: int, iterations: int, batch: int = 4, depth: Depth = "full"
    ) -> list[str]:
        """The plans, the empty one first."""
        random, plans = Random(seed), [""]
        order = random.sample(list(tasks), len(tasks))
        for number in range(iterations):
            drawn = [order[(number * batch + place) % len(order)] for place in range(batch)]
            sampling = replace(SAMPLING, seed=random.getrandbits(31))
            lessons = [self.lesson(task, plans[-1], depth=depth, sampling=sampling) for task in drawn]
            plans.append(self.rewritten(plans[-1], lessons, sampling))
        return plans
