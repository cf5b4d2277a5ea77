"""Queries: the order of records, and the prompts of calls."""

from collections.abc import Iterator
from pathlib import Path as FilePath

import pytest

from quintet.errors import UsageError
from quintet.events import CallMade, StepTaken
from quintet.journal.prompt_messages import MessageRow, PromptMessages
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child
from quintet.messages.prompts import Prompt, assistant, system, user
from tests.deploy.journal.records import EPISODE, GO, append, begun, call, decided, record
from tests.simulation.virtual import run


def test_what_is_appended_is_read_back_in_the_order_of_the_conversation() -> None:
    journal = begun()
    records = [decided(10), decided(2), decided(1)]
    run(append(journal, records))
    assert journal.reader.records(EPISODE) == records[::-1]


def test_a_conversation_of_n_turns_costs_n_messages() -> None:
    journal = begun()
    prompt = last = Prompt(system("Act."), user("Goal: craft beehive."))
    known: list[Prompt] = []
    for turn in range(1, 6):
        run(append(journal, [call(turn, prompt, known=known)]))
        known.append(prompt)
        last = prompt
        prompt = prompt.extend(assistant(f"act {turn}"), user(f"saw {turn}"))
    assert journal.reader.prompt(child(EPISODE, 5)) == last.messages()
    assert len(last.messages()) == 2 + 4 * 2
    assert len(list(journal.reader.messages(1))) == len(last.messages())


@pytest.mark.parametrize(
    ("rejected", "figures", "found"),
    [(True, {}, {"served": 0.5}), (True, {"served": 0.7}, {"served": 0.7}), (False, {}, {})],
)
def test_a_rejected_step_without_figures_leaves_those_of_the_step_before(
    rejected: bool, figures: dict[str, float], found: dict[str, float]
) -> None:
    def step(number: int, figures: dict[str, float], *, rejected: bool) -> StepTaken:
        return StepTaken(
            path=child(EPISODE, number),
            session="a",
            action="go",
            observation="",
            reward=0.0,
            done=False,
            rejected=rejected,
            figures=figures,
        )

    journal = begun()
    steps = (step(1, {"served": 0.5}, rejected=False), step(2, figures, rejected=rejected))
    run(append(journal, [record(each) for each in steps]))
    for session in ("a", None):
        assert journal.reader.figures(EPISODE, session, 0.0) == found


def test_an_unknown_prompt_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"expected the whole prompt .*, got a part of it"):
        SqliteJournal(":memory:").reader.prompt(child(EPISODE, 1))


def test_a_reader_sees_the_prompt_of_every_call_that_it_sees(tmp_path: FilePath) -> None:
    journal = begun(tmp_path / "journal.sqlite")
    run(append(journal, [call(1)]))

    class Interrupted(JournalReader):
        def _messages(self, episode: int, prompts: PromptMessages) -> Iterator[MessageRow]:
            yield from super()._messages(episode, prompts)
            run(append(journal, [call(2, GO.extend(user("On.")), known=[GO])]))

    reader = Interrupted.open(tmp_path / "journal.sqlite")
    for calls in (1, 2):
        events = [record.event for record in reader.records(EPISODE)]
        assert [isinstance(event, CallMade) and bool(event.prompt) for event in events] == [True] * calls
    assert reader.damage == []
    reader.close()
    journal.close()
