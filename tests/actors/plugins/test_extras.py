import pytest

from quintet.plugins.extras import PackageMissing, require_extra, require_modules


def test_what_is_installed_is_not_refused() -> None:
    require_extra("msgspec.json", "any", "here")
    require_modules(["msgspec", "pytest"], "pip install both", "here")


def test_a_missing_extra_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(
        PackageMissing, match=r"^here: expected nowhere, got none; install it with pip install 'quintet-agents\[any\]'$"
    ):
        require_extra("nowhere.inside", "any", "here")


def test_the_first_package_that_is_missing_is_named() -> None:
    with pytest.raises(PackageMissing, match=r"^here: expected nowhere, got none; install it with pip install both$"):
        require_modules(["msgspec", "nowhere", "elsewhere"], "pip install both", "here")
