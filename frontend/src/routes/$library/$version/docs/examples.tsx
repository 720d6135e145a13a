import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '../../../../components/shell/NotFound'
import { corePageHead } from '../../../../lib/docs/docsHead'
import { examplesHead } from '../../../../lib/examples/examplesHead'
import { loadPage } from '../../../../lib/loadPage'
import { EXAMPLES } from '../../../../lib/paths'

export const Route = createFileRoute('/$library/$version/docs/examples')({
  loader: async ({ context: { load, library, version } }) => {
    const list = await load('example.list', { library: library.id, version: version.name })
    return list.isPage ? loadPage(load, library, version, EXAMPLES) : list
  },
  head: ({ match: { context }, matches, loaderData: shown }) =>
    shown && 'toc' in shown ? corePageHead({ ...context, matches, page: shown, path: EXAMPLES }) : examplesHead(context, null),
  notFoundComponent: NotFound,
})
