import { createFileRoute } from '@tanstack/react-router'
import { Main } from '../components/ui/Main'
import { SponsorPack } from '../components/ui/SponsorPack'
import { Styles } from '../components/ui/Styles'

export const Route = createFileRoute('/sponsors-embed')({
  loader: ({ context }) => context.load('sponsors.pack', null),
  head: ({ match: { context } }) => ({
    meta: [{ title: `Sponsors | ${context.shell?.family}` }, { name: 'robots', content: 'noindex' }],
  }),
  component: Embed,
})

/** The pack and nothing else, for a frame on another site; its links lead that site's reader away, not the frame. */
function Embed() {
  const { shell } = Route.useRouteContext()
  return (
    <Main className="embed">
      <Styles name="sponsors" />
      <h1 className="sr-only">Sponsors of {shell.family}</h1>
      <SponsorPack pack={Route.useLoaderData()} target="_parent" />
    </Main>
  )
}
