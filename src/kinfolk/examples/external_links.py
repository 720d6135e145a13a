"""Links to an example on other sites: its source, and editors that run it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from kinfolk.catalog import Editor, Library
from kinfolk.examples.example import Example

EDITOR_LABELS: dict[Editor, str] = {"stackblitz": "StackBlitz", "codesandbox": "CodeSandbox"}


@dataclass(frozen=True)
class ExternalLink:
    """A link to another site; `icon` names an icon of the frontend."""

    label: str
    to: str
    icon: str


@dataclass(frozen=True)
class Sandbox:
    """An editor in an iframe. The frontend adds the theme and the open file to `embed` as `theme` and
    `file`.
    """

    editor: Editor
    label: str
    embed: str


def external_links(example: Example) -> tuple[ExternalLink, ...]:
    """Empty for an example that has no address elsewhere."""
    library = example.library
    if library.is_local:
        return ()
    path = _github_path(example)
    netlify = urlencode({"repository": library.repo_url, "create_from_path": example.root}, safe="/:", quote_via=quote)
    links = (
        (True, ExternalLink("GitHub", f"https://github.com/{path}", "github")),
        (True, ExternalLink("StackBlitz", f"https://stackblitz.com/github/{path}", "stackblitz")),
        (
            not library.hide_codesandbox_url,
            ExternalLink("CodeSandbox", f"https://codesandbox.io/p/devbox/github/{path}", "codesandbox"),
        ),
        (
            library.show_netlify_url,
            ExternalLink("Deploy to Netlify", f"https://app.netlify.com/start/deploy?{netlify}", "netlify"),
        ),
    )
    return tuple(link for is_shown, link in links if is_shown)


def embedded_sandbox(example: Example) -> Sandbox | None:
    """None for an example that has no address elsewhere: the editor would not find it."""
    if example.library.is_local:
        return None
    editor = example.library.embed_editor
    path = _github_path(example)
    embed = {
        "stackblitz": f"https://stackblitz.com/github/{path}?embed=1&preset=node",
        "codesandbox": f"https://codesandbox.io/p/devbox/github/{path}?embed=1",
    }
    return Sandbox(editor, EDITOR_LABELS[editor], embed[editor])


def source_url(library: Library, branch: str, root: str) -> str:
    """A folder of the library's repository on the code host."""
    return f"{library.repo_url}/tree/{quote(branch)}/{quote(root)}"


def _github_path(example: Example) -> str:
    return f"{example.library.repo}/tree/{quote(example.branch.ref.branch)}/{quote(example.root)}"
