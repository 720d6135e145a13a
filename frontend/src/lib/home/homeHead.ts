// The head of the home page.
import type { Shell } from '../../api/generated'
import type { PageMeta } from '../pageHead'
import { absoluteUrl } from '../pageHead'
import { paths } from '../paths'

export function homeHead(shell: Shell, keywords: string): PageMeta {
  const { origin, title, description, family } = shell
  const url = origin + paths.home()
  return {
    title,
    description,
    keywords,
    origin,
    canonical: paths.home(),
    data: [
      {
        '@type': 'WebSite',
        name: family,
        description,
        url,
        inLanguage: 'en',
        potentialAction: {
          '@type': 'SearchAction',
          target: { '@type': 'EntryPoint', urlTemplate: `${origin}${paths.search()}?q={search_term_string}` },
          'query-input': 'required name=search_term_string',
        },
      },
      {
        '@type': 'Organization',
        name: family,
        legalName: shell.owner,
        url,
        logo: absoluteUrl('/icon-512.png', origin),
        sameAs: shell.social.map(({ to }) => to),
      },
    ],
  }
}
