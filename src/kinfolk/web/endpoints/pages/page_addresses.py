"""Which addresses name a page, decided from the table of routes and the content before anything is rendered.

The server renders all other addresses with low priority, and answers them as missing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from kinfolk.config.catalog import LATEST, Catalog
from kinfolk.config.catalog.releases import ReleaseTable
from kinfolk.config.docs_address import DocsAddress, Ref, is_preview_name, preview_name, version_path
from kinfolk.config.routes import SPLAT, RouteMatch, literal_segments, match_site_route
from kinfolk.content.blog import BlogPost
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.sources.paths import page_fault


@dataclass(frozen=True)
class AddressMatch:
    """What an address names.

    `page`: a page, or a route that redirects to one, has exactly this path. `canonical` is the path of the page that
    differs from the address only by spaces around segments, or by the case of a literal segment.
    """

    route: RouteMatch
    page: bool
    canonical: str | None = None


class PageAddresses:
    """Matches addresses with the catalog, the posts and one docs snapshot. A match takes some microseconds."""

    def __init__(
        self,
        catalog: Catalog,
        posts: Callable[[], Collection[BlogPost]],
        *,
        has_page: Callable[[str], bool] = lambda _name: False,
        has_statistics: bool = False,
        has_upgrades: bool = False,
        has_notice: Callable[[str], bool] = lambda _name: False,
    ) -> None:
        """`posts` returns the current posts, including drafts.

        `has_page` says whether the site has a page of its own with a name, `has_statistics` whether it compares
        packages, `has_upgrades` whether it plans upgrades, and `has_notice` whether redirects have a notice with a
        name.
        """
        self._posts = posts
        self._has_notice = has_notice
        self._has_page = has_page
        self._parts = {
            "always": True,
            "never": False,
            "accounts": catalog.accounts,
            "comparison": has_statistics,
            "statistics": has_statistics,
            "upgrade": has_upgrades,
        }
        self._libraries = {library.id: library for library in catalog.libraries}
        self._configured = {library.id: (LATEST, *library.version_names) for library in catalog.libraries}
        self._frameworks = frozenset(framework.value for framework in catalog.frameworks)
        self._literals = literal_segments()

    def match(self, path: str, docs: ContentReader) -> AddressMatch:
        """`path` is decoded."""
        found = self.route(path)
        if self.exists(found, docs):
            return AddressMatch(found, page=True)
        segments = path.split("/")[1:]
        canonical = self._canonical(segments)
        if canonical != segments and (canonical == [""] or "" not in canonical):
            to = "/" + "/".join(canonical)
            if self.exists(self.route(to), docs):
                return AddressMatch(found, page=False, canonical=quote(to))
        return AddressMatch(found, page=False)

    def route(self, path: str) -> RouteMatch:
        """The route of a path on this site."""
        return match_site_route(path, self._libraries)

    def in_latest_version(self, path: str) -> str | None:
        """The same path in the latest version, for a path in an unknown version of a library; else None."""
        match = self.route(path)
        library = self._libraries.get(match.params.get("library", ""))
        version = match.params.get("version")
        if library is None or version is None or library.is_known_version(version) or is_preview_name(version):
            return None
        return f"/{library.id}/{LATEST}" + path.removeprefix(f"/{library.id}/{version}")

    def of_release(self, path: str) -> str | None:
        """The address of a page in the docs of a release, for a path that names the release otherwise; else None.

        `/query/v5.28.4/docs/x` and `/query/5.28/docs/x` lead to `/query/5.28.4/docs/x`, `/query/5.28.4` to its docs,
        `/query/releases/v5.28.4` to `/query/releases/5.28.4`, and the version of a preview to its address.
        """
        match = self.route(path)
        if match.route.exists == "release":
            return self._page_of_release(match.params["library"], match.params["number"])
        library, version = match.params.get("library", ""), match.params.get("version", "")
        if is_preview_name(version):
            written = f"/{library}/{version}"
            inside = path.removeprefix(written)
            return version_path(library, version) + inside if inside != path else None
        release = None if version in self._configured.get(library, ()) else self._releases(library).named(version)
        inside = path.removeprefix(f"/{library}/{version}")
        if release is None or (release.number == version and inside):
            return None
        return f"/{library}/{release.number}{inside or '/docs'}"

    def _page_of_release(self, library: str, name: str) -> str | None:
        """The address of the page of a release that is named otherwise."""
        release = self._releases(library).named(name.strip().lower())
        return None if release is None or release.number == name else f"/{library}/releases/{release.number}"

    def requested_changes(self, path: str, older: str, newer: str) -> str | None:
        """The address of the changes between two releases, by the names that a reader wrote; else None.

        Without a newer one, those up to the latest docs.
        """
        match = self.route(path)
        library = match.params.get("library", "")
        table = self._releases(library) if match.route.exists == "releases" else ReleaseTable()
        first, last = table.named(older.strip().lower()), table.named(newer.strip().lower())
        if first is None or (last is None and newer.strip() not in ("", LATEST)):
            return None
        if last is not None and last.order < first.order:
            first, last = last, first
        return f"/{library}/changes/{first.number}...{last.number if last else LATEST}"

    def requested_release(self, path: str, name: str, page: str) -> str | None:
        """The address that the list of releases leads to for the name of a release, which a reader wrote; else None."""
        match = self.route(path)
        library = match.params.get("library", "")
        release = self._releases(library).named(name.strip().lower()) if match.route.exists == "releases" else None
        return None if release is None else str(DocsAddress(library, release.number, page)).rstrip("/")

    def releases(self, path: str) -> tuple[Ref, ...]:
        """The tags or commits with the docs of a page: of its release or preview, or both of a difference."""
        match = self.route(path)
        params = match.params
        numbers = [params.get("version", "")]
        if match.route.exists == "difference":
            is_range = self._compares(params["library"], params["range"])
            numbers = params["range"].split("...") if is_range else []
        elif match.route.exists == "preview":
            numbers = [preview_name(params["number"])]
        found = map(self._releases(params.get("library", "")).version, dict.fromkeys(numbers))
        return tuple(self._libraries[params["library"]].ref(each.number) for each in found if each is not None)

    def shows_notice(self, origin: str) -> bool:
        """Whether a value of the parameter `from` may have a notice: it is an address of this site or a known name."""
        return origin.startswith("/") or self._has_notice(origin)

    def exists(self, match: RouteMatch, docs: ContentReader) -> bool:
        """Whether the content that the route of a match requires exists."""
        params, kind = match.params, match.route.exists
        if kind in self._parts:
            return self._parts[kind]
        match kind:
            case "blog":
                return bool(self._posts())
            case "site_page":
                return self._has_page(params[SPLAT])
            case "library":
                return params["library"] in self._libraries
            case "releases" | "release" | "preview" | "changes" | "difference":
                return self._has_release(kind, params, docs)
            case "post":
                return any(post.slug == params[SPLAT] for post in self._posts())
            case _:
                return self._has_version(params) and (kind == "version" or self._is_in_docs(match, docs))

    def _has_release(self, kind: str, params: Mapping[str, str], docs: ContentReader) -> bool:
        """Whether the releases exist that a page is about, or its pull request."""
        table = self._releases(params["library"])
        match kind:
            case "releases":
                return bool(table.all)
            case "release":
                return table.find(params["number"]) is not None
            case "preview":
                return table.version(preview_name(params["number"])) is not None
            case _:
                compares = self._compares(params["library"], params["range"])
                return compares and (kind == "changes" or self._is_in_either(params, docs))

    def branch(self, params: Mapping[str, str], docs: ContentReader) -> BranchReader | None:
        """The docs of a known version; None while its branch has not been fetched."""
        return docs.find_branch(self._libraries[params["library"]].ref(params["version"]))

    def _compares(self, library: str, names: str) -> bool:
        """Whether a range such as `5.28.4...5.30.0` names two releases, or one and the latest docs."""
        older, dots, newer = names.partition("...")
        table = self._releases(library)
        return bool(dots) and table.find(older) is not None and (newer == LATEST or table.find(newer) is not None)

    def _is_in_either(self, params: Mapping[str, str], docs: ContentReader) -> bool:
        """Whether one of the versions of a range has a page."""
        library = self._libraries[params["library"]]
        for version in params["range"].split("..."):
            facts = library.docs_facts(version)
            branch = docs.find_branch(facts.ref)
            file = branch.page_file(f"{facts.docs_root}/{params[SPLAT]}") if branch is not None else None
            if branch and file and page_fault(file) is None and branch.is_in_docs(facts.docs_root, file):
                return True
        return False

    def _releases(self, library: str) -> ReleaseTable:
        return self._libraries[library].releases.table if library in self._libraries else ReleaseTable()

    def _has_version(self, params: Mapping[str, str]) -> bool:
        library = self._libraries.get(params["library"])
        return library is not None and library.is_known_version(params["version"])

    def _is_in_docs(self, match: RouteMatch, docs: ContentReader) -> bool:
        params, branch = match.params, self.branch(match.params, docs)
        docs_root = self._libraries[params["library"]].docs_facts(params["version"]).docs_root
        if match.route.exists == "framework":
            folders = branch.framework_folders(docs_root) if branch is not None else frozenset()
            return params["framework"] in self._frameworks or params["framework"] in folders
        if branch is None:
            return False
        if match.route.exists == "example":
            return (params["framework"], params["name"]) in branch.examples
        framework = f"/framework/{params['framework']}" if "framework" in params else ""
        file = branch.page_file(f"{docs_root}{framework}/{params[SPLAT]}")
        return file is not None and page_fault(file) is None and branch.is_in_docs(docs_root, file)

    def _canonical(self, segments: list[str]) -> list[str]:
        """The segments without surrounding spaces, and with literal segments in lower case, as are those of pages of
        the site itself.
        """
        canonical = []
        stripped = [segment.strip() for segment in segments]
        if self._has_page("/".join(stripped).lower()):
            return [segment.lower() for segment in stripped]
        for position, segment in enumerate(stripped):
            is_literal = segment.lower() in self._literals.get(position, ())
            canonical.append(segment.lower() if is_literal else segment)
        return canonical
