/** The target of a hash, found as browsers do: by the literal id, then by the decoded one. */
export function findHashTarget(hash: string): HTMLElement | null {
  const name = hash.slice(1)
  return name ? (document.getElementById(name) ?? document.getElementById(unescapeHash(name))) : null
}

/** What may hide an element: a fold, a tab, the panel of a framework. */
const HIDING = 'details, .tab-panel, .framework-panel'

/** Opens all that hides an element. Nothing is stored: the reader has chosen no tab and no framework. */
export function openAround(element: HTMLElement): void {
  for (let at = element.closest<HTMLElement>(HIDING); at; at = at.parentElement?.closest<HTMLElement>(HIDING) ?? null) open(at)
}

function open(hiding: HTMLElement): void {
  if ('open' in hiding) hiding.open = true
  else if (hiding.matches('.tab-panel')) selectTab(hiding)
  else if (getComputedStyle(hiding).display === 'none') window.__kinfolk.showFramework(hiding.dataset.framework ?? '')
}

/** Its radio button and its label are before it. Until the reader selects another tab, stored choices do not count. */
function selectTab(panel: HTMLElement): void {
  const input = panel.previousElementSibling?.previousElementSibling
  if (!(input instanceof HTMLInputElement)) return
  input.checked = true
  if (panel.parentElement) panel.parentElement.dataset.revealed = ''
}

/** Scrolls to the target, whatever hides it, as browsers do for a new document. */
export function revealTarget(target: HTMLElement): void {
  openAround(target)
  target.scrollIntoView()
}

/** Invalid escapes are kept. */
function unescapeHash(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
