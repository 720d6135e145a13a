import { createFileRoute, notFound, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/$library')({
  beforeLoad: ({ context, params, location }) => {
    const library = context.shell.libraries.find((candidate) => candidate.id === params.library)
    if (library) return { library }
    // The server may know more: an address that moved, or a page that is not made by React.
    if (context.moved()) throw redirect({ href: location.href, reloadDocument: true })
    throw notFound({ data: { message: `Library with id "${params.library}" not found` } })
  },
})
