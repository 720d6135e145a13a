import { Combobox } from '@base-ui/react/combobox'
import { useDebouncedCallback } from '@tanstack/react-pacer/debouncer'
import { useLayoutEffect, useRef, useState } from 'react'
import type { PackageSuggestion, PackageSuggestions } from '../../api/generated'
import { isPackageName } from '../../lib/statistics/comparisonEdits'
import { AreaStyles } from '../ui/AreaStyles'
import { Icon } from '../ui/Icon'
import { useComparisonPage } from './ComparisonContext'
import type { PackageComboboxProps } from './packageFieldProps'

const DEBOUNCE_MS = 150
const RETRIES_MS = [300, 700, 1500]

interface Found extends PackageSuggestions {
  /** The text that the packages were found for. */
  text: string
}

const NO_ANSWER: PackageSuggestions = { packages: [], complete: true }
const NOTHING: Found = { ...NO_ANSWER, text: '' }

/** Suggests packages. The first row takes the text as it is. */
export function PackageCombobox({ label, placeholder, taken, onChoose, early }: PackageComboboxProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const { found, search } = useSuggestions()
  const highlighted = useRef<PackageSuggestion | undefined>(undefined)
  const typed = text.trim()
  // Read when this replaces the plain input, not before: the reader may type until then.
  useLayoutEffect(() => {
    const { text: typedEarly, focused } = early.current
    setText(typedEarly)
    search(typedEarly.trim())
    if (focused) input.current?.focus()
    setOpen(focused && typedEarly !== '')
    early.current = { text: '', focused: false }
    // oxlint-disable-next-line react/exhaustive-deps -- takes over what happened before the combobox was loaded
  }, [])
  const items = suggestionRows(typed, found, taken)
  const choose = (item: PackageSuggestion | undefined) => {
    if (!item) return
    setText('')
    search('')
    setOpen(false)
    onChoose(item.name)
  }
  return (
    <Combobox.Root<PackageSuggestion>
      items={items}
      filter={null}
      autoHighlight
      value={null}
      inline
      open={open}
      onOpenChange={setOpen}
      inputValue={text}
      itemToStringLabel={({ name }) => name}
      onInputValueChange={(next, { reason }) => {
        if (reason === 'item-press') return
        setText(next)
        search(next.trim())
      }}
      onItemHighlighted={(item) => {
        highlighted.current = item
      }}
      onValueChange={(chosen) => choose(chosen ?? undefined)}
    >
      <AreaStyles name="interactive" />
      <Combobox.InputGroup className="package-field">
        <Icon name="search" />
        <Combobox.Input
          ref={input}
          aria-label={label}
          placeholder={placeholder}
          autoCapitalize="off"
          spellCheck={false}
          className="control"
          onBlur={() => setOpen(false)}
          onKeyDown={(event) => {
            if (!open) return
            // Nothing is highlighted yet where the text was typed before the combobox was loaded.
            if (event.key === 'Enter' && !highlighted.current) choose(items[0])
            if (event.key !== 'Escape') return
            event.preventBaseUIHandler()
            // A popover around the field stays open. It listens on the document, as React does.
            event.nativeEvent.stopImmediatePropagation()
            setOpen(false)
          }}
        />
        {/* Not the popup of Base UI: that one hides the rest of the page from screen readers while it is open. */}
        <div hidden={!open} className="popup menu package-suggestions">
          <Combobox.Status className="package-suggestions-status">{statusText(typed, found, items.length)}</Combobox.Status>
          <Combobox.List aria-busy={found.text !== typed}>
            {(item: PackageSuggestion) => <SuggestionRow key={item.name} item={item} typed={typed} found={found} />}
          </Combobox.List>
        </div>
      </Combobox.InputGroup>
    </Combobox.Root>
  )
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Loads suggestions a moment after the last key. */
function useSuggestions() {
  const { load } = useComparisonPage()
  const [found, setFound] = useState(NOTHING)
  const latest = useRef('')
  // The server answers at once, and has the packages of a search service a moment later.
  const request = async (text: string, [pause, ...later]: readonly number[]): Promise<void> => {
    const suggestions = await load('npm.suggestions', { text }).catch(() => NO_ANSWER)
    if (latest.current !== text) return
    setFound({ ...suggestions, text })
    if (suggestions.complete || pause === undefined) return
    await sleep(pause)
    if (latest.current === text) await request(text, later)
  }
  const query = useDebouncedCallback((text: string) => request(text, RETRIES_MS), { wait: DEBOUNCE_MS })
  const search = (text: string) => {
    latest.current = text
    if (text) query(text)
    else setFound(NOTHING)
  }
  return { found, search }
}

/** The text itself, unless a suggestion is equal to it, then the packages that the comparison does not have. */
function suggestionRows(typed: string, { packages }: Found, taken: readonly string[]): PackageSuggestion[] {
  const others = packages.filter(({ name }) => !taken.includes(name))
  const exact = others.filter(({ name }) => name === typed)
  const rest = others.filter(({ name }) => name !== typed)
  const usable = isPackageName(typed) && exact.length === 0
  return [...(usable ? [{ name: typed, description: '', stored: false }] : exact), ...rest]
}

function statusText(typed: string, found: Found, count: number): string | null {
  if (!typed) return 'Type the name of a package.'
  if (count > 0) return null
  return found.text === typed && found.complete ? 'No package has this name.' : 'Searching…'
}

function SuggestionRow({ item, typed, found }: { item: PackageSuggestion; typed: string; found: Found }) {
  const suggested = found.packages.some(({ name }) => name === item.name)
  return (
    <Combobox.Item value={item} className="menu-item package-suggestion">
      <span>
        {suggested ? item.name : `Use "${typed}"`}
        {item.description ? <small>{item.description}</small> : null}
      </span>
    </Combobox.Item>
  )
}
