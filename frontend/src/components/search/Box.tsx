// The text one types, and the keys that move among what was found.
import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useInstantSearch, useSearchBox } from 'react-instantsearch'
import { LONGEST_QUERY, moved } from '../../lib/search'
import { Icon } from '../ui/Icon'

interface Props {
  /** The id of the list of results; each has it with its number. */
  results: string
  /** The result the keys are on. */
  at: number | null
  count: number
  onMove: (to: number) => void
  /** How often the dialog has opened. */
  wanted: number
  /** `apart`: in a window of its own. */
  onOpen: (apart: boolean) => void
  /** Backspace where nothing is left to delete. */
  onWiden: () => void
  close: () => void
}

export function Box({ results, at, count, onMove, onOpen, onWiden, close, wanted }: Props) {
  const { query, refine } = useSearchBox()
  const input = useRef<HTMLInputElement>(null)
  const { status } = useInstantSearch()
  // What stands in the box is the reader's at once; the search knows it a moment later, or never if that fails.
  const [text, setText] = useState(query)
  const search = (words: string) => {
    setText(words)
    refine(words)
  }
  // Each time it opens: what was typed before the box was there goes on, and what was typed last time is replaced.
  useEffect(() => {
    const typed = window.__kinfolk.searching
    delete window.__kinfolk.searching
    const box = input.current
    box?.focus()
    if (box && typed) {
      // At once: the next key may come before the box is drawn again.
      box.value = typed
      search(typed)
    } else box?.select()
    // The text is the opening's, not this rendering's.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [wanted])
  const served: Record<string, (event: KeyboardEvent) => void> = {
    Enter: ({ metaKey, ctrlKey }) => onOpen(metaKey || ctrlKey),
    ...(text === '' ? { Backspace: onWiden } : {}),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys that compose a character belong to the text.
    if (event.nativeEvent.isComposing) return
    const to = moved(event.key, at ?? 0, count)
    const serve = to === null ? served[event.key] : () => onMove(to)
    if (!serve) return
    event.preventDefault()
    serve(event)
  }
  return (
    <search className="search-form">
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded={count > 0}
        aria-controls={results}
        aria-autocomplete="list"
        aria-activedescendant={at === null ? undefined : `${results}-${at}`}
        placeholder="Search..."
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={LONGEST_QUERY}
        value={text}
        onChange={(event) => search(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && status !== 'loading' && status !== 'stalled' ? (
        <button type="button" className="button button-quiet button-small" onClick={() => search('')}>
          Clear
        </button>
      ) : null}
      <button type="button" className="icon-button" onClick={close}>
        <Icon name="close" />
        <span className="sr-only">Close the search</span>
      </button>
    </search>
  )
}
