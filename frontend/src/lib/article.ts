// What a docs page says about itself to programs.
import type { DocPage, DocsConfig, LibraryCard, Shell } from '../api/generated'
import { crumbs, docsSections } from './menu'
import { head } from './meta'
import { paths } from './paths'
import type { Version } from './version'

interface Article {
  shell: Shell
  library: LibraryCard
  version: Version
  config: DocsConfig | undefined
  page: DocPage
  /** The path inside the docs. */
  path: string
  framework: string | null
  title: string
}

export function articleHead({ shell, library, version, config, page, path, framework, title }: Article) {
  const { origin } = shell
  const place = { library, version: version.name }
  const way = crumbs(place, config ? docsSections(place, config, framework) : [], path, page.title)
  const image = paths.card(library.id, version.name, path)
  const url = origin + page.canonical
  return head({
    title,
    description: page.description,
    keywords: page.keywords,
    origin,
    canonical: page.canonical,
    image,
    // Programs follow this, and not all of them a redirect, which a framework's page has at its own address.
    markdown: paths.markdown(library.id, version.name, path),
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
          item: origin + href,
        })),
      },
    ],
  })
}

/** The menu that the layout around a page has loaded. */
export function configAmong(matches: readonly { loaderData?: unknown }[]): DocsConfig | undefined {
  return matches.map((match) => match.loaderData).find(isConfig)
}

function isConfig(data: unknown): data is DocsConfig {
  return typeof data === 'object' && data !== null && 'sections' in data
}
