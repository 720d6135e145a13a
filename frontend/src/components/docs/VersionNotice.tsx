import type { MenuChoice } from '../../lib/menuChoice'
import type { NoticeOfVersion } from '../../lib/docs/version'
import { Button, LinkButton } from '../ui/Button'

interface Props {
  /** Null for a version without a notice. */
  notice: NoticeOfVersion | null
  /** The page in the latest version. */
  latest: MenuChoice | undefined
}

/** Says that these are not the latest docs, or not maintained. The boot script hides it for a month. */
export function VersionNotice({ notice, latest }: Props) {
  if (!notice) return null
  const { text, current } = notice
  const isOther = current !== null
  const currency = isOther ? `${current} is current.${latest?.note ? ' It does not have this page.' : ''}` : ''
  return (
    <aside aria-label="Version of these docs" className="notice-bar version-notice" data-keeps-version="">
      <p>{[text, currency].filter(Boolean).join(' ')}</p>
      <p>
        {isOther && latest ? (
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
