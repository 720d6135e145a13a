/** Whether a key is Ctrl+K or Cmd+K. */
export function isSearchChord(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  return isLetterK(event) && (ctrlKey || metaKey) && !shiftKey && !altKey
}

/** The letter where the layout has Latin letters, else the key in its place: on a Russian layout it types л. */
function isLetterK({ key, code }: KeyboardEvent): boolean {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === 'k' : code === 'KeyK'
}
