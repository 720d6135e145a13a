// Which of the family's accounts is its chat, and which is on a code host, by the names of their icons.
import type { NavLink } from '../api/generated'

const CHATS = new Set(['discord', 'element', 'gitter', 'guilded', 'matrix', 'mattermost', 'message', 'rocketdotchat', 'telegram', 'zulip'])
const CODE_HOSTS = new Set(['codeberg', 'forgejo', 'gitea', 'github', 'gitlab'])

export function findChat(social: readonly NavLink[]): NavLink | undefined {
  return social.find(({ icon }) => icon !== null && CHATS.has(icon))
}

/** Whether an icon is that of a code host. */
export function isCodeHost(icon: string | null): boolean {
  return icon !== null && CODE_HOSTS.has(icon)
}

export function findCodeHost(social: readonly NavLink[]): NavLink | undefined {
  return social.find(({ icon }) => isCodeHost(icon))
}
