// The text one types, and the keys that move among what was found.
import type { KeyboardEvent, RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useInstantSearch, useSearchBox } from 'react-instantsearch'
import { LONGEST_QUERY, moved } from '../../lib/search'
import { Icon } from '../ui/Icon'

interface Props {
  input: RefObject<HTMLInputElement | null>
  /** The id of the list of results; each has it with its number. */
  results: string
  /** The result the keys are on. */
  at: number | null
  count: number
  /** The text that the results answer; null while they answer none. */
  answered: string | null
  onMove: (to: number) => void
  /** How often the dialog has opened. */
  wanted: number
  /** `apart`: in a window of its own. */
  onOpen: (apart: boolean) => void
  /** Backspace where nothing is left to delete. */
  onWiden: () => void
  close: () => void
}

export function Box({ input, results, at, count, answered, onMove, onOpen, onWiden, close, wanted }: Props) {
  const { query, refine } = useSearchBox()
  const { status } = useInstantSearch()
  // What stands in the box is the reader's at once; the search knows it a moment later, or never if that fails.
  const [text, setText] = useState(query)
  // An Enter that came before the answer, and waits for it until the reader does something else.
  const early = useRef<{ apart: boolean } | null>(null)
  const search = (words: string) => {
    early.current = null
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
    // oxlint-disable-next-line react/exhaustive-deps -- the text of the time of opening, not of this render
  }, [wanted])
  // Follows the search with what was asked of it too early.
  useEffect(() => {
    if (answered !== text || !early.current) return
    const { apart } = early.current
    early.current = null
    if (input.current?.closest('dialog')?.open) onOpen(apart)
  }, [answered, text, input, onOpen])
  const enter = (apart: boolean) => {
    // What is shown until then answers another question.
    if (answered === text) onOpen(apart)
    else early.current = { apart }
  }
  const served: Record<string, (event: KeyboardEvent) => void> = {
    Enter: ({ metaKey, ctrlKey }) => enter(metaKey || ctrlKey),
    ...(text === '' ? { Backspace: onWiden } : {}),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys that compose a character belong to the text.
    if (event.nativeEvent.isComposing) return
    early.current = null
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
        onBlur={() => {
          early.current = null
        }}
      />
      {text !== '' && status !== 'loading' && status !== 'stalled' ? (
        <button
          type="button"
          className="button button-quiet button-small"
          onClick={() => {
            search('')
            input.current?.focus()
          }}
        >
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
