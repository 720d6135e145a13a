import { createLazyFileRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { PrevNext } from '../../../../../../../../components/docs/PrevNext'
import { Breadcrumbs } from '../../../../../../../../components/ui/Breadcrumbs'
import { useDocsMenu } from '../../../../../../../../components/docs/useDocsMenu'
import { ExampleHeader } from '../../../../../../../../components/examples/ExampleHeader'
import { ExampleViewer } from '../../../../../../../../components/examples/ExampleViewer'
import { Main } from '../../../../../../../../components/ui/Main'
import { AreaStyles } from '../../../../../../../../components/ui/AreaStyles'
import type { ExamplePanel } from '../../../../../../../../lib/examples/examples'
import { resolveFile } from '../../../../../../../../lib/examples/examples'
import { findFramework } from '../../../../../../../../lib/docs/framework'
import { findAdjacentPages } from '../../../../../../../../lib/docs/docsMenu'
import { paths, serverPath } from '../../../../../../../../lib/paths'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createLazyFileRoute('/$library/$version/docs/framework/$framework/examples/$name')({
  component: ExamplePage,
})

function ExamplePage() {
  const { shell, library, version } = Route.useRouteContext()
  const { framework, name } = Route.useParams()
  const { path, panel = 'code' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const config = layout.useLoaderData()
  const example = Route.useLoaderData()
  const inside = `framework/${framework}/examples/${name}`
  const { docs } = useDocsMenu({ library, version: version.name, config, path: inside, inAddress: framework })
  const { label } = findFramework(shell.frameworks, framework)
  const title = `${label} Example: ${example.title}`
  const own = paths.example(library.id, version.name, framework, name)
  const address = ({ file, panel: shown = 'code' }: { file?: string; panel?: ExamplePanel }) => {
    const query = new URLSearchParams()
    if (file && file !== example.start) query.set('path', `${example.root}/${file}`)
    if (shown !== 'code') query.set('panel', shown)
    return query.size > 0 ? serverPath(`${own}?${query}`) : own
  }
  const way = [
    { label: library.name, href: paths.version(library.id, version.name) },
    { label: 'Examples', href: paths.examples(library.id, version.name) },
    { label, href: paths.examples(library.id, version.name, framework) },
    { label: example.title, href: own },
  ]
  return (
    <Main className="docs-page example-page">
      <AreaStyles name="examples" />
      <ExampleHeader title={title} links={example.links}>
        <Breadcrumbs crumbs={way} />
      </ExampleHeader>
      <ExampleViewer
        key={own}
        title={title}
        example={example}
        file={resolveFile(example, path)}
        panel={panel}
        href={address}
        choose={(next) => {
          const shown = next === 'code' ? undefined : next
          void navigate({ search: (before) => ({ ...before, panel: shown }), replace: true, resetScroll: false })
        }}
        open={(file) => {
          const wanted = file === example.start ? undefined : `${example.root}/${file}`
          void navigate({ search: { path: wanted }, resetScroll: false })
        }}
      >
        <Outlet />
      </ExampleViewer>
      <PrevNext {...findAdjacentPages(docs, inside)} />
    </Main>
  )
}
