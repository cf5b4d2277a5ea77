"""The stories of the docs: their Python runs as cells of a notebook, and prints what is shown below each cell."""

import asyncio
import linecache
import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_CELL = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def cells(story: str) -> list[tuple[str, str]]:
    """The cells of a story, each with what it prints."""
    return _CELL.findall((ROOT / "docs" / "stories" / f"{story}.md").read_text())


async def run_cells(story: str) -> list[tuple[str, str]]:
    """Run them as a notebook does: on a loop that is running, each cell a file that only `linecache` knows.

    Returns:
        What is shown and what was printed.
    """
    compared: list[tuple[str, str]] = []
    names = vars(sys.modules["__main__"]).copy()
    try:
        for number, (text, shown) in enumerate(cells(story)):
            file = f"<cell {number} of {story}>"
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
            printed = StringIO()
            with redirect_stdout(printed):
                exec(compile(text, file, "exec"), vars(sys.modules["__main__"]))
            compared.append((shown, printed.getvalue()))
    finally:
        vars(sys.modules["__main__"]).clear()
        vars(sys.modules["__main__"]).update(names)
    return compared


@pytest.mark.slow
def test_a_notebook_prints_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    compared = asyncio.run(run_cells("notebook"))
    assert [printed for _, printed in compared] == [shown for shown, _ in compared]


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.xdist_group("ray")
def test_a_notebook_is_a_script_too_also_on_ray(tmp_path: Path) -> None:
    shown = "".join(shown for _, shown in cells("notebook"))
    script = "\n".join(code for code, _ in cells("notebook"))
    ray = ', settings={"runtime": {"kind": "ray", "hosts": 1}})'
    # A model that counts its calls counts none of those of another process.
    there = re.sub(r"(evaluate\(.*)\)$", rf"\1{ray}", script, flags=re.MULTILINE).replace("{counted.calls} calls", "")
    for name, text, expected in (("here", script, shown), ("there", there, re.sub(r"\d+ calls", "", shown))):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "script.py").write_text(text)
        done = subprocess.run(
            [sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == expected
