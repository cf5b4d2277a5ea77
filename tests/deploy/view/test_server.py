"""The viewer: who may ask its server, its page's own files, and a page that is one file."""

import base64
import gzip
import json
import re
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, CookieJar

from quintet.errors import UsageError
from quintet.view.folder import ViewedFolder
from quintet.view.one_file import write_page
from quintet.view.page import STATIC, read_static, safe_json, scripts
from quintet.view.resources import RESOURCES, answer, request_key
from quintet.view.server import ViewServer, serve_view
from tests.actors.pictured import picture_at
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.serving.test_endpoint import without_host
from tests.web.vendored import VENDOR, packages, sha256

pytestmark = pytest.mark.real_time


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    samples.write(tmp_path / "runs" / "one", samples.record("react", ["beehive"]), {"beehive": Went()})
    samples.write(tmp_path / "runs" / "seen", samples.record("react", ["beehive"]), {"beehive": Went(pictures=True)})
    return tmp_path / "runs"


@asynccontextmanager
async def _served(runs: Path, *, token: bool = True) -> AsyncGenerator[tuple[ViewServer, ClientSession]]:
    jar = CookieJar(unsafe=True)  # cookies of an address that is a number
    async with serve_view(ViewedFolder(runs)) as server, ClientSession(cookie_jar=jar) as browser:
        if token:
            async with browser.get(server.url) as opened:
                assert opened.status == 200
        yield server, browser


async def _get(server: ViewServer, browser: ClientSession, path: str, **options: Any) -> tuple[int, str, Any]:
    async with browser.get(f"http://127.0.0.1:{server.port}{path}", **options) as response:
        return response.status, await response.text(), response.headers


async def test_a_browser_brings_the_token_once_and_then_reads(runs: Path) -> None:
    async with _served(runs) as (server, browser):
        status, page, headers = await _get(server, browser, "/")
        assert (status, '<div id="app">' in page) == (200, True)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        status, text, headers = await _get(server, browser, "/api/run?run=one")
        assert status == 200
        assert '"label":"react"' in text
        again = await _get(server, browser, "/api/run?run=one", headers={"If-None-Match": headers["ETag"]})
        assert again[:2] == (304, "")


async def test_a_request_without_a_host_gets_a_400_and_the_log_no_traceback(
    runs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with _served(runs, token=False) as (server, _):
        assert " 400 " in await without_host(server.port)
    assert caplog.records == []


@pytest.mark.parametrize("path", ["/", "/?token=wrong", "/api/runs", "/static/main.js", "/api/runs?token=TOKEN"])
async def test_nobody_reads_without_the_token(path: str, runs: Path) -> None:
    async with _served(runs, token=False) as (server, browser):
        token = server.url.partition("token=")[2]
        status, text, _ = await _get(server, browser, path.replace("TOKEN", token))
        assert (status, "runs" in text) == (403, False)


async def test_another_name_of_this_machine_is_refused_and_it_only_reads(runs: Path) -> None:
    async with _served(runs) as (server, browser):
        status, *_ = await _get(server, browser, "/api/runs", headers={"Host": f"evil.example:{server.port}"})
        assert status == 403
        async with browser.post(f"http://127.0.0.1:{server.port}/api/runs") as response:
            assert response.status == 405


async def test_every_script_is_served_and_nothing_else(runs: Path) -> None:
    async with _served(runs) as (server, browser):
        for file in (*scripts().values(), "view.css", "icon.svg"):
            status, text, headers = await _get(server, browser, f"/static/{file}")
            assert (status, bool(text)) == (200, True)
            assert headers["X-Content-Type-Options"] == "nosniff"
        for file in ("../server.py", "vendor/vendored.json", "%2e%2e/page.py", ""):
            assert (await _get(server, browser, f"/static/{file}"))[0] == 404


async def test_what_cannot_be_shown_has_a_status_and_a_sentence(runs: Path) -> None:
    async with _served(runs) as (server, browser):
        assert (await _get(server, browser, "/api/run?run=../elsewhere"))[0] == 403
        assert (await _get(server, browser, "/api/nothing"))[0] == 400
        shutil.rmtree(runs / "one")
        status, text, _ = await _get(server, browser, "/api/run?run=one")
        assert status == 410
        assert "it was removed or renamed" in text
        shutil.rmtree(runs)
        assert (await _get(server, browser, "/api/runs"))[0] in (400, 410)


async def test_two_viewers_of_a_run_know_their_own_browsers(runs: Path) -> None:
    async with _served(runs) as (server, browser), serve_view(ViewedFolder(runs)) as other:
        assert other.port != server.port
        assert (await _get(other, browser, "/api/runs"))[0] == 403
        async with browser.get(other.url) as opened:
            assert opened.status == 200
        assert (await _get(other, browser, "/api/runs"))[0] == 200
        assert (await _get(server, browser, "/api/runs"))[0] == 200
        with pytest.raises(UsageError, match=f"--port: expected one to listen on, got {server.port}: address "):
            async with serve_view(ViewedFolder(runs), port=server.port):
                pass


async def test_a_picture_is_served_as_a_picture_and_as_nothing_else(runs: Path) -> None:
    place = "run=seen&episode=beehive/0/0"
    async with _served(runs) as (server, browser):
        async with browser.get(f"http://127.0.0.1:{server.port}/picture?{place}&at=beehive/0/0/1") as response:
            assert (response.status, response.content_type) == (200, "image/jpeg")
            assert await response.read() == picture_at(0)
            headers = response.headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        policy = headers["Content-Security-Policy"]
        assert "img-src 'self';" in policy
        tag = {"If-None-Match": headers["ETag"]}
        assert (await _get(server, browser, f"/picture?{place}&at=beehive/0/0/1", headers=tag))[0] == 304
        for wrong, said in {
            f"{place}&at=beehive/0/0/9": "found none",
            f"{place}&at=cake/0/0/1": "expected a path within beehive/0/0",
            place: "missing required field `at`",
            "run=../seen&episode=beehive&at=beehive/0/0/1": "lies elsewhere",
        }.items():
            status, text, headers = await _get(server, browser, f"/picture?{wrong}")
            assert (status in (400, 403), headers["Content-Type"]) == (True, "application/json")
            assert said in text


def test_the_toolkit_is_what_its_authors_published_with_their_licences_beside_it() -> None:
    files = {name: digest for package in packages() for name, digest in package.sha256.items()}
    assert {name: sha256((VENDOR / name).read_bytes()) for name in files} == files
    assert {file.name for file in VENDOR.iterdir()} == {*files, "vendored.json"}
    for package in packages():
        assert package.licence.split("-")[0] in (VENDOR / f"{package.name}.LICENSE").read_text(encoding="utf-8")


def test_scripts_import_only_each_other() -> None:
    for file in scripts().values():
        imported = re.findall(r'^import [^"]*"([^"]+)"|^import[^;"]*from"([^"]+)"', read_static(file), re.MULTILINE)
        assert {one or other for one, other in imported} <= set(scripts()), file


def test_no_script_or_style_has_an_address_elsewhere() -> None:
    ours = [each for each in STATIC.iterdir() if each.name.endswith((".js", ".css"))]
    assert ours
    for file in ours:
        text = file.read_text(encoding="utf-8")
        assert re.findall(r"https?://|innerHTML|dangerouslySetInnerHTML|\beval\(|document\.write", text) == [], (
            file.name
        )


def test_json_ends_no_script_element() -> None:
    text = json.dumps({"said": "</script><!--\u2028"}, ensure_ascii=False)
    assert "<" not in safe_json(text)
    assert json.loads(safe_json(text)) == json.loads(text)


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
    assert names == {"runs", "run", "timeline", "episodes", "episode", "blocks", "prompts", "forks"} <= set(RESOURCES)


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
