import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '../../../../../../../../components/shell/NotFound'
import { exampleSearch } from '../../../../../../../../lib/examples'
import { frameworkOption } from '../../../../../../../../lib/framework'
import { head } from '../../../../../../../../lib/meta'
import { paths } from '../../../../../../../../lib/paths'
import { withWayOn } from '../../../../../../../../lib/request'
import { nameIn } from '../../../../../../../../lib/version'

export const Route = createFileRoute('/$library/$version/docs/framework/$framework/examples/$name')({
  validateSearch: exampleSearch,
  loader: ({ context: { load, library, version }, params: { framework, name } }) =>
    load('example.files', { library: library.id, version: version.name, framework, name }).catch((error: unknown) => {
      throw withWayOn(error, { title: `Examples of ${library.name}`, to: paths.examples(library.id, version.name) })
    }),
  head: ({ match: { context }, params: { framework, name }, loaderData: example }) => {
    if (!example) return {}
    const { shell, library, version } = context
    const { label } = frameworkOption(shell.frameworks, framework)
    return head({
      title: `${label} Example: ${example.title} | ${nameIn(library, version)} Docs`,
      description: `The source of ${example.title}, an example of ${library.name} with ${label}: ${example.files.length} files to read, download or run.`,
      origin: shell.origin,
      canonical: example.canonical,
      image: paths.card(library.id, version.name, `framework/${framework}/examples/${name}`),
    })
  },
  notFoundComponent: NotFound,
})
