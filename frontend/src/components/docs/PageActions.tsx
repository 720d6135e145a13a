import { Icon } from '../ui/Icon'
import { IconButton } from '../ui/Button'
import { ExternalLink, Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'
import { useShell } from '../ui/useShell'
import { withBase } from '../../lib/paths'

interface Props {
  /** The page's Markdown: a path. */
  markdown: SitePath
}

const ASSISTANTS = [
  { name: 'ChatGPT', href: 'https://chatgpt.com/?hints=search&q=' },
  { name: 'Claude', href: 'https://claude.ai/new?q=' },
]

/** Actions for a page: its width, copying it, opening it elsewhere. The boot script serves the buttons. */
export function PageActions({ markdown }: Props) {
  const { origin, isStatic } = useShell()
  const prompt = encodeURIComponent(`Read ${origin}${markdown} so that I can ask you questions about it.`)
  return (
    <div className="page-actions">
      <IconButton
        data-width-toggle=""
        aria-pressed="false"
        needsScript
        className="width-toggle"
        title="Wide text"
        suppressHydrationWarning
        icon="wide"
        label="Wide text"
      />
      {isStatic ? null : <SavingActions />}
      <div className="split-button">
        <button type="button" data-copy-page={withBase(markdown)} className="needs-script">
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
              <button type="button" data-copy-page={withBase(markdown)}>
                <span data-label="" suppressHydrationWarning>
                  Copy as Markdown
                </span>
              </button>
            </li>
            <li>
              <Link to={markdown}>View as Markdown</Link>
            </li>
            {ASSISTANTS.map(({ name, href }) => (
              <li key={name}>
                <ExternalLink href={href + prompt} target="_blank">
                  <span>{`Open in ${name}`}</span>
                  <Icon name="out" />
                </ExternalLink>
              </li>
            ))}
          </ul>
        </details>
      </div>
    </div>
  )
}

/** What readers find again on their dashboard and, without one, on the page and in the menu of its docs. */
function SavingActions() {
  const { features } = useShell()
  return (
    <>
      <IconButton
        data-bookmark=""
        aria-pressed="false"
        needsScript
        className="bookmark-toggle"
        title="Bookmark this page"
        suppressHydrationWarning
        icon="bookmark"
        label="Bookmark this page"
      />
      <IconButton data-notes={features.accounts ? '' : 'local'} needsScript title="Write a note" icon="note" label="Write a note" />
    </>
  )
}
