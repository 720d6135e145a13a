import type { Load } from '../../api/call'
import { Button } from '../ui/Button'
import { OverrideForm } from './OverrideForm'

interface Props {
  load: Load
  id: string
  name: string
  removed: () => void
}

/** Removes a promotion or a sponsor, after a question. */
export function RemoveOverride({ load, id, name, removed }: Props) {
  return (
    <OverrideForm
      trigger={
        <Button size="small" aria-label={`Remove ${name}`}>
          Remove
        </Button>
      }
      title={`Remove ${name}?`}
      description="Pages stop showing it within seconds. This cannot be undone."
      action="Remove"
      save={() => load('overrides.remove', { id })}
      saved={removed}
    />
  )
}
