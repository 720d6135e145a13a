import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import type { Load } from '../../api/call'
import type { AccountDetails } from '../../api/generated'
import type { SitePath } from '../../lib/paths'
import { paths, withBase } from '../../lib/paths'
import { PageLayout } from '../shell/PageLayout'
import { AreaStyles } from '../ui/AreaStyles'
import { Button, LinkButton } from '../ui/Button'
import { Link } from '../ui/Link'
import { ToastProvider } from '../ui/Toast'
import { useShell } from '../ui/useShell'
import { useDashboard } from './useDashboard'

interface Section {
  label: string
  to: SitePath
}

const OWN: Section[] = [
  { label: 'Saved', to: paths.dashboard() },
  { label: 'Account', to: paths.dashboard('account') },
]
const MAINTAINERS: Section[] = [
  { label: 'Content', to: paths.dashboard('content') },
  { label: 'Deliveries', to: paths.dashboard('deliveries') },
  { label: 'Searches', to: paths.dashboard('searches') },
  { label: 'Feedback', to: paths.dashboard('feedback') },
  { label: 'Links', to: paths.dashboard('links') },
  { label: 'Code blocks', to: paths.dashboard('code') },
  { label: 'Promotions', to: paths.dashboard('promotions') },
  { label: 'Statistics', to: paths.dashboard('statistics') },
  { label: 'Activity', to: paths.dashboard('activity') },
]

interface Props {
  title: string
  load: Load
  /** Who may see the page: all readers, readers with an account, or maintainers. */
  needs: 'nothing' | 'account' | 'maintainer'
  children: (account: AccountDetails | null, reload: () => void) => ReactNode
}

/** A page of the dashboard. The server renders the frame only: the page is the same for all readers. */
export function DashboardFrame({ title, load, needs, children }: Props) {
  const { state, reload } = useDashboard(load)
  const account = state.kind === 'signed-in' ? state.account : null
  const sections = account?.role === 'maintainer' ? [...OWN, ...MAINTAINERS] : OWN
  return (
    <PageLayout>
      <AreaStyles name="accounts" />
      <ToastProvider>
        <div className="dashboard" data-loads-app="">
          <header className="dashboard-head">
            <h1>{title}</h1>
            <DashboardUser state={state.kind} account={account} />
          </header>
          <DashboardMenu sections={sections} />
          <noscript>
            <p className="dashboard-message">The dashboard needs JavaScript. Docs and sign-in work without it.</p>
          </noscript>
          <DashboardContent state={state.kind} needs={needs} role={account?.role} reload={reload}>
            {() => children(account, reload)}
          </DashboardContent>
        </div>
      </ToastProvider>
    </PageLayout>
  )
}

function DashboardMenu({ sections }: { sections: readonly Section[] }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const list = useRef<HTMLUListElement>(null)
  // On narrow screens the menu scrolls sideways: the current page is in it, not beside it.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path, sections.length])
  return (
    <nav aria-label="Dashboard" className="dashboard-nav">
      <ul ref={list}>
        {sections.map(({ label, to }) => (
          <li key={to}>
            <Link to={to} aria-current={path === to ? 'page' : undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface ContentProps {
  state: 'loading' | 'signed-out' | 'signed-in' | 'failed'
  needs: Props['needs']
  role: AccountDetails['role'] | undefined
  reload: () => void
  children: () => ReactNode
}

/** What a page of the dashboard shows by the state of the account. */
export function DashboardContent({ state, needs, role, reload, children }: ContentProps) {
  if (needs === 'nothing') return children()
  if (state === 'loading') return <p className="dashboard-message needs-script">Loading…</p>
  if (state === 'failed') {
    return (
      <div role="alert" className="dashboard-message">
        <p>Your account could not be loaded. Check your connection and try again.</p>
        <Button onClick={reload}>Try again</Button>
      </div>
    )
  }
  if (state === 'signed-out') {
    return (
      <div className="dashboard-message">
        <p>Sign in to see this page.</p>
        <SignInLink />
      </div>
    )
  }
  if (needs === 'maintainer' && role !== 'maintainer') {
    return <p className="dashboard-message">Only maintainers of this site can see this page.</p>
  }
  return children()
}

function SignInLink() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  if (!useShell().features.signIn) return null
  return (
    <LinkButton to={paths.login(path)} variant="primary">
      Sign in
    </LinkButton>
  )
}

/** Who is signed in. */
export function DashboardUser({ state, account }: { state: ContentProps['state']; account: AccountDetails | null }) {
  if (state === 'loading') return null
  if (!account) {
    return (
      <div className="dashboard-user">
        <p>{state === 'failed' ? 'Offline: showing what this browser has' : 'Not signed in: saved only in this browser'}</p>
        <SignInLink />
      </div>
    )
  }
  return (
    <div className="dashboard-user">
      <p>
        {account.email ?? account.name}
        {account.role === 'maintainer' ? <span className="chip">Maintainer</span> : null}
      </p>
      <form method="post" action={withBase(paths.signIn('sign-out'))}>
        <Button type="submit" size="small">
          Sign out
        </Button>
      </form>
    </div>
  )
}
