"""How agents read the site: the checks of afdocs, which implements the Agent-Friendly Documentation Spec."""

from __future__ import annotations

import json
import subprocess

import pytest
from tests.servers.serving import Server

from kinfolk.config.settings import ROOT

NODE = ROOT / ".venv/bin/node"
AFDOCS = ROOT / "frontend/node_modules/afdocs/bin/afdocs.mjs"
PAGES = (
    "/query/latest/docs/framework/vue/installation",
    "/query/latest/docs/framework/react/guides/mutations",
    "/table/latest/docs/framework/react/examples/basic",
    "/table/latest/docs/introduction",
    "/virtual/latest/docs/examples",
    "/query/latest",
    "/blog/react-in-python",
    "/privacy",
)
"""A page of each kind that the sitemap has."""
TARGETS = {"/query/latest", "/table/latest/docs/introduction", "/virtual/latest/docs/introduction"}
"""Where unknown versions and missing pages outside of a framework lead, because the specification of the site says so.
afdocs expects status 404."""


@pytest.mark.skipif(not AFDOCS.exists(), reason="afdocs is not installed")
def test_agents_find_and_read_the_pages(server: Server) -> None:
    urls = ",".join(f"{server.url}{path}" for path in PAGES)
    options = ("--urls", urls, "--max-links", "8", "--request-delay", "0", "--max-concurrency", "4")
    command = [str(NODE), str(AFDOCS), "check", server.url, *options, "--format", "json", "--quiet"]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    results = {result["id"]: result for result in json.loads(run.stdout)["results"]}
    assert len(results) >= 28, run.stderr
    missing = results.pop("http-status-codes")["details"]["pageResults"]
    assert {id: result["message"] for id, result in results.items() if result["status"] == "fail"} == {}
    reached = [page["finalUrl"].partition("?from=") for page in missing if page["status"] == 200]
    assert {target.removeprefix(server.url) for target, _, _ in reached} == TARGETS
    assert all(origin for _, _, origin in reached)
