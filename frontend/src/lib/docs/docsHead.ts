// The head of a docs page.
import type { DocPage, DocsNavigation, LibraryCard, Shell } from '../../api/generated'
import { listCrumbs, docsSections } from './docsMenu'
import { pageHead } from '../pageHead'
import { isPreviewName, paths } from '../paths'
import type { Version } from './version'
import { versionedName } from './version'

interface DocsHeadInput {
  shell: Shell
  library: LibraryCard
  version: Version
  config: DocsNavigation | undefined
  page: DocPage
  /** The path inside the docs. */
  path: string
  framework: string | null
  title: string
}

export function docsHead({ shell, library, version, config, page, path, framework, title }: DocsHeadInput) {
  const { origin } = shell
  const place = { library, version: version.name }
  const way = listCrumbs(place, config ? docsSections(place, config, framework) : [], path, page.title)
  const isPreview = isPreviewName(version.name)
  const image = isPreview ? paths.card(library.id) : paths.card(library.id, version.name, path)
  const url = origin + page.canonical
  return pageHead({
    title,
    description: page.description,
    keywords: page.keywords,
    origin,
    canonical: page.canonical,
    version,
    image,
    // Not the page's own `.md`, which redirects for pages of a framework: not all clients follow redirects.
    ...(isPreview
      ? {}
      : { markdown: shell.isStatic ? paths.source(library.id, version.name, path) : paths.markdown(library.id, version.name, path) }),
    feeds: [
      ...(shell.isStatic || isPreview ? [] : [{ title: `Changes to ${page.title}`, href: paths.pageChanges(library.id, version.name, path) }]),
      libraryFeed(library),
    ],
    type: 'article',
    data: [
      {
        '@type': 'TechArticle',
        headline: page.title,
        description: page.description,
        url,
        image: origin + image,
        inLanguage: 'en',
        ...(page.updated ? { dateModified: page.updated } : {}),
        publisher: { '@type': 'Organization', name: shell.family, url: origin },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: way.map(({ label, href }, at) => ({
          '@type': 'ListItem',
          position: at + 1,
          name: label,
          // The last one is the page itself.
          item: at < way.length - 1 ? origin + href : undefined,
        })),
      },
    ],
  })
}

interface CorePageInput extends Pick<DocsHeadInput, 'shell' | 'library' | 'version' | 'page' | 'path'> {
  matches: readonly { loaderData?: unknown }[]
}

/** The head of a page that is the same for all frameworks. */
export function corePageHead({ matches, ...input }: CorePageInput) {
  const title = `${input.page.title} | ${versionedName(input.library, input.version)} Docs`
  return docsHead({ ...input, config: findDocsConfig(matches), framework: null, title })
}

/** The feed of the changes of a library's latest docs, for the head. */
export function libraryFeed({ id, name }: Pick<LibraryCard, 'id' | 'name'>) {
  return { title: `Changes to the docs of ${name}`, href: paths.libraryChanges(id) }
}

/** The config that the docs layout has loaded. */
export function findDocsConfig(matches: readonly { loaderData?: unknown }[]): DocsNavigation | undefined {
  return matches.map((match) => match.loaderData).find(isConfig)
}

function isConfig(data: unknown): data is DocsNavigation {
  return typeof data === 'object' && data !== null && 'sections' in data
}
