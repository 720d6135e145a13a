/** The target of a hash, found as browsers do: by the literal id, then by the decoded one. */
export function findHashTarget(hash: string): HTMLElement | null {
  const name = hash.slice(1)
  return name ? (document.getElementById(name) ?? document.getElementById(unescapeHash(name))) : null
}

/** Invalid escapes are kept. */
function unescapeHash(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
