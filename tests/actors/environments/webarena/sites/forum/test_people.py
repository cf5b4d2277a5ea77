"""Users, messages and the search."""

from tests.actors.environments.webarena.sites.visitor import Page, Visitor


def test_signing_in_and_out() -> None:
    visitor = Visitor("reddit", signed_in=False)
    wrong = visitor.post("/login", {"username": "OliveAndOar", "password": "no"})
    assert "Wrong username or password." in wrong.text
    assert 'value="OliveAndOar"' in wrong.text
    visitor.post("/login", {"username": "oliveandoar", "password": "salt-and-thyme", "next": "//elsewhere.example"})
    assert visitor.path == "/"
    assert "Messages (2)" in visitor.get("/login").text
    assert "You are logged out." in visitor.post("/logout").text
    assert "Messages" not in Page(visitor.get("/").text).text


def test_a_biography_is_changed_by_its_user_only() -> None:
    visitor = Visitor("reddit")
    page = visitor.post("/user/OliveAndOar/edit_biography", {"biography": "Rows <b>and</b> reads."})
    assert "Rows &lt;b&gt;and&lt;/b&gt; reads." in page.text
    assert "at most 300" in visitor.post("/user/OliveAndOar/edit_biography", {"biography": "x" * 301}).text
    assert visitor.post("/user/northdoor/edit_biography", {"biography": "x"}).status == 404
    assert visitor.get("/user/nobody_here").status == 404


def test_comments_of_a_user() -> None:
    page = Page(Visitor("reddit").get("/user/sundialist/comments?page=4").text)
    assert "53 comments" in page.text


def test_messages_are_answered_read_and_begun() -> None:
    visitor = Visitor("reddit")
    page = visitor.post("/messages/1", {"body": "130 it is."})
    assert "130 it is." in page.text
    assert "Messages (1)" in page.text
    assert "Messages (0)" in visitor.post("/messages/4/read").text
    assert "A message has a text" in visitor.post("/messages/1", {"body": ""}).text
    page = visitor.post("/user/greyheron/compose_message", {"body": "Hello"})
    assert "The message was sent." in page.text
    assert visitor.post("/user/OliveAndOar/compose_message", {"body": "Hello"}).status == 404
    assert visitor.get("/messages/999").status == 404


def test_the_search_finds_all_words_in_submissions_comments_and_forums() -> None:
    visitor = Visitor("reddit")
    assert "1 submission with all words" in Page(visitor.get("/search?q=home+MILLING").text).text
    assert "Tarnwell 300" in visitor.get("/search?q=stones+once&kind=comments").text
    assert "/f/stargazing" in visitor.get("/search?q=night+sky&kind=forums").text
    assert "0 submissions" in visitor.get("/search?q=").text
    assert visitor.get("/search?q=x&kind=passwords").status == 404
    assert "&lt;img" in visitor.get("/search?q=%3Cimg+src=x%3E").text
