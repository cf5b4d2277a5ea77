"""The library: names, splits, and what a task needs."""

from pathlib import Path

import pytest

from quintet.environments.webarena.actions import WebStop
from quintet.environments.webarena.tasks.library import TaskLibrary, open_library
from quintet.environments.webarena.tasks.walks import WalkPage
from quintet.errors import UsageError
from tests.actors.environments.webarena.official import program_evaluation, task_record, web_task, write_records

IMPOSSIBLE = {"reference_answers": {"fuzzy_match": "N/A"}, "string_note": "Nobody sells it."}
ENDS_AT = {"eval_types": ["url_match"], "reference_answers": None, "reference_url": "__SHOPPING__/cart"}
LIBRARY = TaskLibrary(
    [
        web_task(5, intent_template_id=1),
        web_task(4, intent_template_id=1, eval={"reference_answers": {"fuzzy_match": ["a", "b"]}}),
        web_task(8, eval=IMPOSSIBLE),
        web_task(6, eval=ENDS_AT),
        web_task(7, eval=program_evaluation({"url": "__SHOPPING__/cart"}), sites=["shopping", "reddit"]),
        web_task(9, eval=program_evaluation({}), sites=["reddit"]),
        web_task(10, eval=program_evaluation({}) | ENDS_AT | {"eval_types": ["url_match", "program_html"]}),
    ]
)


def test_splits_are_all_tasks_those_of_a_site_those_of_a_kind_and_one_of_each_template() -> None:
    numbers = {split: [int(name.partition("-")[2]) for name in names] for split, names in LIBRARY.splits.items()}
    assert next(iter(LIBRARY.splits)) == "test"
    assert numbers == {
        "test": [5, 4, 8, 6, 7, 9, 10],
        "shopping": [5, 4, 8, 6, 10],
        "reddit": [9],
        "several": [7],
        "read": [5, 4],
        "navigate": [6, 9],
        "change": [7, 10],
        "impossible": [8],
        "templates": [5, 8, 6, 7, 9, 10],
    }


def test_metadata_are_the_sites_the_kind_and_the_use_of_a_judge() -> None:
    assert LIBRARY.metadata("webarena-7") == {"task type": "reddit+shopping", "kind": "change", "judge": "never"}
    assert LIBRARY.metadata("webarena-4")["judge"] == "always"
    assert LIBRARY.metadata("webarena-8")["judge"] == "unless exact"
    with pytest.raises(UsageError, match=r"^task: expected one such as webarena-5 .*, got 'webarena-55' \(webarena\)$"):
        LIBRARY.metadata("webarena-55")


def test_a_task_is_refused_without_a_site_of_its_or_without_a_judge_that_it_needs() -> None:
    def refusals(judged: bool, *sites: str) -> dict[str, str]:
        found = {name: LIBRARY.refusal(name, judged=judged, sites=sites) for name in LIBRARY.tasks}  # type: ignore[arg-type]
        return {name.removeprefix("webarena-"): why for name, why in found.items() if why}

    assert refusals(True, "shopping", "reddit") == {}
    assert refusals(False, "shopping", "reddit") == {"4": "needs a judge", "8": "needs a judge"}
    assert refusals(True, "shopping") == {"7": "needs the site reddit", "9": "needs the site reddit"}
    assert refusals(True)["7"] == "needs the site reddit and the site shopping"


def test_the_digest_follows_tasks_and_walks() -> None:
    tasks = list(LIBRARY.tasks.values())
    assert TaskLibrary(tasks).digest == LIBRARY.digest
    walk = (WalkPage("__SHOPPING__/", (WebStop("3"),)),)
    others = [TaskLibrary(tasks[1:]), TaskLibrary(tasks, {"webarena-5": walk})]
    assert LIBRARY.digest not in {other.digest for other in others}


def test_a_users_file_has_no_walks(tmp_path: Path) -> None:
    library = open_library(write_records(tmp_path, task_record(3)))
    assert (library.splits["test"], library.walks) == (("webarena-3",), {})
