"""All functions of the API: importing this module registers those of every feature."""

from __future__ import annotations

from kinfolk.api import blog, dashboard, docs, examples, files, home, libraries, pages, search, site, theme
from kinfolk.api.registry import registry
from kinfolk.catalog import Badge

__all__ = ["NAMED", "registry"]

FEATURES = (site, home, libraries, docs, files, examples, blog, pages, search, theme, dashboard)
NAMED = {"Mode": theme.Mode, "Badge": Badge, "ExternalScriptKind": site.ExternalScriptKind}
"""Union types that get a name in TypeScript."""
