"""A run has a judge where `[model.judge]` names one and its world has answers to grade."""

from typing import Any

import pytest

from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared, prepare, prepare_config
from tests.actors.quiz import Quiz


def prepared(environment: object, **model: Any) -> Prepared:
    tables = {
        "method": {"name": "expert"},
        "environment": {"name": environment},
        "model": {"name": "sim-weak", **model},
    }
    return prepare([from_table(tables, "a test")])


def test_its_model_and_its_prompt_are_in_the_record_and_its_role_among_the_run_s() -> None:
    run = prepared(Quiz(), judge={"name": "sim-strong", "max_tokens": 64})
    assert run.record.models == {"judge": "sim-strong (simulated)"}
    assert list(run.record.prompts) == ["grade", "grade.reason"]
    assert [role.name for role in run.spec.roles] == ["judge", "environment", "subtask"]
    assert run.spec.judged
    assert run.spec.methods[0].sampling["judge"].max_tokens == 64
    again = prepare_config(run.config, "a record", run.objects)
    assert again.record.models == run.record.models


def test_without_a_table_of_its_own_there_is_no_judge() -> None:
    run = prepared(Quiz())
    assert (run.spec.judged, run.record.models, run.record.prompts) == (False, {}, {})


def test_a_world_that_needs_a_judge_is_refused_without_one() -> None:
    expected = (
        r"^model.judge: expected a model whose verdict is the reward on quiz \(--set model.judge.name=MODEL\), got none"
    )
    with pytest.raises(UsageError, match=expected):
        prepared(Quiz(needs_judge=True))
    assert prepared(Quiz(needs_judge=True), judge={"name": "sim-strong"}).spec.judged


def test_a_judge_that_nothing_asks_is_refused_and_says_where_it_was_named() -> None:
    expected = r"^model.judge: expected an environment with answers for a judge, got textcraft, .* \(a test\)$"
    with pytest.raises(UsageError, match=expected):
        prepared("textcraft", judge={"name": "sim-strong"})
