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
      description="It disappears from all pages within seconds. This can't be undone."
      action="Remove"
      save={() => load('overrides.remove', { id })}
      saved={removed}
    />
  )
}
