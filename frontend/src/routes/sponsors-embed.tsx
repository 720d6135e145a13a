import { createFileRoute } from '@tanstack/react-router'
import { Main } from '../components/ui/Main'
import { SponsorPack } from '../components/ui/SponsorPack'
import { AreaStyles } from '../components/ui/AreaStyles'

export const Route = createFileRoute('/sponsors-embed')({
  loader: ({ context }) => context.load('sponsors.pack', null),
  head: ({ match: { context } }) => ({
    meta: [{ title: `Sponsors | ${context.shell?.family}` }, { name: 'robots', content: 'noindex' }],
  }),
  component: Embed,
})

/** The sponsor pack for a frame on another site. Its links open in the parent window. */
function Embed() {
  const { shell } = Route.useRouteContext()
  return (
    <Main className="sponsors-embed">
      <AreaStyles name="sponsors" />
      <h1 className="sr-only">Sponsors of {shell.family}</h1>
      <SponsorPack pack={Route.useLoaderData()} target="_parent" />
    </Main>
  )
}
