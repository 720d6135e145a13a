/** What a link's hash names in the page, as browsers look for it: as it is written, then as what its escapes stand for. */
export function namedBy(hash: string): HTMLElement | null {
  const name = hash.slice(1)
  return name ? (document.getElementById(name) ?? document.getElementById(unescaped(name))) : null
}

/** An author may have written what stands for no character at all. */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
