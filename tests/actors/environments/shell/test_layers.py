"""Forks of a folder go their own ways, by layers and by copies."""

from collections.abc import Iterator

import pytest

from quintet.environments.shell import layers
from quintet.environments.shell.host import ShellHost, shell_host
from quintet.environments.shell.layers import Folder, Layer, unpacked
from quintet.environments.shell.sandbox import SandboxCommand, run_command
from quintet.environments.shell.tree import FolderUsage, measure
from tests.actors.environments.shell.sandboxes import HOME, LIMITS, NEEDS_SANDBOX

pytestmark = NEEDS_SANDBOX


@pytest.fixture(params=["layers", "copies"])
def here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ShellHost:
    """The host, which mounts overlays, or copies as where none can be mounted."""
    found = shell_host()
    if request.param == "copies":
        monkeypatch.setattr(found, "overlays", False)
    elif not found.overlays:
        pytest.skip("no overlays can be mounted here")
    return found


@pytest.fixture
def folder(here: ShellHost) -> Iterator[Folder]:
    base = Layer(here)
    for name in ("a", "b"):
        (base.top / name).write_text(f"{name}\n", encoding="utf-8")
        here.own(base.top / name)
    base.usage = measure(base.top)
    yield Folder.over(here, base)
    assert sorted(each.name for each in base.top.iterdir()) == ["a", "b"]
    assert (base.top / "a").read_text(encoding="utf-8") == "a\n"


def _run(folder: Folder, text: str) -> str:
    return run_command(shell_host(), folder, SandboxCommand(text, HOME, HOME), LIMITS).output


def _packed(folder: Folder) -> bytes:
    with shell_host().temporary_file() as file:
        folder.pack(file)
        file.seek(0)
        return file.read()


def test_what_one_side_of_a_fork_does_the_other_does_not_see(folder: Folder) -> None:
    _run(folder, "echo 1 > a; rm b; mkdir d; touch d/x")
    fork = folder.fork()
    assert _run(fork, "cat a; ls -R") == "1\n.:\na\nd\n\n./d:\nx\n"
    _run(fork, "echo 2 >> a; rm -r d; touch b")
    _run(folder, "echo 3 >> a; touch d/y")
    assert _run(folder, "cat a; ls -R") == "1\n3\n.:\na\nd\n\n./d:\nx\ny\n"
    assert _run(fork, "cat a; ls") == "1\n2\na\nb\n"


def test_a_write_through_a_hard_link_stays_on_its_side(folder: Folder) -> None:
    _run(folder, "ln a link")
    fork = folder.fork()
    _run(fork, "echo 2 >> link")
    assert _run(folder, "cat a link") == "a\na\n"


def test_equal_folders_are_packed_alike_and_unpacked_with_all_that_is_in_them(here: ShellHost, folder: Folder) -> None:
    _run(folder, r"chmod 000 a; ln -s nowhere l; mkfifo f; mkdir -p d/e; touch -d @1 $'d/\xff' d/e d . ")
    packed = _packed(folder)
    assert _packed(folder.fork()) == packed
    with here.temporary_file() as file:
        file.write(packed)
        again = unpacked(here, file, measure)
    assert _packed(again) == packed
    assert _run(again, "stat -c '%A %Y %n' a l f d/* .") == _run(folder, "stat -c '%A %Y %n' a l f d/* .")
    assert "Permission denied" in _run(again, "cat a")


def test_a_folder_with_what_was_moved_from_below_is_packed(folder: Folder) -> None:
    _run(folder, "mkdir d; mv b d; mkdir e; mv d/b e; mv e/b d")
    assert _packed(folder) == _packed(folder) == _packed(folder.fork())


def test_many_forks_do_not_pile_up_layers(here: ShellHost, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "_MOST_LAYERS", 4)
    for number in range(12):
        _run(folder, f"echo {number} >> a")
        folder = folder.fork()
        assert folder.overlay.count("/top") <= 4 + 2
    assert _run(folder, "cat a | tr '\\n' ' '; ls") == "a " + " ".join(map(str, range(12))) + " a\nb\n"


def test_a_fork_of_an_unchanged_folder_adds_no_layer(here: ShellHost, folder: Folder) -> None:
    first = folder.fork()
    assert first.overlay.count("/top") == folder.overlay.count("/top")


def test_layers_are_removed_with_the_last_folder_that_has_them(here: ShellHost, folder: Folder) -> None:
    before = set(here.layers.iterdir())
    _run(folder, "echo x > c")
    forks = [folder.fork(), folder.fork()]
    assert set(here.layers.iterdir()) > before
    _run(forks[0], "mkdir -p d/e; chmod 000 d")
    forks.clear()
    assert len(set(here.layers.iterdir()) - before) <= 1  # what was frozen is still the folder's own


def test_a_forks_usage_is_its_origins(folder: Folder) -> None:
    _run(folder, "head -c 1000 /dev/zero > c")
    folder.top.usage = measure(folder.top.top)
    usage = folder.usage
    assert usage.bytes > 1000
    assert folder.fork().usage == usage == folder.usage
    assert FolderUsage() + usage == usage
