// The head of pages of the sign-in and the dashboard, which search engines do not list.
import type { Shell } from '../../api/generated'

export function accountHead(shell: Shell | undefined, title: string) {
  return {
    meta: [{ title: [title, shell?.family].filter(Boolean).join(' | ') }, { name: 'robots', content: 'noindex' }],
  }
}
