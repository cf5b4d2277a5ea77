"""The 812 released tasks, where they are there: all are read, and in which forms."""

import asyncio
import html
from collections import Counter
from pathlib import Path

import pytest

from quintet.environments.webarena.addresses import PUBLIC_ADDRESSES, SiteAddresses
from quintet.environments.webarena.evaluators.compare import url_matches
from quintet.environments.webarena.evaluators.evaluate import WebVerdict, answer_holds, check_holds, evaluate_task
from quintet.environments.webarena.tasks.library import TaskLibrary, open_library
from quintet.environments.webarena.tasks.schema import ProgramCheck, WebTask
from tests.actors.environments.webarena.evaluators.pages import FixedPages, judged

RELEASED = Path(__file__).parents[6] / "shared" / "data" / "webarena" / "test.raw.json"

pytestmark = pytest.mark.skipif(not RELEASED.is_file(), reason="no released tasks beside the repository")


@pytest.fixture(scope="module")
def library() -> TaskLibrary:
    return open_library(RELEASED)


def test_all_812_are_read_with_their_sites_templates_and_evaluators(library: TaskLibrary) -> None:
    assert library.splits["test"] == tuple(f"webarena-{number}" for number in range(812))
    assert {split: len(names) for split, names in library.splits.items()} == {
        "test": 812,
        "shopping": 187,
        "shopping_admin": 182,
        "reddit": 106,
        "gitlab": 180,
        "map": 109,
        "several": 48,
        "read": 299,
        "navigate": 101,
        "change": 376,
        "impossible": 36,
        "templates": 190,
    }
    assert Counter("+".join(task.eval.eval_types) for task in library.tasks.values()) == {
        "string_match": 325,
        "program_html": 282,
        "url_match+program_html": 129,
        "url_match": 66,
        "string_match+url_match": 10,
    }
    assert Counter(task.judge for task in library.tasks.values()) == {"never": 694, "always": 82, "unless exact": 36}


ADDRESSES = SiteAddresses({site: f"http://{site.replace('_', '-')}.localhost:80/x" for site in PUBLIC_ADDRESSES})


def required(check: ProgramCheck) -> str:
    """A text that has all that a check requires, as a page's source writes it."""
    contents = check.required_contents
    parts = [contents.exact_match] if contents.exact_match is not None else contents.must_include or ()
    return html.escape(ADDRESSES.expand(" ".join(part.split(" |OR| ")[-1] for part in parts)))


def checked(check: ProgramCheck, text: str) -> bool:
    page = FixedPages("http://reddit.localhost/f/a/1/b", otherwise=text)
    return asyncio.run(check_holds(check, judged(page, "http://shopping.localhost/order", ADDRESSES)))


def answered(task: WebTask, answer: str) -> WebVerdict:
    page = FixedPages(ADDRESSES.expand(task.eval.reference_url or ""))
    return asyncio.run(evaluate_task(task, answer, judged(page, addresses=ADDRESSES)))


def test_each_answer_holds_that_is_made_of_its_references_and_no_empty_one(library: TaskLibrary) -> None:
    played = 0
    for task in library.tasks.values():
        if (references := task.eval.reference_answers) is None:
            continue
        exact, parts = references.exact_match, references.must_include
        answer = exact if exact is not None else ", ".join(parts or ())
        assert answer_holds(references, f" '{answer}' "), task.name
        assert answer_holds(references, "") == (exact is None and parts is None), task.name
        fuzzy = references.fuzzy_match
        verdict = answered(task, answer if fuzzy != "N/A" else "n/a")
        assert (verdict.holds, len(verdict.to_grade)) == (True, int(isinstance(fuzzy, tuple))), task.name
        played += 1
    assert played == 335


def test_each_reference_address_is_one_that_its_task_may_end_on(library: TaskLibrary) -> None:
    for task in library.tasks.values():
        if "url_match" in task.eval.eval_types:
            reference = ADDRESSES.expand(task.eval.reference_url or "")
            assert all(url_matches(reference, each) for each in reference.split(" |OR| ")), task.name
            assert not url_matches(reference, "http://homepage.localhost/x"), task.name


def test_each_check_of_a_page_holds_for_what_it_requires_and_not_for_an_empty_page(library: TaskLibrary) -> None:
    checks = [check for task in library.tasks.values() for check in task.eval.program_html]
    by_facts = [check for check in checks if check.locator.startswith("func:shopping")]
    assert (len(checks), len(by_facts)) == (651, 10)
    for check in checks:
        assert not checked(check, ""), check
        assert check in by_facts or checked(check, required(check)), check
