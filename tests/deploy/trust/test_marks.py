"""No setting that may name a program, a module, a file or an address is without a mark of what it does."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest

from quintet.ports.effects import Effect
from tests.deploy.trust.settings_of_ours import every_setting


def holds_text(kind: Any) -> bool:
    """Whether a value of a type may be, or have, a text or a path; words to choose from cannot."""
    if get_origin(kind) is Literal:
        return False
    parts = get_args(kind)[:1] if get_origin(kind) is Annotated else get_args(kind)
    if parts:
        return any(map(holds_text, parts))
    return kind not in (int, float, bool, type(None), ...)


def marks(metadata: list[Any]) -> list[Effect]:
    return [mark for mark in metadata if isinstance(mark, Effect)]


def test_every_setting_that_may_be_a_text_has_one_mark_and_no_other_has_any() -> None:
    found = {name: (holds_text(field.annotation), len(marks(field.metadata))) for name, field in every_setting()}
    assert {name for name, (text, number) in found.items() if number != text} == set()
    assert sum(text for text, _ in found.values()) > 40  # the walk went through all of them


@pytest.mark.parametrize(
    "kind", [str, Path | None, tuple[str, ...], Mapping[str, Any], dict[str, int], Literal["a"] | Path, Any, bytes]
)
def test_what_may_hold_a_text_is_known_by_its_type(kind: object) -> None:
    assert holds_text(kind)


@pytest.mark.parametrize("kind", [int, bool | None, Literal["a", "b"], tuple[float, float], tuple[Literal["a"], ...]])
def test_numbers_and_words_to_choose_from_need_no_mark(kind: object) -> None:
    assert not holds_text(kind)
