"""The start of the command line."""

from __future__ import annotations

import subprocess
import sys

MODULES = "import sys, kinfolk.cli.main; print(*sorted(name for name in sys.modules if name.startswith('kinfolk.')))"
NEEDED = ("kinfolk.cli", "kinfolk.config", "kinfolk.runtime.errors")


def test_commands_import_their_features_when_they_run() -> None:
    """Metrics must not be imported before a command has set the folder that worker processes share."""
    command = [sys.executable, "-c", MODULES]
    modules = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert "kinfolk.cli.serve_command" in modules
    assert [name for name in modules if not name.startswith(NEEDED) and name != "kinfolk.runtime"] == []
