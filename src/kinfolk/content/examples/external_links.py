"""Links to an example on other sites: its source, and editors that run it."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.config import code_hosts
from kinfolk.config.catalog import Editor, Library
from kinfolk.content.examples.example import Example

EDITOR_LABELS: dict[Editor, str] = {"stackblitz": "StackBlitz", "codesandbox": "CodeSandbox"}
_EMBED_QUERIES: dict[Editor, str] = {"stackblitz": "?embed=1&preset=node", "codesandbox": "?embed=1"}


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
    """The source, and the services that can read repositories from its host."""
    library, ref = example.library, example.branch.ref
    host, repo = library.code_host, library.content_repo
    if host is None:
        return ()
    place = (host, repo, ref.branch, example.root)
    links = (
        (host.label, host.folder(repo, ref.branch, example.root), host.icon),
        ("StackBlitz", code_hosts.stackblitz(*place), "stackblitz"),
        ("CodeSandbox", None if library.hide_codesandbox_url else code_hosts.codesandbox(*place), "codesandbox"),
        (
            "Deploy to Netlify",
            code_hosts.netlify(host, repo, example.root) if library.show_netlify_url else None,
            "netlify",
        ),
    )
    return tuple(ExternalLink(label, to, icon) for label, to, icon in links if to is not None)


def embedded_sandbox(example: Example) -> Sandbox | None:
    """The editor of the library; None where it cannot read repositories from the host."""
    library = example.library
    if library.code_host is None:
        return None
    editor = library.embed_editor
    place = (library.code_host, library.content_repo, example.branch.ref.branch, example.root)
    address = code_hosts.stackblitz(*place) if editor == "stackblitz" else code_hosts.codesandbox(*place)
    if address is None:
        return None
    return Sandbox(editor, EDITOR_LABELS[editor], address + _EMBED_QUERIES[editor])


def source_url(library: Library, branch: str, root: str) -> str | None:
    """A folder of the library's repository on the code host, if it is on one."""
    return library.code_host.folder(library.content_repo, branch, root) if library.code_host else None
