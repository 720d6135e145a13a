import type { ExampleList, LibraryCard, Shell } from '../../api/generated'
import { frameworkOption } from '../../lib/framework'
import { paths } from '../../lib/paths'
import { Main } from '../ui/Main'
import { Styles } from '../ui/Styles'
import { ExampleCards } from './ExampleCards'

interface Props {
  shell: Shell
  library: LibraryCard
  version: string
  list: ExampleList
  framework: string | null
}

/** The examples of a library, or those for one framework. */
export function ExamplesPage({ shell, library, version, list, framework }: Props) {
  const label = framework ? `${frameworkOption(shell.frameworks, framework).label} ` : ''
  return (
    <Main className="docs-page example-page">
      <Styles name="examples" />
      <h1>
        {library.shortName} {label}Examples
      </h1>
      {list.cards.length > 0 ? (
        <p className="example-lede">
          {list.cards.length} {list.cards.length === 1 ? 'example' : 'examples'} to read file by file, to download, or to run
          in a sandbox.
        </p>
      ) : null}
      <ExampleCards
        list={list}
        framework={framework}
        frameworks={shell.frameworks}
        listHref={(value) => paths.examples(library.id, version, value ?? undefined)}
        href={(value, name) => paths.example(library.id, version, value, name)}
      />
    </Main>
  )
}
