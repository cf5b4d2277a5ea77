"""Preparing a run: what is refused before it begins."""

import pytest

from quintet.config.settings import from_assignments
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.launch.prepare import prepare


@pytest.mark.parametrize("method", ["lats", "search", "adapt"])
def test_a_method_that_copies_sessions_is_refused_in_a_world_that_cannot(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parallel = ["method.or=parallel"] if method == "adapt" else []
    settings = [from_assignments([f"method.name={method}", "environment.name=textcraft", *parallel])]
    assert prepare(settings).spec.method.needs_forks()
    monkeypatch.setattr(TextCraft, "forks", "none")
    expected = rf"expected one whose sessions can be copied, for method {method}, got textcraft, which cannot \(--set"
    with pytest.raises(UsageError, match=expected):
        prepare(settings)


def test_a_method_that_copies_none_runs_in_any_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TextCraft, "forks", "none")
    for method in ("react", "adapt", "random"):  # on TextCraft, ADaPT goes on from the world as it is
        prepared = prepare([from_assignments([f"method.name={method}", "environment.name=textcraft"])])
        assert not prepared.spec.method.needs_forks()


@pytest.mark.parametrize(
    "settings",
    [
        ["method.name=devils_advocate"],
        ["method.name=adapt", "method.inner.name=try_again"],
        ["method.name=adapt", "method.inner.name=plan_act"],
    ],
    ids=["remedies", "trials within", "trials of a plan within"],
)
def test_a_method_that_only_goes_back_runs_where_snapshots_lead_back(
    settings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [from_assignments([*settings, "environment.name=textcraft"])]
    monkeypatch.setattr(TextCraft, "forks", "none")
    monkeypatch.setattr(TextCraft, "goes_back", True, raising=False)
    assert prepare(given).spec.world.forks == "none"
    monkeypatch.setattr(TextCraft, "goes_back", False)
    expected = (
        "expected one whose sessions can be copied, or that goes back to snapshots, for method .*, got textcraft, "
    )
    with pytest.raises(UsageError, match=expected + "which can neither"):
        prepare(given)


def test_remedies_that_are_tried_ahead_of_need_are_refused_without_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    given = [from_assignments(["method.name=devils_advocate", "method.speculate=true", "environment.name=textcraft"])]
    monkeypatch.setattr(TextCraft, "forks", "none")
    monkeypatch.setattr(TextCraft, "goes_back", True, raising=False)
    with pytest.raises(UsageError, match="whose sessions can be copied, for method devils_advocate"):
        prepare(given)
