"""Work in another process: its hash seed, and the report of its exceptions."""

import os

import pytest
from msgspec import Struct

from quintet.errors import UsageError
from quintet.testing.subprocesses import NamedPlugIn, in_subprocess, name_plug_in
from tests.actors import fakes
from tests.actors.fakes import Kitchen


class Text(Struct):
    """Some text."""

    text: str


def hashed(request: Text) -> int:
    print("on the way")
    return hash(request.text)


def failing(request: Text) -> int:
    raise ValueError(f"no {request.text}")


def dying(request: Text) -> int:
    os._exit(3)


def number(request: Text) -> int:
    return os.getpid()


def test_another_process_has_the_hash_seed_it_is_given_and_may_print() -> None:
    first = in_subprocess(hashed, Text("stairs"), hash_seed=1)
    assert first == in_subprocess(hashed, Text("stairs"), hash_seed=1)
    assert first != in_subprocess(hashed, Text("stairs"), hash_seed=2)


def test_an_exception_there_fails_the_test_here() -> None:
    with pytest.raises(pytest.fail.Exception, match="expected the same in another process, got ValueError: no stairs"):
        in_subprocess(failing, Text("stairs"))


def test_one_process_does_all_work_until_it_dies() -> None:
    first = in_subprocess(number, Text(""))
    assert first not in (os.getpid(), in_subprocess(number, Text(""), hash_seed=2))
    assert in_subprocess(number, Text("")) == first
    with pytest.raises(pytest.fail.Exception, match="expected the same in another process, got its exit code 3"):
        in_subprocess(dying, Text(""))
    assert in_subprocess(number, Text("")) != first


def test_an_object_of_a_file_is_made_in_any_process() -> None:
    named = name_plug_in("environment", Kitchen)
    assert (named.name, named.place) == ("kitchen", f"{fakes.__file__}:Kitchen")
    assert named.world().name == "kitchen"
    assert in_subprocess(name_of, named) == "kitchen"
    with pytest.raises(UsageError, match="environment kitchen: expected a class or a function of a file, which"):
        name_plug_in("environment", Kitchen())


def name_of(named: NamedPlugIn) -> str:
    return named.world().name
