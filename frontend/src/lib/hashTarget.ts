/** The target of a hash, found as browsers do: by the literal id, then by the decoded one. */
export function findHashTarget(hash: string): HTMLElement | null {
  const name = hash.slice(1)
  return name ? (document.getElementById(name) ?? document.getElementById(unescapeHash(name))) : null
}

/** Opens all `<details>` around an element. */
export function openAround(element: HTMLElement): void {
  for (let at = element.closest('details'); at; at = at.parentElement?.closest('details') ?? null) at.open = true
}

/** Scrolls to the target, in opened `<details>`, as browsers do for a new document. */
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
