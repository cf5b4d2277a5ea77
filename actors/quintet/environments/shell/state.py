"""One live session of a task: its folder, and its current directory."""

import shlex
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.shell.actions import SUBMIT_ACTION, Run, Submit, UnreadAction, parse_action, run_action
from quintet.environments.shell.check import check_folder
from quintet.environments.shell.given import GivenLayers
from quintet.environments.shell.host import ShellHost
from quintet.environments.shell.layers import Folder, unpacked
from quintet.environments.shell.limits import CommandLimits
from quintet.environments.shell.sandbox import GIVEN_TIME, Ran, SandboxCommand, exceeds, run_command
from quintet.environments.shell.task_folder import TaskFolder
from quintet.environments.shell.tree import measure, settle
from quintet.errors import WorldFault
from quintet.parsing.answers import on_one_line
from quintet.ports.world import Opening, Outcome, WorldState

_CLOCK_SLACK: Final = 0.1
"""Seconds by which a file's time may lie before its change: the kernel's clock for files is coarse."""


class ShellTask(Struct, frozen=True):
    """The part that all sessions of a task share."""

    task: TaskFolder
    opening: Opening
    given: GivenLayers
    limits: CommandLimits
    hidden: tuple[Path, ...]
    """Folders of the host's that no command may see: those of the tasks."""


class ShellState(WorldState):
    """A folder and a current directory. Nothing else outlives a command."""

    directory: bytes
    commands: int
    """How many were run."""
    walked: int
    """How many commands of the task's walk were run, one after the other."""
    figures: dict[str, float]
    """The check's."""

    def __init__(self, start: ShellTask, host: ShellHost, folder: Folder) -> None:
        super().__init__(start.opening)
        self._start = start
        self._host = host
        self._folder = folder
        self.directory = start.task.home.encode()
        self.commands = self.walked = 0
        self.figures = {}

    def step(self, action: str) -> Outcome:
        if self.done:
            return self._ended(rejected=True)
        read = parse_action(action)
        match read:
            case Run():
                return self._run(read.command)
            case Submit():
                return self._submit()
            case UnreadAction():
                return self.reject(read.reply)
            case _:
                assert_never(read)

    def expert(self) -> tuple[str, ...] | None:
        """The rest of the task's walk; from its start, once other commands have changed the folder or the directory."""
        start = self._start
        walk = start.task.walk
        if self.done or walk is None:
            return () if self.done else None
        lost = self.walked == 0 and self.directory != start.task.home.encode()
        back = (f"cd {shlex.quote(start.task.home)}",) if lost else ()
        return (*map(run_action, (*back, *walk[self.walked :])), SUBMIT_ACTION)

    def fork(self) -> Self:
        fork = super().fork()
        fork._folder = self._folder.fork()
        return fork

    def snapshot(self) -> bytes:
        with self._host.temporary_file() as file:
            self._folder.pack(file)
            file.seek(0)
            return msgspec.msgpack.encode((super().snapshot(), file.read()))

    def load(self, snapshot: bytes) -> None:
        try:
            fields, packed = msgspec.msgpack.decode(snapshot, type=tuple[bytes, bytes])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise WorldFault(f"snapshot: expected one of a shell, got {error}") from error
        super().load(fields)
        with self._host.temporary_file() as file:
            file.write(packed)
            self._folder = unpacked(self._host, file, measure)

    def close(self) -> None:
        """Let go of the folder: its layers are removed unless a fork has them too."""
        del self._folder

    def _run(self, text: str) -> Outcome:
        start = self._start
        directory = self.directory.decode(errors="surrogateescape")
        command = SandboxCommand(text, start.task.home, directory, hidden=start.hidden)
        began = time.time() - _CLOCK_SLACK
        ran = run_command(self._host, self._folder, command, self._limits)
        self.commands += 1
        # A second newer than what the command before it changed: times do not depend on when a session is played.
        usage = self._folder.top.usage = settle(self._folder.top.top, began, GIVEN_TIME + self.commands)
        before, self.directory = self.directory, ran.directory.encode(errors="surrogateescape")
        self._note_walk(text, changed=usage.changed or self.directory != before)
        if exceeds(self._folder, start.limits):
            limits = start.limits
            allowed = f"{limits.folder_mb} MB, {limits.files:,} files and 100 folders within each other"
            self.observation = f"{_shown(ran, self._limits)}\nThe folder holds more than {allowed}: the task is over."
            self.done = True
            return self._ended(rejected=False)
        return self.accept(_shown(ran, self._limits))

    def _submit(self) -> Outcome:
        result = check_folder(self._host, self._start.task, self._start.given.tests, self._folder, self._start.limits)
        self.reward, self.done, self.figures = result.reward, True, dict(result.figures)
        verdict = "passed" if result.reward == 1 else "did not pass"
        self.observation = f"Submitted. The check {verdict}."
        return replace(self._ended(rejected=False), final_answer=True)

    def _ended(self, *, rejected: bool) -> Outcome:
        """The outcome of a step that ended the task, or of one after it."""
        figures: Mapping[str, float] = self.figures
        return Outcome(
            observation=self.observation,
            reward=self.reward,
            done=True,
            rejected=rejected,
            figures=figures,
            tells_reward=True,
        )

    @property
    def _limits(self) -> CommandLimits:
        """Of this task's commands."""
        limits, most = self._start.limits, self._start.task.agent_seconds
        return limits if most is None else replace(limits, seconds=max(1, min(limits.seconds, int(most))))

    def _note_walk(self, text: str, *, changed: bool) -> None:
        """Note how far the walk has come."""
        walk = [on_one_line(each) for each in self._start.task.walk or ()]
        line = on_one_line(text)
        if line in walk[self.walked : self.walked + 1]:
            self.walked += 1
        elif changed and line not in walk:
            self.walked = 0


def _shown(ran: Ran, limits: CommandLimits) -> str:
    """A command's output, and how it ended."""
    ends = {
        "seconds": f"killed after {limits.seconds} s",
        "memory": f"killed: more than {limits.memory_mb} MB of memory",
        "output": "killed: too much output",
        "folder": "killed: the folder became too large",
    }
    end = f"exit code {ran.code}" if ran.stopped is None else ends[ran.stopped]
    output = ran.output.rstrip("\n")
    directory = ran.directory.encode(errors="surrogateescape").decode(errors="replace")
    return f"{output}\n[{end}; in {directory}]".lstrip("\n")
