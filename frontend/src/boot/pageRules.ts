// The rules of a page (rendering/styles/page_rules.py). The policy of a document names those of its first page only, so that
// those of the next page are adopted: a policy does not apply to stylesheets that scripts construct.
const ELEMENT = '[data-page-rules]'

let adopted: CSSStyleSheet | undefined

/** Replaces the rules of the shown page by those of the next one. */
export function showPageRules(next: ParentNode): void {
  if (!adopted) {
    adopted = new CSSStyleSheet()
    document.adoptedStyleSheets.push(adopted)
  }
  adopted.replaceSync(next.querySelector(ELEMENT)?.textContent ?? '')
  document.querySelector(ELEMENT)?.remove()
}
