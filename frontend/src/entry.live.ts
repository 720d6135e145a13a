// Bundle `live`: one stream of live events for all tabs of the browser. The boot script loads it when the page is idle and
// shows something that changes.
import { showFigures } from './live/figures'
import { followPage } from './live/followPage'
import { showPageChanges } from './live/pageChanges'

showPageChanges()
showFigures()
followPage()
