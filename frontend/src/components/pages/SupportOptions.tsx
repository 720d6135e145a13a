import { anyUrl } from '../../lib/paths'
import { findChat, findCodeHost } from '../../lib/social'
import { AnyLink } from '../ui/Link'
import { useShell } from '../ui/useShell'

/** The ways to get support that this site has. */
export function SupportOptions() {
  const shell = useShell()
  const chat = findChat(shell.social)
  const code = findCodeHost(shell.social)
  if (!chat && !code && !shell.links.consulting) return null
  return (
    <ul className="support-options">
      {chat ? (
        <SupportOption
          kind="talk"
          title={chat.label}
          href={chat.to}
          words="Ask a question, answer one, or show what you built."
          action="Join the community"
        />
      ) : null}
      {code ? (
        <SupportOption
          kind="code"
          title={code.label}
          href={code.to}
          words={code.icon === 'github' ? 'Questions and ideas in Discussions, bugs in Issues.' : 'Questions, ideas and bugs in Issues.'}
          action="Open the repositories"
        />
      ) : null}
      <SupportOption
        kind="hire"
        title="Dedicated support"
        href={shell.links.consulting ?? undefined}
        words="Advice, migrations and contracts from the people who write the libraries."
        action="Meet the consultants"
      />
    </ul>
  )
}

const PATHS = {
  talk: 'M8 10h24a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H20l-8 7v-7H8a4 4 0 0 1-4-4V14a4 4 0 0 1 4-4ZM42 17h2a4 4 0 0 1 4 4v11a4 4 0 0 1-4 4h-3v6l-7-6h-8M12 18h16M12 23h10',
  code: 'M14 13v22M14 35a4.5 4.5 0 1 0 .1 0M14 4a4.5 4.5 0 1 0 .1 0M38 13a4.5 4.5 0 1 0 .1 0M38 22c0 9-14 5-22.5 12',
  hire: 'M26 6a18 18 0 1 0 0 36 18 18 0 0 0 0-36ZM26 16a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM13.3 11.3l7 7M38.7 11.3l-7 7M13.3 36.7l7-7M38.7 36.7l-7-7',
} as const

interface SupportOptionProps {
  kind: keyof typeof PATHS
  title: string
  href: string | undefined
  words: string
  action: string
}

function SupportOption({ kind, title, href, words, action }: SupportOptionProps) {
  if (!href) return null
  return (
    <li className="card support-option" data-kind={kind}>
      <svg viewBox="0 0 52 48" aria-hidden="true">
        <path d={PATHS[kind]} />
      </svg>
      <h2>
        <AnyLink to={anyUrl(href)} className="card-link">
          {title}
        </AnyLink>
      </h2>
      <p>{words}</p>
      <p className="support-option-action" aria-hidden="true">
        {action}
      </p>
    </li>
  )
}
