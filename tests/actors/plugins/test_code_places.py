"""Which place of a traceback a message names."""

import json
import pickle
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import pytest
from pydantic import TypeAdapter

from quintet.plugins.code_places import copy_place, defined_at, keep_place, raised_at


def _raised(call: Callable[[], object]) -> Exception:
    with pytest.raises(Exception) as caught:
        call()
    return caught.value


def _read() -> object:
    return json.loads("{")


def test_the_place_is_the_innermost_in_the_users_own_code_and_not_in_a_library() -> None:
    line = _read.__code__.co_firstlineno + 1
    assert raised_at(_raised(_read)) == f"{__file__}, line {line}, in _read"


def test_without_own_code_it_is_in_an_installed_package_or_else_where_it_was_raised() -> None:
    def beneath(call: Callable[[], object]) -> str:
        error = _raised(call)
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_globals["__name__"] == __name__:
            frames = frames.tb_next
        return raised_at(error.with_traceback(frames))

    assert "/pydantic/" in beneath(lambda: TypeAdapter(cast("type[object]", object())))
    assert re.search(r"/json/decoder\.py, line \d+, in raw_decode$", beneath(lambda: json.loads("{")))
    assert raised_at(ValueError("never raised")) == ""


def test_a_place_travels_with_an_exception_that_loses_its_frames() -> None:
    error = _raised(_read)
    place = raised_at(error)
    keep_place(error)
    described = RuntimeError("cannot be pickled")
    copy_place(error, described)
    for each in (pickle.loads(pickle.dumps(described)), described):
        assert raised_at(each) == place
        assert "json.loads" in "".join(each.__notes__)


def test_a_definition_has_its_file_and_line_or_else_its_name() -> None:
    assert defined_at(_read) == f"{__file__}, line {_read.__code__.co_firstlineno}"
    made = type("Made", (SimpleNamespace,), {"__module__": "nowhere"})
    assert defined_at(made) == "nowhere.Made"
