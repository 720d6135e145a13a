// The head of a comparison: title, canonical URL, picture, exports, JSON-LD.
import type { ComparisonChart, Shell } from '../../api/generated'
import { pageHead } from '../pageHead'
import type { SitePath } from '../paths'
import { paths, withBase } from '../paths'

/** `canonical` is the path of the page if it is not that of the query. */
export function comparisonHead(chart: ComparisonChart, shell: Shell, canonical: SitePath = paths.statistics(chart.query)) {
  const { title, summary, query, indexable } = chart
  const { meta, links } = pageHead({
    title: `${title} | npm downloads | ${shell.family}`,
    description: summary,
    origin: shell.origin,
    canonical,
    ...(shell.isStatic ? {} : { image: paths.statisticsFile('png', query, 'card') }),
    data: chart.sample ? [] : [dataset(chart, shell, canonical)],
  })
  return {
    meta: [...meta, ...(indexable ? [] : [{ name: 'robots', content: 'noindex' }])],
    links: shell.isStatic ? links : [
      ...links,
      { rel: 'alternate', type: 'application/atom+xml', title: `${title}: weekly downloads`, href: withBase(paths.statisticsFile('atom', query)) },
      { rel: 'alternate', type: 'text/csv', title: `${title} (CSV)`, href: withBase(paths.statisticsFile('csv', query)) },
      { rel: 'alternate', type: 'application/json', title: `${title} (JSON)`, href: withBase(paths.statisticsFile('json', query)) },
    ],
  }
}

function dataset({ title, summary, query, axis, lastDay, asOf, valueAxis, source }: ComparisonChart, { origin, family, isStatic }: Shell, canonical: string) {
  return {
    '@type': 'Dataset',
    name: `npm downloads: ${title}`,
    description: `${summary} ${source}`.trim(),
    url: origin + canonical,
    creator: { '@type': 'Organization', name: family, url: origin },
    isAccessibleForFree: true,
    variableMeasured: valueAxis.title,
    ...(axis.first && lastDay ? { temporalCoverage: `${axis.first}/${lastDay}` } : {}),
    ...(asOf ? { dateModified: asOf } : {}),
    ...(isStatic ? {} : { distribution: [
      { '@type': 'DataDownload', encodingFormat: 'text/csv', contentUrl: origin + paths.statisticsFile('csv', query) },
      { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: origin + paths.statisticsFile('json', query) },
    ] }),
  }
}
