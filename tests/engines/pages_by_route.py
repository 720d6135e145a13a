"""An address for each route of `kinfolk.config.routes`: on the sample site, also with real docs."""

from __future__ import annotations

_DOCS = "/query/latest/docs"
_REACT = f"{_DOCS}/framework/react"

PAGES = {
    "/": "/",
    "/blog": "/blog",
    "/blog/$": "/blog/a-tour-of-data-and-state",
    "/dashboard": "/dashboard",
    "/dashboard/account": "/dashboard/account",
    "/dashboard/activity": "/dashboard/activity",
    "/dashboard/code": "/dashboard/code",
    "/dashboard/content": "/dashboard/content",
    "/dashboard/deliveries": "/dashboard/deliveries",
    "/dashboard/feedback": "/dashboard/feedback",
    "/dashboard/links": "/dashboard/links",
    "/dashboard/promotions": "/dashboard/promotions",
    "/dashboard/searches": "/dashboard/searches",
    "/dashboard/statistics": "/dashboard/statistics",
    "/design": "/design",
    "/feedback": "/feedback",
    "/login": "/login",
    "/login/code": "/login/code",
    "/login/confirm": "/login/confirm",
    "/search": "/search?q=cache",
    "/sponsors-embed": "/sponsors-embed",
    "/upgrade": "/upgrade?packages=@tanstack/react-query@4",
    "/stats": "/stats",
    "/stats/npm": "/stats/npm",
    "/stats/npm/embed": "/stats/npm/embed",
    "/stats/npm/$": "/stats/npm/data-fetching",
    "/pr/$library/$number": "/pr/query/1",
    "/$library": "/query",
    "/$library/$version": "/query/latest",
    "/$library/$version/docs": _DOCS,
    "/$library/$version/docs/examples": f"{_DOCS}/examples",
    "/$library/$version/docs/framework": f"{_DOCS}/framework",
    "/$library/$version/docs/framework/$framework": _REACT,
    "/$library/$version/docs/framework/$framework/examples": f"{_REACT}/examples",
    "/$library/$version/docs/framework/$framework/examples/$name": f"{_REACT}/examples/basic",
    "/$library/$version/docs/framework/$framework/$": f"{_REACT}/overview",
    "/$library/$version/docs/$": f"{_DOCS}/reference/QueryClient",
    "/$library/changes/$range": "/query/changes/5.0.0...latest",
    "/$library/changes/$range/$": "/query/changes/5.0.0...latest/framework/react/overview",
    "/$library/releases": "/query/releases",
    "/$library/releases/$number": "/query/releases/5.0.0",
    "/$library/$version/$": "/query/latest/not-there",
    "/$": "/support",
}
MISSING = frozenset({"/query/latest/not-there"})
"""Pages that do not exist, on purpose."""
