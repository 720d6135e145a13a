"""Scripts of others: none by default, and only those that the facts name."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kinfolk.catalog import Catalog, catalog_errors, load_catalog
from kinfolk.settings import Settings
from kinfolk.ssr import policy

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
    """The family's facts with more about promotions."""

    def make(more: str) -> Path:
        data = tmp_path / "data"
        shutil.copytree(settings.data, data)
        site = data / "site.toml"
        site.write_text(re.sub(r"(?m)^\[promo\]\n.*\n", lambda found: found[0] + more, site.read_text(), count=1))
        return data

    return make


def test_as_delivered_nobody_else_has_a_script_on_the_site(catalog: Catalog) -> None:
    assert catalog.promo.hosts == ()
    assert "https://ads.example" not in policy(hosts=catalog.promo.hosts)


def test_the_hosts_of_what_is_configured_are_let_in_once_each(configured: Configured) -> None:
    catalog = load_catalog(configured(PROVIDER + MANAGER))
    assert catalog.promo.hosts == ("https://ads.example", "https://*.ads.example", "https://tags.example")
    directives = dict(part.split(" ", 1) for part in policy(["sha256-x"], hosts=catalog.promo.hosts).split("; "))
    assert directives["script-src"] == (
        "'self' https://ads.example https://*.ads.example https://tags.example 'sha256-x'"
    )
    assert directives["connect-src"].endswith("https://tags.example")
    assert directives["default-src"] == "'self'"
    assert directives["style-src"] == "'self' 'unsafe-inline'"


@pytest.mark.parametrize(
    ("wrong", "complaint"),
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
def test_what_could_open_more_than_a_host_is_refused(configured: Configured, wrong: str, complaint: str) -> None:
    key = wrong.partition(" ")[0]
    faults = catalog_errors(configured(re.sub(rf"(?m)^{key} = .*$", lambda _: wrong, PROVIDER)))
    assert [fault.message for fault in faults] == [f"site.toml: {complaint}"]
