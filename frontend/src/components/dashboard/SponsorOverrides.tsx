import type { Load } from '../../api/call'
import { ServerError } from '../../api/call'
import type { SponsorFields, SponsorOverride } from '../../api/generated'
import { formatNumber } from '../../lib/format'
import { anyUrl } from '../../lib/paths'
import { Button } from '../ui/Button'
import { AnyLink } from '../ui/Link'
import { TextField } from '../ui/TextField'
import { DashboardSection } from './DashboardSection'
import { OverrideForm, text } from './OverrideForm'
import { RemoveOverride } from './RemoveOverride'

interface Props {
  load: Load
  sponsors: readonly SponsorOverride[]
  reload: () => void
}

/** Sponsors in addition to those on GitHub and in the site's files. */
export function SponsorOverrides({ load, sponsors, reload }: Props) {
  return (
    <>
      <DashboardSection title="Sponsors" items={sponsors} empty="No sponsors are set here. The site shows those of GitHub and of its files, if there are any.">
        {({ id, sponsor }) => (
          <li key={id} className="saved-row">
            <div className="saved-main">
              {nameOf(sponsor)}
              <p className="saved-about">
                {sponsor.linkUrl ? <AnyLink to={anyUrl(sponsor.linkUrl)}>{sponsor.linkUrl}</AnyLink> : null}
                <span>{kindOf(sponsor)}</span>
              </p>
            </div>
            <div className="saved-actions">
              <SponsorForm load={load} reload={reload} id={id} sponsor={sponsor} />
              <RemoveOverride load={load} id={id} name={nameOf(sponsor)} removed={reload} />
            </div>
          </li>
        )}
      </DashboardSection>
      <div className="actions">
        <SponsorForm load={load} reload={reload} />
      </div>
    </>
  )
}

function nameOf({ name, login }: SponsorFields): string {
  return name || login
}

function kindOf({ login, hidden, weight }: SponsorFields): string {
  if (hidden) return `${login} on GitHub is hidden`
  const size = weight ? `size of $${formatNumber(weight)} a month` : 'the smallest size'
  return login ? `corrects ${login} on GitHub${weight ? `, ${size}` : ''}` : size
}

/** Throws a ServerError, as the server would. */
function dollars(entered: string): number | null {
  if (entered && !/^\d{1,9}$/.test(entered)) throw new ServerError('invalid', 'weight: Enter a whole number')
  return entered ? Number(entered) : null
}

interface FormProps {
  load: Load
  reload: () => void
  id?: string
  /** The sponsor to change; a new one if omitted. */
  sponsor?: SponsorFields
}

function SponsorForm({ load, reload, id = '', sponsor }: FormProps) {
  const save = async (form: FormData) =>
    load('overrides.sponsor', {
      id,
      sponsor: {
        name: text(form, 'name'),
        linkUrl: text(form, 'link_url'),
        imageUrl: text(form, 'image_url'),
        login: text(form, 'login'),
        weight: dollars(text(form, 'weight')),
        hidden: form.has('hidden'),
      },
    })
  return (
    <OverrideForm
      trigger={
        sponsor ? (
          <Button size="small" aria-label={`Change ${nameOf(sponsor)}`}>
            Change
          </Button>
        ) : (
          <Button>New sponsor</Button>
        )
      }
      title={sponsor ? 'Change sponsor' : 'New sponsor'}
      description="Amounts are never shown: they only set the size of the circle."
      action="Save"
      save={save}
      saved={reload}
    >
      {(error) => (
        <>
          <TextField label="Name" name="name" maxLength={100} defaultValue={sponsor?.name} error={error('name')} />
          <TextField label="Website" name="link_url" type="url" hint="https://" defaultValue={sponsor?.linkUrl} error={error('link_url')} />
          <TextField label="Picture" name="image_url" type="url" hint="https://, square. Optional." defaultValue={sponsor?.imageUrl} error={error('image_url')} />
          <TextField
            label="Dollars a month"
            name="weight"
            inputMode="numeric"
            hint="Optional"
            defaultValue={sponsor?.weight ? String(sponsor.weight) : ''}
            error={error('weight')}
          />
          <TextField
            label="Account on GitHub"
            name="login"
            hint="Only to correct a sponsor that GitHub lists. Fields that you leave empty keep GitHub's values."
            autoComplete="off"
            defaultValue={sponsor?.login}
            error={error('login')}
          />
          <label className="override-checkbox">
            <input type="checkbox" name="hidden" defaultChecked={sponsor?.hidden} />
            Hide this account
          </label>
        </>
      )}
    </OverrideForm>
  )
}
