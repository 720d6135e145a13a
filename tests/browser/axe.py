"""Violations that axe-core finds on a page, in both themes."""

from __future__ import annotations

from playwright.sync_api import JSHandle, Page

from kinfolk.config.settings import ROOT

SCRIPT = ROOT / "frontend/node_modules/axe-core/axe.min.js"
COLOR_RULES = ["color-contrast", "link-in-text-block"]
"""The rules whose result depends on the theme. The themes differ in colors only."""
# The output of Mermaid and the content of iframes are third-party markup. `preload` is for media, of which the site has
# none, and for a rule that is off by default.
RUN = """async ({ only, without, part }) => {
  const context = { exclude: [['.diagram'], ['iframe']], ...(part && { include: [[part]] }) }
  const options = {
    resultTypes: ['violations'], preload: false, ...(only && { runOnly: { type: 'rule', values: only } }),
    rules: Object.fromEntries((without ?? []).map((rule) => [rule, { enabled: false }]))
  }
  const { violations } = await axe.run(context, options)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`))
}"""
# axe skips the contrast check of elements that another element covers: labels cover code, and the menu clips its links.
# Colors that are still changing fail it, and transitions of all elements to the other theme take more CPU than axe.
STYLES = """
figure.code::after { content: none !important }
.docs-menu > nav { overflow: visible !important }
*, ::before, ::after { transition: none !important }
"""
REMOVE_STYLES = """(style) => {
  document.body.getBoundingClientRect()
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== style)
}"""
WITHOUT_HTML = "() => axe.configure({ noHtml: true })"
"""Results are without the HTML of checked elements, which takes a tenth of the time. Violations name the element."""
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


ADOPT_STYLES = """(css) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
  return sheet
}"""


def add_styles(page: Page, css: str) -> JSHandle:
    """Add a stylesheet to a page, whose policy forbids style elements."""
    return page.evaluate_handle(ADOPT_STYLES, css)


def violations(page: Page, *, changed: str | None = None) -> list[str]:
    """The violations in the light theme, which pages of tests have, and those of colors in the dark theme.

    `changed` selects the elements that a test has opened in a page whose colors another test checks. Colors take two
    thirds of the CPU time, so they are checked in these only, and the other rules in the whole page. `evaluate`
    bypasses the security policy, which forbids other scripts.
    """
    styles = add_styles(page, STYLES)
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT.read_text(encoding="utf-8"))
        page.evaluate(WITHOUT_HTML)
    colors: dict[str, object] = {"only": COLOR_RULES, "part": changed}
    runs: list[dict[str, object]] = [{}] if changed is None else [{"without": COLOR_RULES}, colors]
    found = [f"light theme: {violation}" for run in runs for violation in page.evaluate(RUN, run)]
    page.emulate_media(color_scheme="dark")
    page.evaluate(NEXT_FRAME)
    found += [f"dark theme: {violation}" for violation in page.evaluate(RUN, colors)]
    page.emulate_media(color_scheme="light")
    page.evaluate(NEXT_FRAME)
    styles.evaluate(REMOVE_STYLES)
    return found
