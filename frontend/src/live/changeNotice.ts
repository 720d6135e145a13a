// The notice that a page has changed.
import { element } from '../reader/elements'
import { loadPageStyles } from '../reader/pageStyles'

/** Shows the notice. The returned function removes it. */
export function showChangeNotice(): () => void {
  loadPageStyles()
  const refresh = element('button', { type: 'button', className: 'button button-small', textContent: 'Refresh' })
  refresh.addEventListener('click', () => location.reload())
  const close = element('button', { type: 'button', className: 'button button-small button-quiet', textContent: 'Later' })
  // An output announces its content to screen readers, without moving the focus.
  const notice = element('output', { className: 'live-notice' }, ['This page has changed. ', refresh, close])
  const remove = () => notice.remove()
  close.addEventListener('click', remove)
  notice.dataset.permanent = ''
  document.body.append(notice)
  return remove
}
