"""Which model answers under which name."""

import asyncio
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Sampling
from quintet.serving.models import served_models


@pytest.mark.parametrize(
    ("name", "served"),
    [
        ("sim", {"sim": "weak", "sim-weak": "weak", "sim-strong": "strong", "sim-fallible": "fallible(0.1)"}),
        ("sim-strong", {"sim": "strong", "sim-strong": "strong"}),
    ],
)
def test_a_level_answers_under_its_name_and_one_of_them_as_sim(name: str, served: dict[str, str]) -> None:
    shown = {asked: model.name for asked, model in served_models(name).items()}
    assert shown == {asked: f"sim-{level} (simulated)" for asked, level in served.items()}


def test_scripted_says_its_script(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["first"]', encoding="utf-8")
    models = served_models("scripted", script=script, cycle=True)
    assert list(models) == ["scripted"]
    assert asyncio.run(models["scripted"].complete(Prompt(user("go")), Sampling())).text == "first"


@pytest.mark.parametrize(
    ("name", "script", "cycle", "said"),
    [
        (
            "gpt",
            None,
            False,
            "--model: expected one of 'sim', 'sim-weak', 'sim-strong', 'sim-fallible', 'scripted', got",
        ),
        ("sim-strng", None, False, "--model: expected 'sim-strong', got 'sim-strng'"),
        ("scripted", None, False, "--script: expected a file for the model scripted, got none"),
        ("scripted", Path("none.json"), False, "script: expected a file, got No such file or directory (none.json)"),
        ("sim", Path("some.json"), False, "--model: expected scripted, since --script is given, got 'sim'"),
        ("sim", None, True, "--model: expected scripted, since --cycle is given, got 'sim'"),
    ],
)
def test_what_cannot_be_offered_says_why(name: str, script: Path | None, cycle: bool, said: str) -> None:
    with pytest.raises(UsageError) as error:
        served_models(name, script=script, cycle=cycle)
    assert said in str(error.value)


def test_levels_write_in_styles_and_a_script_does_not(tmp_path: Path) -> None:
    assert served_models("sim-strong", style="mixed", seed=3)["sim"].name == "sim-strong, mixed styles (simulated)"
    with pytest.raises(UsageError, match="--style: expected a simulated level"):
        served_models("scripted", script=tmp_path / "script.json", style="mixed")
