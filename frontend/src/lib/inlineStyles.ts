// Before hydration, the names of the server's rules become styles of their elements, as React sets and removes them.
const NAME = 'data-style'
const SELECTOR = /^\[data-style="([^"]*)"\]/

export function applyPageRules(): void {
  const styles = pageStyles()
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>(`[${NAME}]`)) {
    const style = styles.get(element.getAttribute(NAME) ?? '')
    // React does not render what is in such HTML.
    if (style === undefined || element.parentElement?.closest('[data-html]')) continue
    element.style.cssText = style
    element.removeAttribute(NAME)
  }
}

/** The declarations by their names. */
function pageStyles(): Map<string, string> {
  const ofPage = document.querySelector<HTMLStyleElement>('style[data-page-rules]')?.sheet
  const rules = [ofPage, ...document.adoptedStyleSheets].flatMap((sheet) => Array.from(sheet?.cssRules ?? []))
  return new Map(
    rules.flatMap((rule) => {
      const name = rule instanceof CSSStyleRule ? SELECTOR.exec(rule.selectorText)?.[1] : undefined
      return name && rule instanceof CSSStyleRule ? [[name, rule.style.cssText] as const] : []
    }),
  )
}
