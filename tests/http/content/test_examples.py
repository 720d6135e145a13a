"""Examples over HTTP: functions, raw files and the zip."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import httpx
import pytest

from kinfolk.api.all_functions import registry
from kinfolk.api.functions.files import MOST_ENTRIES
from kinfolk.api.registry import Call
from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import PendingHighlight, purge_tags
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.snapshots.stale_dependencies import stale_dependencies
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.snapshot import changes
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio
Fetch = Callable[..., Awaitable[httpx.Response]]

ROOT = "examples/react/basic"
OLD = "v4"
BASIC = {"library": "query", "version": "latest", "framework": "react", "name": "basic"}
BASE = "/_examples/query/latest/react/basic"
FILES: dict[str, bytes] = {
    "src/index.tsx": b"import './style.css'\nexport const a = '</script><b>'\n",
    "src/style.css": b"a { color: red }\n",
    "src/page.html": b"<script>alert(1)</script>\n",
    "src/odd $name+(x).ts": b"let a = 1\r\n",
    "empty.txt": b"",
    "picture.png": b"\x89PNG\0" + bytes(range(256)) * 400,
    ".env": b"A=1\n",
}


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with an example, a secret file outside of it, and symbolic links from the example to the secret."""
    root = tmp_path_factory.mktemp("content")
    branch = root / "TanStack/query/main"
    files = {f"{ROOT}/{name}": text for name, text in FILES.items()}
    files |= {
        "examples/react/basics/other.ts": b"other",
        "secret.txt": b"secret text",
        "docs/overview.md": b"# Overview\n",
        "docs/framework/react/overview.md": b"# Overview\n",
    }
    files |= {f"../{OLD}/examples/{old}/package.json": b"{}\n" for old in ("react/basic", "react/gone", "solid/gone")}
    files |= {f"examples/vue/huge/{number}.ts": b"" for number in range(MOST_ENTRIES + 1)}
    for name, text in files.items():
        path = branch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    (branch / ROOT / "link.txt").symlink_to(branch / "secret.txt")
    (branch / ROOT / "up").symlink_to(branch)
    return root


@pytest.fixture(scope="module")
def site(settings: Settings, catalog: Catalog, content: Path) -> Site:
    return open_site(settings, source=DirectorySource(content, catalog.refs, "sample docs"))


@pytest.fixture
async def client(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(SiteApp(site))
    async with httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        yield client


# Functions


async def test_file_tree_of_an_example_is_ordered_and_has_an_entry_file(fetch: Fetch) -> None:
    data = (await fetch("example.files", BASIC)).json()["data"]
    assert data["files"] == [
        "src/index.tsx",
        "src/odd $name+(x).ts",
        "src/page.html",
        "src/style.css",
        ".env",
        "empty.txt",
        "picture.png",
    ]
    assert (data["title"], data["root"], data["start"]) == ("Basic", ROOT, "src/index.tsx")
    assert data["zip"] == f"{BASE}.zip"


@pytest.mark.parametrize("path", [None, "", "nonsense", f"{ROOT}/../basics/other.ts", "secret.txt", f"{ROOT}/"])
async def test_path_outside_of_the_example_returns_its_entry_file(fetch: Fetch, path: str | None) -> None:
    data = (await fetch("example.file", BASIC | {"path": path})).json()["data"]
    assert (data["path"], data["kind"], data["language"], data["lines"]) == ("src/index.tsx", "code", "tsx", 2)
    assert "&lt;/script&gt;&lt;b&gt;" in data["html"]["$html"]
    assert data["raw"] == f"{BASE}/src/index.tsx"


@pytest.mark.parametrize("file", ["gone.ts", "link.txt", "up/secret.txt", "src"])
async def test_missing_file_is_not_found(fetch: Fetch, file: str) -> None:
    answer = await fetch("example.file", BASIC | {"path": f"{ROOT}/{file}"})
    assert (answer.status_code, answer.json()["message"]) == (404, f"There is no file {file} in the example basic")


async def test_picture_has_a_url(fetch: Fetch, client: httpx.AsyncClient) -> None:
    data = (await fetch("example.file", BASIC | {"path": f"{ROOT}/picture.png"})).json()["data"]
    assert (data["kind"], data["html"], data["size"]) == ("picture", None, len(FILES["picture.png"]))
    picture = await client.get(data["picture"])
    assert (picture.headers["content-type"], picture.content) == ("image/png", FILES["picture.png"])


@pytest.mark.parametrize(
    "changes",
    [{"name": "nope"}, {"framework": "vue"}, {"name": "basic/src"}, {"name": ".."}, {"library": "nope"}],
)
async def test_missing_example_is_not_found(fetch: Fetch, changes: dict[str, str]) -> None:
    for function in ("example.files", "example.file"):
        assert (await fetch(function, BASIC | changes)).status_code == 404


async def test_unknown_version_is_invalid(fetch: Fetch) -> None:
    assert (await fetch("example.files", BASIC | {"version": "v99"})).status_code == 400


async def test_list_has_counts_per_framework_and_previews(fetch: Fetch) -> None:
    data = (await fetch("example.list", {"library": "query", "version": "latest"})).json()["data"]
    assert data["counts"] == [{"framework": "react", "examples": 2}, {"framework": "vue", "examples": 1}]
    assert [card["name"] for card in data["cards"]] == ["basic", "basics", "huge"]
    assert data["cards"][0]["preview"] == {"$html": "export const a = '&lt;/script&gt;&lt;b&gt;'"}
    vue = (await fetch("example.list", {"library": "query", "version": "latest", "framework": "vue"})).json()["data"]
    assert [card["name"] for card in vue["cards"]] == ["huge"]


async def test_directory_with_too_many_entries_is_rejected(fetch: Fetch) -> None:
    answer = await fetch("repo.directory", {"repo": "TanStack/query", "branch": "main", "startingPath": "examples"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    small = {"repo": "TanStack/query", "branch": "main", "startingPath": ROOT}
    assert (await fetch("repo.directory", small)).status_code == 200


# Other versions and frameworks


@pytest.mark.parametrize(
    ("request_data", "versions", "canonical"),
    [
        (
            BASIC,
            {
                "latest": ("/framework/react/examples/basic", None),
                "v5": ("/framework/react/examples/basic", None),
                OLD: ("/framework/react/examples/basic", None),
            },
            "/query/latest/docs/framework/react/examples/basic",
        ),
        (
            BASIC | {"name": "gone", "version": OLD},
            {
                "latest": ("/framework/react/examples", "React examples"),
                "v5": ("/framework/react/examples", "React examples"),
                OLD: ("/framework/react/examples/gone", None),
            },
            "/query/v4/docs/framework/react/examples/gone",
        ),
        (
            BASIC | {"framework": "solid", "name": "gone", "version": OLD},
            {
                "latest": ("/examples", "All examples"),
                "v5": ("/examples", "All examples"),
                OLD: ("/framework/solid/examples/gone", None),
            },
            "/query/v4/docs/framework/solid/examples/gone",
        ),
    ],
)
async def test_example_has_urls_in_all_versions_with_a_copy(
    fetch: Fetch, request_data: dict[str, str], versions: dict[str, tuple[str, str | None]], canonical: str
) -> None:
    data = (await fetch("example.files", request_data)).json()["data"]
    assert data["versions"] == [
        {"name": name, "to": f"/query/{name}/docs{to}", "title": title} for name, (to, title) in versions.items()
    ]
    assert data["canonical"] == canonical


async def test_example_has_urls_in_all_frameworks(fetch: Fetch) -> None:
    data = (await fetch("example.files", BASIC)).json()["data"]
    assert [(each["name"], each["to"], each["title"]) for each in data["frameworks"]] == [
        ("react", "/query/latest/docs/framework/react/examples/basic", None),
        ("vue", "/query/latest/docs/framework/vue/examples", "Vue examples"),
    ]


async def test_framework_list_of_a_version_without_the_framework_lists_all_frameworks(fetch: Fetch) -> None:
    data = (await fetch("docs.framework", {"library": "query", "framework": "react"})).json()["data"]
    assert [(each["name"], each["to"], each["title"]) for each in data] == [
        ("latest", "/query/latest/docs/framework/react", None),
        ("v5", "/query/v5/docs/framework/react", None),
        (OLD, f"/query/{OLD}/docs/framework", "Frameworks"),
    ]


# Highlighting and tags


class FakeHighlighter:
    """Highlights all code after `done` is set."""

    def __init__(self) -> None:
        self.done = False

    def get_or_enqueue(self, snippet: CodeBlock) -> str | None:
        return f"<i>{len(snippet.code)}</i>" if self.done else None

    def watch(self, snippets: Sequence[CodeBlock]) -> PendingHighlight:
        return PendingHighlight(str(len(snippets)))


async def test_code_is_plain_and_tagged_until_it_is_highlighted(
    site: Site, catalog: Catalog, redirects: Redirects
) -> None:
    highlighter = FakeHighlighter()
    docs = DocsSnapshot(catalog, redirects, site.content.publisher.docs.snapshot, highlighter=highlighter)
    call = Call.begin(site, docs_snapshot=docs)
    plain = await registry.call("example.file", dict(BASIC), call)
    ref = "TanStack/query@main"
    assert plain.tags == {f"{ref}#files", f"{ref}:{ROOT}/src/index.tsx", "code:1"}
    cards = await registry.call("example.list", {"library": "query", "version": "latest"}, call)
    others = {f"TanStack/query@{version}#files" for version in ("v4", "v3")}
    assert cards.tags == {f"{ref}#files", f"{ref}#examples", "code:2", *others}
    highlighter.done = True
    highlighted = await registry.call("example.file", dict(BASIC), call)
    assert "<code><i>52</i></code>" in json.dumps(highlighted.envelope())
    assert "code:1" not in highlighted.tags


async def test_changed_example_purges_its_file_and_the_list(
    site: Site, content: Path, catalog: Catalog, tmp_path: Path
) -> None:
    before = site.content.publisher.docs
    file = content / "TanStack/query/main/examples/react/basics/other.ts"
    file.write_bytes(b"another")
    try:
        after = before.with_snapshot(DirectorySource(content, catalog.refs, "sample docs").open())
        stale = purge_tags(stale_dependencies(changes(before.snapshot, after.snapshot), before, after))
    finally:
        file.write_bytes(b"other")
    assert stale == {
        "TanStack/query@main:examples/react/basics/other.ts",
        "TanStack/query@main#examples",
        "TanStack/query@main#revision",
    }


# Raw files


@pytest.mark.parametrize("file", [name for name in FILES if name != "picture.png"])
async def test_raw_text_is_plain_text_in_a_sandbox(client: httpx.AsyncClient, file: str) -> None:
    answer = await client.get(f"{BASE}/{file}")
    assert (answer.status_code, answer.content) == (200, FILES[file])
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    again = await client.get(f"{BASE}/{file}", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = await client.head(f"{BASE}/{file}")
    assert (head.headers["content-length"], head.content) == (str(len(FILES[file])), b"")


async def test_binary_file_is_a_download(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"{BASE}/picture.png")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''picture.png"
    assert answer.content == FILES["picture.png"]


@pytest.mark.parametrize(
    "path",
    [
        f"{BASE}/gone.ts",
        f"{BASE}/link.txt",
        f"{BASE}/up/secret.txt",
        f"{BASE}/../basics/other.ts",
        f"{BASE}/..%2fbasics/other.ts",
        f"{BASE}/%2e%2e/basics/other.ts",
        f"{BASE}/src//index.tsx",
        f"{BASE}/src/%00",
        f"{BASE}/..\\basics\\other.ts",
        f"{BASE}/",
        f"{BASE}/src",
        "/_examples/query/latest/react/../../secret.txt",
        "/_examples/query/latest/../docs/overview.md",
        "/_examples/query/v99/react/basic/.env",
        "/_examples/nope/latest/react/basic/.env",
        "/_examples/query/latest/react/nope.zip",
        "/_examples/query/latest/react/...zip",
        "/_examples/form/latest/react/basic.zip",
    ],
)
async def test_files_outside_of_examples_are_not_served(site: Site, path: str) -> None:
    # Calls the app directly, because an HTTP client would normalize the path.
    sent: list[dict[str, object]] = []
    raw, unquoted = path.encode(), httpx.URL(f"http://x{path}").path
    scope = {
        "type": "http",
        "method": "GET",
        "path": unquoted if "%" in path else path,
        "raw_path": raw,
        "query_string": b"",
        "headers": [],
        "scheme": "http",
        "server": ("kinfolk.test", 80),
        "http_version": "1.1",
    }

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    await SiteApp(site)(scope, receive, send)  # type: ignore[arg-type]  # Starlette's types are wider
    assert sent[0]["status"] in (400, 404, 503)
    assert b"secret text" not in b"".join(message.get("body", b"") for message in sent)  # type: ignore[misc]


# The zip


async def test_zip_contains_the_files_of_the_example(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"{BASE}.zip")
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''query-react-basic.zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            f"basic/{name}": text for name, text in FILES.items()
        }
    assert (await client.get(f"{BASE}.zip")).content == answer.content


async def test_unchanged_zip_is_not_modified(client: httpx.AsyncClient) -> None:
    head = await client.head(f"{BASE}.zip")
    assert (head.status_code, head.content) == (200, b"")
    again = await client.get(f"{BASE}.zip", headers={"if-none-match": head.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
