// The pages of the sign-in: their query, and the messages of failures.

export interface SignInSearch {
  error?: string
  /** The path of this site to return to. */
  next?: string
}

/** By the failures of `kinfolk.accounts.sign_in_attempts` and `kinfolk.web.endpoints.accounts.sign_in`. */
const MESSAGES: Record<string, string> = {
  address: 'This is not an email address. Check it and try again.',
  code: 'This code is not right. Enter the eight digits of the latest email.',
  expired: 'This sign-in has expired or has already been used. Start over to get a new code.',
  limit: 'Too many sign-ins from your network. Try again in an hour.',
  state: 'This sign-in started in another browser, or your browser blocks cookies. Allow cookies for this site and start over.',
  'other-browser': 'You opened the link in a different browser from the one where you started. Enter the code from the email instead.',
  denied: 'Sign-in was canceled. Try again, or sign in another way.',
  provider: 'The provider did not respond as expected. Try again, or sign in another way.',
  email: 'The provider has no verified email address for you. Verify one there, or sign in by email.',
  unavailable: 'Sign-in is not available right now. Try again in a minute. The docs work without it.',
}

/** The message for a failure in the query of a page; undefined without one. */
export function signInMessage(error: string | undefined): string | undefined {
  if (!error) return undefined
  return MESSAGES[error] ?? 'Sign-in failed. Start over.'
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined
}

/** An address is kept if the server accepts it: `safe_return_address` of `kinfolk.accounts.accounts` has the same rule. */
function ownPath(address: string | undefined): string | undefined {
  return address && /^\/(?!\/|auth\/|_)[\x20-\x5b\x5d-\x7e]*$/.test(address) ? address : undefined
}

export function parseSignInSearch(search: Record<string, unknown>): SignInSearch {
  return { error: text(search.error), next: ownPath(text(search.next)) }
}
