"""The dialects by name."""

from __future__ import annotations

from collections.abc import Mapping

from kinfolk.markdown.dialects.dialect import Dialect
from kinfolk.markdown.dialects.docusaurus import Docusaurus
from kinfolk.markdown.dialects.mkdocs import MkDocs
from kinfolk.markdown.dialects.vitepress import VitePress

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (VitePress(), MkDocs(), Docusaurus())}
