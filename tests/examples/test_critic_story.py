"""The story of a critic: its code is the example's, its commands run, and print what it shows."""

import re
import shlex
from pathlib import Path

import pytest

from quintet.questions.shape import SHAPES
from tests.command import command
from tests.distributions import use_site
from tests.test_docs import without_times

ROOT = Path(__file__).parents[2]
STORY = (ROOT / "docs" / "stories" / "critic.md").read_text()
CODE = re.findall(r"```python\n(.*?)```", STORY, re.DOTALL)
SHOWN = re.findall(r"```\n(.*?)```", re.sub(r"```(?:python|toml|text)\n.*?```", "", STORY, flags=re.DOTALL), re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With the files that the reader has saved."""
    for name, code in zip(("debate.py", "review.py", "poll.py"), CODE, strict=True):
        (tmp_path / name).write_text(code)
    prompt = tmp_path / "prompts" / "reviewer" / "review.txt"
    prompt.parent.mkdir(parents=True)
    prompt.write_text(re.findall(r"```text\n(.*?)```", STORY, re.DOTALL)[0])
    told = re.search(r'echo "(.*)" > (\S+)', STORY)
    assert told is not None
    (tmp_path / told[2]).parent.mkdir()
    (tmp_path / told[2]).write_text(told[1])
    monkeypatch.chdir(tmp_path)
    use_site(tmp_path, monkeypatch, "debate", "review", "poll")
    monkeypatch.delitem(SHAPES, "review", raising=False)  # an earlier test's module has registered it
    return tmp_path


def _run(*words: str) -> str:
    """Run the one command of the story that begins with these words."""
    (line,) = [
        line for line in re.findall(r"^    quintet (.*)", STORY, re.MULTILINE) if line.startswith(" ".join(words))
    ]
    said = command(*shlex.split(line))
    assert said.code == 0, said.err
    return without_times(said.out)


@pytest.mark.usefixtures("folder")
def test_its_first_run_prints_what_it_shows_and_is_shown_and_resumed() -> None:
    printed = _run("eval debate.py:Debate textcraft --model sim-strong --tasks 3 --out runs/debate")
    assert without_times(SHOWN[0]).strip() in printed
    assert without_times(SHOWN[1]).rstrip() in _run("show runs/debate")
    assert without_times(SHOWN[0]).strip() in _run("resume runs/debate")


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_critic_has_a_model_and_instructions_of_its_own() -> None:
    mixed = _run("eval debate.py:Debate textcraft --model sim-strong --tasks 3 --set model.skeptic.name")
    assert SHOWN[3].strip() in mixed
    assert "own prompts: skeptic (" in _run("eval debate.py:Debate textcraft --model sim-strong --tasks 3 --set method")


@pytest.mark.usefixtures("folder")
def test_a_role_with_a_question_of_its_own_gives_marks_and_finds_the_prompt_that_it_brings() -> None:
    printed = _run("eval review.py:Reviewing")
    assert "reviewing 1 100 " in printed
    assert "review 3 " in printed


@pytest.mark.usefixtures("folder")
def test_a_role_with_requests_of_its_own_counts_the_votes() -> None:
    assert "poll 1 100 " in _run("eval poll.py:Poll")


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_it_keeps_the_contract_of_methods() -> None:
    assert SHOWN[2].strip() in _run("check method debate.py")
    assert SHOWN[2].strip() in command("check", "method", "review.py:Reviewing").out


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.xdist_group("ray")
@pytest.mark.usefixtures("folder")
def test_on_hosts_of_their_own_the_result_is_the_same() -> None:
    printed = _run("eval debate.py:Debate textcraft --model sim-strong --tasks 3 --placement per-role")
    assert without_times(SHOWN[0]).split("By phase")[1].strip() in printed
