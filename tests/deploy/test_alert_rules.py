"""deploy/monitoring/alerts.yml in promtool: each alert fires for its fault, and none for a sound site."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.deploy.deploy_files import DEPLOY, load_yaml, run

from kinfolk.config.settings import ROOT

PROMTOOL = ROOT / ".stamps" / "promtool" / "usr" / "bin" / "promtool"
ALERTS = DEPLOY / "monitoring" / "alerts.yml"
RULES: dict[str, dict[str, Any]] = {rule["alert"]: rule for rule in load_yaml(ALERTS)["groups"][0]["rules"]}
TARGET = {"job": "kinfolk", "instance": "docs:9464"}
"""Labels that Prometheus adds to each series of a server."""


@dataclass(frozen=True)
class Fault:
    """`series` are values for each minute, in promtool's notation: sound at first, and then those of the fault.

    `silent_min` is the last minute without the alert, `firing_min` one at which it fires with these labels.
    """

    series: Mapping[str, str]
    silent_min: int
    firing_min: int
    labels: Mapping[str, str] = field(default_factory=dict)


FAULTS = {
    "KinfolkDown": Fault({"kinfolk_workers": "2x10 0x10"}, 11, 13, TARGET),
    "KinfolkWorkersReplaced": Fault(
        {'kinfolk_workers_replaced_total{reason="killed"}': "0x20 1 2 3 3x20"}, 21, 24, TARGET | {"reason": "killed"}
    ),
    "KinfolkServiceDown": Fault(
        {'kinfolk_background_up{service="sync"}': "1x10 0x20"}, 20, 22, TARGET | {"service": "sync"}
    ),
    "KinfolkDocsOld": Fault({"kinfolk_sync_age_seconds": "0+60x90"}, 75, 77, TARGET),
    "KinfolkSearchOld": Fault({"kinfolk_search_index_age_seconds": "0+60x90"}, 75, 77, TARGET),
    "KinfolkLoopLag": Fault({"kinfolk_event_loop_lag_seconds": "0.02x10 0.9x20"}, 15, 17, TARGET),
    "KinfolkErrors": Fault(
        {
            'kinfolk_requests_total{kind="page",status="200"}': "0+100x60",
            'kinfolk_requests_total{kind="page",status="503"}': "0+1x20 31+11x40",
        },
        24,
        28,
    ),
    "KinfolkSlow": Fault(
        {
            'kinfolk_request_seconds_bucket{kind="page",le="2.5"}': "0+60x20 1200x40",
            'kinfolk_request_seconds_bucket{kind="page",le="5.0"}': "0+60x60",
            'kinfolk_request_seconds_bucket{kind="page",le="+Inf"}': "0+60x60",
        },
        30,
        33,
        {"kind": "page"},
    ),
    "KinfolkRefusals": Fault(
        {'kinfolk_refused_total{kind="page",reason="client"}': "0+60x20 1200+600x40"},
        30,
        38,
        {"kind": "page", "reason": "client"},
    ),
    "KinfolkMemory": Fault(
        {
            'kinfolk_memory_bytes{worker="0"}': "400000000x10 900000000x20",
            'kinfolk_memory_bytes{worker="1"}': "400000000x30",
            "kinfolk_memory_limit_bytes": "1400000000x30",
        },
        20,
        22,
    ),
    "KinfolkDisk": Fault(
        {"kinfolk_disk_free_bytes": "50x10 9x20", "kinfolk_disk_bytes": "100x30"},
        20,
        22,
        TARGET,
    ),
    "KinfolkDatabaseDown": Fault({"kinfolk_database_up": "1x10 0x10"}, 12, 14, TARGET),
    "KinfolkOpenFiles": Fault(
        {'kinfolk_open_files{worker="0"}': "100x10 900x20", "kinfolk_open_files_limit": "1024x30"}, 15, 17
    ),
    "KinfolkSpansDropped": Fault({'kinfolk_spans_dropped_total{reason="queue"}': "0x20 0+600x40"}, 34, 40),
}
ABSENT = Fault({"up": "0x10"}, 0, 3)
"""A server that is not reached has no series but `up`."""


def with_target(series: str) -> str:
    name, _, labels = series.rstrip("}").partition("{")
    added = ",".join(f'{label}="{value}"' for label, value in TARGET.items())
    return f"{name}{{{labels}{',' if labels else ''}{added}}}"


def checked_at(minute: int, alert: str, labels: Mapping[str, str] | None) -> dict[str, Any]:
    """A check of promtool: the alert fires at a minute with these labels, or not for None."""
    rule = RULES[alert]
    expected = [{"exp_labels": {**(labels or {}), **rule["labels"]}, "exp_annotations": rule["annotations"]}]
    return {"eval_time": f"{minute}m", "alertname": alert, "exp_alerts": [] if labels is None else expected}


def case(alert: str, fault: Fault) -> dict[str, Any]:
    return {
        "name": alert,
        "interval": "1m",
        "input_series": [{"series": with_target(name), "values": values} for name, values in fault.series.items()],
        "alert_rule_test": [
            checked_at(fault.silent_min, alert, None),
            checked_at(fault.firing_min, alert, fault.labels),
        ],
    }


def sound_site() -> dict[str, Any]:
    """The first value of each series for an hour, or the first growth: no alert fires."""
    series = {name: values for fault in FAULTS.values() for name, values in fault.series.items()}
    sound = {name: f"{values.split('x')[0]}x60" for name, values in series.items()}
    # Ages that do not become older.
    sound |= {name: "120x60" for name in sound if "age_seconds" in name}
    sound |= {name: "0x60" for name in sound if 'status="503"' in name}
    return {
        "name": "a sound site",
        "interval": "1m",
        "input_series": [{"series": with_target(name), "values": values} for name, values in sound.items()],
        "alert_rule_test": [checked_at(minute, alert, None) for alert in RULES for minute in (5, 30, 59)],
    }


def promtool(*arguments: str | Path) -> str:
    """The output of a successful run."""
    if not PROMTOOL.exists():
        pytest.skip("promtool is not installed: run `make promtool`")
    ran = run(str(PROMTOOL), *map(str, arguments))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_each_alert_fires_for_its_fault_only(tmp_path: Path) -> None:
    assert set(FAULTS) == set(RULES)
    tests = [case(alert, fault) for alert, fault in FAULTS.items()] + [case("KinfolkDown", ABSENT), sound_site()]
    file = tmp_path / "tests.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": tests}))
    assert "SUCCESS" in promtool("test", "rules", file)


def test_rules_and_expressions_of_the_dashboard_are_valid(tmp_path: Path) -> None:
    dashboard = json.loads((DEPLOY / "monitoring" / "dashboard.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = [
        {"record": f"dashboard:{number}", "expr": expression.replace("$__rate_interval", "5m")}
        for number, expression in enumerate(expressions)
    ]
    file = tmp_path / "dashboard.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    found = promtool("check", "rules", ALERTS, file)
    assert f"SUCCESS: {len(RULES)} rules found" in found
    assert f"SUCCESS: {len(expressions)} rules found" in found
