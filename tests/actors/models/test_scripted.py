import asyncio
import json
from pathlib import Path

import pytest

from quintet.errors import ModelFault, UsageError
from quintet.messages.prompts import Prompt, assistant, user
from quintet.models.scripted import Scripted
from quintet.plugins.catalogue import model
from quintet.ports.model import Model, Sampling

LINES = ("first", "second")


def said(scripted: Model, answers: int) -> str:
    prompt = Prompt(user("Begin."))
    for number in range(answers):
        prompt = prompt.extend(assistant(f"answer {number}"), user("Go on."))
    return asyncio.run(scripted.complete(prompt, Sampling())).text


def test_the_completion_is_picked_by_the_answers_already_in_the_prompt(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps(LINES))
    for scripted in (Scripted(LINES), model("scripted", script=str(script))):
        assert [said(scripted, answers) for answers in (1, 0, 0, 1)] == ["second", "first", "first", "second"]
        with pytest.raises(ModelFault, match="at most 2 answers"):
            said(scripted, 2)


def test_in_a_cycle_the_first_follows_the_last() -> None:
    assert [said(Scripted(LINES, cycle=True), answers) for answers in range(5)] == [*LINES, *LINES, "first"]


def test_its_name_tells_one_script_from_another_and_can_be_chosen() -> None:
    assert Scripted(LINES).name.startswith("scripted-")
    assert Scripted(LINES).name == Scripted(LINES, cycle=True).name
    assert Scripted(LINES).name != Scripted(LINES[:1]).name
    assert Scripted(LINES, name="gpt-recorded").name == "gpt-recorded"


def test_completions_or_a_script_are_needed_and_not_both(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="got neither"):
        Scripted()
    with pytest.raises(UsageError, match="got both"):
        Scripted(LINES, script=tmp_path / "script.json")
    with pytest.raises(UsageError, match=r"expected a file, got .*none\.json"):
        Scripted(script=tmp_path / "none.json")


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        (b"[", "expected a JSON list of texts"),
        (b'{"a": 1}', "expected a JSON list of texts"),
        (b'["a", 1]', r"expected a JSON list of texts.*\$\[1\]"),
        (b'["\xff"]', "expected a JSON list of texts"),
        (b"[]", "expected at least one text"),
    ],
)
def test_a_bad_script_is_a_usage_error_that_names_it(tmp_path: Path, written: bytes, complaint: str) -> None:
    script = tmp_path / "script.json"
    script.write_bytes(written)
    with pytest.raises(UsageError, match=complaint) as raised:
        Scripted(script=script)
    assert str(script) in str(raised.value)
