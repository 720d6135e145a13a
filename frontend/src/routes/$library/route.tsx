import { createFileRoute, notFound } from '@tanstack/react-router'

export const Route = createFileRoute('/$library')({
  beforeLoad: ({ context, params }) => {
    const library = context.shell.libraries.find((candidate) => candidate.id === params.library)
    if (library) return { library }
    throw notFound({ data: { message: `Library with id "${params.library}" not found` } })
  },
})
