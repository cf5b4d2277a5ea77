"""Refuses runs whose parts do not fit together, before any call."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from quintet.config.complaints import with_origin
from quintet.config.methods import MethodConfig, unmet_need
from quintet.config.runtime_sections import LimitsSection
from quintet.config.sections import RunConfig
from quintet.config.settings import Settings
from quintet.config.tasks import TaskEntry
from quintet.environments.adapters.members import overrides
from quintet.environments.adapters.plain import beneath
from quintet.errors import UsageError
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Policy, Task
from quintet.methods.base.method import Method
from quintet.models.local.model import Local
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.model import PlaysExpert, Usage
from quintet.ports.world import World
from quintet.quota.prices import NANODOLLARS, Price
from quintet.roles.question_roles import USER_ROLE, WORLD_ROLE_NAMES
from quintet.runs.record import RunRecord
from quintet.runtime.spec import RunSpec

_TRIED = 5
"""Tasks in which an answer is looked for: there may be none in some."""

StateAnswer: TypeAlias = Policy | Literal["admissible"]
"""The member of a state that says what to do, or what can be done."""

_ANSWERS: Mapping[StateAnswer, str] = {
    "expert": "an expert, which it follows",
    "naive": "a naive policy, which it follows",
    "admissible": "a list of possible actions (`admissible`), of which it takes one",
}


def refuse_local_models(spec: RunSpec, configs: Sequence[MethodConfig], settings: Settings) -> None:
    """Refuse model files on Ray, where every host would load them."""
    for each, made in zip(configs, spec.methods, strict=True):
        for role, model in made.models.items():
            if isinstance(model, Local):
                with with_origin(settings, each.model_keys(role, "file", "name")):
                    raise UsageError(
                        f"model: expected one behind an endpoint for a run on Ray, got {model.name}, which every host "
                        "would load; serve the file to all of them with llama-server, and name its address by model.url"
                    )


def refuse_shards(config: RunConfig, tasks: Sequence[TaskEntry]) -> None:
    """Refuse several drivers for a run that learns or has an order, and more drivers than tasks."""
    shards = config.runtime.shards
    if config.learning is not None and shards > 1:
        raise UsageError(f"runtime.shards: expected 1 for a run that learns, got {shards}: a learner is one process")
    if config.run.stream and shards > 1:
        raise UsageError(f"runtime.shards: expected 1 for a stream, got {shards}: one driver keeps its order")
    if shards > max(len(tasks), 1):
        raise UsageError(f"runtime.shards: expected at most one for each of {len(tasks)} tasks, got {shards}")


def refuse_sharded(record: RunRecord) -> None:
    """Refuse a run over several drivers where there is one driver."""
    if record.sharded:
        start = "`quintet eval` and `quintet resume` start one for each shard"
        got = record.configuration.runtime.shards
        raise UsageError(f"runtime.shards: expected 1 for one driver, got {got}; {start}")


def refuse_imported(record: RunRecord, run: Path) -> None:
    """Refuse to go on with a run that was read from files of another format."""
    if record.imported is not None:
        got = f"got one imported from {record.imported.format}"
        raise UsageError(f"run folder: expected a run that was played here, {got} ({run})")


def refuse_wrong_mechanisms(spec: RunSpec) -> None:
    """Refuse a method that declares a mechanism by no condition over the view `episodes`."""
    for each in spec.methods:
        for name, condition in each.method.mechanisms.items():
            with closing(SqliteJournal(":memory:")) as journal:
                try:
                    journal.reader.episodes_where(condition)
                except UsageError as error:
                    raise UsageError(f"method {each.name}, mechanism {name!r}: {error}") from error


def refuse_without_forks(spec: RunSpec) -> None:
    """Refuse a method that copies sessions, or goes back, in a world that cannot."""
    if needed := unmet_need([each.method for each in spec.methods], spec.world):
        raise UsageError(f"environment: expected {needed}")


def refuse_without_answers(spec: RunSpec, tasks: Sequence[TaskEntry]) -> None:
    """Refuse a model or a method that acts by what the world's states answer, where they answer nothing."""
    opened = [spec.task(entry.name, 0) for entry in tasks[:_TRIED]]
    plays = next((model for model in spec.models.values() if isinstance(model, PlaysExpert)), None)
    if tasks and plays is not None and not has_answer("expert", spec.world, opened):
        expected = f"model {plays.name}: expected a world with an expert, by which it plays"
        raise UsageError(f"{expected}, got {spec.world.name}, which has none")
    if tasks and (unmet := unmet_answer([each.method for each in spec.methods], spec.world, opened)):
        raise UsageError(unmet)


def unmet_answer(methods: Iterable[Method[Any]], world: World, tasks: Sequence[Task]) -> str:
    """Which answers of states the first of these methods acts by that a world does not give; empty: none is missing."""
    for method in methods:
        answer: StateAnswer | None = "admissible" if method.takes_listed_actions else method.policy
        if answer is not None and not has_answer(answer, world, tasks):
            return f"method {method.name}: expected a world with {_ANSWERS[answer]}, got {world.name}, which has none"
    return ""


def has_answer(answer: StateAnswer, world: World, tasks: Iterable[Task]) -> bool:
    """Whether a world's states answer where one of these tasks begins.

    States that wait are not opened, since that may need a browser: theirs answer if `open` says that it returns a class
    that does, or does not say what it returns.
    """
    found = beneath(world)
    if answer == "expert" and overrides(found, AsyncWorld if isinstance(found, AsyncWorld) else World, "advise"):
        return True
    if isinstance(found, AsyncWorld):
        made = _returned(found.open)
        return made is None or getattr(made, answer) is not getattr(AsyncState, answer)
    for task in tasks:
        state = world.open(task)
        try:
            if getattr(state, answer)() is not None:
                return True
        finally:
            state.close()
    return False


def _returned(opening: Callable[..., object]) -> type[AsyncState] | None:
    """The class of states that `open` says it returns; None: it does not say, or says the base class."""
    named: object = opening.__annotations__.get("return")
    made = vars(sys.modules[opening.__module__]).get(named) if isinstance(named, str) else named
    is_own = isinstance(made, type) and issubclass(made, AsyncState) and made is not AsyncState
    return cast("type[AsyncState]", made) if is_own else None


def refuse_wrong_user(spec: RunSpec) -> None:
    """Refuse a user in a world without messages to one, and a world that needs one without it."""
    needed, has = spec.world.needs_user, USER_ROLE.name in spec.world_roles
    if has and needed is None:
        raise UsageError(f"model.user: expected an environment with messages to a user, got {spec.world.name}")
    if needed and not has:
        why = f"a model that answers the agent on {spec.world.name}"
        raise UsageError(f"model.user: expected {why} (--set model.user.name=MODEL), got none")


def refuse_wrong_judge(spec: RunSpec) -> None:
    """Refuse a judge in a world without answers to grade, and a world whose reward needs one without it."""
    needed = spec.world.needs_judge
    if spec.judged and needed is None:
        got = f"{spec.world.name}, whose answers no model grades"
        raise UsageError(f"model.judge: expected an environment with answers for a judge, got {got}")
    if needed and not spec.judged:
        why = f"a model whose verdict is the reward on {spec.world.name}"
        raise UsageError(f"model.judge: expected {why} (--set model.judge.name=MODEL), got none")


def refuse_missing_demonstrations(spec: RunSpec, tasks: Sequence[TaskEntry]) -> None:
    """Refuse a set of demonstrations that the world does not have for these tasks."""
    for number, each in enumerate(spec.methods):
        asked = {name for task in tasks for name in each.method.demonstrations(task.metadata) or ()}
        for name in sorted(asked.difference(each.prompts)):
            key = f"method{'.inner' * number}.demonstrations"
            has = f"demonstrations that {each.name} has for {spec.world.name}"
            raise UsageError(f"{key}: expected {has}, got a set that needs the prompt {name!r}")


def refuse_unknown_further_tasks(spec: RunSpec) -> None:
    """Refuse a method that opens tasks which the world does not have."""
    for each in spec.methods:
        for name in each.method.further_tasks():
            try:
                spec.world.metadata(name)
            except UsageError as error:
                raise UsageError(f"method {each.name}: further tasks: {error}") from error


def refuse_budget_below_one_call(
    spec: RunSpec, limits: LimitsSection, prices: Mapping[str, Price], settings: Settings
) -> None:
    """Refuse a budget, of the run or of an episode, that is too small for any call of a role: a prompt of one token.

    A model without a price costs nothing. A judge's or a user's call is never the first.
    """
    calls = [
        (model.name, Usage(prompt_tokens=1, completion_tokens=each.sampling[role].max_tokens))
        for each in spec.methods
        for role, model in each.models.items()
        if role not in WORLD_ROLE_NAMES
    ]
    if not calls:
        return
    tokens = min(usage.prompt_tokens + usage.completion_tokens for _, usage in calls)
    usd = min(prices[name].cost(usage) if name in prices else 0 for name, usage in calls) / NANODOLLARS
    for key, budget, least, needed in (
        ("budget_tokens", limits.budget_tokens, tokens, f"{tokens:,} tokens"),
        ("episode_tokens", limits.episode_tokens, tokens, f"{tokens:,} tokens"),
        ("budget_usd", limits.budget_usd, usd, f"{usd:.6g} USD"),
        ("episode_usd", limits.episode_usd, usd, f"{usd:.6g} USD"),
    ):
        if budget is not None and budget < least:
            got = f"{budget:g}" if key.endswith("usd") else f"{budget:,}"
            with with_origin(settings, [f"limits.{key}"]):
                raise UsageError(
                    f"limits.{key}: expected at least {needed}, since every call of this run reserves that much for "
                    f"its longest completion and a prompt, got {got}"
                )
