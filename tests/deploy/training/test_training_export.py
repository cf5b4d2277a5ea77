"""Training data of runs written by hand: what a row holds, which pairs there are, and what advantages and steps are."""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path as FilePath
from re import findall
from statistics import stdev
from typing import Any

import pytest

from quintet.errors import UsageError
from quintet.events import AnyEvent, EpisodeEnded, NodeGrown
from quintet.export.parquet import pyarrow
from quintet.journal.schema import CREATE, connect
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.messages.tools import ToolAnswer
from quintet.ports.tokens import CallTokens, pack_ids, pack_logprobs
from quintet.training.columns import COLUMNS, TOKEN_COLUMNS, TOOL_COLUMNS, TrainingKind
from quintet.training.export import export_training
from quintet.training.pairs import ANSWERS
from tests.command import command
from tests.deploy import samples
from tests.deploy.export.exported import metadata, table
from tests.deploy.journal.records import append, call, record
from tests.simulation.virtual import run

DOCUMENT = FilePath(__file__).parents[3].joinpath("docs", "training.md").read_text(encoding="utf-8")
ASK = Prompt(system("You craft."), user("Goal: a stick."))
THEN = ASK.extend(assistant("Action: look"), user("A tree."))


def ended(episode: Path, reward: float) -> EpisodeEnded:
    return EpisodeEnded(path=episode, state="solved" if reward == 1 else "unsolved", reward=reward)


def recorded(folder: FilePath, *episodes: tuple[Path, Sequence[Any]], **sections: Mapping[str, object]) -> FilePath:
    """A run with these records, or events, in its episodes, and these sections in its configuration."""
    made = samples.write(folder / "runs", samples.record("adapt", ("beehive",), **sections), {})
    with closing(SqliteJournal(made / "journal.sqlite")) as journal:
        for episode, records in episodes:
            journal.begin(episode)
            run(append(journal, [each if hasattr(each, "event") else record(each) for each in records]))
    return made


def rows(kind: TrainingKind, folder: FilePath) -> list[dict[str, Any]]:
    out = folder.parent / f"{folder.name}-{kind}"
    written, found = export_training(kind, folder, out), table(out / "train")
    assert written.rows == len(found)
    return found


def epoch(number: int) -> Path:
    return episode_path("beehive", number, 0)


def attempt(
    number: int, said: str, reward: float, *, tokens: CallTokens | None = None, tool_answer: ToolAnswer | None = None
) -> tuple[Path, list[Any]]:
    episode = epoch(number)
    return episode, [
        call(1, ASK, said, episode=episode, tokens=tokens, tool_answer=tool_answer),
        call(2, THEN, "Action: get", known=[ASK], episode=episode, tokens=tokens),
        ended(episode, reward),
    ]


def test_a_row_is_a_call_with_its_whole_prompt_and_what_its_attempt_came_to(tmp_path: FilePath) -> None:
    unfinished = (epoch(1), [call(1, ASK, "Action: wait", episode=epoch(1))])
    first, second = rows("sft", recorded(tmp_path, attempt(0, "Action: look", 1.0), unfinished))
    assert list(first) == list(COLUMNS["sft"])
    assert (first["episode"], first["call"], first["success"], first["reward"]) == (
        "beehive/0/0",
        "beehive/0/0/1",
        True,
        1,
    )
    assert first["prompt"] == [
        {"role": "system", "content": "You craft."},
        {"role": "user", "content": "Goal: a stick."},
    ]
    assert second["prompt"][:2] == first["prompt"]
    assert [each["role"] for each in second["prompt"]] == ["system", "user", "assistant", "user"]
    assert second["completion"] == [{"role": "assistant", "content": "Action: get"}]


def test_a_text_that_prompts_share_is_stored_once(tmp_path: FilePath) -> None:
    long = "".join(f"{number} " for number in range(30_000))
    episode, prompt = epoch(0), Prompt(system(long))
    turns = [prompt := prompt.extend(user(str(turn))) for turn in range(40)]
    calls = [call(number, each, episode=episode) for number, each in enumerate(turns, 1)]
    made = recorded(tmp_path, (episode, [*calls, ended(episode, 1.0)]))
    assert len(rows("sft", made)) == 40
    (file,) = (tmp_path / "runs-sft" / "train").iterdir()
    groups = pyarrow().parquet.ParquetFile(file).metadata
    stored = sum(
        groups.row_group(group).column(leaf).total_uncompressed_size
        for group in range(groups.num_row_groups)
        for leaf in range(groups.num_columns)
    )
    assert stored < 1.2 * len(long)
    assert metadata(file)["quintet.training"] == "sft"


def test_tokens_are_columns_of_all_rows_or_of_none(tmp_path: FilePath) -> None:
    drawn = CallTokens(prompt=pack_ids([1, 2, 3]), completion=pack_ids([7, 8]), logprobs=pack_logprobs([-0.5, -1]))
    made = recorded(tmp_path, attempt(0, "Action: look", 1.0, tokens=drawn), attempt(1, "Action: look", 0.0))
    (first, _) = rows("sft", made)
    assert list(first) == [*COLUMNS["sft"], *TOKEN_COLUMNS["sft"]]
    assert (first["input_ids"], first["completion_mask"]) == ([1, 2, 3, 7, 8], [0, 0, 0, 1, 1])
    (first, _) = rows("grpo", made)
    assert (first["prompt_ids"], first["completion_ids"], first["logprobs"]) == ([1, 2, 3], [7, 8], [-0.5, -1])


CALLING: Mapping[str, object] = {"name": "m", "url": "http://127.0.0.1:1/v1", "answers": "tools"}


@pytest.mark.parametrize("kind", ["sft", "grpo", "preference"])
@pytest.mark.parametrize(
    ("key", "sections"),
    [
        ("model", {"model": CALLING}),
        ("model.planner", {"model": {"planner": CALLING}}),
        ("method.inner.model", {"method": {"inner": {"name": "react", "model": CALLING}}}),
    ],
)
def test_answers_that_were_calls_of_tools_are_no_rows_of_text(
    tmp_path: FilePath, kind: TrainingKind, key: str, sections: dict[str, dict[str, object]]
) -> None:
    said = attempt(0, "Action: look", 1.0), attempt(1, "Action: get", 0.0)
    made = recorded(tmp_path, *said, **sections)
    with pytest.raises(UsageError, match=rf"expected answers of text .*, got {key}.answers=tools and .*run\.json"):
        rows(kind, made)
    assert rows("steps", made) == []


def test_tokens_of_answers_that_were_calls_of_tools_are_rows(tmp_path: FilePath) -> None:
    drawn = CallTokens(prompt=pack_ids([1]), completion=pack_ids([7]), logprobs=pack_logprobs([-1]))
    made = recorded(tmp_path, attempt(0, "Action: look", 1.0, tokens=drawn), model=CALLING)
    assert [row["input_ids"] for row in rows("sft", made)] == [[1, 7]] * 2
    with pytest.raises(UsageError, match=r"got model\.answers=tools"):
        rows("preference", made)


needs_json = pytest.mark.skipif(not hasattr(pyarrow(), "json_"), reason="pyarrow is older than its type of JSON")
SEARCH = '[{"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}]'


def calling(*calls: tuple[str, str], said: str = "", tools: str = SEARCH) -> ToolAnswer:
    functions = [{"type": "function", "function": {"name": name, "arguments": its}} for name, its in calls]
    return ToolAnswer(tools=tools, message=json.dumps({"content": said, "tool_calls": functions}))


def called(answer: Sequence[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    """The names and the arguments of an answer's calls."""
    (message,) = answer
    assert message["role"] == "assistant"
    return [(each["function"]["name"], json.loads(each["function"]["arguments"])) for each in message["tool_calls"]]


@needs_json
@pytest.mark.parametrize("kind", ["sft", "grpo"])
def test_calls_of_tools_are_rows_with_the_tools_that_were_offered(tmp_path: FilePath, kind: TrainingKind) -> None:
    answer = calling(("search", '{"query":"tea"}'), ("burn", ""), ("search", '{"query":'), said="I look.")
    made = recorded(tmp_path, attempt(0, "Action: search", 1.0, tool_answer=answer), model=CALLING)
    first, second = rows(kind, made)
    assert list(first) == [*COLUMNS[kind], *TOOL_COLUMNS[kind]]
    assert first["completion"][0]["content"] == "I look."
    assert called(first["completion"]) == [("search", {"query": "tea"}), ("burn", {}), ("search", '{"query":')]
    assert json.loads(first["tools"]) == json.loads(SEARCH)
    assert first["prompt"][-1] == {"role": "user", "content": "Goal: a stick."}
    assert second["completion"] == [{"role": "assistant", "content": "Action: get", "tool_calls": None}]
    assert second["tools"] is None, "none were offered"


@needs_json
def test_the_text_beside_calls_may_be_null_as_openai_writes_it(tmp_path: FilePath) -> None:
    function = {"name": "search", "arguments": "{}"}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "a", "type": "function", "function": function}],
    }
    answer = ToolAnswer(tools=SEARCH, message=json.dumps(message))
    made = recorded(tmp_path, attempt(0, "Action: search", 1.0, tool_answer=answer), model=CALLING)
    completion = rows("sft", made)[0]["completion"]
    assert completion[0]["content"] == ""
    assert called(completion) == [("search", {})]


@needs_json
def test_answers_are_pairs_with_their_calls_where_the_same_tools_were_offered(tmp_path: FilePath) -> None:
    others = SEARCH.replace("search", "find")
    made = recorded(
        tmp_path,
        attempt(0, "Action: search", 1.0, tool_answer=calling(("search", "{}"))),
        attempt(1, "Action: burn", 0.5, tool_answer=calling(("burn", "{}"))),
        attempt(2, "Action: done", 0.25, tool_answer=ToolAnswer(tools=SEARCH)),
        attempt(3, "Action: find", 0.0, tool_answer=calling(("find", "{}"), tools=others)),
        model=CALLING,
    )
    first, second = rows("preference", made)
    assert [called(each["chosen"]) for each in (first, second)] == [[("search", {})]] * 2
    assert called(first["rejected"]) == [("burn", {})]
    assert second["rejected"] == [{"role": "assistant", "content": "Action: done", "tool_calls": None}]
    assert {each["tools"] for each in (first, second)} == {SEARCH}


def test_pairs_are_found_without_the_tools_of_every_call() -> None:
    with closing(connect(":memory:")) as journal:
        journal.executescript(CREATE)
        plan = [step for *_, step in journal.execute(f"EXPLAIN QUERY PLAN {ANSWERS}", (0,))]
    assert not [step for step in plan if "tool" in step], "a list that is stored once would be copied for each call"


@needs_json
@pytest.mark.parametrize("same", [True, False])
def test_siblings_of_a_tree_are_pairs_with_their_calls_where_the_same_tools_were_offered(
    tmp_path: FilePath, same: bool
) -> None:
    shout = calling(("shout", "{}"), tools=SEARCH if same else "[]")
    events: list[AnyEvent | Any] = [
        call(1, ASK, "Action: look", episode=epoch(0), tool_answer=calling(("look", "{}"))),
        call(2, ASK, "Action: shout", known=[ASK], episode=epoch(0), tool_answer=shout),
        grown(3, 0, None, "", None),
        grown(4, 1, 0, "look", 0.5),
        grown(5, 2, 0, "shout", 0.125),
        ended(epoch(0), 1.0),
    ]
    found = rows("preference", recorded(tmp_path, (epoch(0), events), model=CALLING))
    assert [(called(each["chosen"]), called(each["rejected"])) for each in found] == [
        ([("look", {})], [("shout", {})])
    ] * same


def test_a_pyarrow_without_a_type_of_json_is_named_where_there_are_tools(
    tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(pyarrow(), "json_", raising=False)
    made = recorded(tmp_path, attempt(0, "Action: search", 1.0, tool_answer=ToolAnswer(tools=SEARCH)), model=CALLING)
    with pytest.raises(UsageError, match="expected pyarrow >= 19 for calls of tools"):
        rows("sft", made)
    assert rows("steps", made) == []


def test_prompts_in_which_calls_were_sent_as_calls_are_no_rows_of_text(tmp_path: FilePath) -> None:
    answer = calling(("search", "{}"))
    model = {**CALLING, "dialect": "responses"}
    made = recorded(tmp_path, attempt(0, "Action: search", 1.0, tool_answer=answer), model=model)
    with pytest.raises(UsageError, match=r"got model\.answers=tools and model\.dialect=responses"):
        rows("sft", made)


@needs_json
@pytest.mark.parametrize(
    ("odd", "expected"),
    [
        (ToolAnswer(tools=SEARCH, message='{"calls": []}'), "calls of tools in OpenAI's form, got .*calls"),
        (ToolAnswer(tools="search, burn"), "a list of tools in OpenAI's form, got .*search, burn"),
    ],
)
def test_what_a_plug_in_wrote_in_another_form_is_refused(tmp_path: FilePath, odd: ToolAnswer, expected: str) -> None:
    made = recorded(tmp_path, attempt(0, "Action: search", 1.0, tool_answer=odd), model=CALLING)
    with pytest.raises(UsageError, match=f"expected {expected}"):
        rows("sft", made)


@needs_json
def test_where_a_plug_in_offered_no_tools_the_column_says_none(tmp_path: FilePath) -> None:
    made = recorded(tmp_path, attempt(0, "Action: search", 1.0, tool_answer=ToolAnswer(tools="")), model=CALLING)
    assert rows("sft", made)[0]["tools"] is None


def test_rows_of_runs_without_tools_have_no_place_for_them(tmp_path: FilePath) -> None:
    said = attempt(0, "Action: look", 1.0), attempt(1, "Action: get", 0.0)
    (pair,) = rows("preference", made := recorded(tmp_path, *said))
    assert pair["chosen"] == [{"role": "assistant", "content": "Action: look"}]
    assert list(pair) == list(COLUMNS["preference"])
    schema = pyarrow().parquet.read_schema(tmp_path / f"{made.name}-preference" / "train" / "part-00001.parquet")
    assert schema.field("chosen").type == schema.field("prompt").type


def test_an_advantage_is_over_the_other_attempts_at_the_task(tmp_path: FilePath) -> None:
    rewards = [1.0, 0.0, 0.5]
    made = recorded(tmp_path, *(attempt(number, "Action: look", each) for number, each in enumerate(rewards)))
    found = {row["episode"]: row for row in rows("grpo", made)}
    assert {row["attempts"] for row in found.values()} == {3}
    assert {row["group"] for row in found.values()} == {"runs/beehive"}
    for number, reward in enumerate(rewards):
        assert found[epoch(number)]["advantage"] == pytest.approx((reward - 0.5) / (stdev(rewards) + 1e-4))


def test_answers_to_one_prompt_are_paired_by_the_mean_reward_of_the_attempts_that_said_them(tmp_path: FilePath) -> None:
    made = recorded(
        tmp_path,
        attempt(0, "Action: look", 1.0),
        attempt(1, "Action: look", 0.5),
        attempt(2, "Action: shout", 0.0),
        attempt(3, "Action: get", 0.75),
    )
    (pair,) = rows("preference", made)
    assert (pair["source"], pair["score_chosen"], pair["score_rejected"]) == ("attempts", 0.75, 0.0)
    assert [each["content"] for each in pair["prompt"]] == ["You craft.", "Goal: a stick."]
    assert pair["chosen"] == [{"role": "assistant", "content": "Action: look"}]
    assert pair["rejected"] == [{"role": "assistant", "content": "Action: shout"}]
    assert (pair["call_chosen"], pair["call_rejected"]) == ("beehive/0/0/1", "beehive/2/0/1")


def grown(number: int, node: int, parent: int | None, action: str, value: float | None, visits: int = 1) -> NodeGrown:
    return NodeGrown(
        path=child(epoch(0), number),
        tree=epoch(0),
        node=node,
        parent=parent,
        action=action,
        session=None,
        value=value,
        visits=visits,
    )


def tree(tmp_path: FilePath, *, other_prompt: bool = False) -> FilePath:
    """A root with two children, whose answers are at its prompt, and a child of the better."""
    second = THEN if other_prompt else ASK
    events: list[AnyEvent | Any] = [
        call(1, ASK, "Action: look", episode=epoch(0)),
        call(2, second, "Action: shout", known=[ASK], episode=epoch(0)),
        grown(3, 0, None, "", None),
        grown(4, 1, 0, "look", 0.25),
        grown(5, 2, 0, "shout", 0.125),
        call(6, THEN, "Action: get", known=[ASK], episode=epoch(0)),
        grown(7, 3, 1, "get", 1.0),
        grown(8, 1, 0, "look", 0.5, visits=3),
        ended(epoch(0), 1.0),
    ]
    return recorded(tmp_path, (epoch(0), events))


def test_siblings_of_a_tree_are_paired_by_the_values_that_they_have_in_the_end(tmp_path: FilePath) -> None:
    (pair,) = rows("preference", tree(tmp_path))
    assert (pair["source"], pair["score_chosen"], pair["score_rejected"]) == ("tree", 0.5, 0.125)
    assert [each["content"] for each in pair["prompt"]] == ["You craft.", "Goal: a stick."]
    assert pair["chosen"][0]["content"] == "Action: look"


def test_siblings_that_were_proposed_in_json_are_paired(tmp_path: FilePath) -> None:
    events: list[AnyEvent | Any] = [
        call(1, ASK, '{"thought": "", "action": "look"}', episode=epoch(0)),
        call(2, ASK, '{"thought": "", "action": "shout"}', known=[ASK], episode=epoch(0)),
        grown(3, 0, None, "", None),
        grown(4, 1, 0, "look", 0.25),
        grown(5, 2, 0, "shout", 0.5),
        ended(epoch(0), 1.0),
    ]
    (pair,) = rows("preference", recorded(tmp_path, (epoch(0), events)))
    assert (pair["call_chosen"], pair["call_rejected"]) == ("beehive/0/0/2", "beehive/0/0/1")


def test_siblings_of_which_the_journal_shows_no_common_prompt_are_not_paired(tmp_path: FilePath) -> None:
    assert rows("preference", tree(tmp_path, other_prompt=True)) == []


def test_a_step_of_a_tree_is_worth_what_it_added_to_the_value_before(tmp_path: FilePath) -> None:
    found = rows("steps", tree(tmp_path))
    assert list(found[0]) == list(COLUMNS["steps"])
    assert [
        (row["step"], row["parent"], row["action"], row["before"], row["after"], row["reward"]) for row in found
    ] == [
        (1, 0, "look", None, 0.5, None),
        (2, 0, "shout", None, 0.125, None),
        (3, 1, "get", 0.5, 1.0, 0.5),
    ]
    assert {row["source"] for row in found} == {"tree"}


def test_the_command_says_how_many_rows_there_are_and_refuses_another_kind(tmp_path: FilePath) -> None:
    made = recorded(tmp_path, attempt(0, "Action: look", 1.0))
    assert "2 rows in" in command("export", made, "--training", "sft", tmp_path / "out", code=0).out
    assert "new or empty" in command("export", made, "--training", "sft", tmp_path / "out", code=2).err
    assert "sft" in command("export", made, "--training", "ppo", tmp_path / "other", code=2).err


@pytest.mark.parametrize("kind", COLUMNS)
def test_every_column_is_documented(kind: TrainingKind) -> None:
    _, _, section = DOCUMENT.partition(f"\n### {kind}\n")
    shown = findall(r"\n\| `(\w+)` \| (\w+) \|", section.partition("\n#")[0])
    wanted = {**COLUMNS[kind], **TOOL_COLUMNS[kind], **TOKEN_COLUMNS[kind]}
    begins = {*COLUMNS["sft"], *TOOL_COLUMNS["sft"]} if kind == "grpo" else set[str]()
    assert shown == [(name, word) for name, word in wanted.items() if name not in begins]
