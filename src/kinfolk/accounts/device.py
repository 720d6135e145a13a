"""The browser and the system of a User-Agent header, so that readers recognize their sessions."""

from __future__ import annotations

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Parts of the header by browser. Many browsers name others, too: the first part that occurs counts."""
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def device_name(user_agent: str) -> str:
    """For example `Firefox on Linux`; `Unknown browser` for a header that names none."""
    browser = next((name for part, name in _BROWSERS if part in user_agent), "Unknown browser")
    system = next((name for part, name in _SYSTEMS if part in user_agent), None)
    return f"{browser} on {system}" if system else browser
