"""Notebooks: versions, changes that are stored once, digests, copies, and what each retrieval finds."""

import math
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.errors import ReplayMismatch, UsageError
from quintet.memory.bm25 import K1, B
from quintet.memory.copy import MemoryVersion, copy_version, merge_versions
from quintet.memory.difference import content_differences
from quintet.memory.embed import embed_memory
from quintet.memory.note_search import find_notes
from quintet.memory.notes import fetch_notes, notes_in
from quintet.memory.place import open_version
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.memory.words import words_of
from quintet.messages.notes import AddNote, EditNote, Note, ReplaceNote, VoteNote
from quintet.messages.parts import Retrieval
from quintet.models.embedding.hashed_words import HashedWords
from tests.deploy.memory.notebooks import (
    ANY,
    CLEAN,
    EGG,
    LAMP,
    NOTES,
    a_notebook,
    a_notebook_of_versions,
    added,
    change,
    found,
)
from tests.deploy.memory.samples import HEAT, a_memory, request


def _said(store: Store, version: int = 1, **fields: object) -> list[str]:
    return [each.note.text for each in find_notes(store.reader, found(version, **fields)).notes]


def test_every_version_reads_as_it_was_whatever_came_later() -> None:
    store, ids = a_notebook_of_versions()
    assert _said(store, 0) == []
    assert _said(store, 1) == [note.text for note in NOTES]
    assert _said(store, 2) == ["Open it, heat the egg, close it.", CLEAN.text, ANY.text]
    first, second = (list(notes_in(store.reader, version)) for version in (1, 2))
    assert {(each.state, each.helpful) for each in first} == {("active", 0)}
    assert [each.id for each in first] == [each.id for each in second] == list(ids)
    assert (second[1].state, second[1].replaced_by) == ("replaced", ids[2])
    assert (second[2].helpful, second[2].harmful, second[2].recalled) == (2, 1, 5)
    assert [(each.notes, each.replaced, each.added) for each in store.reader.versions().values()] == [
        (0, 0, 0),
        (4, 0, 4),
        (3, 1, 3),
    ]


def test_the_same_changes_are_stored_once_and_others_at_their_place_are_refused() -> None:
    store = a_notebook()
    ids = store.change(change(*added(EGG, LAMP)))
    assert store.change(change(*added(EGG, LAMP))) == ids
    with pytest.raises(ReplayMismatch, match="version 1, place 0: expected the 2 changes that are there, got others"):
        store.change(change(*added(EGG, CLEAN)))
    store.seal(1)
    assert store.change(change(*added(EGG, LAMP))) == ids
    with pytest.raises(ReplayMismatch, match="expected changes of version 2, which is not sealed, got new ones"):
        store.change(change(*added(ANY), place=1))


@given(st.permutations(range(6)))
def test_the_order_in_which_places_arrive_changes_nothing(order: list[int]) -> None:
    asked = [change(AddNote(note=Note(text=f"note {place}"), helpful=place), place=place) for place in range(6)]
    one, other = a_notebook(), a_notebook()
    for each in asked:
        one.change(each)
    for place in order:
        other.change(asked[place])
    assert one.seal(1) == other.seal(1)
    assert list(notes_in(one.reader, 1)) == list(notes_in(other.reader, 1))


def test_a_change_is_about_a_note_that_is_there() -> None:
    store = a_notebook()
    (later,) = store.change(change(*added(EGG), place=5))
    with pytest.raises(ValueError, match="expected another note to stand in a note's place, got"):
        store.change(change(ReplaceNote(id=later, by=later), place=6))
    for wrong in (VoteNote(id=7), EditNote(id=later, note=LAMP), ReplaceNote(id=later)):
        with pytest.raises(ValueError, match="place 2: expected a note that was added before, got"):
            store.change(change(wrong, place=2))
    with pytest.raises(ValueError, match="expected a note that was added before"):
        store.change(change(*added(LAMP), ReplaceNote(id=later, by=later + 1), place=6))
    assert store.change(change(VoteNote(id=later, helpful=1), place=7)) == (later,)


def test_of_several_that_replace_a_note_the_first_place_does() -> None:
    store = a_notebook()
    ids = store.change(change(*added(EGG, LAMP, CLEAN)))
    store.change(change(ReplaceNote(id=ids[0], by=ids[2]), place=2))
    store.change(change(ReplaceNote(id=ids[0], by=ids[1]), place=1))
    assert store.seal(1).replaced == 1
    (note,) = fetch_notes(store.reader, ids[:1], 1)
    assert note.replaced_by == ids[1]
    store.change(change(ReplaceNote(id=ids[0]), version=2))
    assert store.seal(2).replaced == 1


def test_tuples_and_notes_are_not_kept_in_one_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a notebook to take changes of notes, got a memory"):
        a_memory().change(change(*added(EGG), version=3))
    with pytest.raises(ValueError, match="expected a memory to take tuples, got a notebook"):
        a_notebook().add(request(HEAT))
    a_memory(tmp_path / "m.sqlite").close()
    with pytest.raises(UsageError, match=r"^memory: expected a notebook, got a memory \(.*m\.sqlite\)$"):
        Store(tmp_path / "m.sqlite", world="alfworld", kind="notebook")
    with pytest.raises(UsageError, match="expected a notebook, got a memory"):
        find_notes(a_memory().reader, found())


_DAMAGE = {
    "a text is another": "UPDATE changes SET text = 'lie' WHERE id = note AND title = 'Clean'",
    "a vote is another": "UPDATE changes SET helpful = 9 WHERE helpful = 2",
    "a note is gone": "DELETE FROM changes WHERE title = 'Clean'",
    "a replacement is gone": "DELETE FROM changes WHERE replaced_by IS NOT NULL",
    "another note replaces": "UPDATE changes SET replaced_by = (SELECT min(id) FROM changes) WHERE replaced_by > 0",
    "a vote is for another": "UPDATE changes SET note = (SELECT min(id) FROM changes) WHERE helpful = 2",
}


@pytest.mark.parametrize("damage", _DAMAGE)
def test_a_version_that_was_changed_is_refused(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.sqlite"
    a_notebook_of_versions(file)[0].close()
    open_version(file).reader.close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(_DAMAGE[damage])
    with pytest.raises(UsageError, match=r"^memory: "):
        open_version(file)


def test_a_copy_of_several_versions_has_the_digest_the_notes_and_the_votes_of_its_original() -> None:
    store, _ = a_notebook_of_versions()
    copy = Store(":memory:", world="alfworld", kind="notebook")
    sealed = copy_version(MemoryVersion(store.reader, 2), copy)
    original = store.reader.versions()[2]
    assert (sealed.digest, sealed.notes, sealed.replaced) == (original.digest, original.notes, original.replaced)

    def content(of: Store, version: int) -> list[tuple[object, ...]]:
        return [(each.note, each.helpful, each.harmful, each.state) for each in notes_in(of.reader, version)]

    assert content(copy, 0) == content(store, 2)
    assert _said(copy, 0, retrieval="lexical", query="egg") == ["Open it, heat the egg, close it."]


def test_merged_notebooks_keep_what_refers_to_what() -> None:
    one, other = a_notebook_of_versions()[0], a_notebook()
    other.change(change(*added(LAMP)))
    other.seal(1)
    into = Store(":memory:", world="alfworld", kind="notebook")
    sealed = merge_versions([MemoryVersion(other.reader, 1), MemoryVersion(one.reader, 2)], into)
    notes = list(notes_in(into.reader, 0))
    assert (sealed.notes, sealed.replaced) == (4, 1)
    (replaced,) = (each for each in notes if each.state == "replaced")
    assert replaced.note == LAMP
    assert next(each.note for each in notes if each.id == replaced.replaced_by) == CLEAN
    with pytest.raises(UsageError, match="expected a notebook, got a memory"):
        merge_versions([MemoryVersion(a_memory().reader, 1)], Store(":memory:", world="alfworld", kind="notebook"))


# What each retrieval finds


def test_all_are_the_newest_within_the_budget_in_the_order_of_their_entry() -> None:
    store = a_notebook()
    notes = [Note(text=str(number) * 10) for number in range(6)]
    store.change(change(*added(*notes)))
    store.seal(1)
    answer = find_notes(store.reader, found(budget=35))
    assert [each.note for each in answer.notes] == notes[3:]
    assert answer.left_out == 3
    assert find_notes(store.reader, found(most=2)).notes == answer.notes[1:]


@pytest.mark.parametrize("retrieval", ["all", "best", "lexical", "embedding"])
async def test_a_note_that_is_larger_than_the_budget_leaves_its_place_to_the_next(retrieval: Retrieval) -> None:
    store, embedder = a_notebook(), HashedWords(dimensions=16)
    store.change(change(*added(*(Note(text="egg " * size) for size in (2, 3, 100)))))
    store.seal(1)
    await embed_memory(store, embedder)
    [vector] = await embedder.embed(["egg"])
    wanted: dict[str, Any] = {"retrieval": retrieval, "query": "egg", "vector": vector, "embedder": embedder.name}
    answer = find_notes(store.reader, found(most=2, budget=100, **wanted))
    assert ({each.note.size for each in answer.notes}, answer.left_out) == ({8, 12}, 0)
    answer = find_notes(store.reader, found(most=2, budget=13, **wanted))
    assert (len(answer.notes), answer.left_out) == (1, 1)


def test_a_version_stands_as_it_was_though_a_later_one_was_searched_first() -> None:
    store, ids = a_notebook_of_versions()
    edited = Note(text="It is for looking now.", section="places", task_type="look")
    store.change(change(EditNote(id=ids[3], note=edited), VoteNote(id=ids[0], helpful=9), version=3))
    store.seal(3)
    for version, places, best, looks in (
        (3, [edited.text], "Open it, heat the egg, close it.", [CLEAN.text, edited.text]),
        (1, [LAMP.text], ANY.text, [LAMP.text, CLEAN.text, ANY.text]),
        (2, [], CLEAN.text, [CLEAN.text, ANY.text]),
        (3, [edited.text], "Open it, heat the egg, close it.", [CLEAN.text, edited.text]),
    ):
        assert _said(store, version, section="places") == places
        assert _said(store, version, retrieval="best", most=1) == [best]
        assert _said(store, version, retrieval="type", task_type="look") == looks
        assert find_notes(store.reader, found(version, section="places", budget=0)).left_out == len(places)


def test_those_for_a_tasks_type_are_with_those_for_all() -> None:
    store, _ = a_notebook_of_versions()
    assert _said(store, retrieval="type", task_type="heat") == [EGG.text, CLEAN.text, ANY.text]
    assert _said(store, retrieval="type") == [CLEAN.text, ANY.text]
    answer = find_notes(store.reader, found(retrieval="type", task_type="look", budget=ANY.size))
    assert ([each.note for each in answer.notes], answer.left_out) == ([ANY], 2)


def test_the_best_have_the_most_votes_and_of_equals_the_newest_comes_first() -> None:
    store = a_notebook()
    votes = [(1, 0), (5, 4), (3, 0), (0, 2), (1, 0)]
    store.change(
        change(*(AddNote(note=Note(text=f"{at}"), helpful=up, harmful=down) for at, (up, down) in enumerate(votes)))
    )
    store.seal(1)
    assert _said(store, retrieval="best") == ["2", "4", "1", "0", "3"]
    assert _said(store, retrieval="best", most=1) == ["2"]


def test_a_section_is_all_that_is_looked_at() -> None:
    store, _ = a_notebook_of_versions()
    for retrieval in ("all", "best", "lexical"):
        said = _said(store, 2, retrieval=retrieval, section="strategies", query="egg look around sinkbasin desks")
        assert sorted(said) == sorted(["Open it, heat the egg, close it.", ANY.text]), retrieval
    assert find_notes(store.reader, found(section="strategies", budget=0)).left_out == 2


def test_words_find_what_a_note_is_about_and_neither_edited_nor_replaced_texts() -> None:
    store, _ = a_notebook_of_versions()
    assert _said(store, 1, retrieval="lexical", query="microwave") == [EGG.text]
    assert _said(store, 2, retrieval="lexical", query="microwave") == []
    assert _said(store, 1, retrieval="lexical", query="lamp on desks") == [LAMP.text]
    assert _said(store, 2, retrieval="lexical", query="desks") == []
    assert _said(store, 2, retrieval="lexical", query="a dirty mug") == [CLEAN.text]
    assert _said(store, 2, retrieval="lexical", query="sinkbasin") == [], "it is found by what it is about"


@pytest.mark.parametrize("seed", range(3))
def test_words_find_the_same_as_bm25_worked_out_anew_across_segments(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quintet.memory.words.SEGMENT", 7)
    drawn, words = Random(seed), [f"word{number}" for number in range(30)]
    notes = [Note(text=" ".join(drawn.choices(words, k=drawn.randint(1, 8)))) for _ in range(90)]
    store = a_notebook()
    for version, start in enumerate(range(0, 90, 30), 1):
        store.change(change(*added(*notes[start : start + 30]), version=version))
        store.seal(version)
    query = drawn.sample(words, 3)
    for version in (1, 2, 3):
        texts = [note.text for note in notes[: 30 * version]]
        said = _said(store, version, retrieval="lexical", query=" ".join(query))
        assert said == _bm25(texts, query)


def _bm25(texts: list[str], query: list[str]) -> list[str]:
    counts = [Counter(words_of(text)) for text in texts]
    average = sum(count.total() for count in counts) / len(counts)
    scores = [0.0] * len(texts)
    for word in sorted(query):
        having = sum(word in count for count in counts)
        weight = math.log(1 + (len(counts) - having + 0.5) / (having + 0.5)) * (K1 + 1)
        for at, count in enumerate(counts):
            if word in count:
                norm = K1 * (1 - B + B * count.total() / average)
                scores[at] += weight * count[word] / (count[word] + norm)
    order = sorted(range(len(texts)), key=lambda at: (-scores[at], -at))
    return [texts[at] for at in order if scores[at] > 0]


async def test_the_nearest_by_embedding_are_found_and_what_was_left_out_of_them_is_counted() -> None:
    store, _ = a_notebook_of_versions()
    embedder = HashedWords(dimensions=64)
    assert await embed_memory(store, embedder) == 5, "every content of a note has a vector"
    [vector] = await embedder.embed(["clean a dirty mug"])
    wanted: dict[str, Any] = {"retrieval": "embedding", "vector": vector, "embedder": embedder.name}
    assert _said(store, 2, most=1, **wanted) == [CLEAN.text]
    assert len(_said(store, 2, **wanted)) == 3
    few = find_notes(store.reader, found(2, most=3, budget=CLEAN.size, **wanted))
    assert ([each.note for each in few.notes], few.left_out) == ([CLEAN], 2)
    for other in ({"vector": vector[:-4]}, {"embedder": "another"}):
        with pytest.raises(UsageError, match=r"expected a vector of hashed-words.* \(64 numbers\), got one of"):
            _said(store, 2, **{**wanted, **other})
    store.change(change(*added(Note(text="without a vector")), version=3))
    store.seal(3)
    with pytest.raises(UsageError, match="expected a memory with vectors of all notes, got 5 of 6"):
        _said(store, 3, **wanted)
    assert _said(store, 2, most=1, **wanted) == [CLEAN.text]


async def test_vectors_of_another_length_are_refused_and_nothing_of_their_changes_is_stored() -> None:
    store, embedder = a_notebook(), HashedWords(dimensions=64)
    vectors = await embedder.embed([EGG.found_by, LAMP.found_by])
    asked = replace(change(*added(EGG, LAMP)), vectors=vectors, embedder=embedder.name)
    store.change(asked)
    store.seal(1)
    later = replace(asked, version=2, vectors=(vectors[0], vectors[1][:128]))
    expected = (
        r"expected a vector of hashed-words-64 \(64 numbers\), got one of hashed-words-64 \(32 numbers\) \(:memory:"
    )
    with pytest.raises(ValueError, match=expected):
        store.change(later)
    assert len(store.change(replace(later, vectors=vectors))) == 2
    assert store.seal(2).notes == 4
    assert len(_said(store, 1)) == 2


@pytest.mark.parametrize("retrieval", ["type", "lexical"])
def test_shuffled_notes_are_those_for_another_task_and_the_same_for_a_seed(retrieval: Retrieval) -> None:
    store = a_notebook()
    things = ["egg", "mug", "lamp", "pan", "book", "cup"]
    notes = [
        Note(text=f"About the {thing}, number {number}.", task_type=thing) for thing in things for number in range(3)
    ]
    store.change(change(*added(*notes)))
    store.seal(1)
    wanted: dict[str, Any] = {"retrieval": retrieval, "query": "egg", "task_type": "egg", "most": 3}
    own = _said(store, **wanted)
    assert {text.split()[2] for text in own} == {"egg,"}
    others = [_said(store, shuffled=True, seed=seed, **wanted) for seed in range(8)]
    assert others == [_said(store, shuffled=True, seed=seed, **wanted) for seed in range(8)]
    for each in others:
        assert len(each) == 3
        assert not {*each} & {*own}
    assert len({tuple(each) for each in others}) > 1


def test_shuffled_notes_are_of_another_task_though_many_are_of_this_one() -> None:
    store = a_notebook()
    eggs = [Note(text=f"Egg advice {number}.", about="heat an egg") for number in range(12)]
    others = [Note(text=f"Other advice {number}.", about=f"clean a mug, time {number}") for number in range(4)]
    store.change(change(*added(*eggs, *others)))
    store.seal(1)
    wanted: dict[str, Any] = {"retrieval": "lexical", "query": "heat an egg", "most": 4}
    for seed in range(8):
        assert all(text.startswith("Other") for text in _said(store, shuffled=True, seed=seed, **wanted))


def test_what_is_the_same_for_all_tasks_is_not_shuffled() -> None:
    store, _ = a_notebook_of_versions()
    with pytest.raises(UsageError, match=r"expected a retrieval that differs from task to task .*, got 'best'"):
        _said(store, retrieval="best", shuffled=True)


# How two versions differ


def test_a_difference_names_edits_replacements_and_votes() -> None:
    store, _ = a_notebook_of_versions()
    told = list(content_differences(MemoryVersion(store.reader, 1), MemoryVersion(store.reader, 2)))
    assert [(each.sign, each.what.text if isinstance(each.what, Note) else "", each.why) for each in told] == [
        ("-", EGG.text, ""),
        ("+", "Open it, heat the egg, close it.", ""),
        ("-", LAMP.text, "replaced by: Clean"),
        ("~", CLEAN.text, "helpful 0 to 2, harmful 0 to 1, recalled 0 to 5"),
    ]


def test_two_files_are_compared_by_what_their_notes_say() -> None:
    store, _ = a_notebook_of_versions()
    other = Store(":memory:", world="alfworld", kind="notebook")
    copy_version(MemoryVersion(store.reader, 1), other)
    other.reader.file = "other.sqlite"
    assert not list(content_differences(MemoryVersion(store.reader, 1), MemoryVersion(other.reader, 0)))
    told = list(content_differences(MemoryVersion(other.reader, 0), MemoryVersion(store.reader, 2)))
    assert sorted(each.sign for each in told) == ["+", "-", "-", "~"]


def test_equal_notes_of_two_files_are_compared_one_by_one() -> None:
    one, other = a_notebook(), a_notebook()
    one.change(change(*added(ANY, ANY, ANY)))
    other.change(change(*added(ANY)))
    for store in (one, other):
        store.seal(1)
    other.reader.file = "other.sqlite"
    told = list(content_differences(MemoryVersion(one.reader, 1), MemoryVersion(other.reader, 1)))
    assert [(each.sign, each.what) for each in told] == [("-", ANY)] * 2
    assert not list(content_differences(MemoryVersion(one.reader, 1), MemoryVersion(one.reader, 1)))


def test_tuples_are_compared_too() -> None:
    store = a_memory()
    told = list(content_differences(MemoryVersion(store.reader, 1), MemoryVersion(store.reader, 2)))
    assert [(each.sign, getattr(each.what, "action", "")) for each in told] == [("+", "look")]
    with pytest.raises(UsageError, match="expected a memory, got a notebook"):
        list(content_differences(MemoryVersion(store.reader, 1), MemoryVersion(a_notebook().reader, 0)))


def test_a_notebook_is_read_while_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "notes.sqlite"
    store, _ = a_notebook_of_versions(file)
    with closing(MemoryReader.open(file)) as reader:
        store.change(change(*added(Note(text="later")), version=3))
        assert len(find_notes(reader, found(2)).notes) == 3
        with pytest.raises(UsageError, match=r"expected a sealed version \(0 to 2\), got 3"):
            find_notes(reader, found(3))
    store.close()
