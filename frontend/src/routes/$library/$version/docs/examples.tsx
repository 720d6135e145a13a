import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '../../../../components/shell/NotFound'
import { examplesHead } from '../../../../lib/examples/examplesHead'

export const Route = createFileRoute('/$library/$version/docs/examples')({
  loader: ({ context: { load, library, version } }) =>
    load('example.list', { library: library.id, version: version.name }),
  head: ({ match: { context } }) => examplesHead(context, null),
  notFoundComponent: NotFound,
})
