import type { Html } from '../../api/html'
import { DemoFrame } from '../ui/DemoFrame'
import { StatePreview } from '../ui/StatePreview'
import { useShell } from '../ui/useShell'

/** The states of a library's demo with this drawing, for `/design`. */
export function LandingStates({ drawing }: { drawing: Html }) {
  const [library] = useShell().libraries
  if (!library) return null
  return (
    <>
      <StatePreview name="A demo, before the first touch" isStill>
        <DemoFrame library={library} drawing={drawing} demo={drawing} />
      </StatePreview>
      <StatePreview name="A demo that is loading" isStill>
        <DemoFrame library={library} drawing={drawing} demo={drawing} state="loading" />
      </StatePreview>
      <StatePreview name="A demo that could not be loaded" isStill>
        <DemoFrame library={library} drawing={drawing} demo={drawing} state="failed" />
      </StatePreview>
    </>
  )
}
