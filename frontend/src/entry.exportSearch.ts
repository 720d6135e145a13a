// Bundle `exportSearch`: the search of a site without a server. The search dialog and the search page of an export load it.
export { searchResultsView } from './exportSearch/resultsView'
export { searchStatically } from './exportSearch/staticSearchClient'
