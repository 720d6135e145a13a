import { createRootRouteWithContext, HeadContent, isNotFound, Outlet, useRouteContext } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import type { Load } from '../api/call'
import type { Shell } from '../api/generated'
import { ANSWERS } from '../api/shared'
import { Devtools } from '../components/shell/Devtools'
import { Outside } from '../components/promo/Outside'
import { SearchGate } from '../components/search/SearchGate'
import { NotFound } from '../components/shell/NotFound'
import { RouteError } from '../components/shell/RouteError'
import { SiteFrame } from '../components/shell/SiteFrame'
import { Spinner } from '../components/shell/Spinner'
import { Foreign } from '../components/ui/Foreign'
import type { Stylesheets } from '../components/ui/Styles'
import { StylesContext } from '../components/ui/Styles'
import { HEAD_SCRIPT } from '../lib/head'

/** The files every page refers to. */
export interface Assets {
  /** The script every page runs, which fetches the app when the reader first does something. */
  starter: string
  app: string
  /** What draws diagrams, for pages that have any. */
  diagrams: string
  css: string
  /** The font that every page is set in. */
  font: string
  /** Stylesheets that only some pages load. */
  styles: Stylesheets
  /** Files with answers that this page shares with others, separated by blanks. */
  shared: string
  /** The answers that are this page's own, as JSON. */
  answers: string
}

export interface Context {
  load: Load
  /** What all pages share; asked once per visit. */
  family: () => Promise<Shell>
  /** Known on the server only, where the document's head is written. */
  assets: Assets | undefined
  styles: Stylesheets
  /** Why the page could not be shown, when a component broke on the server. */
  crash: unknown
  /** Whether the reader has gone on from the page that was there when the app started. */
  moved: () => boolean
}

interface LogosStyle extends CSSProperties {
  '--logos': string
}

export const Route = createRootRouteWithContext<Context>()({
  beforeLoad: async ({ context }) => ({ shell: await context.family() }),
  // The page is then the error, in its head too.
  loader: ({ context: { crash } }) => {
    if (crash) throw crash
  },
  head: ({ match, matches }) => {
    // Without a shell there was an error before anything else.
    const shell: Shell | undefined = match.context.shell
    const missing = matches.some(({ status, error }) => status === 'notFound' || isNotFound(error))
    const failed = matches.some(({ status }) => status === 'error')
    const fault = missing ? '404 Not Found' : failed ? 'Something went wrong' : null
    return {
      meta: [
        { charSet: 'utf-8' },
        { name: 'viewport', content: 'width=device-width, initial-scale=1' },
        { title: fault ? [fault, shell?.family].filter(Boolean).join(' | ') : shell?.title },
        { name: 'description', content: shell?.description },
        { property: 'og:type', content: 'website' },
        { property: 'og:site_name', content: shell?.family },
        ...(fault ? [{ name: 'robots', content: 'noindex' }] : []),
      ],
      links: [
        { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
        { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
        { rel: 'manifest', href: '/site.webmanifest' },
        { rel: 'search', type: 'application/opensearchdescription+xml', href: '/opensearch.xml' },
      ],
    }
  },
  shellComponent: Frame,
  component: Root,
  notFoundComponent: Missing,
  errorComponent: RouteError,
})

function Root() {
  const { shell } = useRouteContext({ from: '__root__' })
  return (
    <>
      <Outlet />
      <Outside shell={shell} />
    </>
  )
}

function Missing({ data }: { data?: unknown }) {
  const { shell } = useRouteContext({ from: '__root__' })
  return (
    <SiteFrame shell={shell}>
      <NotFound data={data} />
    </SiteFrame>
  )
}

/** What every page stands in, also one that shows an error. */
function Frame({ children }: { children: ReactNode }) {
  const { styles, ...context } = useRouteContext({ from: '__root__' })
  // Without a shell there was an error before anything else.
  const shell: Shell | undefined = context.shell
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <script dangerouslySetInnerHTML={{ __html: HEAD_SCRIPT }} suppressHydrationWarning />
        <HeadContent />
        <Files />
      </head>
      <body style={shell ? logos(shell) : undefined}>
        <a href="#content" className="skip-link">
          Skip to content
        </a>
        <StylesContext value={styles}>
          {children}
          {shell ? <SearchGate shell={shell} /> : null}
        </StylesContext>
        <Spinner />
        <Devtools />
        <output className="sr-only">
          <Foreign id="announcer" />
        </output>
        <Answers />
      </body>
    </html>
  )
}

/** Where the marks of libraries are cut from. */
function logos(shell: Shell): LogosStyle {
  return { '--logos': `url(${shell.logos})` }
}

/** Written by the server only: in the browser they are there already. */
function Files() {
  const { assets } = useRouteContext({ from: '__root__' })
  if (!assets) return null
  return (
    <>
      {/* The surfaces of tokens.css. The router would keep only one of two that have the same name. */}
      <meta name="theme-color" content="#fdfcfa" media="(prefers-color-scheme: light)" data-scheme="light" />
      <meta name="theme-color" content="#141311" media="(prefers-color-scheme: dark)" data-scheme="dark" />
      <link rel="preload" as="font" type="font/woff2" href={assets.font} crossOrigin="anonymous" />
      {/* Known to React, so that it puts the stylesheets of parts of the site after this one. */}
      <link rel="stylesheet" href={assets.css} precedence="site" />
      <script
        type="module"
        async
        src={assets.starter}
        data-app={assets.app}
        data-shared={assets.shared}
        data-styles={JSON.stringify(assets.styles)}
        data-diagrams={assets.diagrams}
      />
    </>
  )
}

/** What the page was made of, for the app to begin with. It is data, so it stands there as it is and nothing runs it. */
function Answers() {
  const { assets } = useRouteContext({ from: '__root__' })
  const json = (assets?.answers ?? '').replaceAll('<', '\\u003c')
  return <script type="application/json" id={ANSWERS} dangerouslySetInnerHTML={{ __html: json }} suppressHydrationWarning />
}
