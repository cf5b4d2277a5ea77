"""Study folders, and running the arms of a study."""

import gc
from pathlib import Path
from weakref import ref

import pytest

from quintet.config import plugins
from quintet.config.sections import EnvironmentSection
from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.ports.world import World
from quintet.runs.ends import HowEnded, RunStop
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any
from quintet.studies.arms import prepare_arms
from quintet.studies.comparison_arms import define_comparison
from quintet.studies.definition import find_study
from quintet.studies.run import WritableStudy, create, run_study
from tests.deploy import samples
from tests.deploy.samples import Went


class _Arms:
    """Runs an arm by script, and records it."""

    def __init__(self, **ends: HowEnded) -> None:
        self.ends = ends
        self.ran: list[tuple[str, int]] = []

    def __call__(self, folder: WritableRun, label: str) -> RunStop:
        folder.keep_changes()
        arm = label.rpartition(" ")[2]
        self.ran.append((label, folder.config.runtime.concurrency))
        end = self.ends[arm]
        if end != "interrupted":
            samples.journal(folder, {"beehive": Went("solved" if end == "done" else "faulted")})
        return RunStop(end)


def _study(path: Path) -> WritableStudy:
    return create(find_study("demo"), {"react": samples.prepared("react"), "adapt": samples.prepared("adapt")}, path)


def test_arms_run_in_order_and_the_worst_end_is_the_studys(tmp_path: Path) -> None:
    arms = _Arms(react="faulted", adapt="done")
    with _study(tmp_path) as folder:
        assert run_study(folder, arms).ended == "faulted"
    assert [label for label, _ in arms.ran] == ["arm 1 of 2: react", "arm 2 of 2: adapt"]


def test_an_arm_that_is_added_is_written_down_before_it_begins(tmp_path: Path) -> None:
    with _study(tmp_path) as folder:
        folder.add_arm("third", samples.prepared("react"))
        assert [*StudyFolder.open_to_read(tmp_path).record.arms] == ["react", "adapt", "third"]
        assert not folder.begun("third")
    with WritableStudy.open(tmp_path) as folder:
        assert run_study(folder, _Arms(react="done", adapt="done", third="done")).ended == "done"
        assert folder.begun("third")


def test_an_interruption_leaves_the_arms_behind_it_for_a_resume(tmp_path: Path) -> None:
    with _study(tmp_path) as folder:
        assert run_study(folder, _Arms(react="interrupted")).ended == "interrupted"
        assert not folder.begun("adapt")
    again = _Arms(react="done", adapt="done")
    with WritableStudy.open(tmp_path, from_assignments(["runtime.concurrency=3"])) as folder:
        assert run_study(folder, _Arms(react="interrupted")).ended == "interrupted"
    with WritableStudy.open(tmp_path) as folder:
        assert run_study(folder, again).ended == "done"
    assert [concurrency for _, concurrency in again.ran] == [3, 3], "a resume's changes hold for later ones"


def test_a_study_whose_arm_is_a_link_is_not_gone_on_with(tmp_path: Path) -> None:
    _study(tmp_path / "study").close()
    (tmp_path / "study" / "arms").mkdir()
    (tmp_path / "study" / "arms" / "react").symlink_to(tmp_path / "mine")
    with pytest.raises(UsageError, match="expected files of its own, got a link"):
        WritableStudy.open(tmp_path / "study")


def test_a_finished_arm_is_not_run_again_unless_its_faults_are_to_be_repeated(tmp_path: Path) -> None:
    with _study(tmp_path) as folder:
        run_study(folder, _Arms(react="faulted", adapt="done"))
        nothing = _Arms()
        assert run_study(folder, nothing).ended == "faulted"
        assert nothing.ran == []
        faulted = _Arms(react="interrupted")
        run_study(folder, faulted, retry_faulted=True)
        assert [label for label, _ in faulted.ran] == ["arm 1 of 2: react"]


def test_a_bad_arm_is_refused_before_any_begins(tmp_path: Path) -> None:
    study = define_comparison(["react", "adapt"])
    given = ["environment.name=textcraft", f"method.prompts={tmp_path / 'none'}"]
    with pytest.raises(UsageError, match=r"arm react: method\.prompts"):
        prepare_arms(study, [from_assignments(given)])


def test_an_arm_is_prepared_once_and_let_go_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make_world = plugins.make_world

    def counted(section: EnvironmentSection) -> World:
        made.append(section.name)
        return make_world(section)

    monkeypatch.setattr(plugins, "make_world", counted)
    study = define_comparison(["react", "adapt"])
    arms = prepare_arms(study, [from_assignments(["environment.name=textcraft", "run.tasks=beehive"])])
    specs = [ref(arm.spec) for arm in arms.values()]
    script, kept = _Arms(react="done", adapt="done"), list[int]()

    def run_arm(folder: WritableRun, label: str) -> RunStop:
        gc.collect()
        kept.append(sum(spec() is not None for spec in specs))
        return script(folder, label)

    with create(study, arms, tmp_path) as folder:
        assert run_study(folder, run_arm).ended == "done"
    assert kept == [2, 1]
    assert made == ["textcraft"] * 2


def _of_arms(path: Path, *arms: str) -> WritableStudy:
    return create(find_study("demo"), {arm: samples.prepared() for arm in arms}, path)


def test_arms_are_written_down_before_any_begins_and_are_run_folders_of_their_own(tmp_path: Path) -> None:
    with _of_arms(tmp_path, "one", "two") as study:
        read = StudyFolder.open_to_read(tmp_path)
        assert (list(read.record.arms), read.arms()) == (["one", "two"], {})
        study.create_arm("two").close()
        assert [study.begun(arm) for arm in study.record.arms] == [False, True]
        assert isinstance(open_any(tmp_path / "arms" / "two"), RunFolder)
    assert isinstance(open_any(tmp_path), StudyFolder)


def test_a_studys_change_is_kept_once_an_arm_goes_on_under_it_and_not_before(tmp_path: Path) -> None:
    _of_arms(tmp_path, "one").close()
    settings = from_assignments(["runtime.concurrency=2"])
    WritableStudy.open(tmp_path, settings).close()
    with WritableStudy.open(tmp_path, settings) as study:
        arm = study.create_arm("one")
        assert arm.config.runtime.concurrency == 2
        assert not (tmp_path / "changes.jsonl").exists()
        arm.keep_changes()
        arm.close()
    with WritableStudy.open(tmp_path) as study:
        assert study.settings["runtime.concurrency"].value == 2
        with study.open_arm("one") as arm:
            assert arm.config.runtime.concurrency == 2


def test_a_second_writer_of_a_study_is_refused(tmp_path: Path) -> None:
    with (
        _of_arms(tmp_path, "one"),
        pytest.raises(UsageError, match="expected no other writer"),
    ):
        WritableStudy.open(tmp_path)
    WritableStudy.open(tmp_path).close()


def test_arms_that_share_a_budget_are_not_run_at_once(tmp_path: Path) -> None:
    with _of_arms(tmp_path, "one", "two") as study:
        one, two = (study.arm_path(arm) for arm in ("one", "two"))
        for arm in ("one", "two"):
            study.create_arm(arm).close()
    with WritableRun.open(one), WritableRun.open(two):
        pass
    limited = from_assignments(["limits.budget_tokens=100000"])
    with WritableRun.open(one, limited):
        for open_other in (lambda: WritableRun.open(two, limited), lambda: WritableStudy.open(tmp_path)):
            with pytest.raises(UsageError, match="expected no other writer"):
                open_other()
    with (
        WritableStudy.open(tmp_path, limited) as study,
        study.open_arm("one"),
        pytest.raises(UsageError, match="expected no other writer"),
    ):
        WritableRun.open(two, limited)
    WritableRun.open(two, limited).close()


def test_an_arms_name_is_part_of_a_path(tmp_path: Path) -> None:
    for name in ("../one", ".", "", "a\nb", "x" * 101, " a", "a ", "a  b"):
        with pytest.raises(ValueError, match="expected at most 100 letters, digits, single spaces and characters of "):
            _of_arms(tmp_path, name)


def test_a_folder_that_is_neither_run_nor_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected run\.json or study\.json in it, found neither"):
        open_any(tmp_path)
    with pytest.raises(UsageError, match="expected a folder, found none"):
        open_any(tmp_path / "nothing")
