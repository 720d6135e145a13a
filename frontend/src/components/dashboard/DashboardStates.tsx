import { StatePreview } from '../ui/StatePreview'
import { DashboardContent, DashboardUser } from './DashboardFrame'
import { DashboardSection } from './DashboardSection'
import { LoadedSection } from './LoadedSection'

function nothing(): void {
  // These samples load nothing.
}

/** The states of the dashboard and of saved pages and notes, for `/design`. */
export function DashboardStates() {
  return (
    <>
      <StatePreview name="First visit: nothing saved" isStill>
        <DashboardSection title="Bookmarks" items={[]} empty="Press the bookmark button at the top of a docs page to list it here.">
          {() => null}
        </DashboardSection>
      </StatePreview>
      <StatePreview name="Saved items are loading" isStill>
        <DashboardSection title="Notes" items={undefined} empty="">
          {() => null}
        </DashboardSection>
      </StatePreview>
      <StatePreview name="Signed out, with what the browser has" isStill>
        <DashboardUser state="signed-out" account={null} />
      </StatePreview>
      <StatePreview name="Offline, with what the browser has" isStill>
        <DashboardUser state="failed" account={null} />
      </StatePreview>
      <StatePreview name="Signed out, on a page that needs an account">
        <DashboardContent state="signed-out" needs="account" role={undefined} reload={nothing}>
          {() => null}
        </DashboardContent>
      </StatePreview>
      <StatePreview name="The account is loading">
        <DashboardContent state="loading" needs="account" role={undefined} reload={nothing}>
          {() => null}
        </DashboardContent>
      </StatePreview>
      <StatePreview name="The account could not be loaded">
        <DashboardContent state="failed" needs="account" role={undefined} reload={nothing}>
          {() => null}
        </DashboardContent>
      </StatePreview>
      <StatePreview name="For maintainers only">
        <DashboardContent state="signed-in" needs="maintainer" role={undefined} reload={nothing}>
          {() => null}
        </DashboardContent>
      </StatePreview>
      <StatePreview name="A section that could not be loaded">
        <LoadedSection state={{ kind: 'failed', message: 'The server could not be reached.' }} reload={nothing}>
          {() => null}
        </LoadedSection>
      </StatePreview>
    </>
  )
}
