from pathlib import Path

import pytest

from quintet.environments.webshop.shop.files import ShopFiles, locate
from quintet.errors import UsageError


def folder(path: Path, *names: str) -> Path:
    for name in names:
        (path / name).touch()
    return path


_PLAIN = ("items_shuffle", "items_ins_v2", "items_human_ins")
_SHORT = ("items_shuffle_1000", "items_ins_v2_1000")


@pytest.mark.parametrize(
    ("there", "named", "found"),
    [
        ((*_PLAIN, _SHORT[0]), "", _PLAIN),
        ((*_PLAIN[:2], *_SHORT), "items_shuffle_1000.json", _SHORT),
        (_SHORT, "", _SHORT),
        (("mine", _PLAIN[1]), "mine.json", ("mine", _PLAIN[1])),
    ],
    ids=["plain names", "of its variant", "the only ones", "a name of its own"],
)
def test_official_files_are_found_by_their_names(
    tmp_path: Path, there: tuple[str, ...], named: str, found: tuple[str, ...]
) -> None:
    here = folder(tmp_path, *(f"{name}.json" for name in there))
    paths = [here / f"{name}.json" for name in found]
    assert locate(here / named) == ShopFiles(paths[0], paths[1], paths[2] if len(paths) > 2 else None)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), r"expected one file items_shuffle\*.json, got none"),
        (("items_shuffle.json",), r"expected one file items_ins_v2\*.json, got none"),
        (
            ("items_shuffle_a.json", "items_shuffle_b.json"),
            r"items_shuffle\*.json, got items_shuffle_a.json, items_shuffle_b.json",
        ),
    ],
)
def test_a_missing_file_is_named(tmp_path: Path, names: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        locate(folder(tmp_path, *names))


def test_a_built_file_is_no_official_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected official files, got one that is built already, or no \.json.*shop"):
        locate(folder(tmp_path, "shop", "items_ins_v2.json") / "shop")
    with pytest.raises(UsageError, match=r"expected a folder or a file, got nothing there.*nowhere"):
        locate(tmp_path / "nowhere")
