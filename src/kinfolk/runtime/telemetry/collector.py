"""Where traces and metrics are sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Collector:
    """A collector with OTLP over HTTP. `ratio` is the share of requests whose spans are recorded."""

    address: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    ratio: float = 1.0
    resource: Mapping[str, str] = field(default_factory=dict)
