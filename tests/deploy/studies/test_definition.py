"""Studies are files beside the methods, worlds and models that they are about, plug-ins' included."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import find_study, known_studies, recorded_study
from quintet.studies.run import create
from tests.deploy import samples
from tests.distributions import install

LAMPS = """
name = "lamps"
summary = "Budgets of a method"
[common]
environment.name = "textcraft"
method.name = "react"
[arms]
budget = {}
[over]
setting = "method.max_steps"
label = "budget"
values = [10, 20]
"""
_VERSION = r"versions\.\w+: expected a name of its own and an arm of budget"


@pytest.fixture
def studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plug-in's folder of studies."""
    folder = tmp_path / "lamps" / "studies"
    folder.mkdir(parents=True)
    install(tmp_path, monkeypatch, {"methods": {"lamp": "lamps.method:LAMP"}})
    (folder.parent / "method.py").write_text("")
    return folder


def test_every_study_of_ours_has_a_one_line_summary() -> None:
    known = known_studies()
    tables = {each.table for study in known.values() for each in study.reproduces}
    numbers = {
        "adapt-table": range(2, 10),
        "adapt-figure": (4, 5, 6, 8, 10),
        "autoplan-table": (3, 4, 5, "3b", "4b"),
        "autoplan-figure": (3,),
        "ldm2-table": (1, 2),
        "ldm2-figure": (3, "3-webshop"),
        "react-table": (1, 5),
        "reflexion-table": (5,),
        "lats-table": (3, 8),
        "devils-table": (1,),
        "devils-figure": (2, 5),
        "adaplanner-": ("alfworld", "miniwob"),
    }
    assert tables == {f"{name}{number}" for name, found in numbers.items() for number in found}
    assert {*known} - tables == {
        *("demo", "errors", "alfworld", "reflexion-reflections", "adapt-or", "lats-values", "lats-workers"),
        *(
            "ldm2-batches",
            "ldm2-retrieval",
            "ldm2-steps",
            "ldm2-shuffled",
            "ldm2",
            "memories",
            "transfer",
            "transfer-worlds",
            "devils-advocate-layers",
        ),
    }
    assert all("\n" not in study.summary for study in known.values())


def test_a_file_of_the_users_is_a_study(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'name = "own"\nreference = "one"\ncommon = { environment.name = "textcraft", method.name = "react" }\n'
        "[arms]\none = {}\ntwo = { method.max_steps = 3 }\n"
    )
    study = find_study(str(own))
    arms = prepare_arms(study, [])
    assert (study.name, arms["two"].config.method.options["max_steps"]) == ("own", 3)
    own.write_text(own.read_text().replace('"one"', '"on"'))
    with pytest.raises(UsageError, match=r"reference: expected one of one, two, got 'on' .*own\.toml"):
        find_study(str(own))
    with pytest.raises(UsageError, match=r"study: expected a file with the arms, found none \(.*none\.toml\)"):
        find_study(str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("name", "page", "arms"),
    [
        ("depths", "evaluate", ["react", "shallow", "deep"]),
        (
            "grid",
            "compare",
            [
                f"{method}+{world}+{draw}-seed-{seed}"
                for seed in range(3)
                for method in ("react", "adapt", "reflexion")
                for world in ("textcraft", "webshop")
                for draw in ("goal", "thing")
            ],
        ),
    ],
)
def test_an_example_is_a_study_and_is_shown_in_the_docs(name: str, page: str, arms: list[str]) -> None:
    root = Path(__file__).parents[3]
    example = root / "examples" / f"{name}.toml"
    assert list(prepare_arms(find_study(str(example)), [])) == arms
    assert example.read_text() in (root / "docs" / f"{page}.md").read_text()


def test_a_plug_in_brings_studies_of_its_own(studies: Path) -> None:
    (studies / "lamps.toml").write_text(LAMPS)
    arms = prepare_arms(find_study("lamps"), [])
    steps = {name: arm.config.method.options["max_steps"] for name, arm in arms.items()}
    assert steps == {"budget-10": 10, "budget-20": 20}


def test_a_table_of_a_paper_names_its_study_too(studies: Path) -> None:
    rows = '[[reproduces]]\ntable = "lamps-table1"\nsource = "Lamps, table 1"\n[reproduces.rows]\nLamp = ["{arm}"]\n'
    (studies / "lamps.toml").write_text(LAMPS + rows.format(arm="budget-20"))
    assert find_study("lamps-table1") is find_study("lamps")
    (studies / "second.toml").write_text((LAMPS + rows.format(arm="budget-10")).replace('"lamps"', '"others"'))
    with pytest.raises(UsageError, match="study lamps-table1: expected one file to define it, got"):
        find_study("lamps-table1")
    assert find_study("others").name == "others"


def test_two_studies_of_one_name_are_refused_with_both_files(studies: Path) -> None:
    file = studies / "lamps.toml"
    file.write_text(LAMPS.replace('"lamps"', '"demo"'))
    with pytest.raises(UsageError, match=rf"study demo: expected one file to define it, got .*demo.toml and {file}"):
        find_study("demo")
    assert "demo" not in known_studies()
    assert find_study("errors").name == "errors", "the others can be used"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f'reference = "lantern"{LAMPS}[findings]\nkind = "over"', "reference: expected one of budget, got 'lantern'"),
        (f'{LAMPS}[versions]\nglow = {{ arm = "lantern", version = 1 }}', _VERSION),
        (f'{LAMPS}[versions]\nbudget = {{ arm = "budget", version = 1 }}', _VERSION),
        (
            f'{LAMPS}[[reproduces]]\ntable = "t"\nsource = "Lamps, table 1"\nrows.Lamp = ["budget"]',
            r"t: Lamp: expected arms, as they are repeated over the setting.*got budget",
        ),
        (
            f'{LAMPS}[findings]\nkind = "pooled"\nlabel = "task type"',
            "findings: expected rows, or a table that is reproduced, got neither",
        ),
        (
            f'{LAMPS.partition("[over]")[0]}[findings]\nkind = "over"',
            "expected a table `over` for findings and panels over a setting, got none",
        ),
        (
            f'{LAMPS}[findings]\nkind = "guess"',
            r"^findings\.kind: expected one of 'over', .*, got 'guess' \(.*lamps\.toml\)$",
        ),
        (f'{LAMPS}[[picture]]\nkind = "bar"\ntitle = "A"', r"^picture\[.*\]\.kind: expected 'bars', got 'bar' \("),
        (f'{LAMPS}[[picture]]\nkind = "bars"\ntitle = "A"', "missing required field `arms`"),
    ],
)
def test_a_file_that_is_no_study_is_refused(text: str, said: str, studies: Path) -> None:
    (studies / "lamps.toml").write_text(text)
    with pytest.raises(UsageError, match=said):
        find_study("lamps")
    assert find_study("demo").name == "demo", "those of others can be used"


@pytest.mark.parametrize("name", ["../lamps", "a/b", "", "."])
def test_a_name_that_is_no_part_of_a_path_or_of_no_study_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name: expected at most 100 letters"):
        replace(find_study("demo"), name=name)
    with pytest.raises(UsageError, match="study: expected 'demo', got 'dem'"):
        find_study("dem")


@pytest.mark.parametrize("name", sorted({study.name for study in known_studies().values()}))
def test_a_folder_keeps_the_definition_of_its_study(name: str, tmp_path: Path) -> None:
    definition = find_study(name)
    create(definition, {"react": samples.prepared()}, tmp_path).close()
    assert recorded_study(StudyFolder.open_to_read(tmp_path)) == definition
    file = tmp_path / "study.json"
    file.write_text(file.read_text().replace('"summary"', '"sumary"'))
    with pytest.raises(UsageError, match=rf"definition: .*`sumary`.*\({file}\)"):
        recorded_study(StudyFolder.open_to_read(tmp_path))
