// Frameworks: which a version of a library has, which one is shown, and where a change of framework leads.
import type { Alternative, DocsConfig, FrameworkOption, LibraryCard } from '../api/generated'
import type { Choice } from './choice'
import { opens } from './choice'
import { paths } from './paths'

const FIRST_CHOICE = 'react'

/** Docs may bring a framework nobody told us of: it is shown by its own name. */
export function frameworkOption(known: readonly FrameworkOption[], value: string): FrameworkOption {
  const found = known.find((option) => option.value === value)
  if (found) return found
  const label = value.replace(/[-_]/g, ' ').replace(/(^|\s)\S/g, (letter) => letter.toUpperCase())
  return { value, label, color: '#6a7282', logo: null }
}

/** The frameworks this version's docs are written for, in the family's order; the library's own list where the menu names none. */
export function frameworksOf(
  library: LibraryCard,
  config: DocsConfig,
  known: readonly FrameworkOption[],
): FrameworkOption[] {
  const named = config.sections.flatMap((section) =>
    section.frameworks.filter((entry) => entry.children.length > 0).map((entry) => entry.label),
  )
  const wanted = new Set(named.length > 0 ? named : library.frameworks)
  const familiar = known.filter((option) => wanted.delete(option.value))
  return [...familiar, ...[...wanted].toSorted().map((value) => frameworkOption(known, value))]
}

/** The framework whose pages the menu shows: the address's, else the reader's, else React, else the first there is. */
export function currentFramework(
  offered: readonly FrameworkOption[],
  inAddress: string | undefined,
  stored: string | undefined,
): string | null {
  const has = (value: string | undefined) => offered.some((option) => option.value === value)
  for (const value of [inAddress, stored, FIRST_CHOICE]) {
    if (value && has(value)) return value
  }
  return offered[0]?.value ?? null
}

interface Place {
  library: string
  version: string
  config: DocsConfig
  /** The path inside the docs. */
  path: string
  /** Where the page is in other frameworks, when that is known. */
  alternatives?: readonly Alternative[]
}

/** What the framework menu offers. */
export function frameworkChoices(place: Place, offered: readonly FrameworkOption[], current: string | null): Choice[] {
  return offered.map((option) => ({
    key: option.value,
    label: option.label,
    color: option.color,
    current: option.value === current,
    ...frameworkTarget(place, option),
  }))
}

/** The same page for the other framework, else the one most like it, else that framework's first page. */
function frameworkTarget(place: Place, { value, label }: FrameworkOption): Pick<Choice, 'href' | 'note'> {
  const { library, version, config, path, alternatives } = place
  const home = paths.framework(library, version, value)
  const known = alternatives?.find((alternative) => alternative.name === value)
  if (known) return { href: known.to, note: opens(known.title) }
  // A page for all frameworks is not left, and the list of a framework's pages has its like everywhere.
  const [area, , ...rest] = path.split('/')
  if (area !== 'framework' || rest.length === 0) return { href: home, note: null }
  const links = config.sections.flatMap((section) =>
    section.frameworks.filter((entry) => entry.label === value).flatMap((entry) => entry.children),
  )
  const same = `framework/${value}/${rest.join('/')}`
  if (links.some((link) => link.to === same)) return { href: paths.docs(library, version, same), note: null }
  const first = links.find((link) => link.to.startsWith('framework/'))
  return first
    ? { href: paths.docs(library, version, first.to), note: opens(first.label) }
    : { href: home, note: opens(label) }
}
