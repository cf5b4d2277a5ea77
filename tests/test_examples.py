"""The examples run, and say what they promise."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SAID = {
    "service.py": ["'calls': 1, 'tokens': 921, 'dollars': None"],
    "pipeline.py": ["adapt: 90% solved", "13 tokens"],
    "embed.py": ["solved, reward 1", "Decomposed(plan=PlanStep(number=1", "12"],
    "script.py": ["2.0 of 2"],
    "debate.py": ["2.0 of 2"],
    "insights.py": ["9 of 9 episodes solved"],
}

TESTED_ELSEWHERE = {"hooks_mlflow.py", "hooks_wandb.py", "mcp_notes.py", "service_aiohttp.py", "train.py"}
"""They do not run to an end by themselves: see tests/deploy/hooks/test_hook.py, tests/examples/ and tests/training/."""


def test_every_example_is_listed_here() -> None:
    assert {file.name for file in (ROOT / "examples").glob("*.py")} == TESTED_ELSEWHERE | set(SAID)


ON_RAY = [pytest.mark.slow, pytest.mark.ray, pytest.mark.xdist_group("ray")]
_RUN = """
import runpy, sys
for file in sys.argv[1:]:
    print("ran:", file)
    runpy.run_path(file, run_name="__main__")
"""


@pytest.mark.parametrize(
    "names", [pytest.param(["pipeline.py"], marks=ON_RAY), [name for name in SAID if name != "pipeline.py"]]
)
def test_examples_run_from_any_folder_and_say_what_their_stories_show(names: list[str], tmp_path: Path) -> None:
    files = [str(ROOT / "examples" / name) for name in names]
    variables = os.environ | {"PYTHONPATH": str(ROOT), "RAY_ADDRESS": "local"}
    called = [sys.executable, "-c", _RUN, *files]
    result = subprocess.run(called, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    _, *said = re.split(r"^ran: .*$", result.stdout, flags=re.MULTILINE)
    for name, text in zip(names, said, strict=True):
        assert [each for each in SAID[name] if each not in text] == []
        story = ROOT / "docs" / "stories" / f"{Path(name).stem}.md"
        assert not story.exists() or text.strip() in story.read_text()
    assert list(tmp_path.iterdir()) == []
