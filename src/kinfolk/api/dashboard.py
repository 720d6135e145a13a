"""The visitor's dashboard."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.api.registry import Call, registry
from kinfolk.cache import PRIVATE
from kinfolk.redirects import Redirect


@dataclass(frozen=True)
class Dashboard:
    signed_in: bool


@registry.function("dashboard.load", cache=PRIVATE)
async def dashboard_load(call: Call) -> Dashboard | Redirect:
    """Redirects to the login page, because there is no sign-in yet."""
    del call  # the result has no dependencies
    return Redirect("/login", 307)
