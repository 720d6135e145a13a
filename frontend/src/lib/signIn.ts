// The pages of the sign-in: their query, and the messages of failures.

export interface SignInSearch {
  error?: string
  /** The address to return to. The server accepts paths of this site only. */
  next?: string
}

/** By the failures of `kinfolk.accounts.sign_in_attempts` and `kinfolk.web.sign_in`. */
const MESSAGES: Record<string, string> = {
  address: 'This is not an e-mail address. Check it, and try again.',
  code: 'This code is wrong. Check the newest mail, and enter its eight digits.',
  expired: 'This sign-in has expired or was used before. Begin again to get a new code.',
  limit: 'There were too many sign-ins from your network. Try again in an hour.',
  state: 'This sign-in began in another browser, or your browser blocks cookies. Allow cookies for this site, and begin again.',
  'other-browser': 'You opened the link in another browser than the one in which you began. Enter the code of the mail instead.',
  denied: 'The sign-in was canceled. You can try again, or use another way.',
  provider: 'The provider did not answer as expected. Try again, or use another way.',
  email: 'The provider has no verified e-mail address of yours. Verify one there, or sign in by mail.',
  unavailable: 'Signing in is not possible right now. Try again in a minute; the docs work without it.',
}

/** The message for a failure in the query of a page; undefined without one. */
export function signInMessage(error: string | undefined): string | undefined {
  if (!error) return undefined
  return MESSAGES[error] ?? 'The sign-in failed. Begin again.'
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined
}

export function parseSignInSearch(search: Record<string, unknown>): SignInSearch {
  return { error: text(search.error), next: text(search.next) }
}
