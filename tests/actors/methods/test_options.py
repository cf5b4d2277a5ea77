"""Options of methods and learners that are out of range, unknown, or contradict each other."""

from math import inf, nan
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from quintet.methods.adapt.config import AdaptConfig
from quintet.methods.autoplan.config import AutoPlanConfig, AutoPlanLearning
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.lats.config import LatsConfig
from quintet.methods.ldm2.config import Ldm2Config, Ldm2Learning
from quintet.methods.plan_execute.config import PlanExecuteConfig
from quintet.methods.random.config import RandomConfig
from quintet.methods.react.config import ReactConfig
from quintet.methods.reflexion.config import ReflexionConfig
from quintet.methods.search.config import SearchConfig
from quintet.methods.try_again.config import TryAgainConfig

WRONG: dict[type[BaseModel], dict[str, tuple[Any, ...]]] = {
    RandomConfig: {"max_steps": (0,), "steps": (5,)},
    ExpertConfig: {"max_steps": (0,), "steps": (5,)},
    ReactConfig: {"max_steps": (0,), "patience": (0,), "max_repeats": (1,), "steps": (5,), "thoughts": (True,)}
    | {"demonstrations": ("all",)},
    AdaptConfig: {"max_depth": (0,), "patience": (5,), "hand_on": ("mood",), "dmax": (3,)},
    PlanExecuteConfig: {"plan_form": ("long",), "levels": (0,), "patience": (5,), "hand_on": ("mood",)},
    TryAgainConfig: {"trials": (0,), "patience": (5,), "temperature": (-0.1,), "top_p": (0,)},
    ReflexionConfig: {"trials": (0,), "patience": (5,), "memory": (0,), "reflections": ("all", "swapped")},
    AutoPlanConfig: {
        "max_steps": (0,),
        "patience": (0,),
        "formalize": ("never",),
        "batch": (4,),
        "demonstrations": ("hybrid",),
    },
    AutoPlanLearning: (
        {"batch": (0,), "iterations": (0,), "eval_every": (-1,), "select": ("first",), "reflection": ("flaws",)}
        | {"temperature": (-1, nan), "top_p": (0, 1.1), "tasks": (3,)}
    ),
    Ldm2Config: (
        {"max_steps": (0,), "candidates": (0,), "width": (0,), "agreement": (0, 0.5, 1.1), "direct": (0.5,)}
        | {"max_repeats": (1,), "temperature": (1,)}
    ),
    Ldm2Learning: {"batch": (0,), "goals": (0,), "rounds": (-1,), "source": ("human",), "tasks": (3,)},
    LatsConfig: (
        {"workers": (0,), "candidates": (0,), "root_candidates": (0,), "iterations": (0,), "reflections": (-1,)}
        | {"rollout_depth": (-1,), "cut_off": (1.5, -2, "reward"), "value_weight": (1.1,), "order": ("any",)}
    ),
    SearchConfig: (
        {"workers": (0,), "candidates": (0,), "samples": (0,), "width": (0,), "nodes": (0,), "depth": (0,)}
        | {"agreement": (0.5,), "exploration": (-1, inf), "temperature": (inf,)}
    ),
    DevilsAdvocateConfig: (
        {"remedies": (-1,), "trials": (0,), "max_actions": (0,), "summarize_above": (0,), "alignment": ("often",)}
        | {"limit_per": ("plan",), "depth": (1,)}
    ),
}


@pytest.mark.parametrize("options", WRONG)
def test_a_value_out_of_range_or_an_unknown_option_is_refused(options: type[BaseModel]) -> None:
    for name, values in WRONG[options].items():
        for value in values:
            with pytest.raises(ValidationError, match=name):
                options.model_validate({name: value})


@pytest.mark.parametrize(
    ("options", "together", "expected"),
    [
        (SearchConfig, {"scores": "confidences", "siblings": True}, "expected false with scores = confidences"),
        (SearchConfig, {"branch": "disagreement", "siblings": True}, "expected false with branch = disagreement"),
        (SearchConfig, {"scores": "votes", "values": "shuffled"}, "expected values with values = shuffled"),
        (DevilsAdvocateConfig, {"speculate": True, "remedies": 0}, "expected false with remedies = 0"),
        (ReflexionConfig, {"reflections": "swapped", "other_tasks": ("soup", "soup")}, "other_tasks"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    options: type[BaseModel], together: dict[str, Any], expected: str
) -> None:
    with pytest.raises(ValidationError, match=expected):
        options.model_validate(together)
