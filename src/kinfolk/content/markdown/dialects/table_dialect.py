"""What all dialects with a table have in common, and a page of one while it is translated."""

from __future__ import annotations

from kinfolk.config.component import Component
from kinfolk.content.markdown.dialects.components.component_blocks import ComponentBlocks, Evaluate
from kinfolk.content.markdown.dialects.components.component_rewriting import ComponentRewriter
from kinfolk.content.markdown.dialects.components.marked_elements import MarkedElements
from kinfolk.content.markdown.dialects.dialect import DialectSource
from kinfolk.content.markdown.dialects.dialect_rules import DialectRules, component_key, dialect_rules
from kinfolk.content.markdown.dialects.page_translation import PageTranslation
from kinfolk.content.markdown.dialects.syntax.blocks import Block
from kinfolk.content.markdown.dialects.syntax.code_info import parse_code_info, written_fence
from kinfolk.content.markdown.dialects.syntax.component_tags import rewrite_tags
from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine
from kinfolk.content.markdown.literals.javascript_config import read_javascript_expression


class TableDialect:
    """A dialect by its name. A class for each syntax adds how pages are translated and headings get their ids."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def rules(self) -> DialectRules:
        return dialect_rules(self.name)

    @property
    def front_matter_keys(self) -> frozenset[str]:
        return self.rules.front_matter

    @property
    def has_definition_lists(self) -> bool:
        return self.rules.has_definition_lists

    @property
    def has_math(self) -> bool:
        return self.rules.has_math


class ComponentPage:
    """One page, its marked elements, and what they become."""

    def __init__(
        self, source: DialectSource, rules: DialectRules, evaluate: Evaluate = read_javascript_expression
    ) -> None:
        """`evaluate` reads the expression of an attribute."""
        self._source = source
        self._rules = rules
        self._page = PageTranslation(source)
        self._marks = MarkedElements()
        own: dict[str, Component] = {component_key(name): one for name, one in source.components}
        self._blocks = ComponentBlocks(self._page, rules, self._marks, own, evaluate)

    def _with_own_tags(self, lines: list[SourceLine]) -> list[SourceLine]:
        """The lines with the tags of components of the site as elements, for a dialect whose other tags are HTML."""
        if not self._source.components:
            return lines
        rewriter = ComponentRewriter(self._page, self._blocks, self._marks)
        return rewrite_tags(lines, rewriter.rewrite, self._blocks.is_own)

    def _fence(self, fence: Fence) -> list[SourceLine]:
        """Code as it is written, with what its info string means."""
        info = parse_code_info(fence.info, self._rules.code)
        return written_fence(fence, info, fence.code, for_export=self._source.for_export)

    def _marked_block(self, lines: list[SourceLine], at: int) -> Block | None:
        """The block of the element that is marked at a line."""
        element = self._marks.at(lines, at)
        return self._blocks.block(element) if element else None
