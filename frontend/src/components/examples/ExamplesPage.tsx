import type { ExampleList, LibraryCard } from '../../api/generated'
import { findFramework } from '../../lib/docs/framework'
import { paths } from '../../lib/paths'
import { Main } from '../ui/Main'
import { AreaStyles } from '../ui/AreaStyles'
import { ExampleCards } from './ExampleCards'
import { useShell } from '../ui/useShell'

interface Props {
  library: LibraryCard
  version: string
  list: ExampleList
  framework: string | null
}

/** The list of a library's examples, of all frameworks or of one. */
export function ExamplesPage({ library, version, list, framework }: Props) {
  const shell = useShell()
  const count = framework ? list.cards.length : list.total
  const label = framework ? `${findFramework(shell.frameworks, framework).label} ` : ''
  return (
    <Main className="docs-page example-page">
      <AreaStyles name="examples" />
      <h1>
        {library.shortName} {label}Examples
      </h1>
      {list.cards.length > 0 ? (
        <p className="example-lead">
          {count === 1 ? '1 example: read, download or run it.' : `${count} examples: read, download or run them.`}
        </p>
      ) : null}
      <ExampleCards
        list={list}
        framework={framework}
        listHref={(value) => paths.examples(library.id, version, value ?? undefined)}
        href={(value, name) => paths.example(library.id, version, value, name)}
      />
    </Main>
  )
}
