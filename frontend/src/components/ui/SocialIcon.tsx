// Logos of social networks, from simple-icons.
import { siBluesky, siDiscord, siGithub, siInstagram, siX, siYoutube } from 'simple-icons'

const ICONS_BY_NAME = {
  github: siGithub,
  discord: siDiscord,
  x: siX,
  bluesky: siBluesky,
  youtube: siYoutube,
  instagram: siInstagram,
} as const

export type SocialName = keyof typeof ICONS_BY_NAME

export function isSocial(name: string | null): name is SocialName {
  return name !== null && Object.hasOwn(ICONS_BY_NAME, name)
}

export function SocialIcon({ name }: { name: SocialName }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS_BY_NAME[name].path} />
    </svg>
  )
}
