import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '../../../../../../../../components/shell/NotFound'
import { parseExampleSearch } from '../../../../../../../../lib/examples/examples'
import { findFramework } from '../../../../../../../../lib/docs/framework'
import { pageHead } from '../../../../../../../../lib/pageHead'
import { paths } from '../../../../../../../../lib/paths'
import { suggestPages } from '../../../../../../../../lib/loadPage'
import { versionedName } from '../../../../../../../../lib/docs/version'

export const Route = createFileRoute('/$library/$version/docs/framework/$framework/examples/$name')({
  validateSearch: parseExampleSearch,
  loader: ({ context: { load, library, version }, params: { framework, name } }) =>
    load('example.files', { library: library.id, version: version.name, framework, name }).catch((error: unknown) => {
      throw suggestPages(error, { title: `Examples of ${library.name}`, to: paths.examples(library.id, version.name) })
    }),
  head: ({ match: { context }, params: { framework, name }, loaderData: example }) => {
    if (!example) return {}
    const { shell, library, version } = context
    const { label } = findFramework(shell.frameworks, framework)
    return pageHead({
      title: `${label} Example: ${example.title} | ${versionedName(library, version)} Docs`,
      description: `The source of ${example.title}, an example of ${library.name} with ${label}: ${example.files.length} files to read, download or run.`,
      origin: shell.origin,
      canonical: example.canonical,
      version,
      image: paths.card(library.id, version.name, `framework/${framework}/examples/${name}`),
    })
  },
  notFoundComponent: NotFound,
})
