import { StatePreview } from '../ui/StatePreview'
import { NoPosts } from './NoPosts'

/** The states of the list of posts, for `/design`. */
export function BlogStates() {
  return (
    <>
      <StatePreview name="Empty">
        <NoPosts library={undefined} author={null} />
      </StatePreview>
      <StatePreview name="Empty, with a filter">
        <NoPosts library="Sample" author={null} />
      </StatePreview>
    </>
  )
}
