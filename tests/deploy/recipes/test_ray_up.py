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
