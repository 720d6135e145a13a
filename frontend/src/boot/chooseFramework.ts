// Stores the framework that the reader chooses.
import { FRAMEWORK, FRAMEWORK_OF, FRAMEWORK_TABS } from '../lib/storageKeys'
import { firstSegment } from './shownPage'

const LISTS = `[data-choose-framework], .tabs[data-tabs="${FRAMEWORK_TABS}"] > input`

/** In a library that lacks the reader's framework, the choice is for this library only. */
export function chooseFramework(framework: string): void {
  const { __kinfolk } = window
  const chosen = __kinfolk.read(FRAMEWORK)
  const listed = [...document.querySelectorAll<HTMLElement>(LISTS)].map(({ dataset }) => dataset.chooseFramework ?? dataset.tab)
  if (!chosen || listed.includes(chosen)) return __kinfolk.setFramework(framework)
  __kinfolk.write(FRAMEWORK_OF + firstSegment(), `${chosen} ${framework}`)
  __kinfolk.applyFramework()
}
