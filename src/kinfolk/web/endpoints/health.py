"""`/healthz`: this worker answers requests. `/readyz`: it can answer requests for pages."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import orjson
from starlette.types import Receive, Scope, Send

from kinfolk.content.docs.docs_source import docs_fault
from kinfolk.rendering.isolates.isolate_pool import IsolatePool
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.site.site import Site

ALIVE, READY = "/healthz", "/readyz"
TARGETS = frozenset({ALIVE, READY})


class Health:
    """The ASGI application of both addresses. `pool` is None until the process has started it."""

    def __init__(self, site: Site, supervisor: Supervisor) -> None:
        self.pool: IsolatePool | None = None
        self.followed_s: Callable[[], float | None] = lambda: None
        """When the docs were last known to be those of the process that fetches them, by `time.monotonic`."""
        self._site = site
        self._supervisor = supervisor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer GET and HEAD without blocking."""
        del receive  # these requests have no body
        status, body = 200, b'{"status":"ok"}'
        if scope["method"] not in ("GET", "HEAD"):
            status, body = 405, b'{"status":"method not allowed"}'
        elif scope["path"] == READY:
            report = self.readiness()
            status, body = 200 if report["status"] == "ok" else 503, orjson.dumps(report)
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
        ]
        if status == 405:  # noqa: PLR2004 - the answer above
            headers.append((b"allow", b"GET, HEAD"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    def readiness(self) -> Mapping[str, object]:
        """The body of `/readyz`: `status` is "ok" or "unavailable". Ages are seconds; null means never."""
        site, pool = self._site, self.pool
        snapshot = site.content.publisher.docs.snapshot
        fault = docs_fault(site.settings, site.catalog, snapshot)
        search_ready = site.search.updater is not None and site.search.updater.is_ready
        isolates = pool.ready if pool is not None else 0
        # Not the index: its first build takes minutes, in which pages are read.
        ready = fault is None and isolates > 0
        return {
            "status": "ok" if ready else "unavailable",
            "docs": {
                "ready": fault is None,
                "reason": fault,
                "branches": len(snapshot.trees),
                "age_s": self.sync_age_s(),
            },
            "search": {"on": site.search.updater is not None, "ready": search_ready, "age_s": self.index_age_s()},
            "isolates": {"ready": isolates, "size": site.settings.renderers},
            "services": [
                {
                    "name": service.name,
                    "running": service.running,
                    # The type of the error only: messages contain paths and addresses.
                    "last_error": service.last_error.partition(":")[0] if service.last_error else None,
                    "error_age_s": _rounded(service.error_age_s),
                }
                for service in self._supervisor.states()
            ],
        }

    def sync_age_s(self) -> float | None:
        """Seconds since the last successful refresh of the docs: of all branches, the longest."""
        known = (self._site.content.publisher.source.synced_at_s(), self.followed_s())
        return _age_s(max((at_s for at_s in known if at_s is not None), default=None))

    def index_age_s(self) -> float | None:
        """Seconds since the search index was last known to be current."""
        return _age_s(self._site.search.updater.current_at_s) if self._site.search.updater is not None else None


def _age_s(at_s: float | None) -> float | None:
    return None if at_s is None else _rounded(time.monotonic() - at_s)


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
