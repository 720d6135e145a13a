import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/$library/$version/docs/framework/$framework/examples/$name/')({
  loaderDeps: ({ search: { path } }) => ({ path }),
  loader: ({ context: { load, library, version }, params: { framework, name }, deps: { path } }) =>
    load('example.file', { library: library.id, version: version.name, framework, name, path: path ?? null }),
})
