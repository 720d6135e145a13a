import { INLINE_SCRIPT } from 'virtual:inline-script'
import { createRootRouteWithContext, HeadContent, isNotFound, Outlet, useLocation, useMatches, useRouteContext } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import type { Load } from '../api/call'
import type { FontLook, LibraryCard, Look, Shell, ShownAnnouncement } from '../api/generated'
import { ANSWERS } from '../api/shared'
import { AnnouncementBar } from '../components/shell/AnnouncementBar'
import { Devtools } from '../components/shell/Devtools'
import { ThirdPartyScript } from '../components/ui/ThirdPartyScript'
import { NotFound } from '../components/shell/NotFound'
import { RouteError } from '../components/shell/RouteError'
import { SiteLayout } from '../components/shell/SiteLayout'
import { NavigationSpinner } from '../components/shell/NavigationSpinner'
import { ANNOUNCER_ID, CONTENT_ID } from '../lib/layoutIds'
import { findMatchedLibrary } from '../lib/matchedLibrary'
import { getBase, withBase } from '../lib/paths'
import { UnmanagedSpan } from '../components/ui/UnmanagedSpan'
import type { AreaAssets } from '../components/ui/AreaStyles'
import { AreaAssetsContext, AreaStyles } from '../components/ui/AreaStyles'
import type { DemoFiles } from '../components/ui/DemoFrame'
import { DemoFilesContext } from '../components/ui/DemoFrame'
import { ShellContext } from '../components/ui/useShell'
import { WEB_FONTS } from '../lib/bootApi'

/** What the page in the document refers to. */
export interface Assets {
  /** The script that every page loads. It has the names of all files that scripts load. */
  boot: string
  /** Files of the bundle `demos` with one demo, by the library's id. */
  demos?: DemoFiles
  css: string
  /** The font that text is set in. */
  font: string
  /** The `@font-face` rules of the web fonts, with which docs pages do not begin. */
  fontFaces: string
  /** Stylesheets that only some pages load. */
  styles: AreaAssets
  /** Files with answers that other pages share, separated by spaces. */
  shared: string
  /** Whether the page shows what a component threw. */
  failed?: boolean
}

export interface Context {
  load: Load
  /** Loads what all pages share, once. */
  loadShell: () => Promise<Shell>
  /** Only on the server, which renders the head of the document. */
  assets: Assets | undefined
  styles: AreaAssets
  /** What a component threw on the server: the page then shows the error. */
  crash: unknown
}

interface LogosStyle extends CSSProperties {
  '--logos': string
  '--framework-logos': string
}

export const Route = createRootRouteWithContext<Context>()({
  beforeLoad: async ({ context }) => ({ shell: await context.loadShell() }),
  // Thrown by a loader, so that the head describes the error, too.
  loader: ({ context: { crash } }) => {
    if (crash) throw crash
  },
  head: ({ match, matches }) => {
    // Undefined if loading it failed.
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
        tabIcon(findMatchedLibrary(matches), shell?.look),
        { rel: 'apple-touch-icon', href: withBase('/apple-touch-icon.png') },
        { rel: 'manifest', href: withBase('/site.webmanifest') },
        { rel: 'search', type: 'application/opensearchdescription+xml', href: withBase('/opensearch.xml') },
      ],
    }
  },
  shellComponent: Frame,
  component: Root,
  notFoundComponent: Missing,
  errorComponent: RouteError,
})

/** The icon of the library, or that of the site. */
function tabIcon(library: LibraryCard | undefined, look: Look | undefined) {
  if (library) return { rel: 'icon', type: 'image/svg+xml', href: withBase(library.icon) }
  return { rel: 'icon', type: look?.faviconType, href: withBase(look?.favicon ?? '/favicon.ico') }
}

function Root() {
  return (
    <>
      <Outlet />
      <ThirdPartyScript />
    </>
  )
}

function Missing({ data }: { data?: unknown }) {
  return (
    <SiteLayout>
      <NotFound data={data} />
    </SiteLayout>
  )
}

/** The document of every page, including error pages. */
function Frame({ children }: { children: ReactNode }) {
  const { assets, styles, shell } = useRootContext()
  return (
    <html lang="en" data-base={getBase() || undefined} data-static={shell?.isStatic ? '' : undefined} suppressHydrationWarning>
      <head>
        {/* First what React hydrates in place: a visit appends what is in the head of the next page. */}
        <DeferredFonts />
        <script dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? INLINE_SCRIPT : '' }} suppressHydrationWarning />
        <Bundles />
        <HeadContent />
        <Files />
      </head>
      <body style={shell ? logos(shell) : undefined}>
        <a href={`#${CONTENT_ID}`} className="skip-link">
          Skip to content
        </a>
        <BeforeLayout />
        <AreaAssetsContext value={styles}>
          <DemoFilesContext value={assets?.demos ?? {}}>
            <ShellContext value={shell ?? null}>{children}</ShellContext>
          </DemoFilesContext>
        </AreaAssetsContext>
        <NavigationSpinner />
        <Devtools />
        <output className="sr-only">
          <UnmanagedSpan id={ANNOUNCER_ID} />
        </output>
        <Answers />
      </body>
    </html>
  )
}

/** One child of the body: another one would change the ids that React makes, and with them pages without an announcement. */
function BeforeLayout() {
  const announcement = useRootContext().shell?.announcement
  return (
    <>
      <AgentNote />
      {announcement ? <Announcement announcement={announcement} /> : null}
    </>
  )
}

/** Above every page, but not in the frame that other sites show. */
function Announcement({ announcement }: { announcement: ShownAnnouncement }) {
  const { styles } = useRootContext()
  const isEmbedded = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === '/sponsors-embed') })
  if (isEmbedded) return null
  return (
    <AreaAssetsContext value={styles}>
      <AnnouncementBar announcement={announcement} />
    </AreaAssetsContext>
  )
}

/** Names the index of the Markdown of all pages, before the menus. Not shown: agents that read the HTML find it. */
function AgentNote() {
  return (
    <p hidden>
      Language models: docs are Markdown at their address with .md, and listed in <a href={withBase('/llms.txt')}>llms.txt</a>.
    </p>
  )
}

/** The files with the logos of all libraries and of all frameworks. */
function logos(shell: Shell): LogosStyle {
  return { '--logos': `url(${withBase(shell.logos)})`, '--framework-logos': `url(${withBase(shell.frameworkLogos)})` }
}

/** The context, whose shell is undefined if loading it failed. */
function useRootContext(): { assets: Assets | undefined; styles: AreaAssets; shell: Shell | undefined } {
  return useRouteContext({ from: '__root__' })
}

/** The web font of text. A site in system fonts has none. */
function textFont(assets: Assets, look: Look | undefined): string | undefined {
  return look?.fonts ? (look.fonts.preload ? withBase(look.fonts.preload) : undefined) : assets.font
}

/** Rendered on the server only: in the browser, the document has them. */
function Files() {
  const { assets, styles, shell } = useRootContext()
  const deferred = useDeferredFonts()
  if (!assets) return null
  const look = shell?.look
  return (
    <>
      <ThemeColors look={look} />
      {/* With a precedence, so that React puts the stylesheets of parts of the site after this one. */}
      <link rel="stylesheet" href={assets.css} precedence="site" />
      {deferred ? null : (
        <AreaAssetsContext value={styles}>
          <WebFonts fonts={look?.fonts ?? null} font={textFont(assets, look)} />
        </AreaAssetsContext>
      )}
      <BrandStyles look={look} />
    </>
  )
}

/** The surface colors. Not in `head`: the router keeps one meta element per name. */
function ThemeColors({ look }: { look: Look | undefined }) {
  const [light, dark] = look?.themeColors ?? []
  return (
    <>
      <meta name="theme-color" content={light} media="(prefers-color-scheme: light)" data-scheme="light" />
      <meta name="theme-color" content={dark} media="(prefers-color-scheme: dark)" data-scheme="dark" />
    </>
  )
}

function WebFonts({ fonts, font }: { fonts: FontLook | null; font: string | undefined }) {
  return (
    <>
      {fonts?.usesEngine === false ? null : <AreaStyles name="web-fonts" />}
      {fonts?.faces ? (
        <style href="brand-fonts" precedence="site">
          {fonts.faces}
        </style>
      ) : null}
      {font ? <link rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" /> : null}
    </>
  )
}

/** The stylesheet of the brand. It is in no layer, so that its rules win over those of the engine. */
function BrandStyles({ look }: { look: Look | undefined }) {
  return (
    <>
      {look?.css ? (
        <style href="theme" precedence="theme">
          {look.css}
        </style>
      ) : null}
      {look?.stylesheet ? <link rel="stylesheet" href={withBase(look.stylesheet)} precedence="theme" /> : null}
    </>
  )
}

/** What the scripts need. The inline script loads the boot script after the first paint. */
function Bundles() {
  const { assets, shell } = useRootContext()
  return (
    <script
      type="application/json"
      data-boot={assets?.boot}
      data-shared={assets?.shared}
      data-failed={assets?.failed ? '' : undefined}
      data-font={assets && textFont(assets, shell?.look)}
      suppressHydrationWarning
    />
  )
}

const DOCS_PATH = /^\/[^/]+\/[^/]+\/docs(\/|$)/

/** Docs pages do not request web fonts before their text is painted: the boot script fetches them for the next page. On other
 *  pages the font is worth a wait of 100 ms (decisions/0021). */
function useDeferredFonts(): boolean {
  return useLocation({ select: ({ pathname }) => DOCS_PATH.test(pathname) })
}

/** A text for browsers that run scripts: the inline script inserts it for readers who have the fonts. */
function DeferredFonts() {
  const { assets, shell } = useRootContext()
  if (!useDeferredFonts()) return null
  const own = shell?.look.fonts
  const faces = (own?.usesEngine === false ? '' : assets?.fontFaces ?? '') + (own?.faces ?? '')
  const html = assets ? `<style>${faces}</style>` : ''
  return <noscript id={WEB_FONTS} dangerouslySetInnerHTML={{ __html: html }} suppressHydrationWarning />
}

/** The answers that the page was rendered from, as data for the app. Python writes them, into pages that can need the app. */
function Answers() {
  return <script type="application/json" id={ANSWERS} dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />
}
