import type { LibraryCard, LibraryPage } from '../../api/generated'
import { currentFramework, findFramework } from '../../lib/docs/framework'
import { isLatest, versionTitle } from '../../lib/docs/version'
import { useShell } from '../ui/useShell'

interface Props {
  library: LibraryCard
  page: LibraryPage
  version: string
}

/** Says what the page lacks for the reader's framework. The boot script shows the sentence about it. */
export function MissingFramework({ library, page, version }: Props) {
  const { frameworks, firstFramework } = useShell()
  const offered = page.frameworks.map((value) => findFramework(frameworks, value))
  const shown = currentFramework(offered, undefined, undefined, firstFramework)
  const lacking = frameworks.filter(({ value }) => !page.frameworks.includes(value))
  const inCode = new Set(page.samples.map(({ framework }) => framework))
  const withoutCode = inCode.size > 0 && !inCode.has(null) ? offered.filter(({ value }) => !inCode.has(value)) : []
  if (shown === null || lacking.length + withoutCode.length === 0) return null
  const { label } = findFramework(frameworks, shown)
  const name = isLatest(library, version) ? library.shortName : `${library.shortName} ${versionTitle(library, version)}`
  return (
    <div className="missing-framework">
      {lacking.map((missing) => (
        <p key={missing.value} data-framework={missing.value}>
          {name} has no docs for {missing.label}. This page shows {label}.
        </p>
      ))}
      {withoutCode.map((missing) => (
        <p key={missing.value} data-framework={missing.value}>
          {name} has docs for {missing.label}. The code on this page is for {label}.
        </p>
      ))}
    </div>
  )
}
