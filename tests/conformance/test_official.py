"""The official engine itself: what it says beside ours."""

import os
import sys
from importlib.util import find_spec

import pytest
from msgspec.structs import replace

from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.games.dialect import DIALECTS, DialectName
from quintet.environments.alfworld.official.state import Engines, begin_official
from tests.actors.environments.alfworld.releases import released
from tests.conformance.comparing import difference
from tests.conformance.games import Problem, Wording, ours, wordings
from tests.conformance.kept import FOLDER, TASK_TYPES, generated, kept, opened
from tests.conformance.recording import follower, recorded, walker
from tests.conformance.strange import strange
from tests.conformance.transcripts import Heading, Transcript

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(find_spec("alfworld") is None, reason="the extra `alfworld` is not installed"),
]
ENGINES = Engines(most=2)


def _played(problem: Problem, wording: Wording, steps: int) -> Transcript:
    game = wording.game(problem)
    heading = Heading(problem.name, f"{steps} steps", wording.dialect, problem.objective)
    with ENGINES.fresh() as engine:
        return recorded(engine, game, heading, walker(game, heading, steps))


@pytest.mark.parametrize("dialect", ["classic", "new"])
@pytest.mark.parametrize("seed", range(100, 104))
def test_both_engines_say_the_same_of_strange_households(seed: int, dialect: DialectName) -> None:
    problem, wording = strange(seed), ours(dialect)
    assert difference(wording.game(problem), _played(problem, wording, steps=25)) is None


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_the_official_engine_plays_generated_games_and_their_walkthroughs_solve_them(task_type: str) -> None:
    (problem,) = generated([task_type])
    for dialect in DIALECTS:
        game = ours(dialect).game(problem)
        solution = tuple(map(DIALECTS[dialect].own, problem.walkthrough))
        heading = Heading(problem.name, "walkthrough", dialect, problem.objective)
        with ENGINES.fresh() as engine:
            transcript = recorded(engine, game, heading, follower(solution))
        assert transcript.steps[-1].done
        assert difference(game, transcript) is None


def test_our_wording_of_the_new_dialect_means_what_the_official_one_does() -> None:
    problem, official = strange(7), wordings(FOLDER)[0]
    assert official.domain != ours("new").domain
    assert _played(problem, official, steps=30).steps == _played(problem, ours("new"), steps=30).steps


@pytest.mark.parametrize("dialect", ["classic", "new"])
def test_both_engines_clean_at_a_sink_where_the_file_says_so_as_the_released_ones_do(dialect: DialectName) -> None:
    problem = strange(9)
    sinks = problem.text.replace("SinkBasinType", "SinkType").replace("(:objects", "(:objects SinkBasinType - rtype")
    problem = replace(problem, text=sinks)
    game = released(DIALECTS[dialect], problem.objective)
    transcript = _played(problem, Wording(dialect, game.pddl_domain, game.grammar), steps=120)
    assert difference(replace(game, pddl_problem=sinks), transcript) is None
    assert any(step.action.startswith("clean ") and "You clean" in step.observation for step in transcript.steps)


def test_both_engines_say_of_help_what_the_file_says() -> None:
    game = ours("new").game(strange(7))
    game = replace(game, grammar=game.grammar.replace("#help.feedback#", "\n\n  Ask\n  a friend.\n "))
    with ENGINES.fresh() as engine:
        engine.begin(game)
        said = engine.act("help").observation
    assert said == household(game).rules.help == "Ask\n  a friend.\n "


def test_what_was_recorded_is_still_said() -> None:
    problem, transcript = opened(kept()[0])
    said = ours(transcript.heading.dialect)
    actions = [step.action for step in transcript.steps[1:15]]
    with ENGINES.fresh() as engine:
        again = recorded(engine, said.game(problem), transcript.heading, follower(actions))
    assert again.steps == transcript.steps[:15]


def test_a_state_of_the_official_engine_forks_is_restored_and_knows_a_way() -> None:
    problem = strange(7)
    game = replace(ours("new").game(problem), walkthrough=problem.walkthrough)
    state = begin_official(game, ENGINES)
    assert state.opening.goal == problem.objective.removeprefix("Your task is to: ").rstrip(".")
    advice = state.expert()
    assert advice
    first, *rest = advice
    state.step(first)
    restored = begin_official(game, ENGINES)
    restored.load(state.snapshot())
    others = state.fork(), restored
    outcomes = [state.step(action) for action in rest]
    assert outcomes[-1].done
    for other in others:
        assert other.snapshot() != state.snapshot()
        assert [other.step(action) for action in rest] == outcomes
        assert other.snapshot() == state.snapshot()


def test_the_official_packages_leave_the_process_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALFWORLD_DATA", "/nowhere")
    arguments, variables = sys.argv, dict(os.environ)
    begin_official(ours("new").game(strange(7)), ENGINES)
    assert sys.argv is arguments
    assert dict(os.environ) == variables
