"""The announcement of the old site: HTML or Markdown becomes one line of text with one link."""

from __future__ import annotations

import re
from html import unescape

from markdown_it import MarkdownIt

from kinfolk.cli.import_site.facts.imported_site import AnnouncementFacts
from kinfolk.cli.import_site.project.project_import import ProjectImport, first_sentences, plain_text
from kinfolk.config.catalog import LONGEST_ANNOUNCEMENT
from kinfolk.content.markdown.literals.config_values import ConfigText, ConfigValue

LONGEST_SOURCE = 4_000
"""Characters. No parser reads a longer text."""
WHAT = "announcement"
_COMPUTED = "it is computed; set [announcement] in kinfolk.toml"
_LINK = re.compile(r"<(?:a|Link)\s[^<>]*+>")
_HREF = re.compile(r"\shref\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'<>]++))")


def import_html_announcement(
    project: ProjectImport, html: str, value: ConfigValue | None = None, file: str | None = None
) -> None:
    """Take over an announcement after the pages: its link may lead to one. `value` and `file` are where it is."""
    site = project.site
    if len(html) > LONGEST_SOURCE:
        site.leave(WHAT, f"it is longer than {LONGEST_SOURCE} characters", value, file)
        return
    # `isprintable` is false for parts of emoji, without which the other parts stay.
    plain = " ".join("".join(c for c in plain_text(html) if c.isprintable()).split())
    text = first_sentences(plain, LONGEST_ANNOUNCEMENT)
    if not text:
        site.leave(WHAT, "it has no text", value, file)
        return
    if text != plain:
        reason = f"only the first sentences of at most {LONGEST_ANNOUNCEMENT} characters are taken over"
        site.leave(f"{WHAT} {plain[:100]!r}", reason, value, file)
    links = [_address(tag) for tag in _LINK.findall(html)]
    target = project.target(links[0]) if links else None
    if links and target is None:
        reason = "it leads to no page of the docs, and to no https:// address"
        site.leave(f"link {links[0][:100]!r} of the announcement", reason, value, file)
    if len(links) > 1:
        site.leave(f"{len(links) - 1} more links of the announcement", "the bar has one link", value, file)
    site.announcement = AnnouncementFacts(text, target or "")


def import_announcement(project: ProjectImport, value: ConfigValue | None, *, is_markdown: bool = False) -> None:
    """Take over the announcement in a value of the configuration, if there is one."""
    if isinstance(value, ConfigText):
        text = value.text[: LONGEST_SOURCE + 1]
        html = MarkdownIt("commonmark").renderInline(text) if is_markdown and len(text) <= LONGEST_SOURCE else text
        import_html_announcement(project, html, value)
    elif value is not None:
        project.site.leave(WHAT, _COMPUTED, value)


def import_banner(project: ProjectImport, file: str) -> None:
    """Take over the content of `<Banner>` in the layout of an application, which is code."""
    _, found, rest = (project.files.text(file) or "").partition("<Banner")
    content, is_closed, _ = rest.partition("</Banner>")
    if not found or not is_closed or content[:1] not in (" ", "\n", ">"):
        return
    html = content.partition(">")[2]
    if "{" in html:
        project.site.leave(WHAT, _COMPUTED, file=file)
    else:
        import_html_announcement(project, html, file=file)


def _address(tag: str) -> str:
    found = _HREF.search(tag)
    return unescape(found[1] or found[2] or found[3] or "") if found else ""
