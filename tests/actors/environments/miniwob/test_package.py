import re
from pathlib import Path

import pytest

from quintet.environments.miniwob.package import (
    package_file,
    page_contents,
    page_names,
    page_path,
    text_with_pictures,
)
from tests.actors.environments.miniwob.installed import needs_package


@needs_package
def test_the_package_has_130_pages() -> None:
    names = page_names()
    assert len(names) == 130
    assert all(package_file(page_path(name)) for name in names)


@needs_package
@pytest.mark.parametrize("path", ["../__init__.py", "miniwob/../../http_server.py", "/etc/passwd", "nothing.html", ""])
def test_no_other_file_of_the_machine_is_served(path: str) -> None:
    assert package_file(path) is None


@needs_package
def test_a_pages_content_is_the_page_and_what_pages_share() -> None:
    one, other = (dict(page_contents((name,))) for name in ("click-test", "click-test-2"))
    assert set(one) - set(other) == {"miniwob/click-test.html"}
    assert "core/core.js" in one


@needs_package
def test_the_styles_of_pages_have_the_packages_pictures_in_them() -> None:
    files = [file for file in map(package_file, map(page_path, page_names())) if file is not None]
    assert not [file.name for file in files if re.search(r"url\([^)]*special/", text_with_pictures(file))]
    tic_tac_toe = next(file for file in files if file.name == "tic-tac-toe.html")
    assert text_with_pictures(tic_tac_toe).count("content:url(data:image/png;base64,") == 2


@needs_package
def test_a_picture_that_is_no_file_of_the_package_is_left_as_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "other.png").write_bytes(b"a picture")
    text = f"a {{ content: url(other.png) }} b {{ content: url({tmp_path}/other.png) }}"
    (page := tmp_path / "page.html").write_text(text)
    assert text_with_pictures(page) == text
