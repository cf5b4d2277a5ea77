"""The pictures of studies."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.reports.load import Report, load_report
from quintet.studies import pictures
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import Study, find_study, recorded_study
from quintet.studies.panels import LinesPanel, PlanStepsPanel, TrialsPanel
from quintet.studies.pictures import draw_picture
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import went, write_comparison


@pytest.fixture
def adapt(tmp_path: Path) -> Path:
    record = samples.record("adapt", ["beehive", "cake"])
    went = {"beehive": Went(depth=4), "cake": Went("unsolved", 0.0)}
    return samples.write(tmp_path / "adapt", record, went)


@pytest.mark.parametrize("name", ["adapt-table7", "adapt-figure10", "errors"])
def test_a_picture_is_drawn_also_while_arms_are_missing(name: str, adapt: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw_picture(find_study(name), load_report([adapt]), tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_name_is_no_formula(adapt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")

    def hostile(_: Report) -> str:
        return r"a $\bogus{ model$"

    monkeypatch.setattr(pictures, "title", hostile)
    draw_picture(find_study("adapt-table7"), load_report([adapt]), tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 0


@pytest.mark.parametrize("name", ["picture", "picture.xyz", "picture."])
def test_a_file_of_no_known_format_is_refused(name: str, adapt: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(UsageError, match=rf"one of .*\.png, .*, got '{name}'"):
        draw_picture(find_study("adapt-table7"), load_report([adapt]), tmp_path / name)
    assert {each.name for each in tmp_path.iterdir()} == {"adapt"}


def _drawn(path: Path, study: Study, went: Mapping[str, Went]) -> str:
    """The picture of a study of which some arms have run one task."""
    matplotlib = pytest.importorskip("matplotlib")
    prepared = prepare_arms(study, [from_assignments(["run.seed=1"])])
    arms = {name: prepared[name] for name in went}
    with create(study, arms, path / "study") as folder:
        for name, each in went.items():
            samples.write(folder.arm_path(name), arms[name].record, {"beehive": each})
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        draw_picture(study, load_report([path / "study"]), path / "picture.svg")
    return (path / "picture.svg").read_text()


def test_claims_are_bars_and_success_over_calls_is_a_point_for_each_value(tmp_path: Path) -> None:
    claims = _drawn(tmp_path / "claims", find_study("adapt-figure10"), {"textcraft": Went("solved", 0.0)})
    study = replace(find_study("errors"), picture=(LinesPanel(title="Success over calls", figure="success_by_calls"),))
    calls = _drawn(tmp_path / "calls", study, {"react-0": Went(), "react-0.3": Went("unsolved", 0.0)})
    assert ">as claimed<" in claims
    assert ">as earned<" in claims
    assert ">0.3<" in calls
    assert ">model calls per episode, mean (at each point, the error rate)<" in calls


def test_trials_and_plans_are_drawn_by_arm(tmp_path: Path) -> None:
    panels = (
        TrialsPanel(title="Success by trial"),
        PlanStepsPanel(title="Steps per plan", arms=("adapt-0", "react-0")),
        LinesPanel(title="Actions", figure="actions"),
        LinesPanel(title="Revisions", figure="plan_revisions"),
    )
    plan = ({"actions": 8, "steps": 5}, {"actions": 6, "steps": 3, "revised": True, "reward": 1.0})
    went = {"react-0": Went(), "adapt-0": Went(trials=plan), "adapt-0.1": Went(trials=plan[1:])}
    drawn = _drawn(tmp_path, replace(find_study("errors"), picture=panels), went)
    assert ">adapt-0 (mean 4.0)<" in drawn
    assert ">react-0 (" not in drawn
    for said in ("trial", "steps of a plan", "actions in a trial, mean", "plan revisions per episode, mean"):
        assert f">{said}<" in drawn


@pytest.mark.slow
def test_the_legends_of_long_names_are_whole_and_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    drawn: list[Figure] = []

    def keep(figure: Figure, file: Path, *, dpi: int) -> None:
        drawn.append(figure)

    monkeypatch.setattr(Figure, "savefig", keep)
    names = ("react", "adapt", "adapt(react):max_depth=2,inner.max_steps=12,inner.patience=4")
    folder = write_comparison(tmp_path / "study", {name: [went(1, 2, 3, 4)] for name in names})
    draw_picture(recorded_study(folder), load_report([tmp_path / "study"]), tmp_path / "picture.png")
    (figure,) = drawn
    figure.draw_without_rendering()
    legends = [legend for axes in figure.axes if (legend := axes.get_legend()) is not None]
    first, second = (legend.get_window_extent() for legend in legends)
    assert 0 <= first.x0 < first.x1 < second.x0 < second.x1 <= figure.bbox.x1
