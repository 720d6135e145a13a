"""Third-party scripts: none by default, and only those that `kinfolk.toml` configures."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kinfolk.config.catalog import Catalog, catalog_errors, load_catalog
from kinfolk.config.settings import Settings
from kinfolk.rendering import AllowedSources, build_policy

PROVIDER = """
[promo.provider]
kind = "google-publisher-tag"
name = "Ads"
script = "https://ads.example/tag.js"
account = "/1/site"
hosts = ["https://*.ads.example", "https://ads.example"]
"""
MANAGER = """
[promo.tag_manager]
id = "T-1"
name = "Tags"
script = "https://tags.example/m.js"
"""

Configured = Callable[[str], Path]


@pytest.fixture
def configured(settings: Settings, tmp_path: Path) -> Configured:
    """Creates a data folder with additional tables after `[promo]`."""

    def make(tables: str) -> Path:
        data = tmp_path / "data"
        shutil.copytree(settings.site, data)
        site = data / "kinfolk.toml"
        site.write_text(re.sub(r"(?m)^\[promo\]\n.*\n", lambda found: found[0] + tables, site.read_text(), count=1))
        return data

    return make


def test_default_policy_allows_no_third_party_script(catalog: Catalog) -> None:
    assert catalog.promo.hosts == ()
    assert "https://ads.example" not in build_policy(sources=AllowedSources(script_src=catalog.promo.hosts))


def test_policy_allows_each_configured_host_once(configured: Configured) -> None:
    catalog = load_catalog(configured(PROVIDER + MANAGER))
    assert catalog.promo.hosts == ("https://ads.example", "https://*.ads.example", "https://tags.example")
    directives = dict(
        part.split(" ", 1)
        for part in build_policy(["sha256-x"], sources=AllowedSources(script_src=catalog.promo.hosts)).split("; ")
    )
    assert directives["script-src"] == (
        "'self' https://ads.example https://*.ads.example https://tags.example 'sha256-x'"
    )
    assert directives["connect-src"].endswith("https://tags.example")
    assert directives["default-src"] == "'self'"
    assert directives["style-src"] == "'self' 'unsafe-inline'"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ('script = "http://ads.example/tag.js"', "promo.provider.script: should look like https://ads.example/tag.js"),
        ('script = "https://ads.example"', "promo.provider.script: should look like https://ads.example/tag.js"),
        ('hosts = ["*"]', "promo.provider.hosts[0]: should look like https://ads.example or https://*.ads.example"),
        (
            """hosts = ["https://a.example; script-src 'unsafe-inline'"]""",
            "promo.provider.hosts[0]: should look like https://ads.example or https://*.ads.example",
        ),
        ('kind = "other"', "promo.provider.kind: should be 'google-publisher-tag' or 'carbon'"),
    ],
)
def test_value_that_would_allow_other_sources_is_refused(configured: Configured, wrong: str, message: str) -> None:
    key = wrong.partition(" ")[0]
    faults = catalog_errors(configured(re.sub(rf"(?m)^{key} = .*$", lambda _: wrong, PROVIDER)))
    assert [fault.message for fault in faults] == [f"kinfolk.toml: {message}"]
