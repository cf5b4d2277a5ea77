"""The examples run, and say what they promise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SAID = {
    "service.py": ["'calls': 1, 'tokens': 921, 'dollars': None"],
    "pipeline.py": ["adapt: 60% solved", "46 tokens"],
    "embed.py": ["solved, reward 1", "Decomposed(plan=PlanStep(number=1", "12"],
    "script.py": ["2.0 of 2"],
    "debate.py": ["2.0 of 2"],
}

HOOKS = {"hooks_mlflow.py", "hooks_wandb.py"}
"""They are no scripts: see tests/deploy/hooks/test_examples.py."""


def test_every_example_is_listed_here() -> None:
    assert {file.name for file in (ROOT / "examples").glob("*.py")} == HOOKS | set(SAID)


ON_RAY = [pytest.mark.slow, pytest.mark.ray, pytest.mark.xdist_group("ray")]


@pytest.mark.parametrize("name", [pytest.param(name, marks=ON_RAY) if name == "pipeline.py" else name for name in SAID])
def test_an_example_runs_from_any_folder(name: str, tmp_path: Path) -> None:
    variables = os.environ | {"PYTHONPATH": str(ROOT), "RAY_ADDRESS": "local"}
    result = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name)],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    for text in SAID[name]:
        assert text in result.stdout
    story = ROOT / "docs" / "stories" / f"{Path(name).stem}.md"
    assert not story.exists() or result.stdout.strip() in story.read_text()
    assert list(tmp_path.iterdir()) == []
