const SHORTCUTS = [
  ['↑ ↓', 'to move'],
  ['↵', 'to open'],
  ['esc', 'to close'],
] as const

/** The keys of the dialog, where there is a keyboard. */
export function ShortcutHints() {
  return (
    <p className="search-shortcuts" aria-hidden="true">
      {SHORTCUTS.map(([key, meaning]) => (
        <span key={key}>
          <kbd>{key}</kbd> {meaning}
        </span>
      ))}
    </p>
  )
}
