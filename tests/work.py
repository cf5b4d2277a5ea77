"""Counts what Python does, where a test is about cost: bytecode instructions are the same on every machine."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


class Work:
    """The instructions that Python functions execute inside the block.

    Args:
        files: ends of the names of the files whose functions count; none: all count.
    """

    def __init__(self, *files: str) -> None:
        self._files = files
        self.instructions = 0

    def __enter__(self) -> "Work":
        self._before = sys.gettrace()
        sys.settrace(self._enter)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(self._before)

    def _enter(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        if self._files and not frame.f_code.co_filename.endswith(self._files):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._count

    def _count(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        self.instructions += event == "opcode"
        return self._count


def work_of(call: Callable[[], object]) -> int:
    """The instructions that a call takes."""
    with Work() as work:
        call()
    return work.instructions
