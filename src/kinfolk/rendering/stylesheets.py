"""The stylesheets of a page as text in its head, so that its first paint waits for no other file (decisions/0021)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from kinfolk.config.base_path import BasePath

_LINK = re.compile(r'<link rel="stylesheet" href="([^"]*)" data-precedence="([^"]*)"/>')


class Stylesheets:
    """The texts of stylesheets, by address."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    @classmethod
    def of_build(cls, manifest: Path, base: BasePath) -> Stylesheets:
        """Those of the built frontend, with the base path of the site."""
        text = manifest.read_text(encoding="utf-8").replace("/assets/", f"{base.path}/assets/")
        return cls(json.loads(text).get("inlined", {}))

    def inline(self, page: str) -> str:
        """The page with texts in place of links, at the end of the head.

        A script after a linked stylesheet would block on it.         React takes `data-href` for its address.
        """
        end = page.find("</head>")
        if end < 0:
            return page
        head = page[:end]
        styles = "".join(self._style(link) for link in _LINK.finditer(head))
        return f"{_LINK.sub('', head)}{styles}{page[end:]}"

    def _style(self, link: re.Match[str]) -> str:
        text = self._texts.get(link[1])
        return link[0] if text is None else f'<style data-href="{link[1]}" data-precedence="{link[2]}">{text}</style>'
