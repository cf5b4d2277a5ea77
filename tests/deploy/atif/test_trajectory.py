"""Any episode, written as a trajectory that the package's own models validate, and read back, is the same."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from atif import Agent, ContentPart, Step, Trajectory
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.atif.own import own_records, pictures_in
from quintet.atif.parts import KEY, world_tool
from quintet.atif.tools import offered_tools
from quintet.atif.trajectory import PlayedEpisode, to_trajectory
from quintet.events import (
    AnyEvent,
    CallMade,
    EpisodeEnded,
    EpisodeReported,
    Exchanged,
    Record,
    SessionForked,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.export.prompt_reader import PromptReader
from quintet.messages.execution import Turn
from quintet.messages.paths import Path, child, order_of
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.messages.tools import ToolAnswer
from quintet.ports.model import Completion, Sampling, Usage
from quintet.ports.tokens import CallTokens, pack_ids, pack_logprobs
from quintet.quota.prices import Price
from quintet.reports.transcript import transcript
from tests.deploy.journal.records import BELOW, EPISODE
from tests.protocols import strategies

Shows = SessionOpened | SessionForked | StepTaken
"""Events of which there may be a picture."""
BEGAN = 1_700_000_000.0


def played(
    *records: Record, prices: dict[str, Price] | None = None, pictures: dict[Path, str] | None = None
) -> PlayedEpisode:
    return PlayedEpisode(
        path=EPISODE,
        records=records,
        began=BEGAN,
        agent=Agent(name="adapt", version="3", model_name="m"),
        world="textcraft",
        prices=prices or {},
        about={},
        pictures=pictures or {},
    )


def written(*records: Record, **more: Any) -> Trajectory:
    """The trajectory of an episode, as the package's models read the file."""
    return Trajectory.model_validate_json(to_trajectory(played(*records, **more)).model_dump_json(exclude_none=True))


def read_back(trajectory: Trajectory) -> list[Record]:
    assert trajectory.extra is not None
    path, began, records = own_records(trajectory, trajectory.extra[KEY])
    assert (path, began) == (EPISODE, BEGAN)
    return sorted(records, key=lambda each: order_of(each.event.path))


def _prompts(records: Sequence[Record]) -> dict[Path, tuple[ChatMessage, ...]]:
    reader = PromptReader(bound=1 << 62)
    for record in records:
        reader.add(record.prompts)
    calls = [record.event for record in records if isinstance(record.event, CallMade)]
    return {call.path: tuple(said.message for said in reader.read(call.prompt)) for call in calls}


def at(event: AnyEvent, after: float = 1.0, prompt: Prompt | None = None) -> Record:
    nodes = () if prompt is None else prompt.nodes_since(())
    return Record(event=event, incarnation=1, host="here", at=BEGAN + after, seconds=0.25, prompts=nodes)


def called(path: Path, prompt: Prompt, text: str) -> CallMade:
    return CallMade(
        path=path,
        model="m",
        prompt=prompt.node.address,
        sampling=Sampling(seed=1),
        completion=Completion(text=text, usage=Usage(prompt_tokens=90, completion_tokens=10, cached_tokens=40)),
        phase="execute",
    )


def stepped(path: Path, action: str = "get 1 log", **fields: Any) -> StepTaken:
    usual: dict[str, Any] = {"reward": 0.0, "done": False, "rejected": False, "observation": "Got 1 log"}
    return StepTaken(path=path, session=f"{EPISODE}/1", action=action, **{**usual, **fields})


def solved(path: Path, by: str = "") -> Exchanged:
    named = f', "by": "{by}"' if by else ""
    reply = f'{{"type": "solved", "reward": 1, "depth": 1{named}}}'
    return Exchanged(path=path, request="solve", subject="craft beehive", reply=reply)


def below(*numbers: int) -> Path:
    return Path("/".join([EPISODE, *map(str, numbers)]))


_paths = st.lists(st.integers(1, 3), min_size=1, max_size=4).map(lambda numbers: below(*numbers))
_message = strategies.of(ChatMessage)


@st.composite
def _episodes(draw: st.DrawFn) -> list[Record]:
    prompts = [Prompt()]
    found: list[Record] = []
    for path in draw(st.lists(_paths, unique=True, max_size=8)):
        event = replace(draw(st.one_of(*map(strategies.of, [*BELOW, CallMade]))), path=path)
        if isinstance(event, EpisodeReported):
            event = replace(event, attempt=EPISODE)
        prompt: Prompt | None = None
        if isinstance(event, CallMade):
            prompt = draw(st.sampled_from(prompts)).extend(*draw(st.lists(_message, min_size=1, max_size=2)))
            event = replace(event, prompt=prompt.node.address)
            prompts += [prompt, prompt.extend(assistant(event.completion.text))]
        written_at = draw(st.integers(0, 10**9)) / 1000
        circumstances = {"incarnation": draw(st.integers(0, 3)), "seconds": draw(st.integers(0, 10**6)) / 1e6}
        found.append(replace(at(event, written_at, prompt), **circumstances))
    own = draw(st.none() | strategies.of(Exchanged))
    end = draw(st.none() | strategies.of(EpisodeEnded))
    found += [at(replace(event, path=EPISODE), 10**6) for event in (own, end) if event is not None]
    return sorted(found, key=lambda each: order_of(each.event.path))


@given(_episodes())
@example(
    [
        at(replace(solved(below(1)), turns=(Turn(completion="", observation="said later"),))),
        at(stepped(below(2), observation="said later")),
    ]
)
def test_every_episode_survives_its_trajectory(records: list[Record]) -> None:
    shown = {record.event.path: "page.jpg" for record in records if isinstance(record.event, Shows)}
    assert pictures_in(written(*records, pictures=shown)) == len(shown)
    found = read_back(written(*records, pictures=shown))
    assert found == read_back(written(*records))
    assert [replace(each, prompts=()) for each in found] == [replace(each, prompts=()) for each in records]
    assert _prompts(found) == _prompts(records)
    assert transcript(found) == transcript(records)


def test_what_a_world_shows_stands_beside_what_it_says() -> None:
    opened = SessionOpened(path=below(1), session=below(1), observation="A page.")
    forked = SessionForked(path=below(3), session=below(3), origin=below(1))
    pictures = {below(number): f"{number}.jpg" for number in (1, 2, 3)}
    trajectory = written(at(opened), at(stepped(below(2))), at(forked), pictures=pictures)
    contents = [step.observation.results[0].content for step in trajectory.steps if step.observation]
    parts = [[part for part in content or () if isinstance(part, ContentPart)] for content in contents]
    shown = [[part.text or (part.source and part.source.path) for part in each] for each in parts]
    assert shown == [["A page.", "1.jpg"], ["Got 1 log", "2.jpg"], ["3.jpg"]]


def _told(trajectory: Trajectory) -> list[tuple[str, str]]:
    return [(step.source, str(step.message)) for step in trajectory.steps]


def test_a_conversation_is_told_once_with_actions_as_tool_calls_and_their_observations() -> None:
    first = Prompt(system("You craft."), user("Goal: beehive."))
    second = first.extend(assistant("Action: get 1 log"), user("Got 1 log"))
    trajectory = written(
        at(SessionOpened(path=below(1), session=below(1), observation="Goal: beehive."), 0.5),
        at(called(below(2, 1), first, "Action: get 1 log"), 1.0, first),
        at(stepped(below(2, 2)), 1.5),
        at(called(below(2, 3), second, "Action: task completed"), 2.0, second),
        prices={"m": Price(input="1", cached_input="0.5", output="2")},  # type: ignore[arg-type]
    )
    assert _told(trajectory) == [
        ("system", "session opened"),
        ("system", "You craft."),
        ("user", "Goal: beehive."),
        ("agent", "Action: get 1 log"),
        ("agent", "Action: task completed"),
    ]
    acted = trajectory.steps[3]
    assert acted.tool_calls is not None
    assert acted.observation is not None
    assert acted.metrics is not None
    assert (acted.tool_calls[0].function_name, acted.tool_calls[0].arguments) == ("textcraft", {"action": "get 1 log"})
    assert acted.observation.results[0].content == "Got 1 log"
    used = acted.metrics
    assert (used.prompt_tokens, used.completion_tokens, used.cached_tokens, used.cost_usd) == (90, 10, 40, 0.00009)
    totals = trajectory.final_metrics
    assert totals is not None
    assert (totals.total_prompt_tokens, totals.total_cost_usd, totals.total_steps) == (180, 0.00018, 5)


def _subs(trajectory: Trajectory) -> dict[str | None, Trajectory]:
    return {each.trajectory_id: each for each in trajectory.subagent_trajectories or ()}


def _references(step: Step) -> list[str | None]:
    results = step.observation.results if step.observation is not None else []
    return [ref.trajectory_id for result in results for ref in result.subagent_trajectory_ref or ()]


def test_a_subtask_is_a_trajectory_of_its_own_with_its_agent_and_its_own_copy_of_the_conversation() -> None:
    go = Prompt(user("Go."))
    trajectory = written(
        at(called(below(1), go, "plan"), 1.0, go),
        at(solved(below(2), "react")),
        at(called(below(2, 1), go, "act"), 1.0, go),
        at(TrialEnded(path=below(3), solve=EPISODE, number=1, actions=1, reward=0.0)),
    )
    assert _told(trajectory) == [
        ("user", "Go."),
        ("agent", "plan"),
        ("agent", ""),
        ("system", "trial 1 ended: 1 action, reward 0"),
    ]
    assert trajectory.steps[2].llm_call_count == 0
    (sub,) = _references(trajectory.steps[2])
    assert _told(_subs(trajectory)[sub]) == [("user", "Go."), ("agent", "act")]
    assert _subs(trajectory)[sub].agent.name == "react"
    assert trajectory.final_metrics is not None
    assert trajectory.final_metrics.total_prompt_tokens == 180


def test_branches_of_a_group_are_trajectories_and_a_branch_alone_is_none() -> None:
    trajectory = written(at(stepped(below(1, 1, 1))), at(stepped(below(1, 2, 1))), at(stepped(below(2, 1, 1))))
    assert [_references(step) for step in trajectory.steps] == [[below(1, 1)], [below(1, 2)], []]
    assert _told(trajectory) == [("system", "branch 1"), ("system", "branch 2"), ("agent", "")]


def test_what_a_prompt_repeats_of_elsewhere_is_copied_context() -> None:
    again = Prompt(user("Look back."), assistant("Action: get 1 log"), user("Got 1 log"))
    trajectory = written(at(called(below(1), again, "Fetch it first."), 1.0, again))
    assert [step.is_copied_context for step in trajectory.steps] == [None, True, None, None]


def test_an_answers_turns_name_what_was_said_and_quote_the_rest() -> None:
    go = Prompt(user("Go."))
    turns = (Turn(completion="act", observation="Got 1 log"), Turn(completion="another", observation=""))
    records = [
        at(replace(solved(EPISODE), turns=turns), 3.0),
        at(called(child(EPISODE, 1), go, "act"), 1.0, go),
        at(stepped(child(EPISODE, 2)), 2.0),
    ]
    trajectory = written(*records)
    call = (trajectory.steps[-1].tool_calls or [])[0]
    assert call.extra is not None
    assert call.extra[KEY]["turns"] == [[below(1), below(2)], [["another"], [""]]]
    assert [each.event for each in read_back(trajectory)] == [record.event for record in records]


def test_tokens_stand_where_the_schema_has_them() -> None:
    go = Prompt(user("Go."))
    call = called(below(1), go, "act")
    tokens = CallTokens(prompt=pack_ids([7, 70_000]), completion=pack_ids([9]), logprobs=pack_logprobs([-0.5]))
    trajectory = written(at(replace(call, completion=replace(call.completion, tokens=tokens)), 1.0, go))
    metrics = trajectory.steps[-1].metrics
    assert metrics is not None
    assert (metrics.prompt_token_ids, metrics.completion_token_ids) == ([7, 70_000], [9])
    assert metrics.logprobs == [-0.5]


def _tool(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}


def _calling(name: str, arguments: str, *offered: str) -> ToolAnswer:
    written_call = {"type": "function", "function": {"name": name, "arguments": arguments}}
    message = json.dumps({"content": "", "tool_calls": [written_call]})
    return ToolAnswer(tools=json.dumps([_tool(each) for each in offered]), message=message)


def _turn(number: int, answer: ToolAnswer, action: str) -> list[Record]:
    go = Prompt(user(f"Go {number}."))
    call = called(below(number), go, f"Action: {action}")
    by_tool = replace(call, completion=replace(call.completion, tool_answer=answer))
    return [at(by_tool, number, go), at(stepped(below(number + 1), action), number + 0.5)]


def test_calls_of_a_worlds_tools_are_tool_calls_and_the_tools_are_defined_once() -> None:
    records = [
        *_turn(1, _calling("look", '{"at":"shelf"}', "look", "take"), 'look {"at": "shelf"}'),
        *_turn(3, _calling("take", '{"what"', "take", "look"), 'take {"what"'),
    ]
    agent = Agent(name="adapt", version="3", tool_definitions=[world_tool("textcraft"), *offered_tools(records)])
    trajectory = to_trajectory(played(*records)._replace(agent=agent))
    trajectory = Trajectory.model_validate_json(trajectory.model_dump_json(exclude_none=True))
    defined = [each["function"]["name"] for each in trajectory.agent.tool_definitions or ()]
    assert defined == ["textcraft", "look", "take"]
    calls = [call for step in trajectory.steps for call in step.tool_calls or ()]
    assert [(call.function_name, call.arguments) for call in calls] == [
        ("look", {"at": "shelf"}),
        ("textcraft", {"action": 'take {"what"'}),
    ], "arguments that are no object are the action's text"
    assert [each.event for each in read_back(trajectory)] == [record.event for record in records]
    extras = [(step.extra or {})[KEY]["completion"]["tool_answer"] for step in trajectory.steps if step.metrics]
    assert [each["tools"] for each in extras] == [[1, 2], [2, 1]]


def test_a_list_of_tools_that_is_read_is_in_memory_once_however_many_calls_had_it() -> None:
    records = [*_turn(1, _calling("look", "{}", "look"), "look {}"), *_turn(3, _calling("look", "[]", "look"), "look")]
    agent = Agent(name="adapt", version="3", tool_definitions=[world_tool("textcraft"), *offered_tools(records)])
    again = read_back(to_trajectory(played(*records)._replace(agent=agent)))
    answers = [each.event.completion.tool_answer for each in again if isinstance(each.event, CallMade)]
    assert len(answers) == 2
    assert len({id(each.tools) for each in answers if each is not None}) == 1


def test_a_call_with_a_tool_twice_is_written_whole_and_its_numbers_are_not_read() -> None:
    records = _turn(1, _calling("look", "{}", "look", "look"), "look {}")
    agent = Agent(name="adapt", version="3", tool_definitions=[world_tool("textcraft"), *offered_tools(records)])
    trajectory = to_trajectory(played(*records)._replace(agent=agent))
    assert [each.event for each in read_back(trajectory)] == [record.event for record in records]
    (step,) = (each for each in trajectory.steps if each.metrics)
    (step.extra or {})[KEY]["completion"]["tool_answer"]["tools"] = [1, 1]
    with pytest.raises(ValueError, match="a tool twice"):
        read_back(trajectory)


def test_tools_that_are_not_defined_are_written_whole() -> None:
    records = _turn(1, _calling("look", "{}", "look"), "look {}")
    assert [each.event for each in read_back(written(*records))] == [record.event for record in records]
