import { formatDate } from '../../lib/format'
import { serverPath } from '../../lib/paths'
import { removeItem } from '../../lib/accounts/savedItems'
import { IconButton } from '../ui/Button'
import { Link } from '../ui/Link'
import { DashboardSection } from './DashboardSection'
import { useSavedItems } from '../ui/useSavedItems'

export function SavedNotes() {
  return (
    <DashboardSection
      title="Notes"
      items={useSavedItems('note')}
      empty="Press the note button at the top of a docs page to write a note on one of its headings. Only you see it."
    >
      {({ key, value, changedMs }) => (
        <li key={key} className="saved-row">
          <div className="saved-main">
            <Link to={serverPath(key)}>{value.heading ? `${value.title}: ${value.heading}` : value.title}</Link>
            <p className="saved-note">{value.text}</p>
            <p className="saved-about">{formatDate(new Date(changedMs).toISOString())}</p>
          </div>
          <IconButton icon="close" label={`Delete the note on ${value.heading || value.title}`} onClick={() => removeItem('note', key)} />
        </li>
      )}
    </DashboardSection>
  )
}
