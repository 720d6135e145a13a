"""A page of docs whose code blocks are checked: its files, and the checks in `code_checks.sqlite`."""

from __future__ import annotations

import contextlib
import fcntl
import re
from collections.abc import Iterator
from pathlib import Path

from kinfolk.content.code_checks.check_results import (
    BlockCheck,
    NameUse,
    Option,
    PageCheck,
    Symbol,
    Verdict,
    blocks_digest,
)
from kinfolk.content.code_checks.check_store import CheckRun, CheckStore
from kinfolk.content.markdown.code.code_blocks import parse_code_block

DOCS = "TanStack/query/main/docs"
PATH = "framework/react/guides/stale-data"
PAGE = f"/query/latest/docs/{PATH}"
OTHER_PATH = "framework/react/guides/refetching"
PACKAGE, RELEASE = "@tanstack/react-query", "5.90.2"
REFERENCE = "/query/latest/docs/framework/react/reference"

FIRST = """import { useQuery } from '@tanstack/react-query'

function Todos() {
  // \U0001f389 The same cache in all components.
  const { data, isStale } = useQuery({ queryKey: ['todos'], queryFn: fetchTodos, cacheTime: 5_000 })
  const again = useQuery(todoOptions)
}"""
SHELL = "npm i @tanstack/react-query"
SECOND = """const queryClient = useQueryClient()
queryClient.invalidateQueries({ queryKey: ['todos'] })"""
UNKNOWN = "const nothing = 'of the library'"
IMPORT = "import { useQueryClient } from '@tanstack/react-query'"

_TEXT = f"""# Stale data

Queries are stale at once.

```tsx
{FIRST}
```

## Install it

```bash
{SHELL}
```

## Invalidate it

```ts title="invalidate.ts"
{SECOND}
```

```ts
{UNKNOWN}
```

The end.
"""
FILES = {
    "config.json": '{"sections": [{"label": "Guides", "children": ['
    f'{{"label": "Stale data", "to": "{PATH}"}}, {{"label": "Refetching", "to": "{OTHER_PATH}"}}]}}]}}',
    f"{PATH}.md": _TEXT,
    f"{OTHER_PATH}.md": f"# Refetching\n\nStale queries.\n\n```tsx\n{FIRST}\n```\n",
    "framework/react/overview.md": "# Overview\n\nAbout it.\n",
    "framework/react/reference/useQuery.md": "# useQuery\n\nA hook.\n",
    "framework/react/reference/useQueryClient.md": "# useQueryClient\n\nA hook.\n",
    "reference/QueryClient.md": "# QueryClient\n\n## `queryClient.invalidateQueries`\n\nMakes queries stale.\n",
}

OPTIONS = (
    Option("queryKey", "QueryKey", "The key of the query.", is_optional=False),
    Option("queryFn", "QueryFunction<TData>", "Fetches the data."),
    Option("staleTime", "number | 'static'", "The time in milliseconds after which data is stale."),
    Option("cacheTime", "number", "The former name of gcTime.", deprecated="Use gcTime."),
    *(Option(f"option{number}", "boolean", "One of many options.") for number in range(30)),
)
SYMBOLS = (
    Symbol(
        "useQuery",
        "",
        "function",
        PACKAGE,
        "useQuery<TData = unknown, TError = Error>(options: UseQueryOptions<TData, TError>, queryClient?: QueryClient)"
        ": UseQueryResult<TData, TError>",
        "Fetches data, and keeps it fresh.",
        options=OPTIONS,
    ),
    Symbol("cacheTime", "UseQueryOptions", "property", PACKAGE, "cacheTime?: number", deprecated="Use gcTime."),
    Symbol("isStale", "UseQueryResult", "property", PACKAGE, "isStale: boolean", "Whether the data is stale."),
    Symbol("useQueryClient", "", "function", PACKAGE, "useQueryClient(): QueryClient", "The client of the context."),
    Symbol(
        "invalidateQueries",
        "QueryClient",
        "method",
        "@tanstack/query-core",
        "invalidateQueries(filters?: InvalidateQueryFilters): Promise<void>",
        "Makes queries stale.",
    ),
)


def write_checked_site(docs: Path, var: Path) -> None:
    """Write the docs, and the checks of their pages."""
    for name, text in FILES.items():
        file = docs / DOCS / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    var.mkdir(parents=True, exist_ok=True)
    store = CheckStore(var / "code_checks.sqlite")
    for path in (PATH, OTHER_PATH):
        blocks = [
            parse_code_block(info, content)
            for info, content in re.findall(r"^```(\w.*)\n((?:(?!```).*\n)*)```$", FILES[f"{path}.md"], re.MULTILINE)
        ]
        check = PageCheck(
            packages=(("@tanstack/query-core", RELEASE), (PACKAGE, RELEASE)),
            blocks=tuple(checked_block(block.code) if block.language in ("ts", "tsx") else None for block in blocks),
            symbols=SYMBOLS,
        )
        store.put_page("query", "v5", path, check, blocks=blocks_digest(blocks), types="of the test")
    run = CheckRun("of the test", "2026-11-26T04:30:00+00:00", packages=((PACKAGE, RELEASE),))
    store.put_run("query", "v5", run)
    store.close()


@contextlib.contextmanager
def without_code_checks(var: Path) -> Iterator[None]:
    """While this lasts, no server with these files checks code: another process is the one that does."""
    with (var / "code_checks.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def checked_block(code: str, verdict: Verdict = "right") -> BlockCheck:
    """A block that names all symbols which occur in it."""
    numbers = {symbol.name: number for number, symbol in enumerate(SYMBOLS)}
    names = tuple(
        NameUse(found.start(), len(found[0]), numbers[found[0]])
        for found in re.finditer(r"\w+", code)
        if found[0] in numbers
    )
    return BlockCheck(verdict, names=names, missing_imports=(IMPORT,) if code == SECOND else ())
