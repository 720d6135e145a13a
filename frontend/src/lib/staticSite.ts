// A site of files, as `kinfolk export` writes it: no function of a server can be called (decisions/0024).

/** Whether the page in the document is a file of an export. */
export function isStaticPage(): boolean {
  return typeof document !== 'undefined' && 'static' in document.documentElement.dataset
}

/** The address of the file with the answer of a function, from the site's root. `kinfolk.cli.export.answer_files` writes it. */
export function dataFile(id: string, data: unknown): string {
  return `/_data/${id}/${digest(JSON.stringify(data))}.json`
}

const OFFSETS = [0x811c9dc5, 0x1b873593]
const PRIME = 0x01000193

/** FNV-1a with two offsets: a name for a file, not a protection against deliberate collisions. */
function digest(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return OFFSETS.map((offset) => {
    let hash = offset
    for (const byte of bytes) hash = Math.imul(hash ^ byte, PRIME)
    return (hash >>> 0).toString(16).padStart(8, '0')
  }).join('')
}
