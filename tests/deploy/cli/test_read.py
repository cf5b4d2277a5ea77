"""`quintet read`: every kind of completion, and lines that are none."""

import io
import json
import sys
from typing import Any

import pytest

from quintet.cli.read import KINDS
from tests.command import Said, command


def read(monkeypatch: pytest.MonkeyPatch, kind: str, *lines: bytes) -> Said:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines))))
    return command("read", kind)


def line(text: str, **further: str) -> bytes:
    return json.dumps({"text": text, **further}).encode()


PLAN = "Step 1: a\nStep 2: b\nStep 3: c\nExecution Order: (1 OR 2) AND 3"
DECLINED = "You declined, so there was no action in your answer"
CUT_OFF = "the model was cut off before the plan was whole"
UNDERSTOOD: list[tuple[str, bytes, dict[str, Any]]] = [
    ("decision", line("Action: look"), {"action": "look"}),
    ("decision", line("Task completed."), {"claim": True}),
    ("decision", line("Hm."), {"unreadable": "I found no action in that"}),
    ("decision", line("Action: look", finish="refusal"), {"unreadable": DECLINED}),
    ("plan", line(PLAN), {"plan": {"all": [{"any": ["a", "b"]}, "c"]}, "notes": []}),
    ("plan", line(PLAN, finish="length"), {"plan": None, "notes": [CUT_OFF]}),
    ("steps", line("List\n1. a\n2. b"), {"steps": ["a", "b"], "notes": []}),
    ("alignment", line("To look.\nNO"), {"description": "To look.", "aligned": False, "notes": []}),
    ("verdict", line("YES or NO"), {"completed": None, "notes": ["the model left out the YES or NO"]}),
    ("condensed", line("Short description: a desk."), {"condensed": "a desk.", "notes": []}),
    ("retargeted", line("New action is: click [27]"), {"retargeted": "click [27]", "notes": []}),
    ("reflection", line("Summary: a\nFlaws: b"), {"reflection": "a", "notes": ["also has the flaws: b"]}),
    ("revision", line("The plan stays as it is."), {"revision": None, "unchanged": True, "notes": []}),
    ("look_back", line("Reflection: Serve."), {"look_back": "Serve.", "notes": []}),
    ("mark", line("Mark: 7/10"), {"mark": 7.0, "notes": []}),
    ("choice", line("Choice: 12"), {"choice": 12, "notes": []}),
]


@pytest.mark.parametrize(("kind", "completion", "understood"), UNDERSTOOD)
def test_a_line_is_answered_with_how_it_is_understood(
    monkeypatch: pytest.MonkeyPatch, kind: str, completion: bytes, understood: dict[str, Any]
) -> None:
    said = read(monkeypatch, kind, b"", completion, b" ", completion)
    assert (said.code, [json.loads(each) for each in said.out.splitlines()], said.err) == (0, [understood] * 2, "")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_understands_a_line_of_any_text_somehow(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    assert json.loads(read(monkeypatch, kind, line("Hm.")).out)


@pytest.mark.parametrize(
    "wrong", [b"text", b"[]", b'{"tex": "x"}', b'{"text": 1}', b"\xff", b"[" * 9_000, b'{"text": "", "finish": "soon"}']
)
def test_a_line_that_is_no_completion_is_named_by_its_number(monkeypatch: pytest.MonkeyPatch, wrong: bytes) -> None:
    said = read(monkeypatch, "decision", line("Action: look"), b"", wrong, line("Action: look"))
    assert (said.code, said.out) == (2, '{"action": "look"}\n')
    assert said.err.startswith('quintet: standard input, line 3: expected {"text": "..."}, got ')


def test_what_a_model_wrote_reaches_no_terminal_unescaped(monkeypatch: pytest.MonkeyPatch) -> None:
    said = read(monkeypatch, "decision", line("Action: look\x1b]0;x\x07\x9b31m"), b"\x1b[31m")
    assert not {"\x1b", "\x9b", "\x07"} & {*said.out, *said.err}
