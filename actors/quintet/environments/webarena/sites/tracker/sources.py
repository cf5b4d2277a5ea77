"""What the seed's files and changes say: a readme, a module for each part of a project, and a change of one."""

from collections.abc import Mapping
from random import Random

from quintet.environments.webarena.sites.tracker.tables import ProjectWords

_COMMENT = {"py": "#", "sh": "#", "js": "//", "c": "//", "md": ">"}
_SIGNATURE = {
    "py": "def {name}({given}):",
    "sh": "{name}() {{",
    "js": "export function {name}({given}) {{",
    "c": "int {name}(int {given}) {{",
    "md": "## {name}",
}
_END = {"py": "", "sh": "}", "js": "}", "c": "}", "md": ""}
_REMARKS = (
    "Empty input is answered by nothing.",
    "The order of equals is kept.",
    "Never more than asked.",
    "See the handbook.",
)
_GIVEN = ("value", "entry", "rows", "limit", "place")


def module_path(project: ProjectWords, part: str) -> str:
    """Where a part's source lies."""
    name = part.replace(" ", "_").replace("-", "_")
    return f"{'chapters' if project.language == 'md' else 'src'}/{name}.{project.language}"


def project_files(project: ProjectWords, people: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The files of a project by their paths. `people`: names and addresses of mail by usernames."""
    owner = people[project.team[0]]
    features = "\n".join(f"- {feature}" for feature in project.features)
    listed = "\n".join(f"- {part}: `{module_path(project, part)}`" for part in project.parts)
    team = "\n".join(f"- {people[name][0]} <{people[name][1]}>" for name in project.team)
    files = {
        "README.md": f"# {project.name}\n\n{project.description}\n\n"
        f"## What it does\n\n{features}\n\n## Parts\n\n{listed}\n",
        "LICENSE": f"{project.name} is licensed under the terms of {project.license}.\n\nCopyright 2023 {owner[0]}\n",
        "AUTHORS": f"{team}\n",
        "CONTRIBUTING.md": "# Contributing\n\nOpen an issue before you write code. "
        f"Changes are reviewed by {owner[0]}.\n"
        "One change, one merge request. A test comes with every fix.\n",
        "CHANGELOG.md": "# Changes\n\n"
        + "\n".join(
            f"## {2 + place // 3}.{place % 3}\n\n- {part.capitalize()} rewritten.\n"
            for place, part in enumerate(project.parts)
        ),
    }
    return files | {module_path(project, part): _module(project, part) for part in project.parts}


def _module(project: ProjectWords, part: str) -> str:
    """A short module; its numbers follow from the names."""
    name, mark = part.replace(" ", "_").replace("-", "_"), _COMMENT[project.language]
    rng = Random(f"{project.path} {part}")
    given = rng.choice(_GIVEN)
    signature = _SIGNATURE[project.language].format(name=name, given=given)
    limit = rng.randrange(3, 90)
    lines = [
        f"{mark} The {part} of {project.name}.",
        "",
        signature,
        f"    {mark} At most {limit} at a time.",
        f"    {_guard(project.language, given, limit)}",
        f"    {_result(project.language, given)}",
        _END[project.language],
    ]
    return "\n".join(lines).rstrip() + "\n"


def _guard(language: str, given: str, limit: int) -> str:
    return {
        "py": f"{given} = {given}[:{limit}]",
        "js": f"const few = {given}.slice(0, {limit});",
        "c": f"if ({given} > {limit}) {given} = {limit};",
        "sh": f'set -- "${{@:1:{limit}}}"',
        "md": f"Read this chapter in {limit} minutes.",
    }[language]


def _result(language: str, given: str) -> str:
    return {
        "py": f"return sorted({given})",
        "js": "return few.sort();",
        "c": f"return {given};",
        "sh": 'printf "%s\\n" "$@"',
        "md": "Then try it on a piece of cloth.",
    }[language]


def part_diff(rng: Random, project: ProjectWords, part: str) -> str:
    """A change of a few lines in a part's module."""
    path = module_path(project, part)
    lines = _module(project, part).splitlines()
    place = next(number for number, line in enumerate(lines) if "At most" in line)
    mark = _COMMENT[project.language]
    said = rng.choice(_REMARKS)
    longer = f"{lines[place].removesuffix('.')}, in this order."
    changed = [f"-{lines[place]}", f"+{longer}"] if rng.random() < 0.4 else [f" {lines[place]}"]
    shown = [f" {lines[place - 1]}", *changed, f"+    {mark} {said}"]
    shown += [f" {line}" for line in lines[place + 1 : place + 3]]
    old, new = (sum(line[0] in signs for line in shown) for signs in (" -", " +"))
    return f"--- a/{path}\n+++ b/{path}\n@@ -{place},{old} +{place},{new} @@\n" + "\n".join(shown) + "\n"
