"""Evaluators on our sites in a real browser."""

from pathlib import Path
from typing import Any

import pytest

from tests.actors.environments.webarena.live import named, number_of, tasks_file, world_of
from tests.actors.environments.webarena.official import program_evaluation

pytestmark = pytest.mark.web

PAGE = "__SHOPPING__/customer/account/"
FIELD = "document.querySelector('[name=phone]').value"


def check(url: str, locator: str, exact: str, *before: str) -> dict[str, Any]:
    found = {"url": url, "locator": locator, "required_contents": {"exact_match": exact}}
    return {**found, "prep_actions": before} if before else found


UNSENT = program_evaluation(
    check("last", FIELD, "Rowing"),
    check("last", f"{FIELD}.startsWith('Row')", "true"),
    check("last", f"{FIELD}.length", "6"),
    check(PAGE, FIELD, "555-310-2200"),
)
PREPARED = program_evaluation(
    check(PAGE, FIELD, "set", f"nonsense({FIELD})", f"{FIELD} = 'set'"),
    check(PAGE, "document.querySelector('#none').outerText", ""),
    check(PAGE, "document.querySelector('#none')", ""),
    {"url": PAGE, "required_contents": {"must_include": ["<input", "555-310-2299 |OR| Emma Lindqvist, emma@"]}},
)


async def test_the_last_page_is_judged_as_it_is_and_others_are_opened_anew_and_prepared(tmp_path: Path) -> None:
    shopping: dict[str, Any] = {"sites": ["shopping"], "start_url": PAGE}
    async with world_of(tasks_file(tmp_path, {**shopping, "eval": UNSENT}, {**shopping, "eval": PREPARED})) as world:
        session = await world.open(named())
        field = number_of(session.observation, "textbox", "Phone")
        await session.step(f"type [{field}] [Rowing] [0]")
        assert (await session.step("stop []")).reward == 1.0
        session = await world.open(named(1))
        assert (await session.step("stop []")).reward == 1.0
