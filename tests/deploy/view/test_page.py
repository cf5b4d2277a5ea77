"""The page's own files: the toolkit as its authors wrote it, and scripts that import only each other."""

import json
import re

from quintet.view.page import STATIC, read_static, safe_json, scripts
from tests.web.vendored import VENDOR, packages, sha256


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
