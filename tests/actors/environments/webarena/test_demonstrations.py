"""The worked examples are in a form that is read, and none is of the world's own tasks."""

import re
from pathlib import Path

from quintet.environments.webarena.actions import read_web_action, web_action_text
from quintet.environments.webarena.tasks.library import open_library
from quintet.environments.webarena.world import WebArena
from quintet.messages.execution import Act, Claim
from quintet.parsing.decisions import read_decision

TEXT = (Path(str(WebArena.prompt_folder)) / "react" / "demonstrations.txt").read_text(encoding="utf-8")
EXAMPLES = TEXT.split("\nGoal: ")[1:]


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
