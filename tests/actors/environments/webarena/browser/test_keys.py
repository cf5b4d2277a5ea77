import pytest

from quintet.environments.webarena.browser.keys import ClipboardUse, clipboard_use


@pytest.mark.parametrize(
    ("keys", "use"),
    [
        *(("Control+c", "copy"), ("ctrl + C", "copy"), ("Control+Insert", "copy"), ("Control+x", "cut")),
        *(("Shift+Delete", "cut"), ("Control+v", "paste"), ("Control+Shift+V", "paste"), ("Shift+Insert", "paste")),
        *(("c", None), ("Delete", None), ("Control+a", None), ("+", None), ("", None)),
    ],
)
def test_keys_copy_cut_and_paste(keys: str, use: ClipboardUse | None) -> None:
    assert clipboard_use(keys) == use
