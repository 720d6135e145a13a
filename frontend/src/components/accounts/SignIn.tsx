import { siGithub } from 'simple-icons'
import type { ReactNode } from 'react'
import type { SignInOptions } from '../../api/generated'
import { anyUrl, paths, withBase } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { AnyLink, Link } from '../ui/Link'
import { NamedIcon } from '../ui/NamedIcon'
import { useShell } from '../ui/useShell'

const GITHUB = { path: siGithub.path, filled: true }

interface FrameProps {
  title: string
  /** What went wrong before. */
  message?: string
  children: ReactNode
}

/** A page of the sign-in: forms that work without scripts. */
function SignInFrame({ title, message, children }: FrameProps) {
  return (
    <div className="sign-in">
      <AreaStyles name="accounts" />
      <h1>{title}</h1>
      {message ? (
        <p role="alert" className="sign-in-error">
          {message}
        </p>
      ) : null}
      {children}
    </div>
  )
}

interface SignInProps {
  options: SignInOptions
  message?: string
  next?: string
}

export function SignIn({ options, message, next }: SignInProps) {
  const { family, links } = useShell()
  const hasAny = options.mail || options.providers.length > 0
  return (
    <SignInFrame title="Sign in" message={message}>
      <p>
        With an account, your bookmarks, notes, saved comparisons and preferences follow you to all of your devices. Without
        one, they stay in this browser, on your <Link to={paths.dashboard()}>dashboard</Link>.
      </p>
      {hasAny ? null : <p>Sign-in is not set up on this site.</p>}
      {options.mail ? (
        <form method="post" action={withBase(paths.signIn('email'))} className="sign-in-form">
          <Hidden next={next} />
          <label className="field">
            <span className="field-label">Email address</span>
            <input className="control" type="email" name="email" required maxLength={254} autoComplete="email" />
          </label>
          {/* Only programs fill it in. */}
          <label className="sign-in-trap" aria-hidden="true">
            Website
            <input name="website" tabIndex={-1} autoComplete="off" />
          </label>
          <Button type="submit" variant="primary" size="large">
            Send me a code
          </Button>
          <p className="sign-in-hint">
            No password needed. If you are new to {family}, this creates your account.
          </p>
        </form>
      ) : null}
      {options.mail && options.providers.length > 0 ? <p className="sign-in-or">or</p> : null}
      {options.providers.map((provider) => (
        <form key={provider.id} method="post" action={withBase(paths.signIn(provider.id))} className="sign-in-form">
          <Hidden next={next} />
          <Button type="submit" size="large">
            {provider.id === 'github' ? <NamedIcon shape={GITHUB} placed /> : null}
            Continue with {provider.name}
          </Button>
        </form>
      ))}
      {links.privacy ? (
        <p className="sign-in-hint">
          <AnyLink to={anyUrl(links.privacy)}>What this site stores about you</AnyLink>
        </p>
      ) : null}
    </SignInFrame>
  )
}

function Hidden({ next }: { next: string | undefined }) {
  return next ? <input type="hidden" name="next" value={next} /> : null
}

interface CodeProps {
  options: SignInOptions
  message?: string
}

export function EnterCode({ options, message }: CodeProps) {
  return (
    <SignInFrame title="Enter your code" message={message}>
      <p>
        We sent you an email with an eight-digit code. It should arrive within a minute and is valid for ten minutes. If you
        don't see it, check your spam folder.
      </p>
      {options.outbox ? (
        <p className="sign-in-note">
          This site runs in development mode and sends no email. <Link to={paths.outbox()}>Open the outbox</Link> to read it.
        </p>
      ) : null}
      <form method="post" action={withBase(paths.signIn('code'))} className="sign-in-form">
        <label className="field">
          <span className="field-label">Code</span>
          <input
            className="control sign-in-code"
            name="code"
            required
            inputMode="numeric"
            pattern="[0-9 ]{8,12}"
            title="Eight digits"
            maxLength={12}
            autoComplete="one-time-code"
          />
        </label>
        <Button type="submit" variant="primary" size="large">
          Sign in
        </Button>
      </form>
      <p className="sign-in-hint">
        <Link to={paths.login()}>Use another address or get a new code</Link>
      </p>
    </SignInFrame>
  )
}

export function ConfirmSignIn({ message }: { message?: string }) {
  const { family } = useShell()
  return (
    <SignInFrame title="Sign in" message={message}>
      {message ? (
        <p className="sign-in-hint">
          <Link to={paths.login()}>Start over</Link>
        </p>
      ) : (
        <form method="post" action={withBase(paths.signIn('link'))} className="sign-in-form">
          <p>You opened the link in your email. Sign in to {family} in this browser?</p>
          <Button type="submit" variant="primary" size="large">
            <Icon name="check" />
            Sign in
          </Button>
        </form>
      )}
    </SignInFrame>
  )
}
