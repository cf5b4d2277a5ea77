"""What the executor is shown on ALFWorld: which set when, and that the household in each example is a possible one."""

import re
from collections.abc import Iterator

import pytest

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, GameDialect, in_words_of
from quintet.messages.planning import AnyOf, Decompose, Decomposed
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.react.demonstrations import Demonstrated, demonstrations, without_claims, without_thoughts
from quintet.methods.react.react import React
from quintet.parsing.plans import read_decomposition
from quintet.plugins.prompts import find_prompts
from tests.actors.methods.over_react import over_react

PROMPTS = find_prompts(React, "alfworld")
TYPES = ("pick", "look", "clean", "heat", "cool", "pick two")
PLANNING = find_prompts(Adapt, "alfworld")
LAMP = "You arrive at desk 1. On the desk 1, you see a desklamp 1, and a newspaper 3."
RUNS = [f"{kind.replace(' ', '-')}-{number}" for kind in TYPES for number in (1, 2)]
EVERY = pytest.mark.parametrize("name", ["skills", "paper-skills", *RUNS])

_TURN = re.compile(r"^Action: (.+)(?:\nObservation: (.+))?$", re.MULTILINE)
_ROOM = re.compile(r"you see (.+)\.$", re.MULTILINE)
_SEEN = re.compile(r"(?:On the (\S+ \d+)|The (\S+ \d+) is open\. In it), you see (.+)\.")


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (None, None),
        ("atomic", ("skills",)),
        ("hybrid", ("skills", "heat-1", "look-1")),
        ("none", ()),
        ("only", ("demonstrations",)),
        ("paper", ("paper-skills", "heat-1", "look-1")),
        ("task", ("pick-two-1", "pick-two-2")),
    ],
)
def test_a_set_is_named_by_the_configuration_and_the_task_type(
    kind: Demonstrated | None, names: tuple[str, ...] | None
) -> None:
    assert demonstrations(kind, {"task type": "pick two"}) == names
    assert demonstrations("task", {"type": "bridge"}) is None, "a world without task types has one set"


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_has_two_runs_in_both_phrasings(kind: str) -> None:
    goals = [goal_in(PROMPTS.text(name)) for name in demonstrations("task", {"task type": kind}) or ()]
    assert len({*goals}) == 2
    assert {*map(type_of, goals)} == {kind}


def goal_in(text: str) -> str:
    found = re.search(r"^Goal: (.+)\.$", text, re.MULTILINE)
    assert found
    return found[1]


def type_of(goal: str) -> str:
    said = {"two": "pick two", "lamp": "look", "clean": "clean", "hot": "heat", "heat": "heat", "cool": "cool"}
    return next((kind for word, kind in said.items() if word in goal), "pick")


def turns(text: str) -> Iterator[tuple[str, str]]:
    for found in _TURN.finditer(text):
        yield found[1], found[2] or ""


def actions_of(dialect: GameDialect) -> list[re.Pattern[str]]:
    thing = r"[a-z]+ \d+"
    forms = [rf"(?:go to|open|close|examine|use) {thing}", rf"take {thing} from {thing}", "inventory", "look"]
    forms += [
        rf"(?:clean|heat|cool) {thing} with {thing}",
        dialect.put("X", "Y").replace("X", thing).replace("Y", thing),
    ]
    return [re.compile(form) for form in (*forms, "task (?:completed|failed)")]


@EVERY
@pytest.mark.parametrize("dialect", [NEW, CLASSIC], ids=["new", "classic"])
def test_examples_are_made_of_actions_of_the_dialect(name: str, dialect: GameDialect) -> None:
    shown = list(turns(in_words_of(PROMPTS.text(name), dialect)))
    assert len(shown) > 5
    for action, _ in shown:
        assert any(form.fullmatch(action) for form in actions_of(dialect)), action


@EVERY
def test_an_example_contradicts_itself_nowhere(name: str) -> None:
    text = PROMPTS.text(name)
    found = _ROOM.search(text)
    assert found
    room = re.findall(r"[a-z]+ \d+", found[1])
    contents: dict[str, list[str]] = {}
    for action, said in turns(text):
        for place in re.findall(r"(?:go to|open) (.+)", action):
            assert place in room
        for on, inside, things in _SEEN.findall(said):
            seen = re.findall(r"[a-z]+ \d+", things)
            assert sorted(contents.setdefault(on or inside, seen)) == sorted(seen), (action, said)
        if moved := re.fullmatch(r"You (?:pick up the (.+) from|move the (.+) to) the (.+)\.", said):
            taken, laid, place = moved.groups()
            before = contents.setdefault(place, [taken] if taken else [])
            contents[place] = [*before, laid] if laid else [thing for thing in before if thing != taken]
            assert laid or taken in before


@pytest.mark.parametrize("name", RUNS)
def test_a_run_reaches_its_goal(name: str) -> None:
    text = PROMPTS.text(name)
    kind = type_of(goal_in(text))
    done = [action for action, said in turns(text) if said and said != "Nothing happens."]
    assert list(turns(text))[-1] == ("task completed", "")
    count = 2 if kind == "pick two" else 1
    assert sum(action.startswith("take ") for action in done) >= count
    assert kind == "look" or sum(action.startswith("move ") for action in done) >= count
    assert kind not in ("clean", "heat", "cool") or any(action.startswith(f"{kind} ") for action in done)


def test_the_skills_are_shown_refused_failed_and_completed() -> None:
    shown = list(turns(PROMPTS.text("skills")))
    verbs = {action.split()[0] for action, said in shown if said}
    assert verbs == {"go", "open", "take", "move", "clean", "heat", "cool", "use", "inventory"}
    assert {action for action, _ in shown if action.startswith("task")} == {"task completed", "task failed"}
    assert any(said == "Nothing happens." for _, said in shown)


def test_the_papers_six_skills_are_shown_and_finding_is_none_of_them() -> None:
    text = PROMPTS.text("paper-skills")
    goals = re.findall(r"^Goal: (.+)\.$", text, re.MULTILINE)
    assert {goal.split()[0] for goal in goals} == {"put", "take", "clean", "heat", "cool", "examine"}
    assert all(re.fullmatch(r"take the \w+ from the \w+ \d+", goal) for goal in goals if goal.startswith("take"))
    # Nobody goes from place to place: each skill is done where its goal says.
    for part in text.split("Goal: ")[1:]:
        assert len(re.findall(r"^Action: go to ", part, re.MULTILINE)) <= 1


@pytest.mark.parametrize("name", ["skills", "paper-skills"])
def test_skills_show_what_is_handed_on_as_the_executor_says_it(name: str) -> None:
    text = PROMPTS.text(name)
    handed = re.findall(r"^The last action that was carried out: (.+)\nIt was answered: (.+)$", text, re.MULTILINE)
    assert len(handed) == text.count("The last action") > 4
    # Those that no example before them shows are answered in the words of the household.
    for action, answer in set(handed) - set(turns(text)):
        took = re.fullmatch(r"take (.+) from (.+)", action)
        assert answer == (f"You pick up the {took[1]} from the {took[2]}." if took else LAMP), action


def executors(kind: Demonstrated) -> str:
    names = ("execute", *(demonstrations(kind, {}) or ()))
    return "\n\n".join(PROMPTS.text(name) for name in names if name not in RUNS)


def planners(kind: Demonstrated) -> str:
    method = over_react(Adapt, {"demonstrations": kind})
    return "\n\n".join(PLANNING.text(name) for name in method.instructions(Decompose))


def test_with_the_papers_skills_neither_executor_nor_planner_has_finding_among_them() -> None:
    assert not re.search(r"\bfind and\b", executors("paper"))
    skills = planners("paper").partition("The agent has these skills:\n")[2].partition("\n\n")[0]
    assert {line.split()[1].rstrip(",") for line in skills.splitlines()} == {"take", "clean", "put", "examine"}
    assert "Finding is none of these skills" in planners("paper")


@pytest.mark.parametrize("kind", ["atomic", "hybrid"])
def test_with_our_own_skills_executor_and_planner_have_finding_among_them(kind: Demonstrated) -> None:
    for text in (executors(kind), planners(kind)):
        assert re.search(r"skills.*:\n- find and take", text)


@pytest.mark.parametrize("kind", ["none", "atomic", "hybrid", "paper", "task"])
def test_a_planner_is_shown_how_finding_is_decomposed(kind: Demonstrated) -> None:
    example = planners(kind).partition("Goal: find and take a cup.")[2].partition("\n\n")[0]
    made = read_decomposition(example)
    assert isinstance(made, Decomposed)
    assert isinstance(made.plan, AnyOf)
    assert not made.fallback


@EVERY
def test_without_thoughts_the_same_actions_and_answers_are_left(name: str) -> None:
    text = PROMPTS.text(name)
    left = without_thoughts(text)
    assert list(turns(left)) == list(turns(text))
    assert "Thought:" in text
    assert "hought" not in left
    assert [line for line in text.splitlines() if not line.startswith("Thought: ")] == left.splitlines()


@EVERY
def test_without_claims_an_example_ends_as_the_world_answers(name: str) -> None:
    text = PROMPTS.text(name)
    claims = [action for action, _ in turns(text) if action.startswith("task ")]
    left = without_claims(text)
    assert list(turns(left)) == [turn for turn in turns(text) if turn[0] not in claims]
    assert text.count("Thought:") - left.count("Thought:") == len(claims) > 0
    assert left.splitlines()[-1].startswith("Observation: ")
    assert "task failed" not in left
    assert without_claims(left) == left
