import { Icon } from '../../ui/Icon'

interface Props {
  id: string
  query: string
  selected: boolean
  onAsk: () => void
}

/** The last result of a search: asks the query as a question. */
export function AskRow({ id, query, selected, onAsk }: Props) {
  return (
    <button type="button" id={id} role="option" aria-selected={selected} tabIndex={-1} className="search-result ask-row" onClick={onAsk}>
      <Icon name="pencil" />
      <span className="search-result-text">
        <strong>Ask: {query}</strong>
        <span className="search-result-snippet">An AI service answers from these docs, with links to its sources. It gets your question.</span>
      </span>
    </button>
  )
}
