import type { DocPage, DocsNavigation, LibraryCard } from '../../api/generated'
import { findAdjacentPages, listCrumbs } from '../../lib/docs/docsMenu'
import { paths } from '../../lib/paths'
import { DocsArticle } from './DocsArticle'
import { useDocsMenu } from './useDocsMenu'

interface Props {
  library: LibraryCard
  version: string
  config: DocsNavigation
  page: DocPage
  /** The path inside the docs. */
  path: string
}

/** A docs page that is the same for all frameworks. */
export function CorePage({ library, version, config, page, path }: Props) {
  const place = { library, version }
  const { docs } = useDocsMenu({ ...place, config, path, inAddress: undefined })
  return (
    <DocsArticle
      page={page}
      crumbs={listCrumbs(place, docs, path, page.title)}
      adjacent={findAdjacentPages(docs, path)}
      framework={undefined}
      markdown={paths.source(library.id, version, path)}
      address={paths.docs(library.id, version, path)}
      topic={{ library: library.id, version, path }}
    />
  )
}
