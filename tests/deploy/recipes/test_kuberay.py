"""KubeRay's manifest, checked against the fields of RayJob v1 listed here (`rayjob_types.go`, `raycluster_types.go`).

The operator's own definition is not installed with anything we depend on, and no cluster is asked.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

import pytest

from tests.deploy.recipes.recipe import documents, locked

Fields: TypeAlias = Mapping[str, type]

RAY_JOB: Fields = {
    "activeDeadlineSeconds": int,
    "backoffLimit": int,
    "entrypoint": str,
    "rayClusterSpec": dict,
    "shutdownAfterJobFinishes": bool,
    "submissionMode": str,
    "submitterPodTemplate": dict,
    "suspend": bool,
    "ttlSecondsAfterFinished": int,
}
RAY_CLUSTER: Fields = {"headGroupSpec": dict, "rayVersion": str, "workerGroupSpecs": list, "authOptions": dict}
HEAD: Fields = {"rayStartParams": dict, "template": dict, "serviceType": str}
WORKERS: Fields = {**HEAD, "groupName": str, "replicas": int, "minReplicas": int, "maxReplicas": int}
POD: Fields = {"containers": list, "volumes": list, "securityContext": dict, "restartPolicy": str}
CONTAINER: Fields = {
    "name": str,
    "image": str,
    "envFrom": list,
    "resources": dict,
    "volumeMounts": list,
    "command": list,
}

CLAIM, JOB = documents("kuberay.yaml")
[LOOK] = documents("kuberay-look.yaml")
CLUSTER: dict[str, Any] = JOB["spec"]["rayClusterSpec"]
GROUPS: list[dict[str, Any]] = [CLUSTER["headGroupSpec"], *CLUSTER["workerGroupSpecs"]]
PODS: list[dict[str, Any]] = [group["template"]["spec"] for group in GROUPS]


def assert_fields(found: dict[str, Any], known: Fields, *required: str) -> None:
    assert set(required) <= found.keys() <= known.keys()
    assert {name: type(value) for name, value in found.items()} == {name: known[name] for name in found}


def test_the_job_has_fields_of_a_ray_job() -> None:
    assert (JOB["apiVersion"], JOB["kind"]) == ("ray.io/v1", "RayJob")
    assert_fields(JOB["spec"], RAY_JOB, "entrypoint", "rayClusterSpec")
    assert_fields(CLUSTER, RAY_CLUSTER, "headGroupSpec", "rayVersion")
    assert_fields(GROUPS[0], HEAD, "rayStartParams", "template")
    for group in GROUPS[1:]:
        assert_fields(group, WORKERS, "groupName", "rayStartParams", "template")
    for group in GROUPS:
        assert {type(value) for value in group["rayStartParams"].values()} <= {str}


@pytest.mark.parametrize("pod", [*PODS, LOOK["spec"]])
def test_every_pod_is_one_and_not_roots(pod: dict[str, Any]) -> None:
    assert_fields(pod, POD, "containers", "securityContext")
    [container] = pod["containers"]
    assert_fields(container, CONTAINER, "name", "image")
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
    for pod in PODS:
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
