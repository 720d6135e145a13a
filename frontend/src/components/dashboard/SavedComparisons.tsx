import type { Load } from '../../api/call'
import type { AccountDetails } from '../../api/generated'
import { paths } from '../../lib/paths'
import type { Saved } from '../../lib/accounts/savedItems'
import { exchangeItems, removeItem, saveItem, setSlug } from '../../lib/accounts/savedItems'
import { Button, IconButton } from '../ui/Button'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'
import { useToast } from '../ui/Toast'
import { DashboardSection } from './DashboardSection'
import { useSavedItems } from '../ui/useSavedItems'

interface Props {
  account: AccountDetails | null
  load: Load
}

export function SavedComparisons({ account, load }: Props) {
  return (
    <DashboardSection
      title="Comparisons"
      items={useSavedItems('comparison')}
      empty="Compare npm downloads and press Save to list the comparison here. You can give it a public link."
    >
      {(comparison) => <ComparisonRow key={comparison.key} comparison={comparison} account={account} load={load} />}
    </DashboardSection>
  )
}

function ComparisonRow({ comparison: { key, value, slug }, account, load }: Props & { comparison: Saved<'comparison'> }) {
  const toast = useToast()
  const { origin } = useShell()
  const address = slug ? `${origin}${paths.savedStatistics(slug)}` : ''
  const publish = async (isPublic: boolean) => {
    try {
      // The server must have it first.
      await exchangeItems((request) => load('account.exchange', request))
      setSlug(key, await load('account.publish', { key, public: isPublic }))
    } catch {
      toast('The link could not be changed', 'Check your connection, and try again.')
    }
  }
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => toast('Link copied'),
      () => toast('The link could not be copied', address),
    )
  const rename = () => {
    const name = prompt('Name of the comparison', value.name)?.trim()
    if (name) saveItem('comparison', key, { ...value, name: name.slice(0, 200) })
  }
  return (
    <li className="saved-row">
      <div className="saved-main">
        <Link to={paths.statistics(value.query)}>{value.name}</Link>
        {slug ? (
          <p className="saved-about">
            Public: <Link to={paths.savedStatistics(slug)}>{address}</Link>
          </p>
        ) : null}
      </div>
      <div className="saved-actions">
        <Button size="small" onClick={rename}>
          Rename
        </Button>
        {slug ? (
          <>
            <Button size="small" onClick={() => void copy()}>
              Copy link
            </Button>
            <Button size="small" onClick={() => void publish(false)}>
              Make private
            </Button>
          </>
        ) : (
          <Button
            size="small"
            disabled={!account}
            title={account ? undefined : 'Sign in to give it a public link'}
            onClick={() => void publish(true)}
          >
            Get a public link
          </Button>
        )}
      </div>
      <IconButton icon="close" label={`Delete ${value.name}`} onClick={() => removeItem('comparison', key)} />
    </li>
  )
}
