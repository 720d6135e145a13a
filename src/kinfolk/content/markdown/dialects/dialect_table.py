"""The dialects by name."""

from __future__ import annotations

from collections.abc import Mapping

from kinfolk.content.markdown.dialects.dialect import Dialect
from kinfolk.content.markdown.dialects.readers.mdbook.mdbook import MdBook
from kinfolk.content.markdown.dialects.readers.mdc import Mdc
from kinfolk.content.markdown.dialects.readers.mdx import Mdx
from kinfolk.content.markdown.dialects.readers.mkdocs import MkDocs
from kinfolk.content.markdown.dialects.readers.myst.myst import Myst
from kinfolk.content.markdown.dialects.readers.vitepress import VitePress

_MDX = ("docusaurus", "starlight", "fumadocs", "nextra", "mintlify", "mdx")

_DIALECTS: tuple[Dialect, ...] = (
    VitePress("vitepress"),
    MkDocs("mkdocs"),
    MdBook("mdbook"),
    Myst("myst"),
    Mdc("nuxt-content"),
    *map(Mdx, _MDX),
)

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in _DIALECTS}
