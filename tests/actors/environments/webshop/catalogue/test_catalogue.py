from pathlib import Path

import pytest

from quintet.environments.webshop.catalogue.archive import map_archive
from quintet.environments.webshop.catalogue.catalogue import Catalogue, build_catalogue, catalogue_of, open_catalogue
from quintet.environments.webshop.goals.instructions import unpack_human
from quintet.environments.webshop.products import Product
from quintet.errors import UsageError, WorldFault
from tests.actors.environments.webshop.stock import LAMPS, lamps


def _built(folder: Path) -> Path:
    path = folder / "lamps.shop"
    assert build_catalogue(path, ((each, each.price_range[0]) for each in LAMPS), b"kept") == len(LAMPS)
    return path


def _held(catalogue: Catalogue) -> list[tuple[Product, float]]:
    return [(catalogue.product(number), catalogue.price(number)) for number in range(len(catalogue))]


def test_a_built_file_holds_what_was_written(tmp_path: Path) -> None:
    opened = open_catalogue(_built(tmp_path))
    assert _held(opened) == [(each, each.price_range[0]) for each in LAMPS] == _held(lamps())
    assert bytes(opened.notes) == b"kept"
    assert opened.search("dimmable lamp") == lamps().search("dimmable lamp") == (2, 1, 0)
    assert list(tmp_path.iterdir()) == [tmp_path / "lamps.shop"]


def test_products_are_found_by_id() -> None:
    assert [lamps().number(each.asin) for each in LAMPS] == list(range(len(LAMPS)))
    assert [lamps().number(other) for other in ("", "B0LAMP", "Z", "B0LAMP00020", "b0lamp0002", "é" * 9)] == [None] * 6


def test_the_digest_tells_products_and_prices_apart() -> None:
    assert lamps().digest == catalogue_of((each, each.price_range[0]) for each in LAMPS).digest
    assert lamps().digest != catalogue_of((each, 1.0) for each in LAMPS).digest
    assert lamps().digest != catalogue_of((each, each.price_range[0]) for each in LAMPS[1:]).digest


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    whole = _built(tmp_path).read_bytes()
    for size in (*range(1, 200, 7), len(whole) // 2, len(whole) - 1):
        cut = tmp_path / "cut.shop"
        cut.write_bytes(whole[:size])
        with pytest.raises(UsageError, match=r"data: expected .* \(.*cut\.shop\)"):
            open_catalogue(cut)


def test_damage_is_named_where_it_is_met(tmp_path: Path) -> None:
    path = _built(tmp_path)
    whole = path.read_bytes()
    contents = int.from_bytes(whole[40:48], "little")
    for place in (45, 50, 60, contents, contents + 20, len(whole) - 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        with pytest.raises(UsageError, match=r"data: expected .* \(.*lamps\.shop\)"):
            open_catalogue(path)
    path.write_bytes(whole.replace(b"Tallow", b"\xff\xff\xff\xff\xff\xff", 1))
    with pytest.raises(WorldFault, match="expected product 0 of the shop, got damaged bytes"):
        open_catalogue(path).product(0)
    with pytest.raises(UsageError, match="expected instructions as `quintet data build` keeps them"):
        unpack_human(open_catalogue(path).notes)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "expected a file, got No such file"),
        (b"", "expected a shop, got an empty file"),
        (
            b"SQLite format 3\0" * 20,
            "expected a shop of this version, as `quintet data build webshop` writes it, got another file",
        ),
        (b"quintet webshop 0".ljust(400, b"\0"), "got b'quintet webshop 0'"),
        (b"[]", "got another file"),
    ],
)
def test_another_file_is_refused(content: bytes | None, said: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "other").write_bytes(content)
    with pytest.raises(UsageError, match=said):
        map_archive(tmp_path / "other")


def test_a_build_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = _built(tmp_path)
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError):
        build_catalogue(path, ((each, 1 / (each.asin != "B0LAMP0003")) for each in LAMPS))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
