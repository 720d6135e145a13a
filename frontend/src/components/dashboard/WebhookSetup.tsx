import type { WebhookAddress } from '../../api/generated'

interface Props {
  title: string
  text: string
  hasSecret: boolean
  addresses: readonly WebhookAddress[]
}

/** How to set up the webhook, with the addresses of this site. */
export function WebhookSetup({ title, text, hasSecret, addresses }: Props) {
  return (
    <section className="dashboard-section">
      <h2>{title}</h2>
      <div className="dashboard-empty webhook-setup">
        <p>{text}</p>
        <ol>
          {hasSecret ? null : (
            <li>
              Set <code>KINFOLK_WEBHOOK_SECRET</code> to a random text, and start the server again.
            </li>
          )}
          <li>
            Add a webhook to the organization or to each repository, for push events, with the content type{' '}
            <code>application/json</code> and the secret of <code>KINFOLK_WEBHOOK_SECRET</code>. Its address is:
            <ul>
              {addresses.map(({ host, label, url }) => (
                <li key={host}>
                  {label}: <code>{url}</code>
                </li>
              ))}
            </ul>
          </li>
          <li>Push a commit, or send the test of the code host. It is listed here within seconds.</li>
        </ol>
        <p>
          The section “Webhook” of the deployment guide (<code>docs/deployment.md</code>) names further events: releases, stars and pull
          requests.
        </p>
      </div>
    </section>
  )
}
