"""Changes as diffs."""

from random import Random

from quintet.environments.webarena.sites.tracker.patches import diff_path, patched
from quintet.environments.webarena.sites.tracker.sources import module_path, part_diff, project_files
from quintet.environments.webarena.sites.tracker.tables import tracker_words

DIFF = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"


def test_a_change_is_put_into_its_file() -> None:
    assert diff_path(DIFF) == "x.py"
    assert patched("one\ntwo\nfour\n", DIFF) == "one\nthree\nfour\n"


def test_a_file_that_has_changed_since_or_fits_twice_is_left_alone() -> None:
    assert patched("one\nfour\n", DIFF) is None
    assert patched("one\ntwo\none\ntwo\n", DIFF) is None
    assert patched("one\n", "") is None
    assert diff_path("") == ""


def test_every_change_that_the_seed_can_make_fits_its_file() -> None:
    words = tracker_words()
    people = {username: (name, mail) for username, name, mail, _ in words.users}
    for project in words.projects:
        files = project_files(project, people)
        for number, part in enumerate(project.parts):
            diff = part_diff(Random(number), project, part)
            assert diff_path(diff) == module_path(project, part)
            assert patched(files[diff_path(diff)], diff) not in (None, files[diff_path(diff)])
