"""The tokens of calls in the journal: stored from where a prompt leaves an earlier one, and put together again."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path as FilePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.events import CallMade
from quintet.export.parquet import export_parquet
from quintet.journal import token_rows
from quintet.journal.reader import JournalReader
from quintet.journal.token_rows import StoredTokens, TokenPrefixes
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.ports.tokens import CallTokens, pack_ids, pack_logprobs, unpack_ids, unpack_logprobs
from tests.deploy import samples
from tests.deploy.export.exported import table
from tests.deploy.journal.records import EPISODE, append, begun, call, changed, written
from tests.simulation.virtual import run

OTHER = episode_path("cake", 0, 0)


def tokens(prompt: Sequence[int], completion: Sequence[int] = ()) -> CallTokens:
    return CallTokens(
        prompt=pack_ids(prompt), completion=pack_ids(completion), logprobs=pack_logprobs([-0.5] * len(completion))
    )


def conversation(turns: int, *, first: int = 0) -> list[CallTokens]:
    """Each prompt is the one before, what was drawn, and ten tokens more."""
    found, ids = list[CallTokens](), list(range(first, first + 500))
    for turn in range(turns):
        drawn = [150_000 - turn, 7, 8]
        found.append(tokens(ids, drawn))
        ids = [*ids, *drawn, *range(10)]
    return found


def read(journal: SqliteJournal | JournalReader) -> list[CallTokens | None]:
    reader = journal.reader if isinstance(journal, SqliteJournal) else journal
    return [each.event.completion.tokens for each in reader.records() if isinstance(each.event, CallMade)]


def test_a_prompt_is_stored_from_where_it_leaves_an_earlier_call_also_one_of_another_episode(
    tmp_path: FilePath,
) -> None:
    journal = begun(tmp_path / "journal.sqlite", OTHER)
    own, others = conversation(5), conversation(3)
    run(append(journal, [call(number, tokens=each) for number, each in enumerate(own, 1)]))
    run(append(journal, [call(number, tokens=each, episode=OTHER) for number, each in enumerate(others, 1)]))
    assert read(journal) == [*own, *others]
    journal.close()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as opened:
        rows = opened.execute("SELECT shared, length(prompt) / 3 FROM tokens ORDER BY id").fetchall()
    assert rows == [
        (0, 500),
        *((503 + 13 * turn, 10) for turn in range(4)),
        *((500 + 13 * turn, 0) for turn in range(3)),
    ]


def test_a_resumed_run_stores_on_and_reads_what_both_its_starts_stored(tmp_path: FilePath) -> None:
    first, second = conversation(4)[:2], conversation(4)[2:]
    written(tmp_path / "journal.sqlite", *(call(number, tokens=each) for number, each in enumerate(first, 1)))
    with closing(SqliteJournal(tmp_path / "journal.sqlite")) as journal:
        incarnation = journal.begin(EPISODE)
        later = [call(number, tokens=each) for number, each in enumerate(second, 3)]
        for each in later:
            run(append(journal, [type(each)(event=each.event, incarnation=incarnation, prompts=each.prompts)]))
        assert read(journal) == [*first, *second]


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 1), max_size=400), st.lists(st.integers(0, 1), max_size=9)), max_size=9)
)
def test_whatever_prompts_share_they_are_read_as_they_were(calls: list[tuple[list[int], list[int]]]) -> None:
    for bound in (0, 2_000, 2**20):  # how much is remembered changes only how much is stored
        prefixes, stored = TokenPrefixes(bound), StoredTokens()
        for number, (prompt, completion) in enumerate(calls, 1):
            stored.add(prefixes.row(number, tokens(prompt, completion)))
        assert [stored.of(number) for number in range(1, len(calls) + 1)] == [tokens(*each) for each in calls]


def test_beginnings_of_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def same(_: object) -> int:
        return 1

    monkeypatch.setattr(token_rows, "hash", same, raising=False)
    prefixes, stored = TokenPrefixes(), StoredTokens()
    calls = [each for first in (0, 900) for each in conversation(3, first=first)]
    for number, each in enumerate(calls, 1):
        stored.add(prefixes.row(number, each))
    assert [stored.of(number) for number in range(1, len(calls) + 1)] == calls


def test_a_call_without_tokens_has_no_row() -> None:
    journal = begun()
    run(append(journal, [call(1), call(2, tokens=tokens([]))]))
    assert read(journal) == [None, tokens([])]


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM _tokens WHERE base = 0",
        "UPDATE _tokens SET base = call WHERE base = 0",
        "UPDATE _tokens SET completion = x'00'",
        "UPDATE _tokens SET prompt = 'text'",
    ],
)
def test_damaged_tokens_are_named_and_do_not_hide_other_calls(query: str, tmp_path: FilePath) -> None:
    file = written(
        tmp_path / "journal.sqlite",
        *(call(number, tokens=each) for number, each in enumerate(conversation(3), 1)),
        call(9),
    )
    changed(file, query)
    with closing(JournalReader.open(file)) as reader:
        assert read(reader)[-1] is None
        assert reader.damage


def test_the_view_and_the_export_have_them(tmp_path: FilePath) -> None:
    (tmp_path / "runs").mkdir()
    folder = samples.write(tmp_path / "runs" / "mine", samples.record("adapt", ("beehive",)), {})
    with closing(SqliteJournal(folder / "journal.sqlite")) as journal:
        journal.begin(EPISODE)
        run(append(journal, [call(number, tokens=each) for number, each in enumerate(conversation(2), 1)]))
    with closing(sqlite3.connect(folder / "journal.sqlite")) as opened:
        first, second = opened.execute("SELECT id, base, shared, prompt, completion, logprobs FROM tokens").fetchall()
    assert (first[1], second[1:3]) == (None, (first[0], 503))
    assert (unpack_ids(second[3]), unpack_ids(second[4])) == (list(range(10)), [149_999, 7, 8])
    assert unpack_logprobs(second[5]) == [-0.5] * 3
    export_parquet(folder, tmp_path / "DIR")
    rows = table(tmp_path / "DIR" / "tokens")
    assert [row["prompt"] for row in rows] == [list(range(500)), list(range(10))]
    assert rows[1]["completion"] == [149_999, 7, 8]
    assert rows[1]["logprobs"] == [-0.5] * 3
