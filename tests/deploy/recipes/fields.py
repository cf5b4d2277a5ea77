"""The fields of manifests that others read, with the types that their schemas give them.

No Python or npm package has KubeRay's definition. Sources of these lists:

- RayJob: the operator's `rayjob_types.go` and `raycluster_types.go` in `ray-operator/apis/ray/v1`, from which its
  definition is generated, at commit 0057210e (after 1.3) and 3275ee09; `authOptions`, which is newer, stands in its API
  reference. A field without `omitempty` is required.
- Job and Pod: those fields of Kubernetes' `batch/v1` and `v1` that a recipe may use, so not all of them;
  `backoffLimitPerIndex` is generally available since 1.33.
- A task of SkyPilot: `get_task_schema` and `get_resources_schema` in `sky/utils/schemas.py` of the package skypilot
  0.14.1; of these, too, those that a recipe may use.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

Fields: TypeAlias = Mapping[str, type | tuple[type, ...]]

RAY_JOB: Fields = {
    "activeDeadlineSeconds": int,
    "backoffLimit": int,
    "clusterSelector": dict,
    "deletionStrategy": dict,
    "entrypoint": str,
    "entrypointNumCpus": (int, float),
    "entrypointNumGpus": (int, float),
    "entrypointResources": str,
    "jobId": str,
    "managedBy": str,
    "metadata": dict,
    "rayClusterSpec": dict,
    "runtimeEnvYAML": str,
    "shutdownAfterJobFinishes": bool,
    "submissionMode": str,
    "submitterConfig": dict,
    "submitterPodTemplate": dict,
    "suspend": bool,
    "ttlSecondsAfterFinished": int,
}
RAY_CLUSTER: Fields = {
    "authOptions": dict,
    "autoscalerOptions": dict,
    "enableInTreeAutoscaling": bool,
    "gcsFaultToleranceOptions": dict,
    "headGroupSpec": dict,
    "headServiceAnnotations": dict,
    "managedBy": str,
    "rayVersion": str,
    "suspend": bool,
    "workerGroupSpecs": list,
}
HEAD: Fields = {
    "enableIngress": bool,
    "headService": dict,
    "rayStartParams": dict,
    "serviceType": str,
    "template": dict,
}
WORKERS: Fields = {
    "groupName": str,
    "idleTimeoutSeconds": int,
    "maxReplicas": int,
    "minReplicas": int,
    "numOfHosts": int,
    "rayStartParams": dict,
    "replicas": int,
    "scaleStrategy": dict,
    "suspend": bool,
    "template": dict,
}

JOB: Fields = {
    "activeDeadlineSeconds": int,
    "backoffLimit": int,
    "backoffLimitPerIndex": int,
    "completionMode": str,
    "completions": int,
    "maxFailedIndexes": int,
    "parallelism": int,
    "podFailurePolicy": dict,
    "suspend": bool,
    "template": dict,
    "ttlSecondsAfterFinished": int,
}
POD: Fields = {"containers": list, "volumes": list, "securityContext": dict, "restartPolicy": str}
CONTAINER: Fields = {
    "args": list,
    "command": list,
    "env": list,
    "envFrom": list,
    "image": str,
    "name": str,
    "resources": dict,
    "volumeMounts": list,
}

SKY_TASK: Fields = {
    "envs": dict,
    "file_mounts": dict,
    "name": str,
    "num_nodes": int,
    "resources": dict,
    "run": str,
    "secrets": (dict, list),
    "setup": str,
    "workdir": (str, dict),
}
SKY_RESOURCES: Fields = {
    "autostop": (bool, int, str, dict),
    "cpus": (str, int, float),
    "disk_size": (str, int),
    "image_id": (str, dict),
    "infra": str,
    "memory": (str, int, float),
    "use_spot": bool,
}


def assert_fields(found: Mapping[str, Any], known: Fields, *required: str) -> None:
    """Hold a mapping of a manifest against its fields."""
    assert set(required) <= found.keys() <= known.keys()
    assert [name for name, value in found.items() if not _is(value, known[name])] == []


def _is(value: object, kind: type | tuple[type, ...]) -> bool:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return type(value) in kinds  # a bool is no int here
