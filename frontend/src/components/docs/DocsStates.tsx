import { paths, serverPath } from '../../lib/paths'
import { LATEST } from '../../lib/docs/version'
import { StatePreview } from '../ui/StatePreview'
import { useShell } from '../ui/useShell'
import { FeedbackForm } from './FeedbackForm'
import { VersionNotice } from './VersionNotice'

const PAGE = { digest: '', headings: [] }
const ADDRESS = serverPath('/sample')

/** The states of a docs page and of the question below it, for `/design`. */
export function DocsStates() {
  const [library] = useShell().libraries
  if (!library) return null
  const latest = { key: LATEST, label: 'v2', href: paths.docs(library.id, LATEST, library.defaultDocs), current: false, note: null }
  return (
    <>
      <StatePreview name="A page of an old version" isStill>
        <VersionNotice notice={{ text: '', current: 'v2' }} latest={latest} />
      </StatePreview>
      <StatePreview name="A page that the latest version does not have" isStill>
        <VersionNotice notice={{ text: '', current: 'v2' }} latest={{ ...latest, note: 'Overview' }} />
      </StatePreview>
      <StatePreview name="A page of a version that is not released" isStill>
        <VersionNotice notice={{ text: 'v3 is not released yet.', current: 'v2' }} latest={latest} />
      </StatePreview>
      <StatePreview name="A page of a version that is not maintained" isStill>
        <VersionNotice notice={{ text: 'v1 is no longer maintained.', current: 'v2' }} latest={latest} />
      </StatePreview>
      <StatePreview name="Feedback, before an answer" isStill>
        <FeedbackForm page={PAGE} address={ADDRESS} />
      </StatePreview>
      <StatePreview name="Feedback, sent" isStill>
        <FeedbackForm page={PAGE} address={ADDRESS} status="Thank you." />
      </StatePreview>
      <StatePreview name="Feedback, offline" isStill>
        <FeedbackForm page={PAGE} address={ADDRESS} status="Your answer could not be sent. Check your connection and try again." />
      </StatePreview>
    </>
  )
}
