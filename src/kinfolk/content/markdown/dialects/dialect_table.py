"""The dialects by name."""

from __future__ import annotations

from collections.abc import Mapping

from kinfolk.content.markdown.dialects.dialect import Dialect
from kinfolk.content.markdown.dialects.docusaurus import Docusaurus
from kinfolk.content.markdown.dialects.mkdocs import MkDocs
from kinfolk.content.markdown.dialects.vitepress import VitePress

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (VitePress(), MkDocs(), Docusaurus())}
