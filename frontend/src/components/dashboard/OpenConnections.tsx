import type { Load } from '../../api/call'
import { formatNumber } from '../../lib/format'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'
import { useRegularReload } from './useRegularReload'

/** How many readers are connected now. */
export function OpenConnections({ load }: { load: Load }) {
  const { state, reload } = useLoaded(load, 'maintenance.connections', null)
  useRegularReload(reload)
  return (
    <LoadedSection state={state} reload={reload}>
      {({ connections, streams, ofAllWorkers }) => (
        <section className="dashboard-section" aria-labelledby="connections">
          <h2 id="connections">Connections</h2>
          <p className="dashboard-lead">
            <strong>{formatNumber(streams)}</strong> {streams === 1 ? 'browser follows' : 'browsers follow'} live events,{' '}
            <strong>{formatNumber(connections)}</strong> {connections === 1 ? 'connection is' : 'connections are'} open in{' '}
            {ofAllWorkers ? 'all worker processes of this host' : 'the worker process that answered'}.
          </p>
        </section>
      )}
    </LoadedSection>
  )
}
