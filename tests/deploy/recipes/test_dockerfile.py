"""The Dockerfile, instruction by instruction: no image is built here."""

import re
import shlex

from tests.deploy.recipes.recipe import FOLDER, ROOT

INSTRUCTIONS = [
    (words[0], words[1])
    for line in re.sub(r"(?m)^#.*\n", "", (FOLDER / "Dockerfile").read_text()).replace("\\\n", " ").splitlines()
    if (words := line.split(maxsplit=1))
]
STAGES = [number for number, (name, _) in enumerate(INSTRUCTIONS) if name == "FROM"]
FINAL = INSTRUCTIONS[STAGES[-1] :]


def test_every_dockerfile_instruction_is_known() -> None:
    assert {name for name, _ in INSTRUCTIONS} == {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "CMD"}


def test_both_stages_have_one_python_pinned_to_its_patch() -> None:
    assert INSTRUCTIONS[0][0] == "ARG"
    base = INSTRUCTIONS[0][1].removeprefix("PYTHON=")
    found = re.fullmatch(r"python:(3\.1[1-3])\.\d+-slim-\w+", base)
    assert found, base
    assert [INSTRUCTIONS[number][1].split()[0] for number in STAGES] == ["${PYTHON}", "${PYTHON}"]
    assert f"({found[1]}, say)" in (FOLDER / "README.md").read_text()


def test_every_copied_file_exists() -> None:
    copied = [arguments.split() for name, arguments in INSTRUCTIONS if name == "COPY"]
    sources = [word for words in copied if not words[0].startswith("--from") for word in words[:-1]]
    assert {"requirements.lock", "pyproject.toml", "protocols", "actors", "deploy"} <= set(sources)
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_everything_installed_is_pinned_by_hash_or_comes_from_what_was() -> None:
    runs = [arguments for name, arguments in INSTRUCTIONS if name == "RUN"]
    calls = [call for run in runs for call in re.findall(r"-m pip (?:install|download)[^&;]*", run)]
    assert len(calls) == 4
    for call in calls:
        words = shlex.split(call)
        assert "--require-hashes" in words or "--no-index" in words, call


def test_nothing_is_installed_from_the_network_after_the_user_changes() -> None:
    user = next(number for number, (name, _) in enumerate(FINAL) if name == "USER")
    assert FINAL[user][1] == "1000:1000"
    assert "RUN" not in [name for name, _ in FINAL[user:]]
    assert "latest" not in str(INSTRUCTIONS)


def test_the_final_image_has_the_programs_of_ray_up_and_kuberay() -> None:
    environment = dict(pair.split("=", 1) for name, words in FINAL if name == "ENV" for pair in words.split())
    assert environment["HOME"] == "/home/ray"
    assert environment["PATH"].startswith("/opt/quintet/bin:")
    assert int(environment["RAY_JOB_STOP_WAIT_TIME_S"]) > 10
    installed = " ".join(words for name, words in FINAL if name == "RUN")
    assert "rsync wget" in installed
    assert "/etc/profile.d/" in installed
    assert not {"ENTRYPOINT"} & {name for name, _ in FINAL}  # KubeRay and `ray up` bring their commands
