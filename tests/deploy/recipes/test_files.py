"""The recipes as files, in step with the lock and each other: the Dockerfile, KubeRay's manifest, and `ray up`'s."""

import json
import os
import re
import shlex
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ray.autoscaler._private.util import prepare_config, validate_config

from quintet.cli import USAGE
from quintet.runs.ends import EXIT_CODES
from tests.deploy.recipes import fields
from tests.deploy.recipes.fields import assert_fields
from tests.deploy.recipes.recipe import FILES, FOLDER, README, ROOT, documents, lines, locked

SCRIPTS = sorted(FOLDER.glob("*.sh"))
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_readme_lists_every_file() -> None:
    linked = set(re.findall(r"\]\(([^)]+)\)", README.read_text()))
    assert linked == {file.name for file in FILES} - {"README.md", "gcp.lock"}


def test_ray_is_the_locked_one_everywhere() -> None:
    texts = {file.name: file.read_text() for file in FILES if file.suffix != ".lock"}
    found = {(name, version) for name, text in texts.items() for version in re.findall(r"\b2\.\d+\.\d+\b", text)}
    assert {name for name, _ in found} == {"README.md", "kuberay.yaml"}
    assert {version for _, version in found} == {locked("ray")}


def test_the_image_is_the_same_everywhere_and_of_this_version() -> None:
    found = [image for file in FILES for image in re.findall(r"\S+/quintet:[\w.]+", file.read_text())]
    assert len(found) >= 8
    assert set(found) == {f"registry.example.com/quintet:{VERSION}"}


def test_the_google_cloud_packages_agree_with_the_lock() -> None:
    pins = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (FOLDER / "gcp.lock").read_text(), re.MULTILINE))
    assert "google-api-python-client" in pins
    assert {name: locked(name) or version for name, version in pins.items()} == pins


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_nothing_holds_a_key_or_installs_when_it_runs(file: Path) -> None:
    text = file.read_text()
    assert not re.search(r"sk-[A-Za-z0-9]{6}", text)
    assert not re.search(r"API_KEY[\"']?\s*[:=]\s*[\"']?[A-Za-z0-9]{8}", text)
    if file.name not in ("Dockerfile", "README.md"):
        assert not re.search(r"pip install|apt-get|curl|uv (pip|sync)|runtimeEnvYAML|runtime-env", text)


def test_no_job_reserves_anything_for_its_driver() -> None:
    # With entrypoint resources Ray may start the driver on a node that has no volume.
    for file in FILES:
        for line in lines(file):
            assert "ray job submit" not in line or "--entrypoint" not in line
    assert not [key for key in documents("kuberay.yaml")[1]["spec"] if key.startswith("entrypointNum")]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.name)
def test_scripts_are_bash_that_stops_at_errors(script: Path) -> None:
    subprocess.run(["bash", "-n", script], check=True)
    text = script.read_text()
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "\nset -euo pipefail\n" in text
    assert script.stat().st_mode & 0o111
    assert "`" not in re.sub(r"(?m)^\s*#.*$", "", text)


def test_the_wrapper_becomes_quintet_and_traps_nothing() -> None:
    # `ray job stop` signals every process of a job: what is forwarded as well would be the second signal.
    text = (FOLDER / "run-or-resume.sh").read_text()
    assert [line.strip() for line in text.splitlines() if line.strip().startswith("quintet ")] == []
    assert len(re.findall(r"^\s*exec quintet ", text, re.MULTILINE)) == 2
    assert not re.search(r"^\s*trap ", text, re.MULTILINE)


WRAPPER = FOLDER / "run-or-resume.sh"


@pytest.mark.parametrize(
    ("begun", "called"),
    [
        ([], "eval react textcraft --shard 1/4 --out {run}"),
        (["run.json"], "eval react textcraft --shard 1/4 --out {run}"),
        (["run.json", "shards/0/run.json"], "eval react textcraft --shard 1/4 --out {run}"),
        (["run.json", "shards/1/run.json"], "resume {run}/shards/1 --trust"),
    ],
)
def test_the_wrapper_resumes_a_shard_if_that_shard_has_begun(begun: list[str], called: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    for name in begun:
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).touch()
    (tmp_path / "quintet").write_text('#!/bin/sh\necho "$*"\n')
    (tmp_path / "quintet").chmod(0o755)
    words = ["bash", str(WRAPPER), str(run), "eval", "react", "textcraft", "--shard", "1/4"]
    variables = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(words, env=variables, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == called.format(run=run)


def test_slurms_directives_suspend_and_requeue() -> None:
    directives = re.findall(r"^#SBATCH (--[\w-]+)(?:=(\S+))?$", (FOLDER / "slurm.sh").read_text(), re.MULTILINE)
    given = dict(directives)
    assert given["--signal"] == "B:TERM@300"
    assert {"--requeue", "--exclusive", "--open-mode", "--nodes", "--time"} <= given.keys()


@pytest.mark.slow
def test_the_recipes_are_in_the_source_distribution(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [built] = tmp_path.iterdir()
    with tarfile.open(built) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {f"deploy/quintet/recipes/{file.name}" for file in FILES} <= names


INSTRUCTIONS = [
    (words[0], words[1])
    for line in re.sub(r"(?m)^#.*\n", "", (FOLDER / "Dockerfile").read_text()).replace("\\\n", " ").splitlines()
    if (words := line.split(maxsplit=1))
]
STAGES = [number for number, (name, _) in enumerate(INSTRUCTIONS) if name == "FROM"]
FINAL = INSTRUCTIONS[STAGES[-1] :]


def test_every_dockerfile_instruction_is_known() -> None:
    assert {name for name, _ in INSTRUCTIONS} == {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "CMD"}


@pytest.mark.slow
@pytest.mark.skipif(
    subprocess.run(["bash", "-c", "docker info"], capture_output=True, check=False).returncode != 0,
    reason="no docker runs here",
)
def test_the_image_is_built_and_lists_the_methods() -> None:
    [build] = {line.strip() for line in lines(README) if line.strip().startswith("docker build --file")}
    subprocess.run(shlex.split(build), cwd=ROOT, check=True)
    image = build.split()[build.split().index("--tag") + 1]
    listed = subprocess.run(
        ["docker", "run", "--rm", image, "quintet", "list", "methods"], capture_output=True, check=True
    )
    assert b"react" in listed.stdout


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


CLAIM, JOB = documents("kuberay.yaml")
INDEXED_CLAIM, INDEXED = documents("indexed-job.yaml")
[SKY] = documents("skypilot.yaml")
[LOOK] = documents("kuberay-look.yaml")
CLUSTER: dict[str, Any] = JOB["spec"]["rayClusterSpec"]
GROUPS: list[dict[str, Any]] = [CLUSTER["headGroupSpec"], *CLUSTER["workerGroupSpecs"]]
PODS: list[dict[str, Any]] = [group["template"]["spec"] for group in GROUPS]


def test_the_job_has_fields_of_a_ray_job() -> None:
    assert (JOB["apiVersion"], JOB["kind"]) == ("ray.io/v1", "RayJob")
    assert_fields(JOB["spec"], fields.RAY_JOB, "entrypoint", "rayClusterSpec")
    assert_fields(CLUSTER, fields.RAY_CLUSTER, "headGroupSpec", "rayVersion")
    assert_fields(GROUPS[0], fields.HEAD, "rayStartParams", "template")
    for group in GROUPS[1:]:
        required = ("groupName", "minReplicas", "maxReplicas", "rayStartParams", "template")
        assert_fields(group, fields.WORKERS, *required)
    for group in GROUPS:
        assert {type(value) for value in group["rayStartParams"].values()} <= {str}


def test_a_field_that_the_operator_does_not_know_would_be_noticed() -> None:
    for wrong in ({"entrypont": "quintet"}, {"backoffLimit": "2"}, {"suspend": 1}):
        with pytest.raises(AssertionError):
            assert_fields({**JOB["spec"], **wrong}, fields.RAY_JOB)


DRIVERS: dict[str, Any] = INDEXED["spec"]["template"]["spec"]


def test_an_indexed_job_runs_a_shard_in_each_pod_on_one_volume_and_retries_what_may_end_otherwise() -> None:
    assert (INDEXED["apiVersion"], INDEXED["kind"]) == ("batch/v1", "Job")
    spec = INDEXED["spec"]
    assert_fields(spec, fields.JOB, "completions", "completionMode", "template")
    assert (spec["completionMode"], DRIVERS["restartPolicy"]) == ("Indexed", "Never")
    [container] = DRIVERS["containers"]
    [script] = container["args"]
    assert f'--shard "$JOB_COMPLETION_INDEX/{spec["completions"]}"' in script
    assert spec["parallelism"] == spec["completions"]
    assert script.startswith("exec run-or-resume.sh /runs/")
    [rule] = spec["podFailurePolicy"]["rules"]
    assert rule["onExitCodes"]["containerName"] == container["name"]
    assert (rule["action"], rule["onExitCodes"]["operator"]) == ("FailIndex", "In")
    assert set(rule["onExitCodes"]["values"]) == {code for code in EXIT_CODES.values() if code not in (0, 130)} | {
        USAGE
    }
    assert INDEXED_CLAIM == CLAIM, "the pod to look at runs finds either's"
    assert DRIVERS["volumes"][0]["persistentVolumeClaim"] == {"claimName": CLAIM["metadata"]["name"]}


def test_skypilots_file_has_fields_of_its_schema_and_runs_the_image() -> None:
    assert_fields(SKY, fields.SKY_TASK, "name", "resources", "run")
    assert_fields(SKY["resources"], fields.SKY_RESOURCES)
    for script in (SKY["setup"], SKY["run"]):
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    assert list(SKY["secrets"].values()) == [""]
    assert all(f"--env {name} " in SKY["run"] for name in SKY["secrets"])
    assert SKY["run"].strip().splitlines()[1].startswith("exec docker run --rm ")


@pytest.mark.parametrize("pod", [*PODS, LOOK["spec"], DRIVERS])
def test_every_pod_is_one_and_not_roots(pod: dict[str, Any]) -> None:
    assert_fields(pod, fields.POD, "containers", "securityContext")
    [container] = pod["containers"]
    assert_fields(container, fields.CONTAINER, "name", "image")
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == 1000
    mounted = {mount["name"] for mount in container.get("volumeMounts", [])}
    assert mounted == {volume["name"] for volume in pod.get("volumes", [])}


def test_ray_is_the_locked_one() -> None:
    assert CLUSTER["rayVersion"] == locked("ray")
    assert CLUSTER["authOptions"] == {"mode": "token"}


def test_the_claim_outlives_the_job_and_only_the_head_has_it() -> None:
    assert (CLAIM["kind"], CLAIM["spec"]["accessModes"]) == ("PersistentVolumeClaim", ["ReadWriteOnce"])
    assert "ownerReferences" not in CLAIM["metadata"]
    head, *workers = PODS
    for pod in (head, LOOK["spec"]):
        assert [volume["persistentVolumeClaim"] for volume in pod["volumes"]] == [
            {"claimName": CLAIM["metadata"]["name"]}
        ]
        assert pod["securityContext"]["fsGroup"] == 1000
    assert [pod for pod in workers if "volumes" in pod] == []
    [mount] = head["containers"][0]["volumeMounts"]
    assert JOB["spec"]["entrypoint"].split()[1].startswith(mount["mountPath"] + "/")


def test_every_node_has_the_key_from_a_secret() -> None:
    for pod in (*PODS, DRIVERS):
        [source] = pod["containers"][0]["envFrom"]
        assert source == {"secretRef": {"name": "quintet-keys", "optional": True}}
        assert "env" not in pod["containers"][0]


def test_a_retry_resumes_on_a_cluster_of_fixed_size() -> None:
    spec = JOB["spec"]
    assert spec["entrypoint"].startswith("run-or-resume.sh /runs/")
    assert spec["backoffLimit"] > 0
    assert spec["shutdownAfterJobFinishes"] is True
    for group in CLUSTER["workerGroupSpecs"]:
        assert group["replicas"] == group["minReplicas"] == group["maxReplicas"]


RAY_UP = ["ray-up-gcp.yaml", "ray-up-local.yaml"]


def prepared(name: str) -> dict[str, Any]:
    [config] = documents(name)
    found: dict[str, Any] = prepare_config(config)
    return found


@pytest.mark.parametrize("name", RAY_UP)
def test_ray_finds_it_valid_nodes_install_nothing_and_runs_are_on_a_disk_of_the_head(name: str) -> None:
    config = prepared(name)
    validate_config(config)
    assert config["setup_commands"] == config["head_setup_commands"] == config["worker_setup_commands"] == []
    types = config["available_node_types"].values()
    assert sum(kind.get("min_workers", 0) for kind in types) == config["max_workers"] == 2
    started = config["head_start_ray_commands"] + config["worker_start_ray_commands"]
    assert [line for line in started if not line.startswith(("ray stop", "ray start"))] == []
    docker = config["docker"]
    [volume] = docker["head_run_options"]
    assert volume.endswith(":/runs")
    assert "--env=RAY_AUTH_MODE=token" in docker["run_options"]
    assert {"--env-file=/run/quintet/env", "--env=OPENAI_API_KEY"} & set(docker["run_options"])


def test_the_disk_on_google_cloud_exists_before_and_after() -> None:
    config = prepared("ray-up-gcp.yaml")
    provider, head = config["provider"], config["available_node_types"]["head"]
    boot, runs = head["node_config"]["disks"]
    assert boot["boot"] is True
    assert runs["autoDelete"] is False
    assert "initializeParams" not in runs
    zone = f"projects/{provider['project_id']}/zones/{provider['availability_zone']}"
    assert runs["source"] == f"{zone}/disks/quintet-runs"
    prepares = json.dumps(config["initialization_commands"])
    assert prepares.count(f"/dev/disk/by-id/google-{runs['deviceName']}") == 3
    assert "wipefs" in prepares
    worker = config["available_node_types"]["worker"]
    assert worker["initialization_commands"] == config["initialization_commands"][:3]  # the secrets, and no disk
