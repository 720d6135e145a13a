import { useId } from 'react'
import type { NavLink, NewsletterForm } from '../../api/generated'
import { SocialIcon } from '../ui/SocialIcon'

/** Where people of the family meet. */
export function Meeting({ discord }: { discord: NavLink | undefined }) {
  if (!discord) return null
  return (
    <section className="column" aria-labelledby="meeting">
      <div className="home-meeting">
        <SocialIcon name="discord" />
        <div>
          <h2 id="meeting" className="heading">
            Come and talk
          </h2>
          <p>
            Questions, half an idea, a release that surprised you: the people who write these libraries and the people who
            use them are in one place.
          </p>
        </div>
        <a href={discord.to} className="button button-large" rel="noopener">
          Join us on Discord
        </a>
      </div>
    </section>
  )
}

/** A plain form: the address goes to whoever writes the letter, and to nobody else. */
export function Newsletter({ letter }: { letter: NewsletterForm | null }) {
  const id = useId()
  if (!letter) return null
  return (
    <section className="column home-after" aria-labelledby="newsletter">
      <div className="home-letter">
        <div>
          <h2 id="newsletter" className="heading">
            {letter.name}, by email
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
            <button type="submit" className="button button-primary">
              Subscribe
            </button>
          </div>
          <p className="fine">
            Goes to {letter.by} and nowhere else; read past issues at{' '}
            <a href={letter.href} className="text-link" rel="noopener">
              {letter.href.replace('https://', '')}
            </a>
            .
          </p>
        </form>
      </div>
    </section>
  )
}
