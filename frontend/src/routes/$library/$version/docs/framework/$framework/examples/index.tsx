import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '../../../../../../../components/shell/NotFound'
import { examplesHead } from '../../../../../../../lib/examples/examplesHead'

export const Route = createFileRoute('/$library/$version/docs/framework/$framework/examples/')({
  loader: ({ context: { load, library, version }, params: { framework } }) =>
    load('example.list', { library: library.id, version: version.name, framework }),
  head: ({ match: { context }, params: { framework } }) => examplesHead(context, framework),
  notFoundComponent: NotFound,
})
