// Frameworks: those of a version, the current one, and the targets of the framework menu.
import type { Alternative, DocsNavigation, FrameworkOption } from '../../api/generated'
import type { MenuChoice } from '../menuChoice'
import { describeTarget } from '../menuChoice'
import { pathOfTarget, paths, serverPath } from '../paths'

/** Docs may name a framework that kinfolk.toml does not have: its label is derived from its name. */
export function findFramework(known: readonly FrameworkOption[], value: string): FrameworkOption {
  const found = known.find((option) => option.value === value)
  if (found) return found
  const label = value.replace(/[-_]/g, ' ').replace(/(^|\s)\S/g, (letter) => letter.toUpperCase())
  return { value, label, color: '#6a7282', logo: 0 }
}

/** The frameworks of a version's docs. */
export function listFrameworks({ frameworks }: DocsNavigation, known: readonly FrameworkOption[]): FrameworkOption[] {
  return frameworks.map((value) => findFramework(known, value))
}

/** The framework of the menu: that of the URL, else the reader's, else the family's first, else the first that is offered. */
export function currentFramework(
  offered: readonly FrameworkOption[],
  inAddress: string | undefined,
  stored: string | undefined,
  first: string | null,
): string | null {
  const has = (value: string | undefined) => offered.some((option) => option.value === value)
  for (const value of [inAddress, stored, first]) {
    if (value && has(value)) return value
  }
  return offered[0]?.value ?? null
}

interface FrameworkMenuInput {
  library: string
  version: string
  config: DocsNavigation
  /** The path inside the docs. */
  path: string
  /** The page in other frameworks, if known. */
  alternatives?: readonly Alternative[]
}

/** The entries of the framework menu. */
export function listFrameworkChoices(place: FrameworkMenuInput, offered: readonly FrameworkOption[], current: string | null): MenuChoice[] {
  return offered.map((option) => ({
    key: option.value,
    label: option.label,
    framework: option.value,
    current: option.value === current,
    ...frameworkTarget(place, option),
  }))
}

/** The same page in the other framework, else the alternative, else that framework's first page. */
function frameworkTarget(place: FrameworkMenuInput, { value, label }: FrameworkOption): Pick<MenuChoice, 'href' | 'note'> {
  const { library, version, config, path, alternatives } = place
  const home = paths.framework(library, version, value)
  const known = alternatives?.find((alternative) => alternative.name === value)
  if (known) return { href: serverPath(known.to), note: describeTarget(known.title) }
  // Pages outside `framework/` have no counterpart; the index of a framework exists for each of them.
  const [area, , ...rest] = path.split('/')
  if (area !== 'framework' || rest.length === 0) return { href: home, note: null }
  const links = config.sections.flatMap((section) =>
    section.frameworks.filter((entry) => entry.label === value).flatMap((entry) => entry.children),
  )
  const same = `framework/${value}/${rest.join('/')}`
  if (links.some((link) => pathOfTarget(link.to) === same)) return { href: paths.docs(library, version, same), note: null }
  const first = links.find((link) => link.to.startsWith('framework/'))
  return first
    ? { href: paths.docsTarget(library, version, first.to), note: describeTarget(first.label) }
    : { href: home, note: describeTarget(label) }
}
