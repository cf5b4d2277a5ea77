"""Rows of records: what is stored once, and what comes back."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path as FilePath
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.errors import JournalFault, PromptUnknown
from quintet.events import (
    AnyEvent,
    CallMade,
    EpisodeEnded,
    Exchanged,
    NodeGrown,
    Recalled,
    Record,
    SessionForked,
    SessionOpened,
    TrialEnded,
)
from quintet.journal import call_encoder
from quintet.journal.call_encoder import Numbering, next_id
from quintet.journal.codes import EPISODE_BITS
from quintet.journal.open_episode import OpenEpisode
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Turn
from quintet.messages.paths import child
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from tests.deploy.journal.records import BELOW, EPISODE, GO, begun, call, record, step
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
    journal = survives(
        replace(event, path=child(EPISODE, 1), prompt=prompt.node.address), prompts=prompt.nodes_since(())
    )
    if messages:
        assert journal.reader.prompt(child(EPISODE, 1)) == tuple(messages)


@pytest.mark.parametrize("session", [EPISODE, f"{EPISODE}/", f"{EPISODE}//1", f"{EPISODE}0", "/1", ""])
def test_a_session_of_any_name_survives_the_journal(session: str) -> None:
    survives(SessionOpened(path=child(EPISODE, 1), session=session, observation=""))
    survives(SessionForked(path=child(EPISODE, 1), session=EPISODE, origin=session))


def survives(event: AnyEvent, **fields: Any) -> SqliteJournal:
    journal = SqliteJournal(":memory:")
    journal.begin(EPISODE)
    run(journal.append([Record(event=event, incarnation=1, **fields)]))
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
    run(journal.append(records))
    assert texts(journal) == ["Act.", saw, said, "solve", "{}"]
    read = {record.event.path: record.event for record in journal.reader.records(EPISODE)}
    assert read == {record.event.path: record.event for record in records}
    journal.close()


def test_the_action_of_a_step_and_of_its_node_is_stored_once(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    grown = NodeGrown(path=child(EPISODE, 4), tree=EPISODE, node=1, parent=0, action="go to desk 1", session=None)
    records = [step(3, "go to desk 1"), record(grown)]
    run(journal.append(records))
    assert texts(journal) == ["go to desk 1"]
    assert rows(journal, "SELECT tree FROM _nodes") == [("",)]
    assert [record.event for record in journal.reader.records(EPISODE)] == [record.event for record in records]
    journal.close()


def test_an_action_that_is_not_in_the_completion_is_stored_in_full(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    taken = step(3, "go to desk 1", "", "A desk.")
    run(journal.append([call(2, GO, "Action: go to the desk"), taken]))
    assert "go to desk 1" in texts(journal)
    assert taken in journal.reader.records(EPISODE)
    journal.close()


def test_two_prompts_share_the_messages_that_they_begin_with(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    root = Prompt(system("Act."))
    left, right = root.extend(user("Left.")), root.extend(user("Right."))
    again = Prompt(system("Act."), user("Left."))
    run(journal.append([call(1, left, "l"), call(2, right, "r"), call(3, again, "l")]))
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
    run(journal.append([call(1, first, "look")]))
    journal.close()
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    run(journal.append([call(2, second, "look", known=[first])]))
    assert len(rows(journal, "SELECT id FROM prompts")) == 4
    stranger = Prompt(user("Never stored."))
    with pytest.raises(PromptUnknown, match="beehive/0/0/3: expected a prompt that continues one of the journal's"):
        run(journal.append([call(3, stranger.extend(user("Go.")), "x", known=[stranger])]))
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
    run(journal.append([call(1, prompts[-1], "look")]))
    numbered: list[int] = []

    def messages(episode: int) -> tuple[()]:
        numbered.append(episode)
        return ()

    monkeypatch.setattr(journal.reader, "messages", messages)
    for number in (2, 3):
        with pytest.raises(PromptUnknown):
            run(journal.append([call(number, prompts[3].extend(user("Go.")), "go", known=[prompts[3]])]))
    run(journal.append([call(3, prompts[3].extend(user("Go.")), "go")]))
    assert numbered == [1]
    assert journal.reader.prompt(child(EPISODE, 3)) == prompts[3].extend(user("Go.")).messages()
    journal.close()


def test_what_a_failed_commit_numbered_is_numbered_again(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as vandal:
        vandal.execute("CREATE TRIGGER full BEFORE INSERT ON _calls BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        with pytest.raises(JournalFault, match="disk is full"):
            run(journal.append([call(1)]))
        vandal.execute("DROP TRIGGER full")
    with pytest.raises(PromptUnknown):
        run(journal.append([call(1, known=[GO])]))
    run(journal.append([call(1)]))
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
