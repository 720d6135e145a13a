"""The privacy page names everything that the site stores in browsers."""

from __future__ import annotations

import re
from pathlib import Path

from tests.sites.sample_site import SITE, read_settings

from kinfolk.config.settings import ROOT
from kinfolk.web.endpoints.accounts.session_cookie import SIGNED_IN, SessionCookies

FRONTEND = ROOT / "frontend" / "src"
PAGE = SITE / "pages" / "privacy.md"
KEYS = ("lib/storageKeys.ts", "lib/examples/treeWidth.ts", "lib/search/search.ts")
"""Files with the keys of storage."""
VALUES = {"FRAMEWORK_TABS", "REMEMBERED_TABS", "TREE_SCRIPT"}
"""Constants of these files that are no keys."""
LITERALS = {"theme", "framework"}
"""Keys that the script in the head writes."""
WRITE = re.compile(r"(?:kinfolk\.write|boot\.write|Storage\.setItem|^ {2}write)\(\s*([\w']+)", re.MULTILINE)
OTHER_WRITES = {"key", "PACKAGE_MANAGER", "PACKAGE_MANAGER_KEY"}
"""First words of writes: of functions that get their key, and of local names for `tabs:`."""


def constants() -> dict[str, str]:
    """The constants that hold keys."""
    text = "".join((FRONTEND / file).read_text(encoding="utf-8") for file in KEYS)
    found = dict(re.findall(r"export const ([A-Z_]+) = '([^']+)'", text))
    return {name: value for name, value in found.items() if name not in VALUES}


def sources() -> list[Path]:
    return [path for path in FRONTEND.rglob("*.ts*") if ".test." not in path.name and "polyfills" not in str(path)]


def named_keys() -> set[str]:
    """The keys in the table of the privacy page."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return {key for row in rows for key in re.findall(r"`([^`]+)`", row.split("|")[1])}


def test_each_write_to_storage_has_a_key_of_the_table_of_keys() -> None:
    known = {*constants(), *OTHER_WRITES, *(f"'{literal}'" for literal in LITERALS)}
    unknown = {
        f"{path.name}: {key}"
        for path in sources()
        for key in WRITE.findall(path.read_text(encoding="utf-8"))
        if key not in known
    }
    assert unknown == set()


def test_privacy_page_names_each_key_and_cookie() -> None:
    cookies = SessionCookies(read_settings({}))
    names = {SIGNED_IN, cookies.session, cookies.attempt, cookies.link}
    assert named_keys() == set(constants().values()) | LITERALS | names
