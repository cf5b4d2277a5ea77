import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.environments.webarena.recording.archive import (
    PageRecording,
    SavedPage,
    SavedStep,
    read_recording,
    write_recording,
)
from quintet.errors import UsageError

HOME = "http://shopping.s1.localhost:4000/"
RECORDING = PageRecording(
    task="webarena-1000",
    seed=3,
    addresses={"shopping": "http://shopping.s1.localhost:4000"},
    reward=1.0,
    pages=(
        SavedPage(url=HOME, status=200, headers={"content-type": "text/html"}, body=b"<p>caf\xc3\xa9"),
        SavedPage(url=f"{HOME}a", status=303, headers={"location": "/"}, body=b""),
    ),
    steps=(
        SavedStep(action="", observation="A page.", picture=b"\xff\xd8jpeg"),
        SavedStep(action="stop [x]", observation="", picture=b""),
    ),
)


def test_what_is_written_is_read_again_and_the_same_session_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_recording(tmp_path / name, RECORDING)
    found = read_recording(tmp_path / "one")
    assert (len(found.digest), replace(found, digest="")) == (16, RECORDING)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with pytest.raises(UsageError, match=r"^--out: expected a file that can be written"):
        write_recording(tmp_path / "no" / "folder", RECORDING)


def test_a_file_that_is_not_there_or_something_else_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^pages: expected a file of recorded pages, got No such file"):
        read_recording(tmp_path / "nowhere")
    (tmp_path / "text").write_text("pages")
    for name, member, content in (("other", "readme", "no index"), ("index", "index.json", '{"format": 1}')):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr(member, content)
    for name in ("text", "other", "index"):
        with pytest.raises(UsageError, match=r"^pages: expected a file of .*, got another or a damaged one"):
            read_recording(tmp_path / name)


def test_a_damaged_file_is_an_error_in_words_unless_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "pages.zip"
    write_recording(file, RECORDING)
    whole = file.read_bytes()
    refused = 0
    for place, byte in enumerate(whole):
        file.write_bytes(whole[:place] + bytes([byte ^ 1]) + whole[place + 1 :])
        try:
            assert replace(read_recording(file), digest="") == RECORDING
        except UsageError:
            refused += 1
    assert refused > len(whole) / 2


def test_a_file_that_unpacks_to_more_than_is_read_is_refused_and_not_unpacked(tmp_path: Path) -> None:
    page = SavedPage(url=HOME, status=200, headers={}, body=bytes(3 * 2**20))
    write_recording(tmp_path / "bomb", replace(RECORDING, pages=(page,)))
    assert (tmp_path / "bomb").stat().st_size < 2**20
    with pytest.raises(UsageError, match=r"^pages: expected a recording of at most 2 MiB, got a larger one \("):
        read_recording(tmp_path / "bomb", most=2 * 2**20)
    many = tuple(replace(page, url=f"{HOME}{number}", body=bytes(2**20)) for number in range(2))
    write_recording(tmp_path / "many", replace(RECORDING, pages=many))
    for most, held in ((2 * 2**20, False), (3 * 2**20, True)):
        with nullcontext() if held else pytest.raises(UsageError, match="got a larger one"):
            read_recording(tmp_path / "many", most=most)
    (tmp_path / "long").write_bytes(bytes(2**20 + 1))
    with pytest.raises(UsageError, match="at most 1 MiB"):
        read_recording(tmp_path / "long", most=2**20)
