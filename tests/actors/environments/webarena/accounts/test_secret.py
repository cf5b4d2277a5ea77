import pickle
from pathlib import Path

import pytest

from quintet.environments.webarena.accounts.secret import Secret
from quintet.errors import UsageError


def test_a_password_comes_from_a_variable_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = Secret(variable="SHOP_PASSWORD")
    monkeypatch.setenv("SHOP_PASSWORD", "hunter2")
    assert secret.reveal() == "hunter2"
    monkeypatch.setenv("SHOP_PASSWORD", "changed")
    assert secret.reveal() == "changed"


def test_a_password_is_the_first_line_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("hunter2\r\nsecond line\n", encoding="utf-8")
    assert Secret(file=tmp_path / "password").reveal() == "hunter2"


def test_it_shows_where_it_is_and_never_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "hunter2")
    secret = Secret(variable="SHOP_PASSWORD")
    assert repr(secret) == str(secret) == "Secret($SHOP_PASSWORD)"
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(secret)


def test_a_missing_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOP_PASSWORD", raising=False)
    with pytest.raises(UsageError, match=r"^password: expected an env.* got none \(\$SHOP_PASSWORD\)$"):
        Secret(variable="SHOP_PASSWORD").reveal()


@pytest.mark.parametrize(
    ("content", "got"), [(None, "No such file"), (b"\n", "an empty one"), (b"\xff\xfe", "bytes that are not UTF-8")]
)
def test_an_unusable_file_is_named_and_its_content_is_not_shown(
    content: bytes | None, got: str, tmp_path: Path
) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match=got) as caught:
        Secret(file=file).reveal()
    assert str(file) in str(caught.value)
    assert caught.value.__cause__ is caught.value.__context__ is None
