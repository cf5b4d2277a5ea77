"""A page that is one file."""

import base64
import gzip
import json
import re
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.view.folder import ViewedFolder
from quintet.view.one_file import write_page
from quintet.view.resources import RESOURCES, answer, request_key
from tests.actors.pictured import picture_at
from tests.deploy import samples
from tests.deploy.samples import Went

TASKS = ("beehive", "cake", "stick")


@pytest.fixture
def viewed(tmp_path: Path) -> ViewedFolder:
    samples.write(tmp_path / "run", samples.record("react", TASKS), {task: Went(calls=2) for task in TASKS[:2]})
    return ViewedFolder(tmp_path / "run")


def _kept(text: str) -> dict[str, object]:
    found = re.search(r'id="kept">([^<]*)<', text)
    assert found is not None
    kept: dict[str, object] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return kept


def test_it_has_what_a_server_would_answer_as_far_as_there_is_room(viewed: ViewedFolder) -> None:
    page = write_page(viewed)
    assert page[1:] == (1, 2, 0, 0, 0)
    assert write_page(viewed, most=1)[1:] == (1, 0, 2, 0, 0)
    kept = _kept(page.text)
    query = {"run": ".", "episode": "cake/0/0", "first": "0", "most": "300"}
    assert kept[request_key("blocks", query)] == json.loads(answer(viewed, "blocks", query))
    names = {json.loads(key)[0] for key in kept}
    assert names == {"runs", "run", "episodes", "episode", "blocks", "prompts"} <= set(RESOURCES)


def test_it_may_ask_nobody_and_fetches_nothing(viewed: ViewedFolder) -> None:
    text = write_page(viewed).text
    assert 'http-equiv="Content-Security-Policy" content="default-src \'none\';'.replace("'", "&#x27;") in text
    assert "connect-src" not in text.partition("<style>")[0]
    assert re.findall(r"<(?:script|link|img)[^>]*\b(?:src|href)=", text) == []


def test_a_folder_without_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--static: expected a run, or a folder with some, found none"):
        write_page(ViewedFolder(tmp_path))


def test_pictures_are_in_the_file_as_far_as_there_is_room(tmp_path: Path) -> None:
    samples.write(tmp_path / "run", samples.record(), {"beehive": Went(calls=2, pictures=True)})
    viewed, size = ViewedFolder(tmp_path / "run"), len(picture_at(0))
    query = {"run": ".", "episode": "beehive/0/0", "at": "beehive/0/0/1"}
    page = write_page(viewed)
    assert (page.pictures, page.pictures_left_out) == (3, 0)
    data = base64.b64encode(picture_at(0)).decode()
    assert _kept(page.text)[request_key("picture", query)] == f"data:image/jpeg;base64,{data}"
    page = write_page(viewed, most_pictures=2 * size)
    assert (page.pictures, page.pictures_left_out) == (2, 1)
