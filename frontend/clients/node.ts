// Runs Algolia's official clients, unmodified, in Node, and prints the results as JSON.

import { type Algoliasearch, algoliasearch } from 'algoliasearch'
import { liteClient } from 'algoliasearch/lite'

const [host = '', appId = '', searchKey = '', adminKey = ''] = process.argv.slice(2)
const index = 'plants'
const plants = [
  { objectID: '1', name: 'Lady fern', family: 'fern' },
  { objectID: '2', name: 'Hart’s-tongue fern', family: 'fern' },
  { objectID: '3', name: 'Lady’s mantle', family: 'rose' },
]

// The first host never answers: nothing listens on the discard port.
const hosts = (...urls: readonly string[]) =>
  urls.map((url) => ({ url, accept: 'readWrite' as const, protocol: 'http' as const }))
// The working host is listed twice, so that one slow answer is retried.
const admin: Algoliasearch = algoliasearch(appId, adminKey, { hosts: hosts(host, host), compression: 'gzip' })
const reader = algoliasearch(appId, searchKey, { hosts: hosts('127.0.0.1:9', host, host) })
const lite = liteClient(appId, searchKey, { hosts: hosts('127.0.0.1:9', host, host) })

function idsOf(answer: { readonly hits: readonly { readonly objectID: string }[] }): readonly string[] {
  return answer.hits.map((hit) => hit.objectID)
}

async function reason(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return null
  } catch (error) {
    return error instanceof Error ? { ...error, message: error.message } : String(error)
  }
}

async function main(): Promise<Record<string, unknown>> {
  await admin.setSettings({ indexName: index, indexSettings: { attributesForFaceting: ['searchable(family)'] } })
  await admin.saveObjects({ indexName: index, objects: plants, waitForTasks: true })
  const params = 'query=lady&facetFilters=%5B%22family%3Afern%22%5D'
  const browsed: string[] = []
  const search = await reader.search<{ objectID: string }>({
    requests: [
      { indexName: index, query: 'lady', facets: ['family'] },
      { indexName: index, type: 'facet', facet: 'family', facetQuery: 'ro' },
    ],
  })
  const single = await reader.searchSingleIndex({ indexName: index, searchParams: { query: 'mantel' } })
  const values = await reader.searchForFacetValues({ indexName: index, facetName: 'family' })
  const liteSearch = await lite.search<{ objectID: string }>({ requests: [{ indexName: index, query: 'tongue' }] })
  // An older request format that some sites still use.
  const asText = await lite.search<{ objectID: string }>([{ indexName: index, params: { query: 'lady', hitsPerPage: 1 } }])
  const encoded = await lite.customPost({
    path: '1/indexes/*/queries',
    body: { requests: [{ indexName: index, params }] },
  })
  const like = await lite.getRecommendations({
    requests: [{ indexName: index, model: 'related-products', objectID: '1', threshold: 0, maxRecommendations: 1 }],
  })
  await admin.browseObjects({
    indexName: index,
    browseParams: { hitsPerPage: 2 },
    aggregator: (answer) => browsed.push(...idsOf(answer)),
  })
  const refused = await reason(reader.getSettings({ indexName: index }))
  const missing = await reason(reader.searchSingleIndex({ indexName: 'nowhere' }))
  await admin.replaceAllObjects({ indexName: index, objects: [{ objectID: '9', name: 'Lady orchid', family: 'orchid' }] })
  const replaced = await admin.searchSingleIndex({ indexName: index, searchParams: { query: 'lady', facets: ['*'] } })
  const settings = await admin.getSettings({ indexName: index })
  const unreachable = await reason(
    algoliasearch(appId, searchKey, { hosts: hosts('127.0.0.1:9') }).searchSingleIndex({ indexName: index }),
  )
  return {
    search: search.results,
    single: idsOf(single),
    values: values.facetHits,
    lite: liteSearch.results,
    asText: asText.results,
    encoded,
    like: like.results.map((each) => each.hits),
    browsed,
    refused,
    missing,
    replaced: { ids: idsOf(replaced), facets: replaced.facets },
    settings: settings.attributesForFaceting,
    unreachable,
  }
}

process.stdout.write(JSON.stringify(await main()))
