"""What the contract of learners asks about each kind of content: what a run begins with, and what its episodes read."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Final

import msgspec
from msgspec import structs

from quintet.events import CallMade, Published, Recalled, Record, SessionOpened
from quintet.memory.ids import place_of
from quintet.messages.learning import LearntKind
from quintet.messages.memory import MemoryTuple
from quintet.messages.notes import AddNote, Note
from quintet.messages.paths import LEARNER, Path, attempt_of, episode_of
from quintet.messages.store import ChangeNotes, NamedType, Sealed, StoreTuples
from quintet.runtime.episode_requests import learnt_parts
from quintet.testing.expectations import expect
from quintet.testing.replay import Scenario, new_store

_PLAN = "1. Begin here."
"""A version 0 with some text."""


class PlanCase:
    """What a run with a learnt plan begins with, and what its episodes read."""

    def given(self, scenario: Scenario) -> Scenario:
        """The scenario, begun with some content."""
        return replace(scenario, learn=structs.replace(scenario.learn, start=_PLAN))

    def start(self, scenario: Scenario) -> str:
        """The content that version 0 must have."""
        return scenario.learn.start

    def expect_pinned(self, scenario: Scenario, records: Sequence[Record]) -> None:
        """Expect every episode to read the version that its path names, and no other."""
        published = _published(records)
        shown = {version: _plan_texts(version, content) for version, content in published.items()}
        known = _common_texts(scenario, records)
        for episode, read in _read(records).items():
            version = attempt_of(episode).epoch
            for text in shown[version]:
                expect(text in read, f"version {version} in the first prompts of {episode}", "none of it")
            for other, texts in shown.items():
                own = (*shown[version], known)
                found = any(text in read for text in texts if not any(text in each for each in own))
                expect(not found, f"version {version} alone in the first prompts of {episode}", f"version {other}")


class MemoryCase:
    """The same of a memory or a notebook.

    Args:
        stored: what version 0 has.
    """

    def __init__(self, stored: StoreTuples | ChangeNotes) -> None:
        self._stored = stored

    def given(self, scenario: Scenario) -> Scenario:
        """The scenario, begun with some content."""
        begun = replace(scenario, stored=(self._stored,))
        return replace(begun, learn=structs.replace(begun.learn, start=self.start(begun)))

    def start(self, scenario: Scenario) -> str:
        """The content that version 0 must have."""
        with closing(new_store(scenario)) as store:
            return msgspec.json.encode(store.reader.versions()[0]).decode()

    def expect_pinned(self, scenario: Scenario, records: Sequence[Record]) -> None:
        """Expect every episode to read the version that its path names, and no other."""
        sealed = {number: msgspec.json.decode(text, type=Sealed) for number, text in _published(records).items()}
        recalled: dict[Path, list[Recalled]] = {}
        for event in (record.event for record in records):
            if isinstance(event, Recalled):
                recalled.setdefault(episode_of(event.path), []).append(event)
        asked = {episode_of(record.event.path) for record in records if record.prompts} - {LEARNER}
        for episode in sorted(asked):
            version = attempt_of(episode).epoch
            events = recalled.get(episode, [])
            if sealed[version].tuples or sealed[version].notes:
                expect(bool(events), f"version {version} to be recalled from in {episode}", "nothing")
            for event in events:
                expect(event.version == version, f"version {version} alone in {episode}", f"version {event.version}")
                newest = max((place_of(each).version for each in event.ids), default=0)
                expect(newest <= version, f"content of version {version} in {event.path}", f"one of version {newest}")


_TUPLES = StoreTuples(
    version=0,
    batch=1,
    place=0,
    types=(NamedType(number=1, name="goals"), NamedType(number=1, name="views", goal_type=1)),
    processes=(
        tuple(
            MemoryTuple(
                goal="begin",
                evaluation="",
                summary="",
                observation=observation,
                action=action,
                source="given",
                goal_type=1,
                observation_type=1,
            )
            for observation, action in (("You are here.", "look"), ("You see it.", "take it"))
        ),
    ),
)
"""A version 0 with two tuples."""

_NOTES = ChangeNotes(
    version=0,
    place=0,
    changes=tuple(
        AddNote(note=Note(title=title, text=text, episode="given"))
        for title, text in (("Begin", "Look before you begin."), ("End", "Say when it is done."))
    ),
)
"""A version 0 with two notes."""

CONTENT_CASES: Final[Mapping[LearntKind, PlanCase | MemoryCase]] = {
    "plan": PlanCase(),
    "memory": MemoryCase(_TUPLES),
    "notebook": MemoryCase(_NOTES),
}


def _published(records: Sequence[Record]) -> Mapping[int, str]:
    events = (record.event for record in records)
    return {event.version: event.content for event in events if isinstance(event, Published)}


def _plan_texts(version: int, content: str) -> tuple[str, ...]:
    """The texts of a plan that an episode reads."""
    parts = learnt_parts("plan", version, content, None)
    texts = (text for part in parts for text in structs.astuple(part))
    return tuple(text for text in texts if isinstance(text, str) and text.strip())


def _common_texts(scenario: Scenario, records: Sequence[Record]) -> str:
    """The texts that episodes read in every version."""
    events = (record.event for record in records)
    opened = (event.observation for event in events if isinstance(event, SessionOpened))
    return "\n".join((*scenario.spec.methods[0].prompts.values(), *opened))


def _read(records: Sequence[Record]) -> Mapping[Path, str]:
    """By episode, what the first prompt of each of its phases said."""
    nodes = {node.address: node for record in records for node in record.prompts}
    said: dict[Path, list[str]] = {}
    phases: set[tuple[Path, str]] = set()
    for event in (record.event for record in records):
        episode = episode_of(event.path)
        if not isinstance(event, CallMade) or episode == LEARNER or (episode, event.phase) in phases:
            continue
        phases.add((episode, event.phase))
        node = nodes.get(event.prompt)
        while node is not None:
            said.setdefault(episode, []).extend(message.content for message in node.appended)
            node = None if node.parent is None else nodes.get(node.parent)
    return {episode: "\n".join(texts) for episode, texts in said.items()}
