"""Rows of records: what is stored once, what comes back, what fits no table, and blocks of paths."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path as FilePath
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.errors import JournalDamaged, JournalFault, PromptUnknown
from quintet.events import (
    AnyEvent,
    BranchEnded,
    CallMade,
    EpisodeEnded,
    Exchanged,
    NodeGrown,
    Published,
    Recalled,
    Record,
    SessionForked,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.journal import call_encoder
from quintet.journal.blocks import Block, EpisodeBlocks, read_blocks
from quintet.journal.call_encoder import Numbering, next_id
from quintet.journal.codes import DECISION_KINDS, EPISODE_BITS
from quintet.journal.open_episode import OpenEpisode
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Turn
from quintet.messages.paths import Path, child, parent
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from tests.deploy.journal.records import (
    BELOW,
    EPISODE,
    GO,
    append,
    begun,
    call,
    changed,
    decided,
    record,
    step,
    written,
)
from tests.protocols import strategies
from tests.simulation.virtual import run


def texts(journal: SqliteJournal) -> list[str]:
    return [text for (text,) in rows(journal, "SELECT text FROM _texts ORDER BY id")]


def rows(journal: SqliteJournal, query: str) -> Sequence[Any]:
    assert journal.reader.file != ":memory:"
    with closing(sqlite3.connect(journal.reader.file)) as connection:
        return connection.execute(query).fetchall()


LARGEST = 2**63 - 1


@given(st.one_of(*(strategies.of(kind) for kind in BELOW if kind is not Recalled)))
@example(
    TrialEnded(
        path=EPISODE, solve=EPISODE, method="", number=LARGEST, actions=LARGEST, reward=0, steps=LARGEST, revised=False
    )
)
def test_every_event_below_an_episode_survives_the_journal(event: AnyEvent) -> None:
    survives(replace(event, path=child(EPISODE, 1)))


@given(strategies.of(EpisodeEnded))
def test_every_end_survives_the_journal(event: EpisodeEnded) -> None:
    survives(replace(event, path=EPISODE))


@given(strategies.of(CallMade), st.lists(strategies.of(ChatMessage), max_size=4))
def test_every_call_survives_the_journal_with_its_prompt(event: CallMade, messages: list[ChatMessage]) -> None:
    prompt = Prompt(*messages)
    legibility = event.legibility if event.completion.finish == "stop" else "read"
    sampling = replace(event.sampling, tools=())  # they stand in the opening, and not in each call
    event = replace(event, path=child(EPISODE, 1), prompt=prompt.node.address, legibility=legibility, sampling=sampling)
    journal = survives(event, prompts=prompt.nodes_since(()))
    if messages:
        assert journal.reader.prompt(child(EPISODE, 1)) == tuple(messages)


@pytest.mark.parametrize("session", [EPISODE, f"{EPISODE}/", f"{EPISODE}//1", f"{EPISODE}0", "/1", ""])
def test_a_session_of_any_name_survives_the_journal(session: str) -> None:
    survives(SessionOpened(path=child(EPISODE, 1), session=session, observation=""))
    survives(SessionForked(path=child(EPISODE, 1), session=EPISODE, origin=session))


def survives(event: AnyEvent, **fields: Any) -> SqliteJournal:
    journal = SqliteJournal(":memory:")
    journal.begin(EPISODE)
    run(append(journal, [Record(event=event, incarnation=1, **fields)]))
    assert [record.event for record in journal.reader.records(EPISODE)] == [event]
    return journal


def test_a_text_of_a_model_and_of_a_world_is_stored_once(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    said, saw = "Thought: I look.\nAction: look", "A beehive."
    first = Prompt(system("Act."), user(saw))
    second = first.extend(assistant(said), user(saw))
    records = [
        call(2, first, said),
        step(3, "look", "I look.", saw),
        call(4, second, said, known=[first]),
        step(5, "look", "I look.", saw),
    ]
    turns = (Turn(completion=said, observation=saw), Turn(completion=said, observation=saw))
    answer = Exchanged(path=EPISODE, request="solve", subject=saw, reply="{}", session=f"{EPISODE}/1", turns=turns)
    records.append(record(answer))
    run(append(journal, records))
    assert texts(journal) == ["Act.", saw, said, "solve", "{}"]
    read = {record.event.path: record.event for record in journal.reader.records(EPISODE)}
    assert read == {record.event.path: record.event for record in records}
    journal.close()


def test_the_action_of_a_step_and_of_its_node_is_stored_once(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    grown = NodeGrown(path=child(EPISODE, 4), tree=EPISODE, node=1, parent=0, action="go to desk 1", session=None)
    records = [step(3, "go to desk 1"), record(grown)]
    run(append(journal, records))
    assert texts(journal) == ["go to desk 1"]
    assert rows(journal, "SELECT tree FROM _nodes") == [("",)]
    assert [record.event for record in journal.reader.records(EPISODE)] == [record.event for record in records]
    journal.close()


def test_an_action_that_is_not_in_the_completion_is_stored_in_full(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    taken = step(3, "go to desk 1", "", "A desk.")
    run(append(journal, [call(2, GO, "Action: go to the desk"), taken]))
    assert "go to desk 1" in texts(journal)
    assert taken in journal.reader.records(EPISODE)
    journal.close()


def test_two_prompts_share_the_messages_that_they_begin_with(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    root = Prompt(system("Act."))
    left, right = root.extend(user("Left.")), root.extend(user("Right."))
    again = Prompt(system("Act."), user("Left."))
    run(append(journal, [call(1, left, "l"), call(2, right, "r"), call(3, again, "l")]))
    assert rows(journal, "SELECT id, parent, content FROM prompts") == [
        (1, None, "Act."),
        (2, 1, "Left."),
        (3, 1, "Right."),
    ]
    journal.close()


def test_a_prompt_of_an_earlier_start_is_continued_and_one_of_nowhere_is_refused(tmp_path: FilePath) -> None:
    first = Prompt(system("Act."), user("A beehive."))
    second = first.extend(assistant("look"), user("Nothing."))
    journal = begun(tmp_path / "journal.sqlite")
    run(append(journal, [call(1, first, "look")]))
    journal.close()
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    run(append(journal, [call(2, second, "look", known=[first])]))
    assert len(rows(journal, "SELECT id FROM prompts")) == 4
    stranger = Prompt(user("Never stored."))
    with pytest.raises(PromptUnknown, match="beehive/0/0/3: expected a prompt that continues one of the journal's"):
        run(append(journal, [call(3, stranger.extend(user("Go.")), "x", known=[stranger])]))
    assert [record.event.path for record in journal.reader.records(EPISODE)] == [child(EPISODE, 1), child(EPISODE, 2)]
    journal.close()


def test_prompts_of_an_episode_are_numbered_again_only_once(
    tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_encoder, "_MESSAGES", 2)
    journal = begun(tmp_path / "journal.sqlite")
    prompts = [Prompt(user("Act."))]
    for _ in range(9):
        prompts.append(prompts[-1].extend(assistant("look"), user("Nothing.")))
    run(append(journal, [call(1, prompts[-1], "look")]))
    numbered: list[int] = []

    def messages(episode: int) -> tuple[()]:
        numbered.append(episode)
        return ()

    monkeypatch.setattr(journal.reader, "messages", messages)
    for number in (2, 3):
        with pytest.raises(PromptUnknown):
            run(append(journal, [call(number, prompts[3].extend(user("Go.")), "go", known=[prompts[3]])]))
    run(append(journal, [call(3, prompts[3].extend(user("Go.")), "go")]))
    assert numbered == [1]
    assert journal.reader.prompt(child(EPISODE, 3)) == prompts[3].extend(user("Go.")).messages()
    journal.close()


def test_what_a_failed_commit_numbered_is_numbered_again(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as vandal:
        vandal.execute("CREATE TRIGGER full BEFORE INSERT ON _calls BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        with pytest.raises(JournalFault, match="disk is full"):
            run(append(journal, [call(1)]))
        vandal.execute("DROP TRIGGER full")
    with pytest.raises(PromptUnknown):
        run(append(journal, [call(1, known=[GO])]))
    run(append(journal, [call(1)]))
    assert journal.reader.prompt(child(EPISODE, 1)) == (user("Go."),)
    assert texts(journal) == ["Go.", "look"]
    journal.close()


def test_the_longest_unused_number_is_forgotten() -> None:
    numbers = Numbering[str]({}, 5, bound=2)
    assert [numbers.add(key) for key in ("a", "b")] == [6, 7]
    assert numbers.find("a") == 6
    assert numbers.add("c") == 8
    assert [numbers.find(key) for key in ("a", "b", "c")] == [6, None, 8]


def test_an_episode_has_room_for_as_many_events_as_its_ids_can_number() -> None:
    episode = OpenEpisode(number=3, path=EPISODE, incarnation=1, began=0, events=(1 << EPISODE_BITS) - 2)
    assert next_id(episode) == (4 << EPISODE_BITS) - 1
    with pytest.raises(JournalFault, match="expected fewer than 16,777,216 events"):
        next_id(episode)


NODE = NodeGrown(path=child(EPISODE, 1), tree=EPISODE, node=1, parent=0, action="look", session=None)
TURNS = (Turn(completion="look", observation="A beehive."),)
ANSWER = Exchanged(path=EPISODE, request="solve", subject="", reply="{}", turns=TURNS)


@pytest.mark.parametrize(
    ("first", "damage"),
    [
        *(
            (record(NODE), f"UPDATE _nodes SET {damage}")
            for damage in ("standing = 3", "standing = 'open'", "action = 99", "visits = 'many'", "value = x'00'")
        ),
        (record(NODE), "UPDATE _nodes SET path = '~'"),
        *(
            (record(ANSWER), f"UPDATE _exchanges SET turns = '{damage}'")
            for damage in ("[1]", "[99, 1]", '{"a": 1, "b": 1}', '["x", 1]', "[0.5, 1]", "nonsense")
        ),
        (record(Published(path=child(EPISODE, 1), version=0, content="")), "UPDATE _versions SET version = -1"),
        (call(1), "DELETE FROM _phases"),
        (decided(1), "UPDATE _decisions SET kind = 99 WHERE path = '1'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_row_that_is_damaged_is_left_out_and_reported(first: Record, damage: str, tmp_path: FilePath) -> None:
    file = written(tmp_path / "journal.sqlite", first, decided(2))
    changed(file, damage)
    with closing(JournalReader.open(file)) as reader:
        assert reader.records() == [decided(2)]
        assert "expected a row of this version, got 16777217" in reader.damage[0]
        if "kind" in damage:
            assert f"Expected `int` <= {len(DECISION_KINDS) - 1}" in reader.damage[0]
        if "_phases" in damage:
            assert next(reader.attempts())[1] == []
            assert len(reader.damage) == 2
    with (
        closing(SqliteJournal(file)) as journal,
        pytest.raises(JournalDamaged, match="expected a row of this version, got 16777217"),
    ):
        journal.reader.records(EPISODE)


STICK = Path("stick/0/0")


def _step(path: str, at: float) -> Record:
    event = StepTaken(
        path=Path(path), session="s", action="look", observation="a shed", reward=0.0, done=False, rejected=False
    )
    return Record(event=event, incarnation=1, at=at, seconds=0.25)


def _exchange(path: str, at: float, seconds: float) -> Record:
    event = Exchanged(path=Path(path), request="execute", subject="look around", reply="{}")
    return Record(event=event, incarnation=1, at=at, seconds=seconds)


END = Record(event=EpisodeEnded(path=STICK, state="solved", reward=1.0), incarnation=1, at=20.0, seconds=10.0)


def _followed(*records: Record) -> list[Block]:
    blocks = EpisodeBlocks(STICK)
    return [block for record in records for block in blocks.add(record)]


def test_a_branch_without_a_record_covers_what_is_below_it() -> None:
    records = [_step("stick/0/0/2/1/1", 12.0), _step("stick/0/0/2/1/2", 13.0), END]
    assert [(block.path, block.kind, block.start, block.end) for block in _followed(*records)] == [
        ("stick/0/0/2/1/1", "step", 11.75, 12.0),
        ("stick/0/0/2/1/2", "step", 12.75, 13.0),
        ("stick/0/0/2/1", "branch", 11.75, 13.0),
        ("stick/0/0/2", "branch", 11.75, 13.0),
        ("stick/0/0", "episode", 10.0, 20.0),
    ]


def test_an_exchange_is_one_block_of_its_own_time() -> None:
    records = _step("stick/0/0/3/1", 12.0), _exchange("stick/0/0/3", 14.0, 3.0)
    found = {block.path: block for block in _followed(*records)}
    assert found[Path("stick/0/0/3")][1:4] == ("request", 11.0, 14.0)


def test_an_episode_that_has_not_ended_has_a_block_without_a_record() -> None:
    *_, episode = read_blocks([_step("stick/0/0/1", 12.0)])
    assert episode == Block(STICK, "episode", 11.75, 12.0, None)
    assert read_blocks([]) == []


def test_what_is_no_call_step_or_exchange_takes_no_time() -> None:
    ended = Record(event=BranchEnded(path=Path("stick/0/0/1/1"), place=1), incarnation=1, at=13.0)
    assert [(block.path, block.kind, block.end - block.start) for block in _followed(ended, END)] == [
        ("stick/0/0/1/1", "note", 0.0),
        ("stick/0/0/1", "branch", 0.0),
        ("stick/0/0", "episode", 10.0),
    ]


_below = st.lists(st.integers(1, 2), min_size=1, max_size=4).map(lambda parts: "/".join([STICK, *map(str, parts)]))


@given(st.dictionaries(_below, st.booleans(), max_size=12))
def test_every_block_has_its_parent_however_the_records_come(paths: dict[str, bool]) -> None:
    leaves = {path for path in paths if not any(other.startswith(f"{path}/") for other in paths)}
    records = [
        _exchange(path, 15.0, 2.0) if exchanged or path not in leaves else _step(path, 14.0)
        for path, exchanged in paths.items()
    ]
    followed = _followed(*sorted(records, key=lambda record: -record.event.path.count("/")), END)
    read_back = read_blocks([END, *records])
    assert {block.path: block for block in followed} == {block.path: block for block in read_back}
    found = {block.path for block in followed}
    assert len(found) == len(followed)
    assert {parent(path) for path in found - {STICK}} <= found
