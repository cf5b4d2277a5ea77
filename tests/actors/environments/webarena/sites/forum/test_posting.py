"""Submissions, comments and votes."""

import pytest

from tests.actors.environments.webarena.sites.visitor import Page, Visitor

HOSTILE = "<script>alert('x')</script> \x1b[31m \u202e & \"quoted\""
POST = "/f/Harborview/1246/swing-bridge-dates-of-the-works-copied-from-the-notice"
OWN = "/f/gardening/1248/my-bean-tunnel-fell-over-in-the-storm"


def test_a_submission_is_written_edited_and_deleted() -> None:
    visitor = Visitor("reddit")
    page = visitor.post("/submit", {"forum": "books", "title": HOSTILE, "body": HOSTILE, "url": ""})
    assert "&lt;script&gt;" in page.text
    assert "<script>alert" not in page.text
    assert "Edit" in page.text
    path = visitor.path
    page = visitor.post(f"{path}/edit", {"title": "Plain", "body": "Words", "url": ""})
    assert "The submission was changed." in page.text
    assert "edited Jun 15, 2023" in Page(page.text).text
    path = visitor.path.partition("?")[0]
    assert "The submission was deleted." in visitor.post(f"{path}/delete").text
    assert visitor.get(path).status == 404


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"forum": "books", "title": " ", "body": "x"}, "A submission needs a title."),
        ({"forum": "nowhere", "title": "x"}, "Choose a forum."),
        ({"forum": "books", "title": "x" * 301}, "at most 300 characters"),
        ({"forum": "books", "title": "x", "url": "javascript:alert(1)"}, "A URL starts with http"),
        ({"forum": "books", "title": "x", "url": "http://["}, "A URL starts with http"),
        ({}, "Choose a forum."),
    ],
)
def test_a_form_that_is_wrong_is_refused_and_keeps_what_was_typed(form: dict[str, str], said: str) -> None:
    page = Visitor("reddit").post("/submit", form)
    assert said in page.text
    if form.get("body"):
        assert f">{form['body']}</textarea>" in page.text


def test_others_submissions_and_comments_are_not_for_changing() -> None:
    visitor = Visitor("reddit")
    for what in ("edit", "delete"):
        assert visitor.post(f"{POST}/{what}", {"title": "Mine", "body": ""}).status == 404
    assert visitor.post("/f/budgeting/1252/x/delete").status == 404


def test_a_comment_is_nested_below_the_one_that_it_answers() -> None:
    visitor = Visitor("reddit")
    top = visitor.post(f"{POST}/comment", {"comment": "First"})
    number = visitor.path.partition("?")[0].rpartition("/")[2]
    assert "Your comment was added." in top.text
    visitor.post(f"{POST}/comment", {"comment": "Second", "parent": number})
    page = visitor.get(f"{POST}?sort=old").text
    assert page.index("First") < page.index("Second")
    assert "comment depth-1" in page[page.index("First") : page.index("Second")]
    assert "5 comments" in Page(page).text
    assert "A comment has a text" in visitor.post(f"{POST}/comment", {"comment": " "}).text
    assert "is gone" in visitor.post(f"{POST}/comment", {"comment": "x", "parent": "999999"}).text


def test_a_comment_that_was_answered_is_deleted_but_keeps_its_place() -> None:
    visitor = Visitor("reddit")
    visitor.post(f"{POST}/comment", {"comment": "Regret"})
    own = visitor.path.partition("?")[0]
    visitor.post(f"{POST}/comment", {"comment": "Answer", "parent": own.rpartition("/")[2]})
    page = visitor.post(f"{own}/delete").text
    assert "Regret" not in page
    assert "A deleted comment" in page
    assert "Answer" in page
    assert visitor.post(f"{own}/edit", {"comment": "Back"}).status == 404


def test_an_own_comment_is_edited() -> None:
    visitor = Visitor("reddit")
    visitor.post(f"{OWN}/comment", {"comment": "Befor"})
    path = visitor.path.partition("?")[0]
    assert "Before, edited" in visitor.post(f"{path}/edit", {"comment": "Before, edited"}).text


def test_votes_go_up_and_down_and_back() -> None:
    visitor = Visitor("reddit")

    def vote(choice: str) -> str:
        page = visitor.post("/vote/submission", {"id": "1246", "choice": choice, "back": POST}).text
        return page.partition("submission__vote")[2][:600]

    assert ">343<" in vote("1")
    assert "vote vote--user-upvoted" in vote("1")
    assert ">341<" in vote("-1")
    assert "vote--user-downvoted" in vote("-1")
    assert ">342<" in vote("0")
    assert "A vote is up, down or none." in visitor.post("/vote/submission", {"id": "1246", "choice": "9"}).text
    assert visitor.post("/vote/submission", {"id": "99999", "choice": "1"}).status == 404
    assert visitor.post("/vote/forum_users", {"id": "1", "choice": "1"}).status == 404


def test_a_visitor_who_is_not_signed_in_cannot_write() -> None:
    visitor = Visitor("reddit", signed_in=False)
    assert 'name="password"' in visitor.get("/submit").text
    assert 'name="password"' in visitor.post(f"{POST}/comment", {"comment": "x", "back": POST}).text


@pytest.mark.parametrize(
    "path", ["/f/Harborview/abc", "/f/Harborview/9999999999999", "/f/baking/1246/x", f"{POST}/comment/7"]
)
def test_what_is_no_submission_is_not_found(path: str) -> None:
    assert Visitor("reddit").get(path).status == 404


def test_a_submission_is_found_without_its_title_in_the_address() -> None:
    assert Visitor("reddit").get("/f/harborview/1246").text == Visitor("reddit").get("/f/Harborview/1246").text.replace(
        'value="/f/Harborview/1246"', 'value="/f/harborview/1246"'
    )
