"""Addresses of repositories on code hosts: GitHub, GitLab, and Codeberg with other servers that run Forgejo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote, urlencode, urlsplit

HostKind = Literal["github", "gitlab", "codeberg"]

_PUBLIC: dict[HostKind, str] = {
    "github": "https://github.com",
    "gitlab": "https://gitlab.com",
    "codeberg": "https://codeberg.org",
}
_LABELS: dict[HostKind, str] = {"github": "GitHub", "gitlab": "GitLab", "codeberg": "Codeberg"}
_SECTIONS: dict[HostKind, dict[str, str]] = {
    "github": {
        "file": "blob/{branch}/{path}",
        "folder": "tree/{branch}/{path}",
        "edit": "edit/{branch}/{path}",
        "history": "commits/{branch}/{path}",
        "raw": "raw/{branch}/{path}",
        "media": "raw/{branch}/{path}",
    },
    "gitlab": {
        "file": "-/blob/{branch}/{path}",
        "folder": "-/tree/{branch}/{path}",
        "edit": "-/edit/{branch}/{path}",
        "history": "-/commits/{branch}/{path}",
        "raw": "-/raw/{branch}/{path}",
        "media": "-/raw/{branch}/{path}",
    },
    "codeberg": {
        "file": "src/branch/{branch}/{path}",
        "folder": "src/branch/{branch}/{path}",
        "edit": "_edit/{branch}/{path}",
        "history": "commits/branch/{branch}/{path}",
        "raw": "raw/branch/{branch}/{path}",
        "media": "media/branch/{branch}/{path}",
    },
}
_GITHUB_MEDIA = "media.githubusercontent.com"
_GITHUB_RAW = "raw.githubusercontent.com"
_RAW_PREFIX: dict[HostKind, str] = {"github": "raw/", "gitlab": "-/raw/", "codeberg": "raw/branch/"}


@dataclass(frozen=True)
class CodeHost:
    """A server with repositories. `base` is its address, without a slash at the end."""

    kind: HostKind
    base: str

    @property
    def is_public(self) -> bool:
        """Whether this is the public server of its kind, which other services can read repositories from."""
        return self.base == _PUBLIC[self.kind]

    @property
    def label(self) -> str:
        """The name in labels such as "Edit on GitLab". A server other than Codeberg runs Forgejo."""
        return "Forgejo" if self.kind == "codeberg" and not self.is_public else _LABELS[self.kind]

    @property
    def icon(self) -> str:
        """The name of its icon."""
        return self.label.lower()

    def repository(self, repo: str) -> str:
        return f"{self.base}/{repo}"

    def file(self, repo: str, branch: str, path: str) -> str:
        """The page of a file."""
        return self._address("file", repo, branch, path)

    def folder(self, repo: str, branch: str, path: str) -> str:
        """The page of a folder."""
        return self._address("folder", repo, branch, path)

    def edit(self, repo: str, branch: str, path: str, *, line: int = 0) -> str:
        """The editor for a file, from 1 at a line, where the host's editor opens at one: GitHub's does."""
        anchor = f"#L{line}" if line and self.kind == "github" else ""
        return f"{self._address('edit', repo, branch, path)}{anchor}"

    def history(self, repo: str, branch: str, path: str = "") -> str:
        """The commits that changed a file, or all commits of a branch."""
        return self._address("history", repo, branch, path).rstrip("/")

    def raw(self, repo: str, branch: str, path: str) -> str:
        """The content of a file."""
        if self.kind == "github" and self.is_public:
            return f"https://{_GITHUB_RAW}/{repo}/{quote(branch)}/{quote(path)}"
        return self._address("raw", repo, branch, path)

    def media(self, repo: str, branch: str, path: str) -> str:
        """The content of a file that is kept in Git LFS."""
        if self.kind == "github" and self.is_public:
            return f"https://{_GITHUB_MEDIA}/media/{repo}/{quote(branch)}/{quote(path)}"
        return self._address("media", repo, branch, path)

    def issues(self, repo: str) -> str:
        return f"{self.repository(repo)}/{'-/' if self.kind == 'gitlab' else ''}issues"

    def releases(self, repo: str) -> str:
        return f"{self.repository(repo)}/{'-/' if self.kind == 'gitlab' else ''}releases"

    def release(self, repo: str, tag: str) -> str:
        """The page of a release."""
        return f"{self.releases(repo)}/{'' if self.kind == 'gitlab' else 'tag/'}{quote(tag)}"

    def at_tag(self, repo: str, tag: str, path: str) -> str:
        """The page of a file as it was in a release."""
        if self.kind == "codeberg":
            return f"{self.repository(repo)}/src/tag/{quote(tag)}/{quote(path)}"
        return self.file(repo, tag, path)

    def raw_at_tag(self, repo: str, tag: str, path: str) -> str:
        """The content of a file as it was in a release."""
        if self.kind == "codeberg":
            return f"{self.repository(repo)}/raw/tag/{quote(tag)}/{quote(path)}"
        return self.raw(repo, tag, path)

    def commit(self, repo: str, commit: str) -> str:
        """The page of a commit. An abbreviated id is enough."""
        return f"{self.repository(repo)}/{'-/' if self.kind == 'gitlab' else ''}commit/{commit}"

    def issue(self, repo: str, number: int) -> str:
        """The page of an issue. GitHub and Forgejo redirect from it to a pull request with this number."""
        return f"{self.issues(repo)}/{number}"

    def merge_request(self, repo: str, number: int) -> str | None:
        """The page of a merge request, which GitLab numbers apart from issues; None on other hosts."""
        return f"{self.repository(repo)}/-/merge_requests/{number}" if self.kind == "gitlab" else None

    def profile(self, name: str) -> str:
        """The page of a user or an organization."""
        return f"{self.base}/{name}"

    @property
    def api(self) -> str:
        """The address of its API."""
        if self.kind == "github":
            return "https://api.github.com" if self.is_public else f"{self.base}/api/v3"
        return f"{self.base}/api/{'v4' if self.kind == 'gitlab' else 'v1'}"

    def discussions(self, repo: str) -> str | None:
        """Where readers ask questions; None for hosts without such a place besides the issues."""
        return f"{self.repository(repo)}/discussions" if self.kind == "github" else None

    def new_issue(self, repo: str, *, title: str, body: str) -> str:
        """The form for a new issue, filled in."""
        names = ("issue[title]", "issue[description]") if self.kind == "gitlab" else ("title", "body")
        query = urlencode(dict(zip(names, (title, body), strict=True)), safe="[]")
        return f"{self.issues(repo)}/new?{query}"

    @property
    def clone_template(self) -> str:
        """The address that git clones, with placeholders for the two parts of a repository's name."""
        return f"{self.base}/{{owner}}/{{repo}}.git"

    def raw_path(self, url: str) -> str | None:
        """`/owner/name/branch/path` of the address of a raw file on this host; None for other addresses."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https"):
            return None
        if self.kind == "github" and self.is_public and parts.netloc == _GITHUB_RAW:
            return unquote(parts.path)
        if f"https://{parts.netloc}{parts.path}".startswith(f"{self.base}/"):
            owner, _, rest = f"https://{parts.netloc}{parts.path}"[len(self.base) + 1 :].partition("/")
            name, _, rest = rest.partition("/")
            prefix = _RAW_PREFIX[self.kind]
            # GitHub redirects the page of a file to the file if the query is `raw=true`.
            if self.kind == "github" and parts.query == "raw=true" and rest.startswith("blob/"):
                prefix = "blob/"
            if rest.startswith(prefix):
                return f"/{owner}/{name}/{unquote(rest.removeprefix(prefix))}"
        return None

    def _address(self, section: str, repo: str, branch: str, path: str) -> str:
        inside = _SECTIONS[self.kind][section].format(branch=quote(branch), path=quote(path))
        return f"{self.repository(repo)}/{inside}"


def code_host(kind: HostKind = "github", base: str | None = None) -> CodeHost:
    """A host by its kind, at its public address or at one of its own."""
    return CodeHost(kind, base.rstrip("/") if base else _PUBLIC[kind])


def stackblitz(host: CodeHost, repo: str, branch: str, path: str) -> str | None:
    """An example in StackBlitz, which reads repositories from GitHub only."""
    return f"https://stackblitz.com/github/{_on_github(repo, branch, path)}" if _is_github(host) else None


def codesandbox(host: CodeHost, repo: str, branch: str, path: str) -> str | None:
    """An example in CodeSandbox, which reads repositories from GitHub only."""
    return f"https://codesandbox.io/p/devbox/github/{_on_github(repo, branch, path)}" if _is_github(host) else None


def netlify(host: CodeHost, repo: str, path: str) -> str | None:
    """The form that deploys a folder on Netlify, which reads repositories from GitHub and GitLab."""
    if not host.is_public or host.kind == "codeberg":
        return None
    query = urlencode({"repository": host.repository(repo), "create_from_path": path}, safe="/:", quote_via=quote)
    return f"https://app.netlify.com/start/deploy?{query}"


def _is_github(host: CodeHost) -> bool:
    return host.kind == "github" and host.is_public


def _on_github(repo: str, branch: str, path: str) -> str:
    return f"{repo}/tree/{quote(branch)}/{quote(path)}"
