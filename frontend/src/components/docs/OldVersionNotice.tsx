import type { MenuChoice } from '../../lib/menuChoice'
import { Button, LinkButton } from '../ui/Button'

/** Says that these are not the latest docs. The boot script hides it for a month. */
export function OldVersionNotice({ version, latest }: { version: string; latest: MenuChoice | undefined }) {
  return (
    <aside aria-label="Old version" className="old-version-notice">
      <p>{`You are currently reading ${version} docs. Redirect to latest version?`}</p>
      <p>
        {latest ? (
          <LinkButton to={latest.href} title={latest.note ?? undefined}>
            Latest
          </LinkButton>
        ) : null}
        <Button data-hide-notice="" needsScript>
          Hide
        </Button>
      </p>
    </aside>
  )
}
