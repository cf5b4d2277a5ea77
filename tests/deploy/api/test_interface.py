"""The public interface: what is named is there, typed, and documented."""

import inspect
from pathlib import Path

import quintet.api

ROOT = Path(__file__).parents[3]


def test_what_is_public_is_named_in_order_and_documented() -> None:
    names = quintet.api.__all__
    assert names == sorted(names)
    for name in names:
        assert getattr(quintet.api, name).__doc__ or name == "FeedItem"


def test_functions_take_named_options_of_stated_types() -> None:
    functions = [each for name in quintet.api.__all__ if inspect.isfunction(each := getattr(quintet.api, name))]
    assert len(functions) == 12
    for function in functions:
        for parameter in inspect.signature(function).parameters.values():
            assert parameter.kind is not inspect.Parameter.VAR_KEYWORD
            assert parameter.annotation is not inspect.Parameter.empty
            positional = parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
            assert positional == (parameter.default is inspect.Parameter.empty), f"{function.__name__}: {parameter}"


def test_the_page_about_python_names_every_function() -> None:
    page, reference = ((ROOT / "docs" / place).read_text() for place in ("api.md", "reference/api.md"))
    for name in quintet.api.__all__:
        if inspect.isfunction(getattr(quintet.api, name)):
            assert f"{name}(" in page
            assert name in reference
