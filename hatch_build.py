"""Build hook of the wheel: adds the frontend that `make wheel` has built, so that an installation needs no Node."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FRONTEND = Path(".stamps/wheel/frontend/dist")


class FrontendHook(BuildHookInterface[Any]):
    """An editable installation has none: it reads `frontend/dist` of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        built = Path(self.root) / FRONTEND
        if not (built / "ssr" / "ssr.js").exists():
            raise RuntimeError("The frontend for the wheel is not built: run `make wheel`")
        build_data["force_include"][str(built)] = "kinfolk/frontend"
