// A file of its own, so that the bundle of all pages has nothing of the panel.
import { adoptPanelStyles } from './adoptPanelStyles'

adoptPanelStyles()

export { TanStackRouterDevtoolsInProd as RouterDevtools } from '@tanstack/react-router-devtools'
