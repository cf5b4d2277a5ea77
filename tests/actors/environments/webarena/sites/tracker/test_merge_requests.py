"""Merge requests: approving, merging, closing."""

from quintet.environments.webarena.sites.instance import Instance
from tests.actors.environments.webarena.sites.visitor import Page, Visitor

LEAP = "/harborworks/tidetable/-/merge_requests/5"
PICKER = "/openloom/loom/-/merge_requests/5"


def test_a_merge_request_is_approved_and_the_approval_taken_back() -> None:
    visitor = Visitor("gitlab")
    assert "Approved by mvoss" in visitor.post(f"{PICKER}/approve").text
    assert "Nobody has approved this yet" in visitor.post(f"{PICKER}/approve").text


def test_merging_changes_the_file_and_adds_a_commit() -> None:
    instance = Instance()
    visitor = Visitor("gitlab", instance)
    page = visitor.get(f"{LEAP}/diffs").text
    added = page.rpartition("<ins>+")[2].partition("</ins>")[0].strip()
    assert added not in visitor.get("/harborworks/tidetable/-/blob/main/src/moon_phase.py").text
    page = visitor.post(f"{LEAP}/merge").text
    assert "You merged this merge request." in page
    assert "Merged on Jun 15, 2023, 12:01 by mvoss." in page
    assert added in visitor.get("/harborworks/tidetable/-/blob/main/src/moon_phase.py").text
    assert "Merge branch &#39;leap-day&#39;" in visitor.get("/harborworks/tidetable/-/commits/main").text
    assert "You cannot merge" in visitor.post(f"{LEAP}/merge").text
    assert "You cannot close" in visitor.post(f"{LEAP}/state").text


def test_a_file_that_changed_since_is_a_conflict() -> None:
    visitor = Visitor("gitlab")
    file = "/harborworks/tidetable/-/edit/main/src/moon_phase.py"
    assert "have been committed" in visitor.post(file, {"content": "something else\n", "message": "Rewrite"}).text
    assert "There are merge conflicts" in visitor.post(f"{LEAP}/merge").text


def test_a_merge_request_is_closed_and_reopened() -> None:
    visitor = Visitor("gitlab")
    assert "You closed this merge request." in visitor.post(f"{PICKER}/state").text
    assert "You cannot approve" in visitor.post(f"{PICKER}/approve").text
    assert "You reopened this merge request." in visitor.post(f"{PICKER}/state").text


def test_those_who_ask_do_not_approve_and_strangers_do_not_merge() -> None:
    visitor = Visitor("gitlab")
    assert "You cannot merge" in visitor.post("/tbauer/gridkeeper/-/merge_requests/1/merge").text
    assert visitor.post("/tbauer/gridkeeper/-/merge_requests/99/merge").status == 404


def test_the_list_of_what_waits_for_a_review() -> None:
    page = Page(Visitor("gitlab").get("/dashboard/merge_requests?reviewer_username=mvoss").text).text
    assert "Keep a list of words that only sound like nuts" in page
    assert "Count leap day once" not in page
