"""Violations that axe-core finds on a page, in both themes."""

from __future__ import annotations

from playwright.sync_api import Page

from kinfolk.settings import ROOT

SCRIPT = ROOT / "frontend/node_modules/axe-core/axe.min.js"
COLOR_RULES = ["color-contrast", "link-in-text-block"]
"""The rules whose result depends on the theme. The themes differ in colors only."""
# The output of Mermaid and the content of iframes are third-party markup.
RUN = """async (rules) => {
  const context = { exclude: [['.diagram'], ['iframe']] }
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  const { violations } = await axe.run(context, options)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`))
}"""
# Colors that are still changing fail the contrast check.
END_TRANSITIONS = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
}"""
# axe skips the contrast check of elements that another element covers: labels cover code, and the menu clips its links.
UNCOVER_CSS = "figure.code::after { content: none !important } .docs-menu > nav { overflow: visible !important }"


def violations(page: Page) -> list[str]:
    """The violations in the light theme, which pages of tests have, and those of colors in the dark theme.

    `evaluate` bypasses the security policy, which forbids other scripts.
    """
    page.add_style_tag(content=UNCOVER_CSS)
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    found = [f"light theme: {violation}" for violation in page.evaluate(RUN, None)]
    page.emulate_media(color_scheme="dark")
    page.evaluate(END_TRANSITIONS)
    found += [f"dark theme: {violation}" for violation in page.evaluate(RUN, COLOR_RULES)]
    page.emulate_media(color_scheme="light")
    page.evaluate(END_TRANSITIONS)
    return found
