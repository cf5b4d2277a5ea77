"""Issues: lists with filters, one issue, and what can be done to one."""

import re

import pytest

from quintet.environments.webarena.sites.instance import Instance
from quintet.environments.webarena.sites.seed import the_seed
from tests.actors.environments.webarena.sites.visitor import Page, Visitor

HOSTILE = "<script>alert('x')</script> \x1b[31m & \"quoted\""
ISSUES = "/mvoss/potluck/-/issues"


def numbers(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'class="item-title" href="[^"]*/(\d+)"', page)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [15, 14, 13, 12, 8, 7, 4, 3]),
        ("state=closed&assignee_username=mokafor", [11, 2, 1]),
        ("state=all&label_name[]=critical&sort=created_asc", [1, 7, 8, 14]),
        ("state=all&label_name[]=critical&label_name[]=bug", [14, 1]),
        ("milestone_title=Summer release", [4, 3]),
        ("search=SHOPPING list&state=all&author_username=mokafor", [9]),
        ("search=%25", []),
        ("sort=nonsense", [15, 14, 13, 12, 8, 7, 4, 3]),
    ],
)
def test_a_list_is_filtered(query: str, expected: list[int]) -> None:
    assert numbers(Visitor("gitlab").get(f"{ISSUES}?{query}").text) == expected


def test_an_issue_is_opened_commented_closed_and_reopened() -> None:
    visitor = Visitor("gitlab")
    label = visitor.instance.db.execute(
        "SELECT l.id FROM tracker_labels l JOIN tracker_projects p ON p.id = l.project"
        " WHERE p.path = 'potluck' AND l.title = 'bug'"
    ).fetchone()[0]
    form = {"title": HOSTILE, "description": HOSTILE, "assignee": "mokafor", "label": str(label), "due": "2023-07-01"}
    page = visitor.post(f"{ISSUES}/new", form).text
    assert "&lt;script&gt;alert" in page
    assert "<script>alert" not in page
    assert "due Jul 1, 2023" in Page(visitor.get(ISSUES).text).text
    number = numbers(visitor.get(ISSUES).text)[0]
    assert "Second thoughts" in visitor.post(f"{ISSUES}/{number}/notes", {"note": "Second thoughts"}).text
    assert "A comment has a text" in visitor.post(f"{ISSUES}/{number}/notes", {"note": "  "}).text
    assert "You closed this issue." in visitor.post(f"{ISSUES}/{number}/state").text
    assert "You reopened this issue." in visitor.post(f"{ISSUES}/{number}/state").text


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"title": ""}, "An issue needs a title"),
        ({"title": "x" * 256}, "at most 255"),
        ({"title": "x", "due": "tomorrow"}, "A due date is written as 2023-06-30."),
        ({"title": "x", "due": "2023-02-30"}, "A due date is written as 2023-06-30."),
        ({"title": "x", "description": "y" * 20_001}, "at most 20,000"),
    ],
)
def test_a_wrong_form_is_refused_and_keeps_what_was_typed(form: dict[str, str], said: str) -> None:
    page = Visitor("gitlab").post(f"{ISSUES}/new", form).text
    assert said in page
    assert f'value="{form["title"]}"' in page


def test_who_is_assigned_has_it_on_the_list() -> None:
    instance = Instance()
    visitor = Visitor("gitlab", instance)
    page = visitor.post(f"{ISSUES}/15/edit", {"title": "Shorter", "assignee": "ebianchi", "label": "no number"}).text
    assert "@ebianchi" in page
    assert instance.db.execute("SELECT count(*) FROM tracker_todos WHERE username = 'ebianchi'").fetchone()[0] == 1
    assert "assigned to @mvoss" in visitor.post(f"{ISSUES}/15/assign_me").text


def test_a_stranger_reads_comments_and_changes_nothing() -> None:
    instance = Instance()
    visitor = Visitor("gitlab", instance)
    path = "/tbauer/gridkeeper/-/issues/1"
    assert "Noted" in visitor.post(f"{path}/notes", {"note": "Noted"}).text
    for what in ("state", "assign_me", "edit"):
        assert visitor.post(f"{path}/{what}", {"title": "Mine"}).status == 404
    anybody = Visitor("gitlab", instance, signed_in=False)
    assert anybody.get(path).status == 200
    assert anybody.get("/mvoss/dotfiles/-/issues").status == 404
    assert 'data-testid="password-field"' in anybody.post(f"{path}/notes", {"note": "x", "back": path}).text


def test_the_dashboard_shows_what_is_assigned() -> None:
    page = Visitor("gitlab").get("/dashboard/issues?assignee_username=mvoss").text
    assert "Fog rule: announces fog" in page
    assert the_seed().tokens["gitlab"] not in page
