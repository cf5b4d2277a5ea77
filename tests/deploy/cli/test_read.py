"""`quintet read`."""

import io
import json
import sys
from typing import Any

import pytest

from quintet.cli import USAGE, main
from tests.command import command


def read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: str, lines: bytes
) -> tuple[int, list[Any], str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    code = main(["read", kind])
    out, err = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()], err


def jsonl(*texts: str, **further: str) -> bytes:
    return "".join(json.dumps({"text": text, **further}) + "\n" for text in texts).encode()


PLAN = "Step 1: a\nStep 2: b\nStep 3: c\nExecution Order: "


UNDERSTOOD: list[tuple[str, bytes, list[Any]]] = [
    (
        "decision",
        jsonl("Action: look", "Task completed.", "Action: task failed"),
        [{"action": "look"}, {"claim": True}, {"claim": False}],
    ),
    ("decision", jsonl("Hm."), [{"unreadable": "I found no action in that"}]),
    (
        "decision",
        jsonl("Action: look", finish="length"),
        [{"unreadable": "Your answer was cut off before its action"}],
    ),
    (
        "decision",
        jsonl("Action: look", finish="refusal"),
        [{"unreadable": "You declined, so there was no action in your answer"}],
    ),
    ("plan", jsonl(PLAN + "(1 OR 2) AND 3"), [{"plan": {"all": [{"any": ["a", "b"]}, "c"]}, "notes": []}]),
    ("plan", jsonl("Step 1: a\nExecution Order: 1"), [{"plan": "a", "notes": []}]),
    (
        "steps",
        jsonl("List\n1. a\n2. b", "Hm."),
        [
            {"steps": ["a", "b"], "notes": []},
            {"steps": None, "notes": ["the plan has no step"]},
        ],
    ),
    (
        "alignment",
        jsonl("The action is to look.\nNO", "YES", "Hm."),
        [
            {"description": "The action is to look.", "aligned": False, "notes": []},
            {"description": None, "aligned": True, "notes": []},
            {"description": None, "aligned": None, "notes": ["the model left out the YES or NO"]},
        ],
    ),
    (
        "alignment",
        jsonl("The action is to look.\nNO", finish="length"),
        [
            {"description": None, "aligned": None, "notes": ["the model was cut off before the YES or NO was whole"]},
        ],
    ),
    (
        "verdict",
        jsonl("It is there. YES", "YES or NO"),
        [
            {"completed": True, "notes": []},
            {"completed": None, "notes": ["the model left out the YES or NO"]},
        ],
    ),
    ("condensed", jsonl("Short description: a desk."), [{"condensed": "a desk.", "notes": []}]),
    ("retargeted", jsonl("New action is: click [27]"), [{"retargeted": "click [27]", "notes": []}]),
    ("plan", jsonl("Hm."), [{"plan": None, "notes": ["the plan has no step"]}]),
    (
        "plan",
        jsonl("Step 1: a\nStep 2: b"),
        [{"plan": {"all": ["a", "b"]}, "notes": ["all steps are taken: no execution order"]}],
    ),
    (
        "plan",
        jsonl(PLAN + "1 OR 2 AND 3"),
        [
            {
                "plan": {"all": [{"any": ["a", "b"]}, "c"]},
                "notes": ["ambiguous: AND and OR without brackets are read from left to right"],
            }
        ],
    ),
    (
        "plan",
        jsonl(PLAN + "1", finish="length"),
        [{"plan": None, "notes": ["the model was cut off before the plan was whole"]}],
    ),
    ("reflection", jsonl("**Flaws:**\nBurning."), [{"reflection": "Burning.", "notes": []}]),
    ("reflection", jsonl("Summary: a\nFlaws: b"), [{"reflection": "a", "notes": ["also has the flaws: b"]}]),
    ("reflection", jsonl(""), [{"reflection": None, "notes": ["nothing is left"]}]),
    ("revision", jsonl("Plan:\n1. Serve."), [{"revision": "1. Serve.", "unchanged": False, "notes": []}]),
    ("revision", jsonl("The plan stays as it is."), [{"revision": None, "unchanged": True, "notes": []}]),
    ("revision", jsonl("Plan:"), [{"revision": None, "unchanged": False, "notes": ["the model wrote no plan"]}]),
    ("look_back", jsonl("Reflection: Serve."), [{"look_back": "Serve.", "notes": []}]),
    ("mark", jsonl("Mark: 7/10"), [{"mark": 7.0, "notes": []}]),
    ("mark", jsonl("Mark: 80%"), [{"mark": None, "notes": ["the model left out the mark"]}]),
    ("choice", jsonl("Choice: 12"), [{"choice": 12, "notes": []}]),
    (
        "choice",
        jsonl("Choice: 1", finish="length"),
        [{"choice": None, "notes": ["the model was cut off before the choice was whole"]}],
    ),
    ("decision", b'\n{"text": "Action: look", "id": 7}\n \n', [{"action": "look"}]),
    ("decision", b"", []),
]


@pytest.mark.parametrize(("kind", "lines", "understood"), UNDERSTOOD)
def test_every_line_is_answered_with_how_it_is_understood(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: str, lines: bytes, understood: list[Any]
) -> None:
    assert read(monkeypatch, capsys, kind, lines) == (0, understood, "")


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"text",
        b"[]",
        b'"look"',
        b'{"tex": "x"}',
        b'{"text": 1}',
        b"\xff",
        b"[" * 9_000,
        b'{"text": "", "finish": "soon"}',
    ],
)
def test_a_line_that_is_no_completion_is_named_by_its_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: bytes
) -> None:
    lines = jsonl("Action: look") + b"\n" + line + b"\n" + jsonl("Action: look")
    code, understood, error = read(monkeypatch, capsys, "decision", lines)
    assert (code, understood) == (USAGE, [{"action": "look"}])
    assert error.startswith('quintet: standard input, line 3: expected {"text": "..."}, got ')


def test_what_a_model_wrote_reaches_no_terminal_unescaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(jsonl("Action: look\x1b]0;x\x07\x9b31m") + b"\x1b[31m\n"))
    )
    _, out, err = command("read", "decision")
    assert not {"\x1b", "\x9b", "\x07"} & {*out, *err}
