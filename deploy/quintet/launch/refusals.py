"""Refuses runs whose parts do not fit together, before any call."""

from collections.abc import Iterable, Mapping, Sequence

from quintet.config.complaints import with_origin
from quintet.config.methods import MethodConfig, unmet_need
from quintet.config.runtime_sections import LimitsSection
from quintet.config.settings import Settings
from quintet.config.tasks import TaskEntry
from quintet.errors import UsageError
from quintet.messages.environment import Policy, Task
from quintet.models.local.model import Local
from quintet.models.stand_in.copies import advises_by_itself
from quintet.ports.model import PlaysExpert, Usage
from quintet.ports.world import World
from quintet.quota.prices import NANODOLLARS, Price
from quintet.roles.question_roles import JUDGE_ROLE
from quintet.runtime.spec import RunSpec

_TRIED = 5
"""Tasks in which a policy is looked for: it may know no way in some."""


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


def refuse_without_forks(spec: RunSpec) -> None:
    """Refuse a method that copies sessions, or goes back, in a world that cannot."""
    if needed := unmet_need([each.method for each in spec.methods], spec.world):
        raise UsageError(f"environment: expected {needed}")


def refuse_without_policy(spec: RunSpec, tasks: Sequence[TaskEntry]) -> None:
    """Refuse a model that plays by the world's expert, or a method that follows a policy, where the world has none."""
    needed: list[tuple[Policy, str]] = [
        ("expert", f"model {model.name}: expected a world with an expert, by which it plays")
        for model in spec.models.values()
        if isinstance(model, PlaysExpert)
    ]
    for each in spec.methods:
        if (policy := each.method.policy) is not None:
            named = "an expert" if policy == "expert" else f"a {policy} policy"
            needed.append((policy, f"method {each.name}: expected a world with {named}, which it follows"))
    for policy, expected in dict(needed).items():
        opened = [spec.task(entry.name, 0) for entry in tasks[:_TRIED]]
        if tasks and not has_policy(policy, spec.world, opened):
            raise UsageError(f"{expected}, got {spec.world.name}, which has none")


def has_policy(policy: Policy, world: World, tasks: Iterable[Task]) -> bool:
    """Whether a world has an expert, or a naive policy, where one of these tasks begins."""
    if advises_by_itself(world):
        return True  # to open one may need a browser
    for task in tasks:
        state = world.open(task)
        try:
            if (state.expert() if policy == "expert" else state.naive()) is not None:
                return True
        finally:
            state.close()
    return False


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

    A model without a price costs nothing. A judge's call is never the first.
    """
    calls = [
        (model.name, Usage(prompt_tokens=1, completion_tokens=each.sampling[role].max_tokens))
        for each in spec.methods
        for role, model in each.models.items()
        if role != JUDGE_ROLE.name
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
