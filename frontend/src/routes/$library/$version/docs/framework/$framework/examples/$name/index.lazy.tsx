import { createLazyFileRoute } from '@tanstack/react-router'
import { FileView } from '../../../../../../../../components/examples/FileView'
import { MissingFile } from '../../../../../../../../components/examples/MissingFile'

export const Route = createLazyFileRoute('/$library/$version/docs/framework/$framework/examples/$name/')({
  component: OpenFile,
  notFoundComponent: MissingFile,
})

function OpenFile() {
  return <FileView file={Route.useLoaderData()} />
}
