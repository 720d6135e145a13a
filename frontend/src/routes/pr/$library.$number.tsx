import { createFileRoute, notFound } from '@tanstack/react-router'
import { PreviewStart } from '../../components/docs/PreviewStart'
import { NotFound } from '../../components/shell/NotFound'
import { PageLayout } from '../../components/shell/PageLayout'
import { AreaStyles } from '../../components/ui/AreaStyles'
import { pageHead } from '../../lib/pageHead'
import { isPreviewName, paths } from '../../lib/paths'

export const Route = createFileRoute('/pr/$library/$number')({
  beforeLoad: ({ context: { shell }, params }) => {
    const library = shell.libraries.find(({ id }) => id === params.library)
    if (!library || !isPreviewName(`pr-${params.number}`)) throw notFound()
    return { library }
  },
  loader: ({ context: { load, library }, params }) => load('previews.view', { library: library.id, number: Number(params.number) }),
  head: ({ match: { context }, loaderData: view }) =>
    view
      ? pageHead({
          title: `Pull request #${view.facts.number} | ${context.library.name}`,
          description: `What pull request #${view.facts.number} changes in the docs of ${context.library.name}.`,
          origin: context.shell.origin,
          canonical: paths.preview(context.library.id, view.facts.number),
          image: paths.card(context.library.id),
          indexed: false,
        })
      : {},
  component: Preview,
  notFoundComponent: NotFound,
})

function Preview() {
  const { library } = Route.useRouteContext()
  return (
    <PageLayout>
      <AreaStyles name="releases" />
      <AreaStyles name="difference" />
      <PreviewStart library={library} view={Route.useLoaderData()} />
    </PageLayout>
  )
}
