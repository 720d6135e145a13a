"""Where an example lives on other people's sites: its source, and editors that run it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from kinfolk.catalog import Editor, Library
from kinfolk.examples.example import Example

NAMES: dict[Editor, str] = {"stackblitz": "StackBlitz", "codesandbox": "CodeSandbox"}


@dataclass(frozen=True)
class Elsewhere:
    """A link away from the site; `icon` is the place's short name."""

    label: str
    to: str
    icon: str


@dataclass(frozen=True)
class Sandbox:
    """An editor that can stand in a frame. The reader's theme and the open file are added to `embed` as `theme` and
    `file`.
    """

    editor: Editor
    label: str
    embed: str


def links(example: Example) -> tuple[Elsewhere, ...]:
    library = example.library
    place = _place(example)
    netlify = urlencode({"repository": library.repo_url, "create_from_path": example.root}, safe="/:", quote_via=quote)
    shown = (
        (True, Elsewhere("GitHub", f"https://github.com/{place}", "github")),
        (True, Elsewhere("StackBlitz", f"https://stackblitz.com/github/{place}", "stackblitz")),
        (
            not library.hide_codesandbox_url,
            Elsewhere("CodeSandbox", f"https://codesandbox.io/p/devbox/github/{place}", "codesandbox"),
        ),
        (
            library.show_netlify_url,
            Elsewhere("Deploy to Netlify", f"https://app.netlify.com/start/deploy?{netlify}", "netlify"),
        ),
    )
    return tuple(link for is_shown, link in shown if is_shown)


def sandbox(example: Example) -> Sandbox:
    editor = example.library.embed_editor
    place = _place(example)
    embed = {
        "stackblitz": f"https://stackblitz.com/github/{place}?embed=1&preset=node",
        "codesandbox": f"https://codesandbox.io/p/devbox/github/{place}?embed=1",
    }
    return Sandbox(editor, NAMES[editor], embed[editor])


def source_url(library: Library, branch: str, root: str) -> str:
    """A folder of the library's repository on the code host."""
    return f"{library.repo_url}/tree/{quote(branch)}/{quote(root)}"


def _place(example: Example) -> str:
    return f"{example.library.repo}/tree/{quote(example.tree.ref.branch)}/{quote(example.root)}"
