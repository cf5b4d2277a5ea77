"""Every prompt of every method on a real model: nothing faults, and every completion becomes an outcome.

The model solves nothing, and reads as a small model writes: what is tried is what comes back from a real endpoint.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from quintet.config.plugins import needs_options
from quintet.config.settings import from_table
from quintet.errors import EndpointUnavailable
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import Prepared, prepare
from quintet.launch.writable_run import WritableRun
from quintet.models.local.model import Local, Server, serve_file
from quintet.plugins import catalogue
from quintet.reports.episodes import results
from quintet.runtime.counters import RunCounters
from tests.actors.environments.needs import NEEDS
from tests.actors.environments.tau2.installed import needs_package
from tests.model.completions import Kind, completions, table
from tests.model.smollm import model_file
from tests.test_worlds_page import saved
from tests.web.browser import no_chromium

pytestmark = pytest.mark.model

_NOTHING = r"expected answers, got none in its first \d+ completions \(\d+ cut off"
_STARTS = 20
_THREADS = 1
"""Others may use the cores too."""

TREE = {"candidates": 3, "depth": 2}
PLANNED = {"max_actions": 3, "trials": 2, "alignment": "off", "summarize_above": 10}
LEARNING = {"tasks": 1, "batch": 1, "iterations": 1, "eval_every": 0}
NOTING: Mapping[str, Mapping[str, Any]] = {"run": {"learn": True}, "memory": {"embedder": {"name": "hashed-words"}}}


@dataclass(frozen=True)
class Short:
    """A run of few steps."""

    sections: Mapping[str, Mapping[str, Any]]
    asks: Set[Kind]
    """Prompts that it asks whatever the model answers."""


RUNS: Mapping[str, Short] = {
    "react": Short({"method": {"name": "react", "max_steps": 2}}, {"execute"}),
    "adapt": Short({"method": {"name": "adapt", "inner": {"max_steps": 1}, "max_depth": 2}}, {"execute", "decompose"}),
    "autoplan": Short(
        {"method": {"name": "autoplan", "max_steps": 1}, "run": {"learn": True}, "learning": LEARNING},
        {"execute.thought", "action", "reflect.summary", "reflect.flaw", "reflect.revision"},
    ),
    # Where no reflection is finished, no update is asked for; without any, one always is.
    "autoplan unreflected": Short(
        {
            "method": {"name": "autoplan", "max_steps": 1},
            "run": {"learn": True},
            "learning": {**LEARNING, "reflection": "none"},
        },
        {"execute.thought", "action", "revise_plan.update"},
    ),
    "standard": Short({"method": {"name": "standard", "max_steps": 2}}, {"execute"}),
    "try_again": Short({"method": {"name": "try_again", "inner": {"max_steps": 1}, "trials": 2}}, {"execute"}),
    "reflexion": Short(
        {"method": {"name": "reflexion", "inner": {"max_steps": 1}, "trials": 2}}, {"execute", "look_back"}
    ),
    # Steps are executed only where a plan can be read.
    "plan_execute": Short({"method": {"name": "plan_execute", "inner": {"max_steps": 1}}}, {"decompose"}),
    # Plan+Act has the same prompts. What was seen is condensed where an action could be read.
    "devils_advocate": Short(
        {"method": {"name": "devils_advocate", **PLANNED, "remedies": 1}}, {"make_plan", "decide"}
    ),
    # What a program asks is asked only where one can be read.
    "adaplanner": Short({"method": {"name": "adaplanner", "attempts": 2, "max_actions": 3}}, {"write_program"}),
    "skill_discovery": Short(
        {
            "method": {"name": "skill_discovery", "inner": {"attempts": 1, "max_actions": 3}},
            "learning": {"tasks": 1, "eval_every": 0, "feedback": "judged"},
            "run": {"learn": True},
        },
        {"write_program", "judge_attempt"},
    ),
    # Marks, votes and reflections are asked for only where the world takes what the model proposes.
    "lats": Short({"method": {"name": "lats", **TREE, "iterations": 2, "rollout_depth": 2}}, {"decide"}),
    "search": Short({"method": {"name": "search", **TREE, "order": "breadth", "scores": "votes"}}, {"decide"}),
    "reasoning_bank": Short(
        {
            "method": {"name": "reasoning_bank", "inner": {"max_steps": 1}},
            "learning": {"tasks": 1, "eval_every": 0, "feedback": "reward"},
            **NOTING,
        },
        {"execute", "write_notes.failure"},
    ),
    # A choice is asked for where attempts differ.
    "reasoning_bank scaled": Short(
        {
            "method": {"name": "reasoning_bank", "scaling": "parallel", "attempts": 2, "inner": {"max_steps": 1}},
            "learning": {"tasks": 1, "eval_every": 0, "feedback": "reward"},
            **NOTING,
        },
        {"execute", "write_notes.contrast"},
    ),
    # Workflows are asked for where the model takes its own attempt for a success.
    "awm": Short(
        {
            "method": {"name": "awm", "inner": {"max_steps": 1}},
            "learning": {"tasks": 1, "eval_every": 0, "feedback": "judged"},
            "run": {"learn": True},
        },
        {"execute", "judge_attempt"},
    ),
    # The curator is asked where the reflector's answer has an insight.
    "ace": Short(
        {
            "method": {"name": "ace", "inner": {"max_steps": 1}},
            "learning": {"tasks": 1, "eval_every": 0, "reflections": 2},
            **NOTING,
        },
        {"execute", "review_attempt"},
    ),
    # It is asked about pairs and successes where the model takes its last trial for a success.
    "expel": Short(
        {
            "method": {"name": "expel", "trials": 2, "inner": {"max_steps": 1}},
            "learning": {"tasks": 1, "eval_every": 0, "feedback": "judged"},
            **NOTING,
        },
        {"execute", "look_back", "judge_attempt"},
    ),
    "search by confidences": Short(
        {"method": {"name": "search", **TREE, "order": "beam", "scores": "confidences"}}, {"decide.candidates"}
    ),
}

# The worked examples show whole pages: with them a prompt does not fit the model's context.
BROWSED = Short(
    {
        "method": {"name": "react", "max_steps": 3, "demonstrations": "none"},
        "environment": {"observation_chars": 1_000},
        "run": {"tasks": ["webarena-1000", "webarena-1014"]},
    },
    {"execute"},
)
"""A question about a page of the shop, and a change in the forum."""


SERVED = Short(
    {"method": {"name": "expert", "max_steps": 5}, "environment": {"telecom": "user"}, "model": {"user": {}}},
    {"answer_as_user"},
)
"""An agent that needs no model serves a user that is played by one."""

EXPRESS = "textworld-express"
_OWN = ("textcraft", "alfworld", "hotpotqa", "webshop")
"""Worlds for which methods have prompts of their own, and which need nothing."""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> Server:
    """The model stays loaded from one run to the next, with what it knows of prompts that they share."""
    return serve_file(Local(model_file(), threads=_THREADS).launch)


@pytest.fixture(scope="module")
def counted() -> Iterator[dict[tuple[str, Kind], Counter[str]]]:
    """Outcomes of all runs, printed at the end."""
    counted: dict[tuple[str, Kind], Counter[str]] = {}
    yield counted
    print(f"\n\n{table(counted)}")


def prepared(run: Short, environment: str, answers: str) -> Prepared:
    model: dict[str, Any] = {"name": f"local:{model_file()}", "threads": _THREADS, "max_tokens": 48, "answers": answers}
    if "user" in run.sections.get("model", {}):
        model["user"] = dict(model)
    world = {"name": environment, **run.sections.get("environment", {})}
    common = {"environment": world, "model": model, "limits": {"model_seconds": 3600.0}}
    sections: dict[str, Any] = {**run.sections, **common, "run": {"tasks": 1, **run.sections.get("run", {})}}
    if "learning" in sections and environment not in _OWN:  # a method names no split of such a world to learn from
        two = prepare([from_table({"method": {"name": "react"}, **common, "run": {"tasks": 2}}, "test")]).record.tasks
        sections["learning"] = {**sections["learning"], "tasks": [two[1].name]}
    return prepare([from_table(sections, "test")])


async def ended(run: WritableRun) -> None:
    """Run it to its end, without a fault. A start whose first answers are all cut off is suspended, and resumed."""
    for _ in range(_STARTS):
        try:
            assert await run_left(run, RunCounters()) == "done"
        except EndpointUnavailable as error:
            if not re.search(_NOTHING, str(error)):
                raise
        else:
            return
    raise AssertionError(f"expected a run that ends, got {_STARTS} starts")


def worlds() -> Iterator[ParameterSet]:
    """All worlds but WebArena, which has a run of its own, with forms of answers: with one where prompts are plain."""
    for environment, answers in product(_OWN, ("text", "schema")):
        yield pytest.param(environment, answers)
    plain = [each for each in catalogue.names("environment") if not needs_options(each)]
    for environment, answers in zip(sorted({*plain, EXPRESS} - {*_OWN, "webarena"}), cycle(("text", "schema"))):
        yield pytest.param(environment, answers, marks=NEEDS.get(environment, ()))


def found_world(environment: str, folder: Path) -> str:
    """The world as a run names it: TextWorld-Express's is a file, as docs/worlds.md has it."""
    if environment != EXPRESS:
        return environment
    pytest.importorskip("textworld_express")
    return f"{saved('EXPRESS', folder)}:EXPRESS"


@pytest.mark.parametrize(("environment", "answers"), list(worlds()))
@pytest.mark.parametrize("name", RUNS)
def test_every_completion_becomes_an_outcome(
    name: str, environment: str, answers: str, tmp_path: Path, counted: dict[tuple[str, Kind], Counter[str]]
) -> None:
    world = found_world(environment, tmp_path)
    with WritableRun.create(tmp_path / "run", prepared(RUNS[name], world, answers)) as run:
        asyncio.run(ended(run))
        found = list(completions(run))
    assert {read.kind for read in found} >= RUNS[name].asks
    for read in found:
        counted.setdefault((f"{name} {environment} {answers}", read.kind), Counter())[read.outcome] += 1


@needs_package
@pytest.mark.parametrize("answers", ["text", "schema"])
@pytest.mark.parametrize("task", ["airline_0", "telecom_3"])
def test_the_model_plays_tau2s_users_with_and_without_a_phone(
    task: str, answers: str, tmp_path: Path, counted: dict[tuple[str, Kind], Counter[str]]
) -> None:
    run = Short({**SERVED.sections, "run": {"tasks": [task]}}, SERVED.asks)
    with WritableRun.create(tmp_path / "run", prepared(run, "tau2", answers)) as served:
        asyncio.run(ended(served))
        found = list(completions(served))
    assert {read.kind for read in found} == SERVED.asks
    for read in found:
        counted.setdefault((f"expert {task} {answers}", read.kind), Counter())[read.outcome] += 1


@pytest.mark.skipif(bool(no_chromium()), reason=no_chromium())
@pytest.mark.parametrize("answers", ["text", "schema"])
def test_two_tasks_of_webarena_are_played_to_their_ends_in_a_browser(
    answers: str, tmp_path: Path, counted: dict[tuple[str, Kind], Counter[str]]
) -> None:
    with WritableRun.create(tmp_path / "run", prepared(BROWSED, "webarena", answers)) as run:
        asyncio.run(ended(run))
        played = results(run).count("solved", "unsolved")
        found = list(completions(run))
    assert played == 2
    assert {read.kind for read in found} >= BROWSED.asks
    for read in found:
        counted.setdefault((f"react webarena {answers}", read.kind), Counter())[read.outcome] += 1
