import type { MenuChoice } from '../../lib/menuChoice'
import { Button, LinkButton } from '../ui/Button'

interface Props {
  /** The name of the latest version. */
  current: string
  /** The page in the latest version. */
  latest: MenuChoice | undefined
}

/** Says that these are not the latest docs. The boot script hides it for a month. */
export function OldVersionNotice({ current, latest }: Props) {
  return (
    <aside aria-label="Old version" className="notice-bar old-version-notice">
      <p>{latest?.note ? `${current} is current. It does not have this page.` : `${current} is current.`}</p>
      <p>
        {latest ? (
          <LinkButton to={latest.href} title={latest.note ?? undefined}>
            {`Read ${current}`}
          </LinkButton>
        ) : null}
        <Button data-hide-notice="" needsScript>
          Dismiss
        </Button>
      </p>
    </aside>
  )
}
