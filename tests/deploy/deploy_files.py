"""The files of deploy/, and the programs that check them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from kinfolk.config.settings import ROOT

DEPLOY = ROOT / "deploy"
TOOLS = ROOT / ".stamps" / "deploy-tools"


def tool(name: str) -> str:
    """The path of a program that `make deploy-tools` installs. Skips the test without it."""
    path = TOOLS / "bin" / name
    if not path.exists():
        pytest.skip(f"{name} is not installed: run `make deploy-tools`")
    return str(path)


def program(name: str) -> str:
    """The path of an installed program. Skips the test without it."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*command: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """The result of a command, with its output as text. Its exit code is the test's matter."""
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120, **options)


def load_yaml(path: Path) -> dict[Any, Any]:
    """The content of a YAML file that is a mapping."""
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content
