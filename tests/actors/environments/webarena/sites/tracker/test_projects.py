"""Projects: lists, new ones, forks, settings, files, members, groups, milestones, labels and profiles."""

import re

import pytest

from tests.actors.environments.webarena.sites.visitor import Page, Visitor

HOSTILE = "<script>alert('x')</script>"


def listed(page: str) -> list[str]:
    return re.findall(r'<h2><a href="/([^"]*)">', page)


def test_projects_are_listed_searched_and_sorted() -> None:
    visitor = Visitor("gitlab")
    assert listed(visitor.get("/explore?sort=stars_desc").text)[:3] == [
        "openloom/loom",
        "nightgarden/stargrid",
        "jpark/pageturner",
    ]
    assert listed(visitor.get("/explore?name=LOOM").text) == ["openloom/loom-docs", "openloom/loom"]
    assert set(listed(visitor.get("/dashboard/projects/personal").text)) == {
        "mvoss/potluck",
        "mvoss/leafpress",
        "mvoss/dotfiles",
    }
    assert "mvoss/dotfiles" not in visitor.get("/explore?page=2").text
    assert "jpark / Pageturner" in visitor.get("/search?search=reads+aloud").text
    assert "Florian Perrin" in visitor.get("/search?search=perrin&scope=users").text
    assert "Wrong height at Anstruth" in visitor.get("/search?search=anstruth&scope=issues").text
    assert visitor.get("/search?scope=passwords").status == 404


def test_a_star_is_given_and_taken_back() -> None:
    visitor = Visitor("gitlab")
    assert "237 stars" in visitor.post("/mvoss/potluck/star").text
    assert "Mira Voss" in visitor.get("/mvoss/potluck/-/starrers").text
    assert "236 stars" in visitor.post("/mvoss/potluck/star").text


def test_a_project_is_begun_renamed_and_shown_to_all() -> None:
    visitor = Visitor("gitlab")
    form = {"name": "Tea Log", "namespace": "mvoss", "visibility": "private", "readme": "1", "description": HOSTILE}
    page = visitor.post("/projects/new", form)
    assert visitor.path.startswith("/mvoss/tea-log?")
    assert 'title="Private"' in page.text
    assert "&lt;script&gt;alert" in page.text
    visitor.post("/mvoss/tea-log/edit", {"name": "Tea", "description": "", "visibility": "public"})
    assert 'title="Public"' in visitor.get("/mvoss/tea-log").text
    visitor.post("/mvoss/tea-log/rename", {"path": "tea"})
    assert visitor.get("/mvoss/tea").status == 200
    assert visitor.get("/mvoss/tea-log").status == 404
    assert "has already been taken" in visitor.post("/mvoss/tea/rename", {"path": "potluck"}).text


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"name": "???", "namespace": "mvoss", "visibility": "public"}, "at least one letter or digit"),
        ({"name": "x" * 81, "namespace": "mvoss", "visibility": "public"}, "at most 80"),
        ({"name": "Potluck", "namespace": "mvoss", "visibility": "public"}, "has already been taken"),
        ({"name": "x", "namespace": "jpark", "visibility": "public"}, "Choose a namespace that is yours."),
        ({"name": "x", "namespace": "mvoss", "visibility": "secret"}, "Choose who may see the project."),
    ],
)
def test_a_wrong_project_is_refused(form: dict[str, str], said: str) -> None:
    assert said in Visitor("gitlab").post("/projects/new", form).text


def test_a_fork_is_a_copy_with_files_and_commits() -> None:
    visitor = Visitor("gitlab")
    page = visitor.post("/jpark/pageturner/-/forks/new", {"name": "Pageturner", "namespace": "openloom"}).text
    assert "Forked from" in page
    assert "25 commits" in page
    assert "voice_picker.js" in visitor.get("/openloom/pageturner/-/tree/main/src").text
    assert "60 forks" in visitor.get("/jpark/pageturner").text


def test_only_who_may_sees_settings_and_edits_files() -> None:
    visitor = Visitor("gitlab")
    for path in (
        "/jpark/pageturner/edit",
        "/jpark/pageturner/-/edit/main/README.md",
        "/jpark/pageturner/-/milestones/new",
    ):
        assert visitor.get(path).status == 404
    assert (
        "Only a maintainer"
        in visitor.post("/jpark/pageturner/-/project_members", {"users": "mvoss", "role": "Owner"}).text
    )


def test_files_are_shown_and_edited() -> None:
    visitor = Visitor("gitlab")
    assert visitor.get("/mvoss/potluck/-/raw/main/LICENSE").content_type == "text/plain"
    assert visitor.get("/mvoss/potluck/-/blob/main/no/file").status == 404
    path = "/mvoss/potluck/-/edit/main/LICENSE"
    page = visitor.post(path, {"content": f"{HOSTILE}\r\n", "message": "New license"}).text
    assert "&lt;script&gt;alert" in page
    assert "Nothing was changed." in visitor.post(path, {"content": f"{HOSTILE}\n"}).text
    commits = visitor.get("/mvoss/potluck/-/commits/main?search=license&author=mvoss").text
    assert "New license" in commits
    sha = re.findall(r"/-/commit/([0-9a-f]{40})", commits)[0]
    assert "+&lt;script&gt;" in visitor.get(f"/mvoss/potluck/-/commit/{sha}").text
    assert visitor.get("/mvoss/potluck/-/commit/0000").status == 404


def test_members_are_invited_given_another_role_and_removed() -> None:
    visitor = Visitor("gitlab")
    path = "/mvoss/leafpress/-/project_members"
    page = visitor.post(path, {"users": "hkim, @jpark", "role": "Reporter"}).text
    assert '@hkim</span></td><td class="col-max-role"><span>Reporter' in page
    page = visitor.post(path, {"users": "hkim", "role": "Developer"}).text
    assert '@hkim</span></td><td class="col-max-role"><span>Developer' in page
    assert "There is no user nobody." in visitor.post(path, {"users": "hkim, nobody", "role": "Guest"}).text
    assert "choose a role" in visitor.post(path, {"users": "hkim", "role": "King"}).text
    assert "@hkim</span>" not in visitor.post(f"{path}/remove", {"username": "hkim"}).text
    assert "nobody themselves" in visitor.post(f"{path}/remove", {"username": "mvoss"}).text


def test_a_group_is_begun_and_has_members() -> None:
    visitor = Visitor("gitlab")
    page = visitor.post("/groups/new", {"name": "Night Shift", "visibility": "private", "description": "Late."})
    assert "was successfully created" in page.text
    page = visitor.post("/groups/night-shift/-/group_members", {"users": "jpark", "role": "Developer"})
    assert "@jpark" in page.text
    assert "already been taken" in visitor.post("/groups/new", {"name": "mvoss", "visibility": "public"}).text
    assert Visitor("gitlab", visitor.instance, signed_in=False).get("/groups/night-shift").status == 404
    assert (
        "Only a maintainer"
        in visitor.post("/groups/nightgarden/-/group_members", {"users": "mvoss", "role": "Owner"}).text
    )


def test_milestones_and_labels_are_added() -> None:
    visitor = Visitor("gitlab")
    base = "/mvoss/potluck/-"
    form = {"title": "Autumn", "description": "Soup.", "start": "2023-09-01", "due": "2023-10-31"}
    page = Page(visitor.post(f"{base}/milestones/new", form).text).text
    assert "Oct 31, 2023" in page
    assert "due after its start" in visitor.post(f"{base}/milestones/new", {**form, "due": "2023-08-01"}).text
    assert "A date is written" in visitor.post(f"{base}/milestones/3/edit", {"title": "x", "due": "soon"}).text
    assert "Reopen milestone" in visitor.post(f"{base}/milestones/3/state").text
    assert "was created" in visitor.post(f"{base}/labels/new", {"title": "taste", "color": "#112233"}).text
    assert "there already" in visitor.post(f"{base}/labels/new", {"title": "taste", "color": "#112233"}).text
    assert "A color is written" in visitor.post(f"{base}/labels/new", {"title": "x", "color": "red;}"}).text


def test_a_profile_and_its_status() -> None:
    visitor = Visitor("gitlab")
    form = {
        "name": "Mira Voss",
        "status": f"Busy {HOSTILE}",
        "website": "https://voss.example",
        "location": "",
        "bio": "",
    }
    visitor.post("/-/profile", form)
    page = visitor.get("/mvoss").text
    assert "Busy &lt;script&gt;" in page
    assert 'itemprop="url"' in page
    said = visitor.post("/-/profile", {**form, "name": "", "website": "javascript:1"}).text
    assert "A profile needs a name; a website starts with" in said


def test_what_there_is_to_do_is_done_and_undone() -> None:
    visitor = Visitor("gitlab")
    number = re.findall(r'name="todo" value="(\d+)"', visitor.get("/dashboard/todos").text)[0]
    assert "To-Do List (3)" in visitor.post("/dashboard/todos", {"todo": number}).text
    assert "Fog rule" in visitor.get("/dashboard/todos?state=done").text
    assert "To-Do List (4)" in visitor.post("/dashboard/todos", {"todo": number}).text


def test_signing_in_and_out() -> None:
    visitor = Visitor("gitlab", signed_in=False)
    form = {"username": "mira.voss@fjordmail.example", "password": "warp-and-weft", "next": "/dashboard/todos"}
    assert "Invalid login or password." in visitor.post("/users/sign_in", {**form, "password": "x"}).text
    assert "To-Do List (4)" in visitor.post("/users/sign_in", form).text
    assert visitor.path == "/dashboard/todos"
    visitor.get("/users/sign_in")
    assert visitor.path == "/"
    assert "You are signed out." in visitor.post("/users/sign_out").text
