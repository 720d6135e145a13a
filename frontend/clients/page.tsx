// InstantSearch and DocSearch, unmodified, on a page of another origin than the search server.

import { DocSearch } from '@docsearch/react'
import { liteClient } from 'algoliasearch/lite'
import { createRoot } from 'react-dom/client'
import {
  Configure,
  Highlight,
  Hits,
  InstantSearch,
  Pagination,
  RefinementList,
  SearchBox,
} from 'react-instantsearch'

const parameters = new URLSearchParams(location.search)
const [host, appId, key, index] = ['host', 'app', 'key', 'index'].map((name) => parameters.get(name) ?? '')
const hosts = [{ url: host ?? '', accept: 'readWrite' as const, protocol: 'http' as const }]
// Long timeouts, because response times are not tested here. By default the clients change to another host after 1 s.
const timeouts = { connect: 30_000, read: 30_000, write: 30_000 }
const client = liteClient(appId ?? '', key ?? '', { hosts, timeouts })

type DocSearchClient = NonNullable<Parameters<NonNullable<Parameters<typeof DocSearch>[0]['transformSearchClient']>>[0]>

/** Sets hosts and timeouts in the client of DocSearch, which has no options for them. */
function withTestHosts(docSearchClient: DocSearchClient): DocSearchClient {
  // Its type has only the methods that DocSearch calls.
  const { transporter } = docSearchClient as unknown as { transporter: { hosts: unknown[]; timeouts: object } }
  transporter.hosts.splice(0, transporter.hosts.length, ...hosts)
  Object.assign(transporter.timeouts, timeouts)
  return docSearchClient
}

function Result({ hit }: { readonly hit: Parameters<typeof Highlight>[0]['hit'] }) {
  return <Highlight attribute={['hierarchy', 'lvl1']} hit={hit} />
}

function Page() {
  return (
    <InstantSearch searchClient={client} indexName={index ?? ''}>
      <Configure hitsPerPage={2} filters="version:latest" />
      <SearchBox placeholder="Find a page" />
      <RefinementList attribute="library" operator="or" searchable />
      <Hits hitComponent={Result} />
      <Pagination />
    </InstantSearch>
  )
}

createRoot(document.querySelector('#instantsearch') ?? document.body).render(<Page />)
createRoot(document.querySelector('#docsearch') ?? document.body).render(
  <DocSearch appId={appId ?? ''} apiKey={key ?? ''} indices={[index ?? '']} transformSearchClient={withTestHosts} />,
)
