// The marks of other companies, as they draw them themselves.
import { siBluesky, siDiscord, siGithub, siInstagram, siX, siYoutube } from 'simple-icons'

const MARKS = {
  github: siGithub,
  discord: siDiscord,
  x: siX,
  bluesky: siBluesky,
  youtube: siYoutube,
  instagram: siInstagram,
} as const

export type SocialName = keyof typeof MARKS

export function isSocial(name: string | null): name is SocialName {
  return name !== null && Object.hasOwn(MARKS, name)
}

export function SocialIcon({ name }: { name: SocialName }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={MARKS[name].path} />
    </svg>
  )
}
