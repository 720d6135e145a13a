// Bundle `inline`: the script that stands in the head of every page and runs before the first paint. Its text is the same
// on every page, so the Content-Security-Policy names it by its digest.
import { installBootApi } from './boot/preferences'
import { loadBootAfterPaint } from './boot/loadBoot'

installBootApi()
loadBootAfterPaint()
