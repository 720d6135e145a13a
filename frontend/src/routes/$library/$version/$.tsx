import { createFileRoute, notFound, redirect } from '@tanstack/react-router'

/** Whatever else is asked below a version. */
export const Route = createFileRoute('/$library/$version/$')({
  beforeLoad: ({ context, location }) => {
    // The server may know more: an address of old.
    if (context.moved()) throw redirect({ href: location.href, reloadDocument: true })
    throw notFound()
  },
})
