"""The cluster files of `ray up`, checked by the schema and the checks of the installed Ray."""

import json
from typing import Any

import pytest
from ray.autoscaler._private.util import prepare_config, validate_config

from tests.deploy.recipes.recipe import documents

FILES = ["ray-up-gcp.yaml", "ray-up-local.yaml"]


def prepared(name: str) -> dict[str, Any]:
    [config] = documents(name)
    found: dict[str, Any] = prepare_config(config)
    return found


@pytest.mark.parametrize("name", FILES)
def test_ray_finds_it_valid(name: str) -> None:
    validate_config(prepared(name))


def test_ray_would_refuse_a_key_it_does_not_know() -> None:
    config = prepared(FILES[0])
    config["docker"]["head_run_option"] = []
    with pytest.raises(Exception, match="head_run_option"):
        validate_config(config)


@pytest.mark.parametrize("name", FILES)
def test_nodes_install_nothing_and_are_of_a_fixed_number(name: str) -> None:
    config = prepared(name)
    assert config["setup_commands"] == config["head_setup_commands"] == config["worker_setup_commands"] == []
    types = config["available_node_types"].values()
    assert sum(kind.get("min_workers", 0) for kind in types) == config["max_workers"] == 2
    started = config["head_start_ray_commands"] + config["worker_start_ray_commands"]
    assert [line for line in started if not line.startswith(("ray stop", "ray start"))] == []


@pytest.mark.parametrize("name", FILES)
def test_runs_are_on_a_disk_of_the_head_and_keys_in_the_environment_of_all(name: str) -> None:
    docker = prepared(name)["docker"]
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
