"""The Helm chart: rendered by Helm's library, validated against the schemas of Kubernetes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.deploy.deploy_files import DEPLOY, TOOLS, load_yaml, run, tool
from tests.deploy.dockerfile import instructions
from tests.sites.sample_site import read_settings

CHART = DEPLOY / "helm/kinfolk"
POSTGRESQL = {"secrets": {"values": {"KINFOLK_DATABASE_URL": "postgresql://kinfolk:secret@db.example.com/kinfolk"}}}
EVERYTHING: dict[str, Any] = {
    **POSTGRESQL,
    "replicas": 3,
    "site": {"repository": "https://git.example/acme/site.git", "folder": "website"},
    "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "certificate", "annotations": {"a.example/b": "c"}},
    "image": {"repository": "images.example/kinfolk", "tag": "1.2.3", "pullSecrets": ["registry"]},
    "settings": {"KINFOLK_HSTS_S": "31536000"},
    "storage": {"className": "fast"},
    "tolerations": [{"key": "web", "operator": "Exists"}],
    "nodeSelector": {"disk": "ssd"},
    "origin": "https://example.com/docs",
}
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"replicas": 2}, "needs PostgreSQL"),
    ({"replicas": 0}, "replicas"),
    ({"nope": 1}, "nope"),
    ({"origin": "docs.example.com"}, "origin"),
    ({"site": {"folder": "../../etc"}}, "folder"),
    ({"site": {"repository": "--upload-pack=x"}}, "repository"),
    ({"settings": {"PATH": "/x"}}, "PATH"),
]
REQUESTS = [{}, EVERYTHING, {"secrets": {"existing": "own"}, "replicas": 2}, *(values for values, _ in REFUSED)]


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    script = Path(__file__).with_name("render_chart.py")
    if not list(TOOLS.glob("lib/python*/site-packages/helm_python")):
        pytest.skip("Helm is not installed: run `make deploy-tools`")
    ran = run(tool("python"), str(script), str(CHART), input=json.dumps(REQUESTS))
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def manifests(answers: dict[str, Any], number: int) -> dict[tuple[str, str], dict[str, Any]]:
    """The objects of an answer by their kinds and names."""
    texts = [text for name, text in answers["answers"][number]["files"].items() if name.endswith(".yaml")]
    objects = [each for text in texts for each in yaml.safe_load_all(text) if each]
    return {(each["kind"], each["metadata"]["name"]): each for each in objects}


def pod(objects: dict[tuple[str, str], dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = objects["StatefulSet", "docs"]["spec"]["template"]["spec"]
    return found


def test_helm_has_no_findings(answers: dict[str, Any]) -> None:
    assert [each["error"] for each in answers["lint"]] == ["icon is recommended"]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_objects_are_valid_in_kubernetes(answers: dict[str, Any], number: int, tmp_path: Path) -> None:
    file = tmp_path / "objects.yaml"
    file.write_text(yaml.safe_dump_all(manifests(answers, number).values()))
    ran = run(tool("kubernetes-validate"), "--strict", str(file))
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("number", [0, 1])
def test_containers_have_no_privileges_and_a_read_only_root(answers: dict[str, Any], number: int) -> None:
    spec = pod(manifests(answers, number))
    user = next(step.text for step in instructions() if step.keyword == "USER").partition(":")[0]
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert str(spec["securityContext"]["runAsUser"]) == user
    for container in (*spec["initContainers"], *spec["containers"]):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


def test_probes_request_liveness_and_readiness(answers: dict[str, Any]) -> None:
    (site,) = pod(manifests(answers, 0))["containers"]
    assert {name: site[name]["httpGet"]["path"] for name in ("startupProbe", "livenessProbe", "readinessProbe")} == {
        "startupProbe": "/healthz",
        "livenessProbe": "/healthz",
        "readinessProbe": "/readyz",
    }


def test_default_is_one_server_without_ingress_and_disruption_budget(answers: dict[str, Any]) -> None:
    kinds = {kind for kind, _ in manifests(answers, 0)}
    assert kinds == {"StatefulSet", "Service", "ConfigMap"}


def test_values_reach_the_objects(answers: dict[str, Any]) -> None:
    objects = manifests(answers, 1)
    settings = objects["ConfigMap", "docs"]["data"] | objects["Secret", "docs"]["stringData"]
    read_settings(settings)
    assert settings["KINFOLK_HSTS_S"] == "31536000"
    assert objects["PodDisruptionBudget", "docs"]["spec"]["maxUnavailable"] == 1
    (rule,) = objects["Ingress", "docs"]["spec"]["rules"]
    assert (rule["host"], rule["http"]["paths"][0]["path"]) == ("example.com", "/docs")
    clone, sync = pod(objects)["initContainers"]
    assert clone["command"][:2] == ["git", "clone"]
    assert {"name": "KINFOLK_SITE", "value": "/site/website"} in sync["env"]
    assert clone["image"] == "images.example/kinfolk:1.2.3"


def test_changed_secrets_restart_the_servers(answers: dict[str, Any]) -> None:
    checksums = {
        manifests(answers, number)["StatefulSet", "docs"]["spec"]["template"]["metadata"]["annotations"][
            "checksum/secrets"
        ]
        for number in (0, 1, 2)
    }
    assert len(checksums) == 3


def test_existing_secret_is_read_and_none_is_made(answers: dict[str, Any]) -> None:
    objects = manifests(answers, 2)
    assert ("Secret", "docs") not in objects
    (site,) = pod(objects)["containers"]
    assert {"secretRef": {"name": "own"}} in site["envFrom"]


@pytest.mark.parametrize(("values", "named"), REFUSED)
def test_wrong_values_are_refused_by_their_name(answers: dict[str, Any], values: dict[str, Any], named: str) -> None:
    answer = answers["answers"][REQUESTS.index(values)]
    assert named in answer["error"]


def test_schema_describes_each_value() -> None:
    def compare(values: dict[str, Any], schema: dict[str, Any], path: str) -> None:
        for name, value in values.items():
            assert name in schema["properties"], f"{path}{name}"
            if isinstance(value, dict) and "properties" in schema["properties"][name]:
                compare(value, schema["properties"][name], f"{path}{name}.")

    compare(load_yaml(CHART / "values.yaml"), json.loads((CHART / "values.schema.json").read_text()), "")
