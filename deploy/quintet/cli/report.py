"""`report`: success, differences and costs of runs and studies, even while they are running."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from quintet.cli.console import console
from quintet.cli.flags import Switch
from quintet.errors import UsageError
from quintet.journal.connection import raise_damage
from quintet.reports.exports import as_csv, as_json
from quintet.reports.load import NO_EPISODES, Report, load_report
from quintet.reports.notes import copied_notes, origins, title
from quintet.reports.prefixes import prefix_content, prefix_table
from quintet.reports.tables import print_report
from quintet.reports.text_tables import print_notes, print_tables
from quintet.reports.troubles import mostly_unread, troubles
from quintet.studies.comparison import paired_test_content, paired_test_notes, paired_test_tables
from quintet.studies.comparison_arms import report_against
from quintet.studies.findings import StudyFindings, paper_findings, paper_sources, part_report
from quintet.studies.reproduction import published_by_run, published_tables


def report_command(
    *runs: Path, against: str | None = None, prefixes: Switch = False, json: Switch = False, csv: Switch = False
) -> None:
    """Print a report of runs and studies.

    Args:
        runs: Run folders and study folders.
        against: A run, by folder or as the tables name it: paired differences and tests of the others against it.
        prefixes: Also how much of the prompts extends earlier ones, which a cache can save. Reads all prompts.
        json: Everything, for programs.
        csv: One line per episode.
    """
    if not runs:
        raise UsageError("report: expected at least one run folder, got none")
    if json and csv:
        raise UsageError("report: expected one of --json and --csv, got both")
    listed = None if json or csv else NO_EPISODES
    found = load_report(runs, listed) if against is None else report_against(runs, against, listed)
    print_as(found, console(), json=json, csv=csv, tests=against is not None, prefixes=prefixes)
    raise_damage(found.damage)


def print_as(
    found: Report, out: Console, *, json: bool, csv: bool = False, tests: bool = False, prefixes: bool = False
) -> None:
    """Print a report for a person, as JSON, or with a line for every episode.

    Args:
        tests: also paired tests.
        prefixes: also how much of the prompts extends earlier ones.
    """
    if csv:
        print(as_csv(found), end="")
        return
    rest, studies = part_report(found)
    papers = paper_findings(found)
    if json:
        contents = {name: study.findings.content for name, study in studies.items()}
        for name, each in papers.items():
            contents[name] = {**contents.get(name, {}), **each.content}
        if tests:
            contents["against"] = {"tests": paired_test_content(found)}
        if prefixes:
            contents["prefixes"] = prefix_content(found)
        print(as_json(found, contents, published_by_run(found)))
        return
    if rest.runs or not studies:
        further, why = (paired_test_tables(found), paired_test_notes(found)) if tests else ((), ())
        papers_of_runs = published_tables(rest, paper_sources(found))
        print_report(rest, out, further=further, further_notes=why, papers=papers_of_runs)
    for study in studies.values():
        print_findings(study, out)
    if prefixes:
        print_tables([prefix_table(found)], out)
    for each in papers.values():
        print_tables(each.tables, out)
        print_notes(each.notes, out)


def print_findings(study: StudyFindings, out: Console) -> None:
    """Print a study's tables and notes, and what is missing of its arms."""
    part = study.part
    # What its stages go on from is the same for all, and stands in its notes.
    is_blame = any(each.record.blame for each in part.studies)
    for line in (*([] if is_blame else origins(part)), title(part)):
        out.print(Text(line, style="bold"), soft_wrap=True)
    print_notes(mostly_unread(part), out)
    print_tables(study.findings.tables, out)
    print_notes([*study.findings.notes, *([] if is_blame else copied_notes(part)), *troubles(part)], out)
