"""The records of an episode that we wrote as a trajectory."""

from collections.abc import Iterator, Mapping
from re import fullmatch
from typing import Any

import msgspec
from atif import Trajectory
from msgspec.structs import replace

from quintet.atif.parts import ContextMessage, Texts, read_step
from quintet.atif.tools import ToolDefinitions
from quintet.events import CallMade, EpisodeEnded, Record, StepTaken
from quintet.export.prompt_reader import PromptReader
from quintet.messages.paths import Path, attempt_of, episode_path, order_of
from quintet.messages.prompts import ChatMessage, PromptAddress, PromptNode, address_of, assistant, user


def own_records(trajectory: Trajectory, own: Mapping[str, Any]) -> tuple[Path, float, list[Record]]:
    """The episode's path, when it began in seconds since the Unix epoch, and its records in the order of their times.

    Args:
        own: the content of the trajectory's `extra` that is ours.

    Raises:
        ValueError, TypeError, LookupError, msgspec.ValidationError: it is not what we write.
    """
    path = Path(own["path"])
    task, epoch, number = attempt_of(path)
    if path != f"{task}/{epoch}/{number}" or not (task.startswith("~") or episode_path(task, epoch, number)):
        raise ValueError(f"the path {path!r}")
    found = _Reader(path)
    found.read(trajectory)
    if "end" in own:
        found.add(_end(path, own))
    return path, own["began"] / 1000, found.with_prompts()


def pictures_in(trajectory: Trajectory) -> int:
    """How many pictures a trajectory refers to, with those in it."""
    results = [result for step in trajectory.steps if step.observation for result in step.observation.results]
    parts = [part for result in results if isinstance(result.content, list) for part in result.content]
    subs = trajectory.subagent_trajectories or ()
    return sum(part.type == "image" for part in parts) + sum(map(pictures_in, subs))


def _end(path: Path, own: Mapping[str, Any]) -> Record:
    fields = {field.name: own[field.name] for field in msgspec.structs.fields(EpisodeEnded) if field.name in own}
    event = {**fields, "type": EpisodeEnded.kind, "path": path}
    return msgspec.convert({**own["end"], "event": event}, Record)


class _Reader:
    def __init__(self, episode: Path) -> None:
        self._episode = episode
        self._texts = Texts()
        self._prompts = PromptReader(bound=1 << 62)
        self._found: dict[tuple[str, Path], Record] = {}

    def read(self, trajectory: Trajectory) -> None:
        """Read a trajectory after those in it: an answer, which is its last step, says what was said in all of them."""
        for sub in trajectory.subagent_trajectories or ():
            self.read(sub)
        tools = ToolDefinitions(trajectory.agent.tool_definitions)
        for step in trajectory.steps:
            answered: PromptAddress | None = None
            for each in read_step(step, self._texts, tools):
                if isinstance(each, ContextMessage):
                    message = msgspec.convert({"role": each.role, "content": each.content}, ChatMessage)
                    self._keep(each.after, message)
                    continue
                self.add(each)
                if isinstance(event := each.event, CallMade):
                    answered = self._keep(event.prompt or None, assistant(event.completion.text))
                elif isinstance(event, StepTaken) and answered is not None:
                    self._keep(answered, user(event.observation))

    def _keep(self, after: PromptAddress | None, message: ChatMessage) -> PromptAddress:
        node = PromptNode(address=address_of(after, message), parent=after, appended=(message,))
        self._prompts.add([node])
        return node.address

    def add(self, record: Record) -> None:
        event = record.event
        if not fullmatch(r"(/[0-9]{1,9})*", event.path.removeprefix(self._episode)) or (
            not event.path.startswith(self._episode)
        ):
            raise ValueError(f"an event of another episode, {event.path!r}")
        if (event.kind, event.path) in self._found:
            raise ValueError(f"{event.kind} twice at {event.path!r}")
        self._found[event.kind, event.path] = record
        self._texts.add(record)

    def with_prompts(self) -> list[Record]:
        order = sorted(self._found.values(), key=lambda each: (each.at, order_of(each.event.path)))
        return list(self._add_prompts(order))

    def _add_prompts(self, records: list[Record]) -> Iterator[Record]:
        written: set[PromptAddress] = set()
        for record in records:
            if isinstance(record.event, CallMade) and record.event.prompt:
                said = self._prompts.read(record.event.prompt)
                if not said or said[0].address != address_of(None, said[0].message):
                    raise ValueError(f"a part of the prompt of {record.event.path}")
                new = next((place for place, each in enumerate(said) if each.address not in written), len(said))
                written.update(each.address for each in said[new:])
                parent = said[new - 1].address if new else None
                appended = tuple(each.message for each in said[new:])
                node = PromptNode(address=record.event.prompt, parent=parent, appended=appended)
                yield replace(record, prompts=(node,) if appended else ())
            else:
                yield record
