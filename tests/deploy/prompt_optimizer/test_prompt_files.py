"""The prompts of a run's methods by name, and folders with other texts for a candidate."""

from pathlib import Path

import pytest

from quintet.config.methods import MethodConfig, method_configs
from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.launch.prepare import prepare
from quintet.launch.prompts import own_prompts
from quintet.prompt_optimizer.prompt_files import read_texts, write_texts

NESTED = {"method.name": "adapt", "environment.name": "textcraft", "run.tasks": 1}


def _methods(**settings: object) -> tuple[MethodConfig, ...]:
    return method_configs(prepare([from_table({**NESTED, **settings}, "a test")]).config)


def test_prompts_are_found_with_their_slots_also_those_of_an_inner_method() -> None:
    texts = read_texts(_methods(), "textcraft", ["decompose", "react/execute"])
    assert "{rules}" in texts["react/execute"]
    assert [*texts] == ["decompose", "react/execute"]


@pytest.mark.parametrize(
    ("names", "error"),
    [
        (["execute"], "prompts: expected .*'react/execute'.*, got 'execute'"),
        (["react/decompos"], "prompts: expected .*got 'react/decompos'"),
        ([], "prompts: expected one of .*, got none"),
    ],
)
def test_a_name_that_no_method_reads_is_refused(names: list[str], error: str) -> None:
    with pytest.raises(UsageError, match=error):
        read_texts(_methods(), "textcraft", names)


def test_a_candidate_s_texts_are_read_by_a_run_beside_the_user_s_own(tmp_path: Path) -> None:
    own = tmp_path / "own" / "textcraft"
    own.mkdir(parents=True)
    (own / "demonstrations.txt").write_text("Mine.\n")
    methods = _methods(**{"method.inner.prompts": str(tmp_path / "own")})
    settings = write_texts(tmp_path / "c1", methods, "textcraft", {"react/execute": "New.", "decompose": "Newer."})
    run = prepare([from_table(NESTED, "a test"), settings])
    assert [*own_prompts(run.resolved)] == ["decompose", "react/demonstrations", "react/execute"]
    assert run.spec.prompts["react"]["execute"] == "New."
    assert run.spec.prompts["react"]["demonstrations"] == "Mine."
    assert run.spec.prompts["adapt"]["decompose"] == "Newer."
