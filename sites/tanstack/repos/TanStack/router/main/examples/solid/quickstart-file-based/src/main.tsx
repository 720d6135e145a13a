import { render } from 'solid-js/web'
import { RouterProvider, createRouter } from '@tanstack/solid-router'
import { routeTree } from './routeTree.gen'
import './styles.css'

const router = createRouter({
  routeTree,
  // Load a page when a link to it is hovered or touched, not when it is clicked.
  defaultPreload: 'intent',
  scrollRestoration: true,
})

// Tells every Link, primitive and loader in the project which routes exist.
declare module '@tanstack/solid-router' {
  interface Register {
    router: typeof router
  }
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')

render(() => <RouterProvider router={router} />, root)
