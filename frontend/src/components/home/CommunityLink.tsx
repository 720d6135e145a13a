import { useId } from 'react'
import type { NavLink, Newsletter } from '../../api/generated'
import { SocialIcon } from '../ui/SocialIcon'
import { Button, ExternalLinkButton } from '../ui/Button'
import { ExternalLink } from '../ui/Link'

/** Invitation to the chat. */
export function CommunityLink({ discord }: { discord: NavLink | undefined }) {
  if (!discord) return null
  return (
    <section className="column" aria-labelledby="meeting">
      <div className="home-community">
        <SocialIcon name="discord" />
        <div>
          <h2 id="meeting" className="heading">
            Join the community
          </h2>
          <p>Ask a question, float an idea, or tell us what a release broke. The maintainers and other users are on Discord.</p>
        </div>
        <ExternalLinkButton href={discord.to} size="large">
          Join us on Discord
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
