import { Icon } from '../ui/Icon'

interface Props {
  /** The page's Markdown: a path. */
  markdown: string
  /** The public address of the site. */
  origin: string
}

const ASSISTANTS = [
  { name: 'ChatGPT', href: 'https://chatgpt.com/?hints=search&q=' },
  { name: 'Claude', href: 'https://claude.ai/new?q=' },
]

/** What one can do with a page besides reading it. The buttons are served by the starter. */
export function PageActions({ markdown, origin }: Props) {
  const prompt = encodeURIComponent(`Read ${origin}${markdown} so that I can ask you questions about it.`)
  return (
    <div className="page-actions">
      <button
        type="button"
        data-width-toggle=""
        aria-pressed="false"
        className="icon-button width-toggle needs-script"
        title="Wide text"
        suppressHydrationWarning
      >
        <Icon name="wide" />
        <span className="sr-only">Wide text</span>
      </button>
      <div className="split-button">
        <button type="button" data-copy-page={markdown} className="needs-script">
          <Icon name="copy" />
          <span data-label="" suppressHydrationWarning>
            Copy page
          </span>
        </button>
        <details className="link-menu" name="link-menu" suppressHydrationWarning>
          <summary>
            <Icon name="chevron" />
            <span className="sr-only">More ways to read this page</span>
          </summary>
          <ul>
            <li className="needs-script">
              <button type="button" data-copy-page={markdown}>
                <span data-label="" suppressHydrationWarning>
                  Copy as Markdown
                </span>
              </button>
            </li>
            <li>
              <a href={markdown}>View as Markdown</a>
            </li>
            {ASSISTANTS.map(({ name, href }) => (
              <li key={name}>
                <a href={href + prompt} target="_blank" rel="noopener">
                  <span>Open in {name}</span>
                  <Icon name="out" />
                </a>
              </li>
            ))}
          </ul>
        </details>
      </div>
    </div>
  )
}
