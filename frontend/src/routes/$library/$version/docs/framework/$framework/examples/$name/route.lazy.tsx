import { createLazyFileRoute, getRouteApi, Outlet } from '@tanstack/react-router'
import { Around } from '../../../../../../../../components/docs/Around'
import { Crumbs } from '../../../../../../../../components/ui/Crumbs'
import { useMenu } from '../../../../../../../../components/docs/useMenu'
import { ExampleHead } from '../../../../../../../../components/examples/ExampleHead'
import { Viewer } from '../../../../../../../../components/examples/Viewer'
import { Main } from '../../../../../../../../components/ui/Main'
import { Styles } from '../../../../../../../../components/ui/Styles'
import type { Panel } from '../../../../../../../../lib/examples'
import { fileAmong } from '../../../../../../../../lib/examples'
import { frameworkOption } from '../../../../../../../../lib/framework'
import { neighbours } from '../../../../../../../../lib/menu'
import { paths } from '../../../../../../../../lib/paths'

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
  const { docs } = useMenu({ shell, library, version: version.name, config, path: inside, inAddress: framework })
  const { label } = frameworkOption(shell.frameworks, framework)
  const title = `${label} Example: ${example.title}`
  const own = paths.example(library.id, version.name, framework, name)
  const address = ({ file, panel: shown = 'code' }: { file?: string; panel?: Panel }) => {
    const query = new URLSearchParams()
    if (file && file !== example.start) query.set('path', `${example.root}/${file}`)
    if (shown !== 'code') query.set('panel', shown)
    return query.size > 0 ? `${own}?${query}` : own
  }
  const way = [
    { label: library.name, href: paths.version(library.id, version.name) },
    { label: 'Examples', href: paths.examples(library.id, version.name) },
    { label, href: paths.examples(library.id, version.name, framework) },
    { label: example.title, href: own },
  ]
  return (
    <Main className="docs-page example-page">
      <Styles name="examples" />
      <ExampleHead title={title} links={example.links}>
        <Crumbs way={way} />
      </ExampleHead>
      <Viewer
        key={own}
        title={title}
        example={example}
        file={fileAmong(example, path)}
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
      </Viewer>
      <Around {...neighbours(docs, inside)} />
    </Main>
  )
}
