"""Pages of other programs that are beside the docs -> files of `pages/`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from kinfolk.cli.import_site.facts.imported_site import short_label
from kinfolk.cli.import_site.posts.moved_markdown import TextMover
from kinfolk.cli.import_site.posts.post_import import front_of, shortened, with_front_matter
from kinfolk.config.routes import reserved_segments

MOST_PAGES = 500

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*(?:/[a-z0-9]+(?:-[a-z0-9]+)*)*")
_NOT_IN_NAME = re.compile(r"[^a-z0-9/]+")


def import_pages(mover: TextMover, folder: str) -> None:
    """Add the Markdown files of a folder as pages of the site, and name the others."""
    project, site = mover.project, mover.project.site
    reserved = reserved_segments(library.id for library in site.libraries)
    found: dict[str, str] = {}
    code: list[str] = []
    for file in sorted(project.files.files_below(folder, lambda name: name.startswith(("_", ".")))):
        path = file.removeprefix(f"{folder}/").rsplit(".", 1)[0].removesuffix("/index")
        if posixpath.basename(file).startswith("_"):
            continue
        if file.endswith((".js", ".jsx", ".tsx", ".ts")) and not file.endswith((".test.js", ".d.ts")):
            code.append(file)
        elif file.endswith((".md", ".mdx")) and len(found) < MOST_PAGES:
            name = _page_name(path, reserved)
            if name is None or name in found.values():
                site.leave("page", "its address is one of the site or of a library", file=file)
                continue
            found[file] = name
            mover.addresses[file] = f"/{name}"
            project.moved[path] = f"/{name}"
    for file, name in found.items():
        text = _page_text(mover, file, name)
        if text is None:
            site.leave("page", "it has no text that is Markdown", file=file)
            project.moved.pop(file.removeprefix(f"{folder}/").rsplit(".", 1)[0].removesuffix("/index"), None)
        else:
            site.texts[f"pages/{name}.md"] = text
    if code:
        reason = "pages in React are code; text belongs in pages/ of the site"
        site.leave(f"{len(code)} pages in {folder}" if len(code) > 1 else f"page in {folder}", reason, file=code[0])


def _page_name(path: str, reserved: Mapping[str, str]) -> str | None:
    name = "/".join(part.strip("-") for part in _NOT_IN_NAME.sub("-", path.lower()).split("/"))
    return name if _NAME.fullmatch(name) and name.split("/")[0] not in reserved and name != "index" else None


def _page_text(mover: TextMover, file: str, name: str) -> str | None:
    text = mover.project.files.text(file)
    moved = mover.move(file, text, address=f"/{name}") if text is not None else None
    if text is None or moved is None or not moved.text.strip():
        return None
    front = front_of(text)
    written = front.get("title")
    title = short_label(moved.title) or (short_label(written) if isinstance(written, str) else "")
    title = title or posixpath.basename(name).replace("-", " ").capitalize()
    return with_front_matter({"title": title, "description": shortened(moved.description or title)}, moved.text)
