from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.journal.reader import JournalReader
from quintet.messages.paths import episode_path
from quintet.reports.call_text import call_text
from tests.deploy import samples
from tests.deploy.samples import Went

EPISODE = episode_path("beehive", 0, 0)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[JournalReader]:
    run = samples.write(tmp_path / "run", samples.record("adapt", ["beehive"]), {"beehive": Went(calls=2)})
    with closing(JournalReader.open(run / "journal.sqlite")) as found:
        yield found


def test_the_prompt_of_a_call_is_exact(reader: JournalReader) -> None:
    lines = [line.text for line in call_text(reader, reader.records(EPISODE), 2)]
    assert lines[0] == "call 2 of 2, beehive/0/0/2/3, sim-weak (simulated)"
    assert lines[1] == "temperature 0, top_p 1, max_tokens 512, stop [], seed 7"
    assert lines[2:] == [
        "--- system",
        "You craft.",
        "--- user",
        "Goal: craft beehive.",
        "--- assistant",
        "Think: 0.",
        "Action: get 1 log",
        "--- user",
        "Got 1 log",
        "--- completion (stop; 100 prompt tokens, 10 completion tokens)",
        "Think: 1.",
        "Action: get 1 log",
    ]


@pytest.mark.parametrize("number", [0, 3])
def test_a_call_that_was_not_made_is_refused(reader: JournalReader, number: int) -> None:
    with pytest.raises(UsageError, match=f"--call: expected 1 to 2, the calls of this episode, got {number}"):
        call_text(reader, reader.records(EPISODE), number)
