"""The site of the documents: `docs.example.com`, with the libraries, pages and files that their examples name."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.sites.sample_site import read_settings
from tests.suite.documents import CodeBlock, code_blocks

from kinfolk.config.settings import Settings

ORIGIN = "https://docs.example.com"
WEBHOOK_SECRET = "shared with the code host"
ADMIN_KEY = "may write indexes"
MAINTAINER = "grace@example.com"
SETTINGS = {
    "KINFOLK_ORIGIN": ORIGIN,
    "KINFOLK_SECRET": "0123456789abcdef" * 2,
    "KINFOLK_WEBHOOK_SECRET": WEBHOOK_SECRET,
    "KINFOLK_SEARCH_ADMIN_KEY": ADMIN_KEY,
    "KINFOLK_GITHUB_OAUTH_ID": "id",
    "KINFOLK_GITHUB_OAUTH_SECRET": "secret",
    "KINFOLK_GOOGLE_OAUTH_ID": "id",
    "KINFOLK_GOOGLE_OAUTH_SECRET": "secret",
    "KINFOLK_MIRROR": "off",
    "KINFOLK_REFRESH_S": "0",
    "KINFOLK_HIGHLIGHT": "off",
    "KINFOLK_NPM_IMPORT": "off",
    "KINFOLK_FIGURES": "off",
    "KINFOLK_RELEASE_NOTES": "off",
    "KINFOLK_LINK_CHECK": "off",
}
PAGE = "---\ntitle: {title}\ndescription: About it.\n---\n\nText about the cache.\n"
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 4h7v7H4z"/></svg>'
DOCS = {
    "acme/widgets/main": ("overview",),
    "acme/query/main": ("overview", "guides/index", "framework/react/quick-start", "framework/react/guides/caching"),
    "acme/query/v4": ("overview",),
    "acme/acme/main": ("intro", "setup/colors", "guide/features"),
    "acme/acme/1.0": ("intro",),
}
FILES = {
    "kinfolk.toml": 'family = "Acme"\n',
    "libraries/acme.toml": 'repo = "acme/acme"\n[[versions]]\nname = "v2"\nbranch = "main"\n'
    '[[versions]]\nname = "1-0"\nbranch = "1.0"\n',
    "pages/terms.md": PAGE.format(title="Terms"),
    "pages/privacy.md": PAGE.format(title="Privacy"),
    "pages/guides/index.md": PAGE.format(title="Guides"),
    "pages/guides/first-steps.md": PAGE.format(title="First steps"),
    "blog/one.md": "---\ntitle: One\ndescription: A post.\npublished: 2026-11-21\nauthors: []\n---\n\nText.\n",
    "public/.well-known/security.txt": "Contact: mailto:security@example.com\n",
    "repos/acme/query/main/examples/react/basic/src/index.tsx": "export {}\n",
    "repos/acme/query/main/examples/react/basic/package.json": "{}\n",
}


def example(file: str, title: str = "") -> str:
    """The text of the first TOML block of a page, or of that with a title."""
    found = (each for each in code_blocks() if each.file == file and each.language == "toml")
    return next(each.text for each in found if each.title == title)


def write_site(folder: Path) -> Settings:
    """Write the site, with the configuration of the documents, and return its settings."""
    files = {
        **FILES,
        "libraries/widgets.toml": example("docs/start.md", "libraries/widgets.toml"),
        "libraries/query.toml": 'repo = "acme/query"\nnpm_packages = ["@acme/query"]\n' + example("docs/concepts.md"),
        "redirects.toml": example("docs/migrating/docusaurus.md", "redirects.toml"),
    }
    for branch, pages in DOCS.items():
        files |= {f"repos/{branch}/docs/{page}.md": f"# {page}\n\nText about the cache.\n" for page in pages}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    environment = {
        "KINFOLK_SITE": str(folder),
        "KINFOLK_CONTENT": str(folder / "repos"),
        "KINFOLK_VAR": f"{folder}/var",
    }
    return read_settings(SETTINGS | environment)


@dataclass(frozen=True)
class CurlRequest:
    """A request of an example with curl."""

    method: str
    url: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str]
    body: str


def curl_requests(block: CodeBlock) -> list[CurlRequest]:
    """The requests of a block. A shell parses it, with a function in the place of curl that prints its arguments."""
    if shutil.which("bash") is None:
        pytest.skip("examples with curl need bash")
    script = "curl() { printf '%q ' \"$@\"; echo; }\n" + block.text
    ran = subprocess.run(["bash", "-euc", script], check=True, capture_output=True, text=True)
    return [_request(arguments) for arguments in _calls(ran.stdout)]


def _calls(printed: str) -> list[list[str]]:
    # `%q` writes texts with line ends as $'…', which shlex does not know.
    read = 'for argument in "$@"; do printf "%s\\0" "$argument"; done; printf "\\1"'
    script = "".join(f"set -- {line}\n{read}\n" for line in printed.splitlines())
    out = subprocess.run(["bash", "-euc", script], check=True, capture_output=True, text=True).stdout
    return [call.removesuffix("\0").split("\0") for call in out.split("\1") if call]


def _request(arguments: list[str]) -> CurlRequest:
    """Raises ValueError for an option that this does not know."""
    method, url, parameters, headers, body = "GET", "", {}, {}, ""
    rest = iter(arguments)
    for argument in rest:
        match argument:
            case "-X":
                method = next(rest)
            case "-G":
                method = "GET"
            case "-H":
                name, _, value = next(rest).partition(": ")
                headers[name] = value
            case "-d":
                body, method = next(rest), "POST"
            case "--data-urlencode":
                name, _, value = next(rest).partition("=")
                parameters[name] = value
            case _ if argument.startswith("https://"):
                url = argument
            case _:
                raise ValueError(f"unknown option of curl: {shlex.quote(argument)}")
    return CurlRequest(method, url, parameters, headers, body)
