"""The syntax of Nuxt Content: Markdown with components (MDC).

`mdc_page` translates a page, `mdc_containers` reads its `::` blocks and slots, `mdc_attributes` the attributes in
braces and the properties in YAML, `mdc_inline` what is within a line.
"""

from kinfolk.content.markdown.dialects.readers.mdc.mdc_page import Mdc

__all__ = ["Mdc"]
