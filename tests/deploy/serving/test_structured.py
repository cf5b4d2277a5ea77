"""Answers of simulated models as JSON, and whole runs of them: the same conversations as in text."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from quintet.config.resolve import resolve
from quintet.config.settings import from_table
from quintet.events import CallMade, StepTaken
from quintet.journal.reader import JournalReader
from quintet.parsing.forms import FORMS, as_paper_text, response_format
from quintet.ports.model import AnswerForm, Completion
from quintet.runs.evaluation import run_left
from quintet.runs.progress import Counters
from quintet.runs.record import begin
from quintet.runs.run_folder import RunFolder
from quintet.serving.offer import offer
from quintet.serving.reading import read
from quintet.serving.refusals import Refusal
from quintet.serving.server import serving
from quintet.serving.structured import structured

SAID = {
    "decision": "Thought: I need iron.\nAction: get 1 iron ingot",
    "thought": "Thought: I need iron.",
    "action": "Action: get 1 iron ingot",
    "plan": "Step 1: fetch 1 stick\nStep 2: fetch 1 log\nExecution Order: (Step 1 AND Step 2)",
    "reflection": "1. It took a stick.\n2. It failed.",
    "task_plan": "Plan:\n1. Look.\n2. Take.",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_text_is_itself_again_once_its_json_is_read(form: AnswerForm) -> None:
    text = structured(Completion(text=SAID[form]), form).text
    assert isinstance(json.loads(text), dict)
    assert as_paper_text(text, form) == SAID[form]


@pytest.mark.parametrize("form", FORMS)
def test_whatever_is_said_is_of_the_form(form: AnswerForm) -> None:
    for said in ("", "I know nothing.", "Action:", SAID["plan"], SAID["decision"]):
        FORMS[form].model_validate_json(structured(Completion(text=said), form).text)


def test_a_text_that_was_cut_off_is_no_whole_json() -> None:
    cut = structured(Completion(text="Thought: I need", finish="length"), "decision")
    assert (cut.text, cut.finish) == ('{"thought":"I n', "length")


def body(**format_: Any) -> bytes:
    messages = [{"role": "user", "content": "Go."}]
    return json.dumps({"model": "sim-weak", "messages": messages, "response_format": format_}).encode()


def test_a_form_is_known_by_the_name_of_its_schema() -> None:
    assert read(body(**response_format("plan"))).sampling.form == "plan"
    assert read(body(type="text")).sampling.form is None
    unknown: list[dict[str, Any]] = [
        {"type": "json_schema"},
        {"type": "json_schema", "json_schema": {"name": "sonnet", "schema": {}}},
    ]
    for format_ in unknown:
        with pytest.raises(Refusal, match="Expected a JSON schema by one of the names decision, "):
            read(body(**format_))


LEARNING = {
    "run": {"learn": True},
    "learning": {"tasks": 2, "batch": 2, "iterations": 1, "eval_every": 0, "temperature": 0.0},
}


@pytest.mark.parametrize(
    ("sections", "forms"),
    [
        ({"method": {"name": "adapt"}}, {"decision", "plan"}),
        ({"method": {"name": "autoplan"}, **LEARNING}, {"thought", "action", "reflection", "task_plan"}),
    ],
)
@pytest.mark.parametrize("environment", ["textcraft", "alfworld"])
def test_a_run_takes_the_same_steps_as_in_text(
    sections: dict[str, Any], forms: set[str], environment: str, tmp_path: Path
) -> None:
    async def steps(answers: str) -> tuple[list[tuple[str, str]], set[str | None]]:
        async with serving(offer("sim")) as served:
            model = {"name": "sim-weak", "url": served.url, "answers": answers}
            run = {**sections.get("run", {}), "tasks": 1}
            settings = {**sections, "environment": {"name": environment}, "model": model, "run": run}
            with RunFolder.create(tmp_path / answers, begin(resolve([from_table(settings, "test")]))) as folder:
                assert await run_left(folder, Counters()) == "done"
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
