"""Renders the Helm chart with Helm's own library, and checks it: run by the interpreter of `make deploy-tools`.

    python render_chart.py CHART < requests.json

Requests are a list of values. The output has for each the files of the chart, or `error`; `lint` has Helm's messages.
"""

from __future__ import annotations

import json
import sys

from helm_python import chart
from helm_python.errors import HelmError


def rendered(opened: chart.Chart, values: dict[str, object]) -> dict[str, object]:
    try:
        return {"files": opened.render(values=values, name="docs", namespace="web")}
    except HelmError as refused:
        return {"error": str(refused)}


def main() -> None:
    path = sys.argv[1]
    requests = json.load(sys.stdin)
    with chart.Chart.load(path) as opened:
        answers = [rendered(opened, values) for values in requests]
    print(json.dumps({"lint": chart.lint(path, strict=True)["messages"], "answers": answers}))


if __name__ == "__main__":
    main()
