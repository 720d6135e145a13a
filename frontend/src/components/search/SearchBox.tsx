// The search input, and the keys that move the selection.
import type { KeyboardEvent, RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import { MAX_QUERY_LENGTH, nextIndex } from '../../lib/search/search'
import { Icon } from '../ui/Icon'
import { Button, IconButton } from '../ui/Button'

/** A query that the reader picked. A new object fills the box again. */
export interface SearchSuggestion {
  text: string
}

interface Props {
  /** Of the last search. */
  query: string
  isLoading: boolean
  onSearch: (query: string) => void
  input: RefObject<HTMLInputElement | null>
  /** Id of the result list, and prefix of the ids of its results. */
  results: string
  /** Index of the selected result. */
  at: number | null
  count: number
  /** The query of the current results; null while a search is pending. */
  answered: string | null
  onMove: (to: number) => void
  /** Counts the openings of the dialog. */
  openCount: number
  suggestion: SearchSuggestion | null
  /** `apart`: in a new tab. */
  onOpen: (apart: boolean) => void
  /** Called by Backspace in the empty box. */
  onWiden: () => void
  close: () => void
}

export function SearchBox(props: Props) {
  const { query, isLoading, onSearch, input, results, at, count, answered, onMove, onOpen, onWiden, close, openCount, suggestion } = props
  // The input's own state: the query of the search follows later, or not at all if it fails.
  const [text, setText] = useState(query)
  // An Enter pressed before the response arrived. Any other input cancels it.
  const early = useRef<{ apart: boolean } | null>(null)
  const search = (words: string) => {
    early.current = null
    setText(words)
    onSearch(words)
  }
  // On each opening: text typed before the box was rendered is taken over; else the old text is selected.
  useEffect(() => {
    const typed = window.__kinfolk.pendingSearch
    delete window.__kinfolk.pendingSearch
    const box = input.current
    box?.focus()
    if (box && typed) {
      // Set directly: the next key may come before React renders.
      box.value = typed
      search(typed)
    } else box?.select()
    // oxlint-disable-next-line react/exhaustive-deps -- the text of the time of opening, not of this render
  }, [openCount])
  useEffect(() => {
    if (!suggestion) return
    search(suggestion.text)
    input.current?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- once for each suggestion
  }, [suggestion])
  // Opens the result once the response to an early Enter arrives.
  useEffect(() => {
    if (answered !== text || !early.current) return
    const { apart } = early.current
    early.current = null
    if (input.current?.closest('dialog')?.open) onOpen(apart)
  }, [answered, text, input, onOpen])
  const enter = (apart: boolean) => {
    // Until then the results belong to another query.
    if (answered === text) onOpen(apart)
    else early.current = { apart }
  }
  const served: Record<string, (event: KeyboardEvent) => void> = {
    Enter: ({ metaKey, ctrlKey }) => enter(metaKey || ctrlKey),
    ...(text === '' ? { Backspace: onWiden } : {}),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of an input method editor belong to the text.
    if (event.nativeEvent.isComposing) return
    early.current = null
    // With another key they select text.
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey
    const to = isPlain ? nextIndex(event.key, at ?? 0, count) : null
    const serve = to === null ? served[event.key] : () => onMove(to)
    if (!serve) return
    event.preventDefault()
    serve(event)
  }
  return (
    <search className="search-box">
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
        maxLength={MAX_QUERY_LENGTH}
        value={text}
        onChange={(event) => search(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          early.current = null
        }}
      />
      {text !== '' && !isLoading ? (
        <Button
          variant="quiet" size="small"
          onClick={() => {
            search('')
            input.current?.focus()
          }}
        >
          Clear
        </Button>
      ) : null}
      <IconButton onClick={close} icon="close" label="Close the search" />
    </search>
  )
}
