import { createFileRoute } from '@tanstack/react-router'
import { ExternalLinkButton } from '../components/ui/Button'
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
  const pack = Route.useLoaderData()
  return (
    <Main className="sponsors-embed">
      <AreaStyles name="sponsors" />
      <h1 className="sr-only">Sponsors of {shell.family}</h1>
      <SponsorPack pack={pack} target="_parent" />
      {pack.circles.length > 0 && pack.becomeUrl !== null ? (
        <p>
          <ExternalLinkButton href={pack.becomeUrl} target="_parent" size="small">
            Sponsor {shell.family}
          </ExternalLinkButton>
        </p>
      ) : null}
    </Main>
  )
}
