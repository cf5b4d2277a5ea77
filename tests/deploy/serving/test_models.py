"""The models that are served, by name, and their answers as JSON: a run takes the same steps as in text."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.events import CallMade, StepTaken
from quintet.journal.reader import JournalReader
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import prepare
from quintet.launch.writable_run import WritableRun
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Sampling
from quintet.questions.shape import response_format
from quintet.runtime.counters import RunCounters
from quintet.serving.models import served_models
from quintet.serving.request import read_request
from quintet.serving.wire import Refusal
from tests.faulty.endpoint import serve_models

LEVELS = ("weak", "strong", "fallible(0.1)")


@pytest.mark.parametrize(
    ("name", "served"),
    [
        ("sim", {"sim": "weak", **{f"sim-{level.partition('(')[0]}": level for level in LEVELS}}),
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
            "--model: expected one of 'sim', 'sim-weak', 'sim-strong', 'sim-fallible', 'random', 'echo', 'scripted', ",
        ),
        ("sim-strng", None, False, "--model: expected 'sim-strong', got 'sim-strng'"),
        ("scripted", None, False, "--script: expected a file for the model scripted, got none"),
        ("scripted", Path("none.json"), False, "script: expected a file, got No such file or directory (none.json)"),
        ("sim", Path("some.json"), False, "--model: expected scripted, since --script is given, got 'sim'"),
        ("sim", None, True, "--model: expected scripted, since --cycle is given, got 'sim'"),
    ],
)
def test_an_unknown_model_or_script_is_an_error(name: str, script: Path | None, cycle: bool, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        served_models(name, script=script, cycle=cycle)


def body(**format_: Any) -> bytes:
    messages = [{"role": "user", "content": "Go."}]
    return json.dumps({"model": "sim-weak", "messages": messages, "response_format": format_}).encode()


def test_a_form_is_known_by_the_name_of_its_schema() -> None:
    assert read_request(body(**response_format("plan"))).sampling.form == "plan"
    assert read_request(body(type="text")).sampling.form is None
    unknown: list[dict[str, Any]] = [
        {"type": "json_schema"},
        {"type": "json_schema", "json_schema": {"name": "sonnet", "schema": {}}},
    ]
    for format_ in unknown:
        with pytest.raises(Refusal, match="Expected a JSON schema by one of the names decision, "):
            read_request(body(**format_))


LEARNING = {
    "run": {"learn": True},
    "learning": {"tasks": 1, "batch": 1, "iterations": 1, "eval_every": 0, "temperature": 0.0},
}
REMEMBERING = {"run": {"learn": True}, "learning": {"tasks": 2, "batch": 1, "goals": 1, "eval_every": 0}}


@pytest.mark.parametrize(
    ("sections", "forms"),
    [
        ({"method": {"name": "adapt"}}, {"decision", "plan"}),
        ({"method": {"name": "autoplan"}, **LEARNING}, {"thought", "action", "reflection", "task_plan"}),
        (
            {"method": {"name": "ldm2"}, **REMEMBERING},
            {"evaluation", "summary", "action", "candidates", "clusters", "index", "comparison"},
        ),
        pytest.param(
            {"method": {"name": "devils_advocate", "summarize_above": 40}},
            {"steps", "decision", "alignment", "verdict", "condensed"},
            marks=pytest.mark.slow,
        ),
    ],
)
@pytest.mark.parametrize("environment", ["textcraft", pytest.param("alfworld", marks=pytest.mark.slow)])
def test_a_run_takes_the_same_steps_as_in_text(
    sections: dict[str, Any], forms: set[str], environment: str, tmp_path: Path
) -> None:
    async def steps(answers: str) -> tuple[list[tuple[str, str]], set[str | None]]:
        async with serve_models(served_models("sim")) as served:
            model = {"name": "sim-weak", "url": served.url, "answers": answers}
            run = {**sections.get("run", {}), "tasks": 1}
            settings = {**sections, "environment": {"name": environment}, "model": model, "run": run}
            with WritableRun.create(tmp_path / answers, prepare([from_table(settings, "test")])) as folder:
                assert await run_left(folder, RunCounters()) == "done"
                reader = JournalReader.open(folder.journal)
                events = [record.event for record in reader.records()]
                reader.close()
        taken = [(event.path, event.action) for event in events if isinstance(event, StepTaken)]
        return sorted(taken), {event.sampling.form for event in events if isinstance(event, CallMade)}

    in_text, none = asyncio.run(steps("text"))
    in_json, asked = asyncio.run(steps("schema"))
    assert none == {None}
    assert forms <= asked
    assert in_text
    assert in_json == in_text
