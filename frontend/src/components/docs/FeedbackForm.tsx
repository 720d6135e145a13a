import type { DocPage } from '../../api/generated'
import { anyUrl, paths, type SitePath, withBase } from '../../lib/paths'
import { Button } from '../ui/Button'
import { AnyLink } from '../ui/Link'
import { useShell } from '../ui/useShell'

interface Props {
  page: Pick<DocPage, 'digest' | 'headings'>
  address: SitePath
  /** What the form says after a vote. The bundle `reader` writes it. */
  status?: string
}

/** Asks whether a page was helpful. The form works without scripts; the bundle `reader` sends it without leaving the page. */
export function FeedbackForm({ page, address, status }: Props) {
  const { privacy } = useShell().links
  return (
    <form method="post" action={withBase(paths.feedback())} className="feedback" data-feedback="" suppressHydrationWarning>
      <input type="hidden" name="page" value={address} />
      <input type="hidden" name="digest" value={page.digest} />
      <input type="hidden" name="id" value="" />
      {/* No legend: WebKit puts it on a line of its own. */}
      <fieldset className="feedback-vote" aria-labelledby="Site-feedback-question">
        <span id="Site-feedback-question">Was this page helpful?</span>
        <Button type="submit" size="small" name="helpful" value="yes" suppressHydrationWarning>
          Yes
        </Button>
        <Button type="submit" size="small" name="helpful" value="no" suppressHydrationWarning>
          No
        </Button>
        <span className="feedback-status" suppressHydrationWarning>
          {status}
        </span>
      </fieldset>
      <details suppressHydrationWarning>
        <summary>Tell the maintainers more</summary>
        <div className="feedback-note">
          <label className="field">
            <span className="field-label">Section</span>
            <select className="control" name="heading" defaultValue="">
              <option value="">The whole page</option>
              {page.headings.map(({ id, text }) => (
                <option key={id} value={id}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span className="field-label">What is missing, wrong or good?</span>
            <textarea className="control" name="note" rows={4} maxLength={2000} />
          </label>
          {/* Only programs fill it in. */}
          <label className="feedback-trap" aria-hidden="true">
            Website
            <input name="website" tabIndex={-1} autoComplete="off" />
          </label>
          <p className="field-hint">
            {`Only the maintainers read it. Please don't include personal data.${privacy ? ' ' : ''}`}
            {privacy ? <AnyLink to={anyUrl(privacy)}>Privacy</AnyLink> : null}
          </p>
          <Button type="submit">Send</Button>
        </div>
      </details>
    </form>
  )
}
