"""The visitor's theme."""

from __future__ import annotations

from typing import Literal

from kinfolk.api.registry import Call, registry, request_data
from kinfolk.runtime.cache import PRIVATE

Mode = Literal["light", "dark", "auto"]
MODES: tuple[Mode, ...] = ("light", "dark", "auto")
TEN_YEARS_S = 10 * 365 * 24 * 3600


@registry.function("theme.get", cache=PRIVATE)
async def theme_get(call: Call) -> Mode:
    """The theme in the visitor's cookie; `auto` without a valid one."""
    chosen = call.cookies.get("theme")
    return next((mode for mode in MODES if mode == chosen), "auto")


@request_data
class ThemeRequest:
    mode: Mode


@registry.function("theme.set", method="POST", cache=PRIVATE)
async def theme_set(call: Call, request: ThemeRequest) -> None:
    secure = "; Secure" if call.site.settings.origin.startswith("https://") else ""
    call.set_cookies.append(f"theme={request.mode}; Path=/; Max-Age={TEN_YEARS_S}; SameSite=Lax{secure}")
