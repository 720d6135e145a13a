"""The Dockerfile and the Compose file of deploy/: linters, and what they promise to an operator."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.deploy.deploy_files import DEPLOY, load_yaml, run, tool
from tests.deploy.dockerfile import ignored, instructions
from tests.sites.sample_site import SITE, read_settings

from kinfolk.config.settings import ROOT, SETTINGS

RUNTIME = [step for step in instructions() if step.stage == "runtime"]
COMPOSE = load_yaml(DEPLOY / "compose.yaml")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
EXAMPLE = dict(
    line.split("=", 1)
    for line in (DEPLOY / "docs.env.example").read_text().splitlines()
    if line and not line.startswith("#")
)


def argument(keyword: str) -> str:
    (found,) = (step.text for step in RUNTIME if step.keyword == keyword)
    return found


def test_dockerfile_has_no_findings_of_hadolint() -> None:
    ran = run(tool("hadolint"), "--no-color", str(DEPLOY / "Dockerfile"))
    assert (ran.returncode, ran.stdout) == (0, "")


def test_image_runs_as_a_fixed_user_without_root() -> None:
    assert argument("USER") == "10001:10001"
    assert "--uid 10001" in "".join(step.text for step in RUNTIME if step.keyword == "RUN")
    assert RUNTIME.index(next(step for step in RUNTIME if step.keyword == "USER")) > max(
        index for index, step in enumerate(RUNTIME) if step.keyword in ("RUN", "COPY")
    )


def test_signals_reach_the_server_because_no_shell_is_between() -> None:
    assert json.loads(argument("ENTRYPOINT")) == ["kinfolk"]
    assert json.loads(argument("CMD"))[0] == "serve"


def test_image_writes_into_its_own_folder_and_its_temporary_folder_only() -> None:
    mounted = argument("VOLUME")
    environment = dict(re.findall(r"(\w+)=(\S+)", argument("ENV")))
    named = {name: value for name, value in environment.items() if name.startswith("KINFOLK_")}
    assert named["KINFOLK_SITE"] == argument("WORKDIR")
    settings = read_settings(named | {"KINFOLK_SITE": str(SITE)})
    assert str(settings.var) == mounted
    assert settings.mirror == Path(mounted) / "mirror"
    assert environment["HOME"] == "/tmp"  # noqa: S108 - of the image
    assert environment["PYTHONDONTWRITEBYTECODE"] == "1"


def test_image_installs_only_locked_packages() -> None:
    (install,) = (step.text for step in instructions() if "/opt/kinfolk/bin/python install" in step.text)
    for command in re.findall(r"install --no-cache-dir[^&]*", install):
        assert "--require-hashes --no-deps --requirement requirements.lock" in command or "--no-index" in command


def test_copied_paths_exist_and_are_in_the_context() -> None:
    copied = [step.text.split()[:-1] for step in instructions() if step.keyword == "COPY" and "--from" not in step.text]
    paths = [path for each in copied for path in each]
    assert [path for path in paths if not (ROOT / path).exists() or ignored(path)] == []
    assert ignored("frontend/node_modules")
    assert ignored("docs/start.md")
    assert not ignored("src/kinfolk/cli/main.py")


@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False)])
def test_health_check_of_the_image_follows_the_status(status: int, healthy: bool) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    command = json.loads(argument("HEALTHCHECK").partition("CMD ")[2])
    assert command[0] == "python"
    arguments = [part.replace("127.0.0.1:8000", f"127.0.0.1:{server.server_port}") for part in command[1:]]
    ran = subprocess.run([sys.executable, *arguments], check=False, capture_output=True, timeout=30)
    server.shutdown()
    server.server_close()
    assert (ran.returncode == 0) == healthy


def test_compose_file_is_valid() -> None:
    ran = run(tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", str(DEPLOY / "compose.yaml"))
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_has_no_privileges_and_a_read_only_root(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert SERVICES["database"]["networks"] == ["back"]
    assert COMPOSE["networks"]["back"]["internal"] is True


def test_services_that_run_restart_and_have_a_health_check() -> None:
    """That of the site is in its image."""
    for name in ("site", "database", "proxy"):
        assert SERVICES[name]["restart"] == "unless-stopped"
    assert [name for name in ("database", "proxy") if "test" in SERVICES[name]["healthcheck"]] == ["database", "proxy"]
    assert "healthcheck" not in SERVICES["site"]


def test_services_wait_for_existing_services_and_their_folders_are_declared() -> None:
    for service in SERVICES.values():
        assert set(service.get("depends_on", {})) <= set(SERVICES)
        named = {entry.partition(":")[0] for entry in service.get("volumes", []) if entry[0] not in "./$"}
        assert named <= set(COMPOSE["volumes"])
        assert set(service["networks"]) <= set(COMPOSE["networks"])


def test_compose_variables_are_in_the_example_or_have_a_default() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    variables = {found[0]: found[1] for found in re.findall(r"\$\{(\w+)(:-|:\?)?", text)}
    assert {name for name, default in variables.items() if default == ":?"} <= set(EXAMPLE)
    assert set(variables.values()) == {":-", ":?"}


def test_settings_of_compose_and_example_exist() -> None:
    known = {setting.name for setting in SETTINGS}
    assert {name for name in SERVICES["site"]["environment"] if name.startswith("KINFOLK_")} <= known
    assert {name for name in EXAMPLE if name.startswith("KINFOLK_")} <= known
    read_settings({name: value for name, value in EXAMPLE.items() if name.startswith("KINFOLK_")})


def test_site_trusts_the_network_of_its_proxy() -> None:
    (subnet,) = (each["subnet"] for each in COMPOSE["networks"]["front"]["ipam"]["config"])
    assert SERVICES["site"]["environment"]["KINFOLK_TRUSTED_PROXIES"] == subnet
    assert "front" in SERVICES["proxy"]["networks"]
