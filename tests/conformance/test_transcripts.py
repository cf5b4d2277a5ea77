"""The native engine beside what the official one said when it was asked: no package of its own is needed for that."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.conformance.comparing import difference
from tests.conformance.games import ours
from tests.conformance.kept import kept, opened


@pytest.mark.parametrize("file", kept(), ids=lambda file: file.stem)
def test_the_native_engine_says_what_the_official_one_said(file: Path) -> None:
    problem, transcript = opened(file)
    found = difference(ours(transcript.heading.dialect).game(problem), transcript)
    assert found is None, str(found)


def test_walks_of_both_kinds_in_both_dialects_are_kept() -> None:
    headings = [opened(file)[1].heading for file in kept()]
    kinds = {(heading.dialect, heading.walk == "walkthrough") for heading in headings}
    assert kinds == {(dialect, solved) for dialect in ("classic", "new") for solved in (True, False)}


def test_every_walkthrough_that_is_kept_solves_its_game() -> None:
    walks = [opened(file)[1] for file in kept()]
    ends = [walk.steps[-1] for walk in walks if walk.heading.walk == "walkthrough"]
    assert {(end.done, end.score) for end in ends} == {(True, 1)}


@pytest.mark.parametrize(
    ("what", "other"),
    [
        ("observation", {"observation": "You see a dragon 1."}),
        ("admissible", {"gained": ("examine dragon 1",)}),
        ("score", {"score": 2}),
        ("done", {"done": True}),
    ],
)
def test_a_wrong_answer_is_found(what: str, other: dict[str, object]) -> None:
    problem, transcript = next(walk for walk in map(opened, kept()) if walk[1].heading.walk != "walkthrough")
    wrong = replace(transcript.steps[7], **other)
    changed = replace(transcript, steps=(*transcript.steps[:7], wrong, *transcript.steps[8:]))
    found = difference(ours(transcript.heading.dialect).game(problem), changed)
    assert found is not None
    assert (found.where.rpartition(" step ")[2], found.what) == ("7", what)
