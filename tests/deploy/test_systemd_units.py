"""The units of deploy/systemd: what systemd says about them, without a running systemd."""

from __future__ import annotations

import re
import shlex
from configparser import RawConfigParser
from pathlib import Path

import pytest
from tests.deploy.deploy_files import DEPLOY, program, run

from kinfolk.config.settings import SETTINGS

UNITS = sorted((DEPLOY / "systemd").glob("*.*"))
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
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
