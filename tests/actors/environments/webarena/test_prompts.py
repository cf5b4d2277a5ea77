"""The prompts of WebArena: every action in them is one of the world's, and every plan has the form that is read."""

import re
from pathlib import Path

import pytest

from quintet.environments.webarena.actions import ACTION_FORMS, read_web_action, web_action_text
from quintet.environments.webarena.sites.visit import OWN_SITES
from quintet.environments.webarena.tasks.library import open_library
from quintet.environments.webarena.world import WebArena
from quintet.messages.execution import Act, Claim
from quintet.messages.planning import Decomposed
from quintet.methods.base.prompts import Prompts
from quintet.parsing.decisions import read_decision
from quintet.parsing.plans import read_decomposition
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts, known_prompts, required_prompts, worlds_of
from quintet.questions.shape import AnswerForm

FOLDER = Path(str(WebArena.prompt_folder))
FILES = sorted(FOLDER.rglob("*.txt"))
VERBS = {form.partition(" ")[0] for form in ACTION_FORMS}
PARTS = ("open: ", "find out: ", "do: ")
"""How a goal begins that is a part of a task."""


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text()


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_prompt_prescribes_the_same_in_lines_and_in_json(file: Path) -> None:
    forms: tuple[dict[str, AnswerForm], ...] = {}, {file.stem.partition(".")[0]: "schema"}
    for structured in forms:
        text = Prompts([], "webarena", structured, (FOLDER,), (file.parent,)).text(file.stem)
        assert not re.search(r"[{}]", text.replace("{n}", "") if not structured else "")


def test_the_rules_list_the_worlds_actions() -> None:
    listed = re.findall(r"^- (.+)", text_of("rules"), re.MULTILINE)
    heads = [re.sub(r"\[<\w+>\]", "", re.split(r":|, with", line)[0]) for line in listed]
    assert {verb for head in heads for verb in re.findall(r"[a-z_]+", head)} - {"or"} == VERBS


def test_no_site_is_promised_that_sites_of_ours_leave_out() -> None:
    naming = [text for file in FILES if "http://homepage.com" in (text := file.read_text())]
    assert naming
    assert "homepage" not in OWN_SITES
    assert all("Not all of them need be there; http://homepage.com, if it is," in text for text in naming)


def test_an_action_of_a_prompt_is_read_as_it_stands() -> None:
    shown = {
        action
        for file in FILES
        for action in re.findall(r"\b((?:click|type|press|scroll|stop)(?: \[[^\]<>]*\])+)", file.read_text())
    }
    assert len(shown) >= 5
    for action in shown:
        decision = read_decision(f"Thought: so.\nAction: {action}")
        assert getattr(decision, "action", "") == action
        assert web_action_text(read_web_action(action)) == action


@pytest.mark.parametrize("name", ["adapt/decompose", "plan_execute/decompose.detailed"])
def test_plans_have_the_form_that_is_read_and_steps_begin_as_parts_do(name: str) -> None:
    shown = text_of(name).split("\nGoal: ")[1:]
    assert len(shown) == 2
    for text in shown:
        plan = read_decomposition(text.partition("\n\nNow plan")[0])
        assert isinstance(plan, Decomposed)
        assert (plan.ambiguous, plan.fallback) == (False, "")
        whole = not text.startswith(PARTS)
        *before, last = re.findall(r"^Step \d+: (.+)$", text, re.MULTILINE)
        assert all(step.startswith(PARTS) for step in before)
        assert last.startswith("finish: " if whole else PARTS)


def test_a_part_of_a_task_is_told_from_a_whole_one_and_an_answer_is_asked_for_after_completion() -> None:
    assert all(f"- {part}" in text_of("subgoals") for part in PARTS)
    assert "The answer itself is asked for afterwards" in text_of("devils_advocate/judge")
    assert all("stop [" not in text_of(f"devils_advocate/{name}") for name in ("judge", "decide", "make_plan"))


@pytest.mark.parametrize("name", catalogue.names("method"))
def test_every_method_acts_here_by_a_text_for_each_of_its_requests(name: str) -> None:
    method = catalogue.method(name)
    assert "webarena" in worlds_of(method)
    prompts = find_prompts(method, "webarena")
    assert all(prompts.text(each) for each in required_prompts(method))
    assert set(prompts.names) <= set(known_prompts(method, "webarena"))


EXAMPLES = text_of("react/demonstrations").split("\nGoal: ")[1:]


def test_every_turn_is_read_as_a_thought_and_an_action_and_a_whole_task_ends_with_stop() -> None:
    for text in EXAMPLES:
        goal, *turns = text.split("\nThought: ")
        said = [read_decision(f"Thought: {turn}".partition("\nObservation: ")[0].split("\n\n")[0]) for turn in turns]
        for decision in said[:-1]:
            assert isinstance(decision, Act)
            assert web_action_text(read_web_action(decision.action)) == decision.action
        last = said[-1]
        part = re.match(r"(?:open|find out|do): ", goal)
        assert isinstance(last, Claim) if part else isinstance(last, Act) and last.action.startswith("stop "), goal


def test_no_task_of_our_own_asks_what_an_example_does() -> None:
    asked = {re.sub(r"\W", "", task.intent.lower()) for task in open_library(None).tasks.values()}
    assert asked.isdisjoint(re.sub(r"\W", "", text.partition("\n")[0].lower()) for text in EXAMPLES)
