"""The units of deploy/systemd: what systemd says about them, without a running systemd."""

from __future__ import annotations

import re
import shlex
import signal
import socket
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path

import httpx
import pytest
from tests.deploy.deploy_files import DEPLOY, program, run
from tests.servers.serving import LEAN, free_port
from tests.servers.shared_caches import wait_until
from tests.sites.sample_site import SITE

from kinfolk.config.settings import SETTINGS

UNITS = sorted((DEPLOY / "systemd").glob("*.*"))
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
PATIENCE_S = 60.0
HIGHEST_EXPOSURE = 1.5
"""systemd rates a service from 0 to 10. What remains is what a server of V8 needs: the network, and compiled code."""


def service_section(unit: Path) -> dict[str, list[str]]:
    """The options of a service with all their values."""
    section = unit.read_text().partition("[Service]")[2].partition("\n[")[0]
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", section, re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_no_fault(unit: Path, tmp_path: Path) -> None:
    """Programs of the unit need not be installed here, so that their paths are those of a file that exists."""
    for each in UNITS:
        (tmp_path / each.name).write_text(re.sub(r"/srv/docs-venv/bin/kinfolk", "/bin/true", each.read_text()))
    ran = run(program("systemd-analyze"), "verify", "--man=no", str(tmp_path / unit.name))
    assert (ran.returncode, [line for line in ran.stderr.splitlines() if unit.name in line]) == (0, [])


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_exposure_of_the_service_is_low(unit: Path) -> None:
    ran = run(program("systemd-analyze"), "security", "--offline=yes", "--no-pager", str(unit))
    found = re.search(r"Overall exposure level for [\w.-]+: ([\d.]+)", ran.stdout)
    assert found, ran.stderr
    assert float(found[1]) <= HIGHEST_EXPOSURE


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_unit_has_known_settings_and_its_sections(unit: Path) -> None:
    parser = RawConfigParser(strict=False)
    parser.read_string(unit.read_text())
    assert "Unit" in parser.sections()
    named = set(re.findall(r"KINFOLK_[A-Z_]+", unit.read_text()))
    assert named <= {setting.name for setting in SETTINGS}


def test_server_writes_into_the_folder_that_systemd_makes() -> None:
    options = service_section(DEPLOY / "systemd/docs.service")
    (folder,) = options["StateDirectory"]
    variables = dict(each.split("=", 1) for each in shlex.split(" ".join(options["Environment"])))
    assert variables["KINFOLK_VAR"] == f"/var/lib/{folder}"
    assert variables["KINFOLK_MIRROR"].startswith(f"/var/lib/{folder}/")
    assert options["ProtectSystem"] == ["strict"]
    assert "ReadWritePaths" not in options
    assert "MemoryDenyWriteExecute" not in options


def test_service_takes_the_socket_that_systemd_holds(tmp_path: Path, built: Path) -> None:
    """`systemd-socket-activate` starts ExecStart at the first connection, which waits for the answer."""
    assert built
    [start] = service_section(DEPLOY / "systemd" / "docs.service")["ExecStart"]
    kinfolk, *arguments = shlex.split(start)
    own = Path(sys.executable).parent / Path(kinfolk).name
    address = f"127.0.0.1:{free_port()}"
    settings = {"KINFOLK_SITE": str(SITE), "KINFOLK_VAR": str(tmp_path / "var"), "KINFOLK_MIRROR": "off", **LEAN}
    settings |= {"KINFOLK_NPM_IMPORT": "off", "KINFOLK_FIGURES": "off", "KINFOLK_PRERENDER": "off"}
    notified = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifications:
        notifications.bind(str(notified))
        notifications.settimeout(PATIENCE_S)
        settings["NOTIFY_SOCKET"] = str(notified)
        passed = [part for name, value in settings.items() for part in ("-E", f"{name}={value}")]
        command = [program("systemd-socket-activate"), "-l", address, *passed, str(own), *arguments]
        with (tmp_path / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
            try:
                wait_until(lambda: b"Listening on" in (tmp_path / "log").read_bytes())
                assert httpx.get(f"http://{address}/healthz", timeout=PATIENCE_S).status_code == 200
                ready = notifications.recv(4096).decode()
            finally:
                process.send_signal(signal.SIGTERM)
    assert "READY=1" in ready
    assert process.returncode == 0
    assert f"Open http://{address}" in (tmp_path / "log").read_text()
