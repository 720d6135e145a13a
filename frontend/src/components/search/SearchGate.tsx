// Stands on every page once the app is there, and fetches the search when somebody comes near it.
import type { ComponentType } from 'react'
import { useContext, useEffect, useState } from 'react'
import { preload } from 'react-dom'
import { fetchAnswer, loader } from '../../api/call'
import type { SearchConfig, Shell } from '../../api/generated'
import { SEARCH_WANTED } from '../../lib/events'
import { asking, searchIn } from '../../lib/search'
import { StylesContext } from '../ui/Styles'
import type { DialogProps } from './SearchDialog'

/** The dialog with what it needs to be drawn. React would wait for each in turn, and a third of a second more. */
interface Summoned {
  Dialog: ComponentType<DialogProps>
  /** Where to search; null while it cannot be told. */
  config: SearchConfig | null
}

let asked: Promise<SearchConfig | null> | undefined

/** A failure is not remembered. */
function askConfig(): Promise<SearchConfig | null> {
  return (asked ??= loader(fetchAnswer)('search.config', null).catch(() => {
    asked = undefined
    return null
  }))
}

/** Where the dialog cannot be fetched, its page answers what was typed; the page one reads must not break for it. */
function Elsewhere() {
  useEffect(() => location.assign(asking({ q: window.__kinfolk.searching ?? '' })), [])
  return <></>
}

// The server draws none, so its bundle has none.
const fetchDialog: () => Promise<ComponentType<DialogProps>> = import.meta.env.SSR
  ? () => Promise.reject(new Error('There is no dialog on the server'))
  : () =>
      import('./SearchDialog').then(
        ({ SearchDialog }) => SearchDialog,
        () => Elsewhere,
      )

async function summon(): Promise<Summoned> {
  const [Dialog, config] = await Promise.all([fetchDialog(), askConfig()])
  return { Dialog, config }
}

// Whoever wanted it before the app was there does not wait for the one after the other.
if (!import.meta.env.SSR && window.__kinfolk.searching !== undefined) void summon()

export function SearchGate({ shell }: { shell: Shell }) {
  // Once it was opened it stays, with what was typed.
  const [wanted, setWanted] = useState(0)
  const [summoned, setSummoned] = useState<Summoned | null>(null)
  const style = useContext(StylesContext).search

  // Follows the starter, which hears keys and buttons before this app is there, and remembers that they were heard.
  useEffect(() => {
    const warm = () => {
      if (style) preload(style, { as: 'style' })
      return summon()
    }
    const open = (event?: Event) => {
      event?.preventDefault()
      void warm().then((now) => {
        setSummoned(now)
        setWanted((times) => times + 1)
      })
    }
    const near = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-search]')) void warm()
    }
    document.addEventListener(SEARCH_WANTED, open)
    document.addEventListener('pointerover', near, { passive: true })
    document.addEventListener('focusin', near)
    const linked = location.pathname !== '/search' && searchIn(location.search).query !== ''
    if (window.__kinfolk.searching !== undefined || linked) open()
    return () => {
      document.removeEventListener(SEARCH_WANTED, open)
      document.removeEventListener('pointerover', near)
      document.removeEventListener('focusin', near)
    }
  }, [style])

  return summoned && <summoned.Dialog shell={shell} config={summoned.config} wanted={wanted} />
}
