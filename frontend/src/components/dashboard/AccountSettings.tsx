import { useState } from 'react'
import type { Load } from '../../api/call'
import { ServerError } from '../../api/call'
import type { AccountDetails, AccountSession } from '../../api/generated'
import { formatDate, formatList } from '../../lib/format'
import { paths, withBase } from '../../lib/paths'
import { forgetAccount } from '../../lib/accounts/savedItems'
import { Button, LinkButton } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { TextField } from '../ui/TextField'
import { useToast } from '../ui/Toast'
import { DashboardSection } from './DashboardSection'
import { Preferences } from './Preferences'

interface Props {
  account: AccountDetails
  load: Load
  reload: () => void
}

const PROVIDERS: Record<string, string> = { email: 'Mail', github: 'GitHub', google: 'Google' }

export function AccountSettings({ account, load, reload }: Props) {
  return (
    <>
      <Preferences />
      <DashboardSection title="Sign-in methods" items={account.identities} empty="">
        {({ provider, label }) => (
          <li key={`${provider}:${label}`} className="saved-row">
            <div className="saved-main">{label}</div>
            <p className="saved-about">{PROVIDERS[provider]}</p>
          </li>
        )}
      </DashboardSection>
      <Devices account={account} load={load} reload={reload} />
      <section className="dashboard-section">
        <h2>Your data</h2>
        <p className="dashboard-lead">
          Download everything that is stored about your account as a file, or delete your account with all of it.
        </p>
        <div className="actions">
          <LinkButton to={paths.accountExport()} download="account.json">
            Export my data
          </LinkButton>
          <DeleteAccount account={account} load={load} />
        </div>
      </section>
    </>
  )
}

function Devices({ account, load, reload }: Props) {
  const toast = useToast()
  const others = account.sessions.filter(({ isCurrent }) => !isCurrent)
  const end = (ids: string[] | null) =>
    load('sessions.end', { ids }).then(reload, () => toast('The device could not be signed out.', 'Try again.'))
  return (
    <>
      <DashboardSection title="Devices" items={account.sessions} empty="">
        {(session) => <DeviceRow key={session.id} session={session} end={() => void end([session.id])} />}
      </DashboardSection>
      {others.length > 1 ? (
        <div className="actions">
          <Button onClick={() => void end(null)}>Sign out of all other devices</Button>
        </div>
      ) : null}
    </>
  )
}

function DeviceRow({ session, end }: { session: AccountSession; end: () => void }) {
  return (
    <li className="saved-row">
      <div className="saved-main">
        {session.device}
        <p className="saved-about">
          {session.isCurrent ? 'This device' : `Last used on ${formatDate(session.lastSeenAt)}`}, signed in on{' '}
          {formatDate(session.createdAt)}
        </p>
      </div>
      {session.isCurrent ? null : (
        <Button size="small" onClick={end} aria-label={`Sign out ${session.device}`}>
          Sign out
        </Button>
      )}
    </li>
  )
}

function DeleteAccount({ account, load }: { account: AccountDetails; load: Load }) {
  const [error, setError] = useState<string>()
  const labels = account.identities.map(({ label }) => label)
  const remove = async (form: FormData) => {
    try {
      await load('account.delete', { confirmation: String(form.get('confirmation') ?? '') })
      document.cookie = 'signed-in=; path=/; max-age=0'
      forgetAccount()
      location.assign(withBase(paths.home()))
    } catch (failure) {
      setError(failure instanceof ServerError ? failure.message : 'The account could not be deleted. Try again.')
    }
  }
  return (
    <Dialog
      trigger={<Button>Delete my account</Button>}
      title="Delete your account?"
      description="Your saved pages, notes and comparisons are deleted on the server and in this browser. This can't be undone."
    >
      <form
        className="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault()
          void remove(new FormData(event.currentTarget))
        }}
      >
        <TextField label={`Enter ${formatList(labels)} to confirm`.replace(' and ', ' or ')} name="confirmation" required autoComplete="off" error={error} />
        <Button type="submit" variant="primary">
          Delete my account
        </Button>
      </form>
    </Dialog>
  )
}
