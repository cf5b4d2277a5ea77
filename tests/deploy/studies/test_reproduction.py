"""What a study obtained stands beside what a paper prints only where it repeats the paper's experiment."""

import json
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.plugins import catalogue
from quintet.ports.world import TASK_TYPE
from quintet.reports.load import Report, load_report
from quintet.reports.world_tasks import world_tasks
from quintet.runs.record import RunRecord
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import PaperTable, find_study, known_studies
from quintet.studies.findings import Findings, paper_findings
from quintet.studies.papers import PrintedTrials, QuotedRow, paper_rows, what_differs
from quintet.studies.reproduction import ReproducedRow, experiment_differences, reproduced_rows, reproduction_tables
from quintet.studies.run import create
from tests.command import printed
from tests.deploy import samples
from tests.deploy.learning_runs import LOST
from tests.deploy.reports.households import all_known, asked, with_official_content
from tests.deploy.samples import Went

TABLES = {table.table: (study, table) for study in known_studies().values() for table in study.reproduces}
PUBLISHED = [row for method in catalogue.names("method") for row in paper_rows(method)]


def _depths(path: Path, *settings: str, model: str = "davinci") -> Report:
    """ADaPT's table 7: each arm solved one task of recipe depth 2, ADaPT in two levels of recursion."""
    study = find_study("adapt-table7")
    arms = prepare_arms(study, [from_assignments(settings)])
    with create(study, arms, path) as folder:
        for arm, prepared in arms.items():
            record = asked(prepared.record, model)
            solved = Went(depth=2 if arm == "adapt" else 1)
            easy = next((task.name for task in record.tasks if task.metadata["recipe depth"] == "2"), "")
            went = {task.name: solved if task.name == easy else LOST for task in record.tasks}
            samples.write(folder.arm_path(arm), record, went)
    return load_report([path])


def _found(report: Report) -> Findings:
    (found,) = paper_findings(report).values()
    return found


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_settings_of_the_paper_and_every_row_once(name: str) -> None:
    study, table = TABLES[name]
    own = [row.row for row in PUBLISHED if row.source == table.source]
    named = [*own, *(row.row for row in table.quoted)]
    assert len(set(named)) == len(named)
    assert set(own) <= set(table.rows), "a row that a run can repeat is some arm's"
    assert set(table.rows) <= set(named) or table.statement
    devils = name.startswith("devils")
    sampled = {"max_tokens": 512} if devils else {"temperature": 0.0}
    assert not devils or {arm["method"]["temperature"] for arm in study.arms.values()} == {1.0}
    assert study.common["model"] == {**sampled, "top_p": 1.0}


def test_every_published_row_is_of_a_table_that_is_reproduced_and_every_table_says_something() -> None:
    assert {row.source for row in PUBLISHED} <= {table.source for _, table in TABLES.values()}
    with pytest.raises(ValueError, match="reproduces, a-table1: expected rows or a statement, got neither"):
        PaperTable(table="a-table1", source="A, table 1")


@pytest.mark.parametrize(
    "name",
    [
        *("adapt-table2", "adapt-table3", "adapt-table4", "adapt-table7", "adapt-table8"),
        *("autoplan-table3", "react-table5", "reflexion-table5"),
    ],
)
def test_every_arm_repeats_its_row_on_the_papers_content(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.studies.papers.world_tasks", all_known)
    study = find_study(name)
    arms = prepare_arms(study, [])
    repeated = 0
    for table in study.reproduces:
        rows = {row.row: row for row in PUBLISHED if row.source == table.source}
        for row in rows.keys() & table.rows.keys():
            (arm,) = table.rows[row]
            assert arms[arm].record.content.get("dialect", "classic") == "classic"
            record = _of_size(with_official_content(arms[arm].record), rows[row].tasks)
            assert what_differs(rows[row], record) == ()
            repeated += 1
    assert repeated >= 2


def _of_size(record: RunRecord, count: int) -> RunRecord:
    """Treat the run as one of so many questions or instructions; ours are fewer."""
    (first, *_) = record.tasks
    if len(record.tasks) == count:
        return record
    tasks = tuple(first.model_copy(update={"name": f"task {number}"}) for number in range(count))
    return record.model_copy(update={"tasks": tasks})


def test_obtained_and_published_stand_in_line_where_the_experiment_is_repeated(tmp_path: Path) -> None:
    report, printed_by = _depths(tmp_path / "study"), "gpt-3.5-turbo-instruct"
    found = _found(report)
    success, depth = found.tables
    assert success.title == "ADaPT, table 7: success in percent, obtained and published"
    assert success.columns == ("", "", "model", "recipe depth 2", "recipe depth 3")
    obtained = ("1.3 (0, 7)", "0.0 (0, 3)")  # 1 of 77, and 0 of 112
    assert success.rows == (
        ("ReAct", "obtained", "davinci", *obtained),
        ("", "published", printed_by, "26.9", "1.8"),
        ("ADaPT", "obtained", "davinci", *obtained),
        ("", "published", printed_by, "78.2", "38.7"),
    )
    assert "levels of recursion" in depth.title
    assert [row[3:] for row in depth.rows[::2]] == [("1.0", "-"), ("2.0", "-")]
    assert depth.rows[3] == ("", "published", printed_by, "1.9", "2.8")
    assert not [note for note in found.notes if "not repeated" in note]
    said = printed("report", tmp_path / "study")
    assert said.count("78.2") == 1
    assert said.index("Per episode, mean") < said.index("obtained and published")
    (study,) = json.loads(printed("report", tmp_path / "study", "--json"))["studies"].values()
    (table,) = study["reproduces"]
    assert (table["table"], table["source"]) == ("adapt-table7", "ADaPT, table 7")
    assert [row["differs"] for row in table["rows"]] == [[], []]
    assert table["rows"][1]["published"]["groups"]["recipe depth"]["2"]["depth_to_succeed"] == 1.9


def test_otherwise_published_figures_stand_apart_with_what_differs_and_beside_a_simulated_model_not_at_all(
    tmp_path: Path,
) -> None:
    found = _found(_depths(tmp_path / "study", "run.tasks=3"))
    success, depth = found.tables
    assert success.title == "ADaPT, table 7: success in percent, published"
    assert success.columns == ("", "model", "budget", "recipe depth 2", "recipe depth 3")
    assert success.rows[0] == ("ReAct", "gpt-3.5-turbo-instruct", "20", "26.9", "1.8")
    assert depth.title.endswith("published")
    assert "ADaPT, table 7 (ReAct; ADaPT): not repeated here: 3 tasks, not 200" in found.notes
    simulated = _found(_depths(tmp_path / "simulated", "run.tasks=3", model="sim-weak (simulated)"))
    assert (simulated.tables, simulated.content) == ([], {})
    why = "a simulated model repeats nothing, so what is published is not shown beside it"
    assert simulated.notes == [f"ADaPT, table 7: {why}"]


def test_an_unfinished_run_and_one_with_faults_repeat_nothing(tmp_path: Path) -> None:
    (row,) = (row for row in PUBLISHED if (row.source, row.row) == ("ADaPT, table 7", "ReAct"))
    record = samples.record("react", ["beehive", "cake"], method={"max_steps": 20})
    samples.write(tmp_path / "begun", record, {"beehive": Went()})
    samples.write(tmp_path / "faulted", record, {"beehive": Went(), "cake": Went("faulted")})
    for name, said in (("begun", "begun is unfinished"), ("faulted", "faulted has faulted episodes")):
        (run, _) = load_report([tmp_path / name, tmp_path / ("faulted" if name == "begun" else "begun")]).runs
        assert experiment_differences(row, run)[-1] == said


def test_rows_that_no_run_could_repeat_are_listed_with_the_reason(tmp_path: Path) -> None:
    study = find_study("autoplan-table3")
    arms = prepare_arms(study, [from_assignments(["run.tasks=1"])])
    with create(study, arms, tmp_path / "study") as folder:
        record = asked(arms["react-0"].record, "davinci")
        samples.write(folder.arm_path("react-0"), record, {record.tasks[0].name: Went()})
    found = _found(load_report([tmp_path / "study"]))
    success, cost = found.tables
    assert ("BUTLER", "-", "-", "46", "39", "74", "100", "22", "24") in success.rows
    assert ("Reflexion, 2 shots", "gpt-4-0314", "-", "-", "17") in cost.rows
    assert "AutoPlan, table 3 (ReAct, 2 shots): not repeated here: not run here" in found.notes
    assert ("AdaPlanner, 1 shot", "-", "-", "100", "97", "96", "100", "100", "47") in success.rows
    assert any("AdaPlanner, 0 shots): not repeated here: quoted from AdaPlanner" in note for note in found.notes)
    (why,) = (note for note in found.notes if note.startswith("AutoPlan, table 3 (AutoPlan)"))
    assert why.endswith("are sampled and not named")


def test_means_of_trials_are_printed_as_published_and_as_obtained(tmp_path: Path) -> None:
    trials = ({"actions": 6}, {"actions": 8, "revised": True, "steps": 5})
    path = samples.write(tmp_path / "run", samples.record(), {"beehive": Went(trials=trials)})
    paper = PrintedTrials(first_actions=6.39, last_actions=7.07, revisions=0.64)
    row = QuotedRow(row="AR", why="for a test", trials=paper)
    for differs, title, shown in (
        ([], "obtained and published", [["6.00", "8.00", "1.00"], ["6.39", "7.07", "0.64"]]),
        (["apart"], "published", [["6.39", "7.07", "0.64"]]),
    ):
        found = ReproducedRow(row, load_report([path]).runs, differs)
        (table,) = reproduction_tables(PaperTable(table="t", source="Paper, table 1", statement="x"), [found])
        assert table.title == f"Paper, table 1: actions in a trial and plan revisions, mean, {title}"
        assert [list(each[-3:]) for each in table.rows] == shown


def test_devils_advocates_figures_stand_apart_with_the_reason() -> None:
    study, table = TABLES["devils-table1"]
    rows = reproduced_rows(table, {})
    assert [row.printed.row for row in rows] == ["AR", "Plan+Act", "LATS"]
    assert all(row.differs for row in rows)
    assert study.picture


@pytest.mark.parametrize("world", ["alfworld", "miniwob"])
def test_adaplanners_figures_are_quoted_by_type_of_task_and_no_run_is_compared_with_them(world: str) -> None:
    study, table = TABLES[f"adaplanner-{world}"]
    (paper, *_) = rows = reproduced_rows(table, {})
    assert all(row.differs for row in rows)
    types = world_tasks(study.common["environment"]["name"]).labels[TASK_TYPE]
    assert {*paper.printed.groups[TASK_TYPE]} == {*types} - {"further"}
