"""The models that are served, by name, and their answers as JSON: a run takes the same steps as in text."""

import asyncio
import json
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
from quintet.ports.model import Completion, Sampling
from quintet.questions.shape import SHAPES, response_format
from quintet.runtime.counters import RunCounters
from quintet.serving.models import as_json_form, served_models
from quintet.serving.refusals import Refusal
from quintet.serving.request import read_request
from tests.faulty.endpoint import serve_models

LEVELS = ("weak", "strong", "newcomer", "fallible(0.1)")


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
            "--model: expected one of 'sim', 'sim-weak', 'sim-strong', 'sim-newcomer', 'sim-fallible', 'scripted', ",
        ),
        ("sim-strng", None, False, "--model: expected 'sim-strong', got 'sim-strng'"),
        ("scripted", None, False, "--script: expected a file for the model scripted, got none"),
        ("scripted", Path("none.json"), False, "script: expected a file, got No such file or directory (none.json)"),
        ("sim", Path("some.json"), False, "--model: expected scripted, since --script is given, got 'sim'"),
        ("sim", None, True, "--model: expected scripted, since --cycle is given, got 'sim'"),
    ],
)
def test_an_unknown_model_or_script_is_an_error(name: str, script: Path | None, cycle: bool, said: str) -> None:
    with pytest.raises(UsageError) as error:
        served_models(name, script=script, cycle=cycle)
    assert said in str(error.value)


def test_levels_write_in_styles_and_a_script_does_not(tmp_path: Path) -> None:
    assert served_models("sim-strong", style="mixed", seed=3)["sim"].name == "sim-strong, mixed styles (simulated)"
    with pytest.raises(UsageError, match="--style: expected a simulated level"):
        served_models("scripted", script=tmp_path / "script.json", style="mixed")


SAID = {
    "decision": "Thought: I need iron.\nAction: get 1 iron ingot",
    "candidates": "Action: get 1 iron ingot (confidence 0.75)\nAction: inventory (confidence 0.25)",
    "thought": "Thought: I need iron.",
    "action": "Action: get 1 iron ingot",
    "plan": "Step 1: fetch 1 stick\nStep 2: fetch 1 log\nExecution Order: (Step 1 AND Step 2)",
    "reflection": "1. It took a stick.\n2. It failed.",
    "look_back": "Reflection: Get iron first.",
    "value": "Iron is missing.\nMark: 3",
    "choice": "The second has iron.\nChoice: 2",
    "evaluation": "subgoal 1: get 1 log - complete\nsubgoal 2: craft planks - incomplete",
    "summary": "Summary: I held 1 log. My last action was: inventory.",
    "clusters": "High-level Type1: wood: planks [1, 3]\nHigh-level Type2: stone: bricks [2]",
    "index": "[2]: it is about planks.",
    "comparison": "3: there the first takes wood.",
    "task_plan": "Plan:\n1. Look.\n2. Take.",
    "steps": "List\n1. get 1 stick\n2. get 1 log",
    "alignment": "The action is to get 1 stick: Got 1 stick\nNO",
    "verdict": "The stick is there.\nYES",
    "grade": "Both name one town.\nCorrect: YES",
    "condensed": "Short description: Iron is on the shelf.",
    "retargeted": "New action is: take mug 7 from desk 1",
}


@pytest.mark.parametrize("form", SHAPES)
def test_a_text_is_itself_again_once_its_json_is_read(form: str) -> None:
    text = as_json_form(Completion(text=SAID[form]), form).text
    assert isinstance(json.loads(text), dict)
    assert SHAPES[form].as_text(text) == SAID[form]


@pytest.mark.parametrize("form", SHAPES)
def test_any_text_becomes_valid_json_of_the_form(form: str) -> None:
    for said in ("", "I know nothing.", "Action:", SAID["plan"], SAID["decision"]):
        SHAPES[form].schema.model_validate_json(as_json_form(Completion(text=said), form).text)


def test_json_of_a_cut_off_text_is_cut_off() -> None:
    cut = as_json_form(Completion(text="Thought: I need", finish="length"), "decision")
    assert (cut.text, cut.finish) == ('{"thought":"I n', "length")


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
    "learning": {"tasks": 2, "batch": 2, "iterations": 1, "eval_every": 0, "temperature": 0.0},
}
REMEMBERING = {"run": {"learn": True}, "learning": {"tasks": 2, "batch": 1, "goals": 1, "eval_every": 0}}


@pytest.mark.parametrize(
    ("sections", "forms"),
    [
        ({"method": {"name": "adapt"}}, {"decision", "plan"}),
        ({"method": {"name": "autoplan"}, **LEARNING}, {"thought", "action", "reflection", "task_plan"}),
        (
            {"method": {"name": "ldm2"}, **REMEMBERING},
            {"evaluation", "summary", "action", "candidates", "clusters", "index"},
        ),
        pytest.param(
            {"method": {"name": "devils_advocate", "summarize_above": 40}},
            {"steps", "decision", "alignment", "verdict", "condensed"},
            marks=pytest.mark.slow,
        ),
    ],
)
@pytest.mark.parametrize("environment", ["textcraft", "alfworld"])
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
    assert asked == forms
    assert in_text
    assert in_json == in_text
