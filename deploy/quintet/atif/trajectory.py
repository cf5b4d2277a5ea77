"""An episode's records as an ATIF trajectory: subtasks and branches are sub-trajectories of the one around them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from atif import Agent, FinalMetrics, Observation, ObservationResult, Step, Trajectory

from quintet.atif.parts import (
    KEY,
    Texts,
    action_parts,
    call_step,
    dispatch_step,
    message_step,
    non_defaults,
    note_step,
    reference,
    request_parts,
)
from quintet.atif.tools import ToolDefinitions, action_call
from quintet.events import CallMade, EpisodeEnded, Exchanged, Record, SessionOpened, StepTaken
from quintet.export.prompt_reader import PromptReader
from quintet.journal.blocks import Block, read_blocks
from quintet.messages.message import request_name
from quintet.messages.paths import Path, is_within, parent
from quintet.messages.prompts import PromptAddress, address_of, assistant, user
from quintet.messages.solving import Solve
from quintet.quota.cost import Cost, total
from quintet.quota.prices import Price, price_of
from quintet.reports.transcript import chosen_action, event_note

VERSION: Final = "ATIF-v1.8"
"""The schema that is written."""

SOLVE: Final = request_name(Solve)


class PlayedEpisode(NamedTuple):
    """An episode to write."""

    path: Path
    records: Sequence[Record]
    began: float
    """Its first start, in seconds since the Unix epoch."""
    agent: Agent
    world: str
    """The environment's name, of which a step is a tool call."""
    prices: Mapping[str, Price]
    about: Mapping[str, Any]
    """What the run's record has of it, for `extra`."""
    notes: str = ""
    """What a reader has to know first."""
    session: str = ""
    """The run's name."""
    pictures: Mapping[Path, str] = {}
    """The files of its world's pictures, by the path of the event that they show."""


class _Part:
    """A trajectory that grows."""

    def __init__(self, path: Path, agent: Agent) -> None:
        self.path = path
        self.agent = agent
        self.steps: list[dict[str, Any]] = []
        self.subs: list[Trajectory] = []
        self.shown: set[PromptAddress] = set()
        """The conversations of which every message is a step."""
        self.used: list[Cost] = []
        self.cached = 0
        self.answered: tuple[CallMade, PromptAddress, str] | None = None
        """The call that is the newest step, the conversation up to its completion, and the action that it chose."""

    def add(self, step: dict[str, Any]) -> None:
        self.steps.append(step)
        self.answered = None

    def whole(self, **more: Any) -> Trajectory:
        cost = total(self.used)
        return Trajectory(
            schema_version=VERSION,
            trajectory_id=self.path,
            agent=self.agent,
            steps=[Step(step_id=number, **step) for number, step in enumerate(self.steps, 1)],
            final_metrics=FinalMetrics(
                total_prompt_tokens=cost.prompt_tokens,
                total_completion_tokens=cost.completion_tokens,
                total_cached_tokens=self.cached,
                total_cost_usd=cost.usd,
                total_steps=len(self.steps),
            ),
            subagent_trajectories=self.subs or None,
            **more,
        )


def to_trajectory(episode: PlayedEpisode) -> Trajectory:
    """The trajectory of an episode, also of one that has not ended."""
    return _Writer(episode).write()


class _Writer:
    def __init__(self, episode: PlayedEpisode) -> None:
        self._episode = episode
        self._blocks = read_blocks(episode.records)
        self._prompts = PromptReader(bound=1 << 62)
        self._texts = Texts()
        self._tools = ToolDefinitions(episode.agent.tool_definitions)
        for record in episode.records:
            self._prompts.add(record.prompts)
            self._texts.add(record)
        self._open = [_Part(episode.path, episode.agent)]
        """Innermost last."""

    def write(self) -> Trajectory:
        episode = self._episode
        answer: Record | None = None
        end: Record | None = None
        separate = _separate_branches(self._blocks)
        for block in self._blocks:
            while not is_within(block.path, self._open[-1].path):
                self._close()
            if block.kind == "episode":
                end = block.record
            elif block.record is None:
                if block.path in separate:
                    self._begin_branch(block)
            elif block.path == episode.path and isinstance(block.record.event, Exchanged):
                answer = block.record
            else:
                self._add(block.record)
        while len(self._open) > 1:
            self._close()
        if answer is not None:
            self._add(answer)
        return self._open[0].whole(
            session_id=episode.session or None, notes=episode.notes or None, extra={KEY: self._about(end)}
        )

    def _about(self, end: Record | None) -> dict[str, Any]:
        about = {**self._episode.about, "path": self._episode.path, "began": round(self._episode.began * 1000)}
        if end is None or not isinstance(end.event, EpisodeEnded):
            return {**about, "state": "unfinished"}
        written = non_defaults(end, "event", "prompts")
        earned = {"success": end.event.reward >= 1, "reward": end.event.reward}
        return {**about, **earned, **non_defaults(end.event, "path"), "end": written}

    def _close(self) -> None:
        part = self._open.pop()
        self._open[-1].subs.append(part.whole())
        self._open[-1].used += part.used
        self._open[-1].cached += part.cached

    def _begin_branch(self, block: Block) -> None:
        part = self._open[-1]
        result = ObservationResult(subagent_trajectory_ref=reference(block.path))
        said = f"branch {block.path.rpartition('/')[2]}"
        part.add({"source": "system", "message": said, "observation": Observation(results=[result])})
        self._open.append(_Part(block.path, part.agent))

    def _add(self, record: Record) -> None:
        part, event = self._open[-1], record.event
        match event:
            case CallMade():
                self._add_call(part, record, event)
            case StepTaken():
                self._add_action(part, record, event)
            case Exchanged():
                is_answer = event.path == self._episode.path
                sub = event.path if event.request == SOLVE and not is_answer else None
                turns = (self._texts if is_answer else Texts()).write(event.turns)  # it is read last, when all is said
                part.add(dispatch_step(record, request_parts(record, event, turns, sub)))
                if sub is not None:
                    self._open.append(_Part(sub, _agent_of(event, part.agent)))
            case _:
                usual = "session opened" if isinstance(event, SessionOpened) else event_note(event)
                picture = self._episode.pictures.get(event.path)
                part.add(note_step(record, usual or event.kind.replace("_", " "), picture))

    def _add_call(self, part: _Part, record: Record, call: CallMade) -> None:
        after: PromptAddress | None = None
        for said in self._prompts.read(call.prompt):
            if said.address not in part.shown:
                part.add(message_step(said.message.role, said.message.content, after))
                part.shown.add(said.address)
            after = said.address
        usage = call.completion.usage
        cost = Cost.of(usage, price_of(call.model, self._episode.prices))
        part.used.append(cost)
        part.cached += usage.cached_tokens
        part.add(call_step(record, call, cost.usd, self._tools))
        answered = address_of(call.prompt or None, assistant(call.completion.text))
        part.shown.add(answered)
        part.answered = call, answered, chosen_action(call.completion.text)

    def _add_action(self, part: _Part, record: Record, step: StepTaken) -> None:
        asked, world, picture = part.answered, self._episode.world, self._episode.pictures.get(step.path)
        if asked is None or asked[2] != step.action or parent(asked[0].path) != parent(step.path):
            part.add(dispatch_step(record, action_parts(record, step, world, picture)))
            return
        tool = action_parts(record, step, world, picture, action_call(asked[0].completion.tool_answer))
        part.steps[-1] |= {"tool_calls": [tool[0]], "observation": Observation(results=[tool[1]])}
        part.shown.add(address_of(asked[1], user(step.observation)))
        part.answered = None


def _agent_of(solve: Exchanged, around: Agent) -> Agent:
    """The agent of a subtask: the inner method that it was given to, or else the one around it."""
    try:
        by = msgspec.json.decode(solve.reply, type=_Reply).by
    except msgspec.MsgspecError:  # an answer that this version does not know
        by = ""
    return around.model_copy(update={"name": by}) if by else around


class _Reply(msgspec.Struct):
    by: str = ""


def _separate_branches(blocks: Sequence[Block]) -> set[Path]:
    """The branches that are trajectories of their own: those of a group of several."""
    paths = {block.path for block in blocks}
    branches = {block.path for block in blocks if block.kind == "branch"}
    below = Counter(map(parent, paths))
    return {path for path in branches if parent(path) in branches and below[parent(path)] > 1}
