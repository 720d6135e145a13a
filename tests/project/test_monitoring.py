"""deploy/monitoring: rules and dashboard name metrics and labels that exist, in valid PromQL."""

from __future__ import annotations

import json
import re
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import Counter, Gauge, Histogram

from kinfolk.config.settings import ROOT
from kinfolk.runtime import metrics

FOLDER = ROOT / "deploy" / "monitoring"
RULES: list[dict[str, Any]] = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text())
PANELS: list[dict[str, Any]] = DASHBOARD["panels"]
INTERVAL = "$__rate_interval"
"""Grafana replaces it before Prometheus reads the expression."""


def existing() -> dict[str, set[str]]:
    """The labels of each series that the server has."""
    found: dict[str, set[str]] = {}
    for metric in vars(metrics).values():
        if not isinstance(metric, Counter | Gauge | Histogram):
            continue
        (described,) = metric.describe()
        labels = set(metric._labelnames)
        if isinstance(metric, Histogram):
            found |= {f"{described.name}{end}": labels for end in ("_sum", "_count")}
            found[f"{described.name}_bucket"] = {*labels, "le"}
        else:
            found[f"{described.name}_total" if isinstance(metric, Counter) else described.name] = labels
    return found


EXPRESSIONS = [rule["expr"] for rule in RULES] + [target["expr"] for panel in PANELS for target in panel["targets"]]


def selectors(expression: str) -> list[tuple[str, set[str]]]:
    """Name and labels of each series that an expression selects."""
    found = re.findall(r"\b(kinfolk_\w+)(?:\{([^}]*)\})?", expression)
    return [(name, set(re.findall(r"(\w+)\s*[=!]", labels))) for name, labels in found]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression_is_valid_and_selects_what_the_server_has(expression: str) -> None:
    promql_parser.parse(expression.replace(INTERVAL, "5m"))
    series = existing()
    grouped = {label.strip() for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(",")}
    for name, labels in selectors(expression):
        assert labels | grouped <= series[name], name
    assert selectors(expression)


def test_legends_name_labels_of_their_series() -> None:
    for panel in PANELS:
        for target in panel["targets"]:
            named = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            labels = existing()[selectors(target["expr"])[0][0]]
            assert named <= labels, panel["title"]


def test_each_alert_has_a_row_that_says_what_to_do() -> None:
    guide = (ROOT / "docs" / "operations.md").read_text()
    rows = re.findall(r"^\| `(Kinfolk\w+)` \| (.+?) \| .{20,} \|$", guide, re.MULTILINE)
    assert rows == [(rule["alert"], rule["annotations"]["summary"]) for rule in RULES]
    assert all(rule["annotations"]["runbook"].endswith("docs/operations.md#alerts") for rule in RULES)
    assert {rule["labels"]["severity"] for rule in RULES} <= {"critical", "warning", "info"}


def test_dashboard_has_panels_that_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in PANELS:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    assert {panel["type"] for panel in PANELS} <= {"stat", "timeseries"}
    assert all(panel["datasource"]["uid"] == "${datasource}" for panel in PANELS)
    assert [variable["name"] for variable in DASHBOARD["templating"]["list"]] == ["datasource"]
