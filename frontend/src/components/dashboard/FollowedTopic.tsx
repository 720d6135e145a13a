import { useEffect } from 'react'
import { LIVE_CHANGED, MARKUP_CHANGED } from '../../lib/events'
import type { Topic, TopicState } from '../../live/topics'
import { topicKey } from '../../live/topics'

interface Props {
  topic: Topic
  /** Called with the current state, and with each new one. */
  onState: (state: TopicState) => void
}

/** Follows a topic of live events while it is rendered. */
export function FollowedTopic({ topic, onState }: Props) {
  const key = topicKey(topic)
  useEffect(() => {
    const listen = (event: Event) => {
      const state = (event as CustomEvent<TopicState>).detail
      if (state.topic === key) onState(state)
    }
    document.addEventListener(LIVE_CHANGED, listen)
    return () => document.removeEventListener(LIVE_CHANGED, listen)
  }, [key, onState])
  // The bundle of live events reads the topics of the page again.
  useEffect(() => void document.dispatchEvent(new Event(MARKUP_CHANGED)), [key])
  return <span hidden data-live={JSON.stringify(topic)} />
}
