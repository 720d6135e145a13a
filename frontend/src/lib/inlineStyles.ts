// Before hydration, the names of the server's rules become styles of their elements, as React sets and removes them.
const NAME = 'data-style'
const SELECTOR = /^\[data-style="([^"]*)"\]/

export function applyPageRules(): void {
  const styles = new Map<string, string>()
  for (const { cssRules } of [...document.styleSheets, ...document.adoptedStyleSheets].filter(isOfPage)) {
    for (const rule of cssRules) {
      const name = rule instanceof CSSStyleRule ? SELECTOR.exec(rule.selectorText)?.[1] : undefined
      if (name && rule instanceof CSSStyleRule) styles.set(name, rule.style.cssText)
    }
  }
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>(`[${NAME}]:not([data-html] *)`)) {
    const style = styles.get(element.getAttribute(NAME) ?? '')
    if (style === undefined) continue
    element.style.cssText = style
    element.removeAttribute(NAME)
  }
}

function isOfPage({ ownerNode }: CSSStyleSheet): boolean {
  return ownerNode === null || (ownerNode instanceof HTMLElement && ownerNode.dataset.pageRules !== undefined)
}
