import { useId } from 'react'
import type { NavLink, Newsletter } from '../../api/generated'
import { NamedIcon } from '../ui/NamedIcon'
import { useShell } from '../ui/useShell'
import { Button, ExternalLinkButton } from '../ui/Button'
import { ExternalLink } from '../ui/Link'

/** The stylesheet has the color of Discord. */
const ACCENT = { fill: 'var(--accent)', color: 'var(--accent)' }

/** Where a text of the data has the name of the chat. */
const CHAT = '{chat}'

/** Invitation to the chat. */
export function CommunityLink({ chat }: { chat: NavLink | undefined }) {
  const { icons, texts } = useShell()
  if (!chat) return null
  const shape = icons[chat.icon ?? '']
  return (
    <section className="column" aria-labelledby="meeting">
      <div className="home-community">
        {shape ? <NamedIcon shape={shape} placed style={chat.icon === 'discord' ? undefined : ACCENT} /> : null}
        <div>
          <h2 id="meeting" className="heading">
            {texts.communityTitle}
          </h2>
          <p>{texts.community.replace(CHAT, () => chat.label)}</p>
        </div>
        <ExternalLinkButton href={chat.to} size="large">
          {`Join us on ${chat.label}`}
        </ExternalLinkButton>
      </div>
    </section>
  )
}

/** Newsletter form. It posts to the newsletter's provider. */
export function NewsletterSignup({ letter }: { letter: Newsletter | null }) {
  const id = useId()
  if (!letter) return null
  return (
    <section className="column home-newsletter-section" aria-labelledby="newsletter">
      <div className="home-newsletter">
        <div>
          <h2 id="newsletter" className="heading">
            {letter.name} by email
          </h2>
          <p>{letter.text}</p>
        </div>
        <form action={letter.action} method="post">
          <label htmlFor={id}>Your email address</label>
          <div>
            <input id={id} type="email" name="email" autoComplete="email" placeholder="you@example.com" required />
            {letter.fields.map(({ name, value }) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <Button type="submit" variant="primary">
              Subscribe
            </Button>
          </div>
          <p className="fine-print">
            Your address goes to {letter.by} only. Read past issues at{' '}
            <ExternalLink href={letter.href} className="text-link">
              {letter.href.replace('https://', '')}
            </ExternalLink>
            .
          </p>
        </form>
      </div>
    </section>
  )
}
