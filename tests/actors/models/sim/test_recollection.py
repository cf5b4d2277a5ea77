"""Examples and situations are taken off the message that a prompt ends with."""

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.sim.model import strong
from quintet.models.sim.recollection import ShownState, read_recollection
from tests.actors.models.sim.answers import action_in, said

EXAMPLES = (
    "1. Observation: Got 9 oak logs\nEvaluation: subgoal 1: get oak logs - complete\nSummary: I held nothing.\n"
    "Action: craft 4 oak planks using 1 oak logs\n\n2. Observation: Got 2 stick\nAction: inventory"
)
ACT = system("Write one action.\nAction: one action")
TASK = "Crafting commands:\ncraft 4 oak planks using 1 oak logs\n\nGoal: craft oak planks."


def test_examples_are_taken_off_an_observation_with_their_heading() -> None:
    found = read_recollection(f"Got 1 oak logs\n\nWhat was done before:\n\n{EXAMPLES}")
    assert (found.before, found.examples, found.situation) == ("Got 1 oak logs", EXAMPLES, None)


def test_a_situation_is_what_has_no_number() -> None:
    now = "Now:\nObservation: Got 1\noak logs\nEvaluation: subgoal 1: a - complete\nSummary: I held nothing."
    situation = ShownState("Got 1\noak logs", "I held nothing.")
    found = read_recollection(f"{TASK}\n\nExamples:\n\n{EXAMPLES}\n\n{now}")
    assert (found.before, found.examples, found.situation) == (TASK, EXAMPLES, situation)
    alone = read_recollection(f"{TASK}\n\n{now}")
    assert (alone.before, alone.examples, alone.situation) == (TASK, "", situation)


def test_an_observation_with_its_label_is_no_situation() -> None:
    for message in ("Observation: Got 1 oak logs", "Got 1 oak logs", TASK, "It said:\n1. Take it."):
        found = read_recollection(message)
        assert (found.before, found.examples, found.situation) == (message, "", None)


def test_what_is_recalled_says_nothing_about_the_present() -> None:
    assert action_in(said(strong(), Prompt(ACT, user(f"{TASK}\n\nExamples:\n\n{EXAMPLES}")))) == "get 1 oak logs"
    done = Prompt(ACT, user(TASK), assistant("Action: get 1 oak logs"), user(f"Got 1 oak logs\n\nSeen:\n\n{EXAMPLES}"))
    assert action_in(said(strong(), done)) == "craft 4 oak planks using 1 oak logs"


def test_a_situation_is_believed_as_if_it_had_been_seen() -> None:
    def decided(now: str) -> str:
        return action_in(said(strong(), Prompt(ACT, user(f"{TASK}\n\nNow:\n{now}"))))

    assert decided("Observation: Got 1 oak logs\nSummary: My last action was: get 1 oak logs.") == (
        "craft 4 oak planks using 1 oak logs"
    )
    assert decided(
        "Observation: Could not find stick\nSummary: I held 1 oak logs. My last action was: get 1 stick."
    ) == ("craft 4 oak planks using 1 oak logs")
    assert decided("Observation: Could not find stick\nSummary: I liked it here.") == "get 1 oak logs"
