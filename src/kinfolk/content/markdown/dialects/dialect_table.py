"""The dialects by name."""

from __future__ import annotations

from collections.abc import Mapping

from kinfolk.content.markdown.dialects.dialect import Dialect
from kinfolk.content.markdown.dialects.readers.mdx import Mdx
from kinfolk.content.markdown.dialects.readers.mkdocs import MkDocs
from kinfolk.content.markdown.dialects.readers.vitepress import VitePress
from kinfolk.content.markdown.dialects.mdc import Mdc

_MDX = ("docusaurus", "starlight", "fumadocs", "nextra", "mintlify", "mdx")

_DIALECTS: tuple[Dialect, ...] = (VitePress(), MkDocs(), *map(Mdx, _MDX), Mdc("nuxt-content"))

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in _DIALECTS}
