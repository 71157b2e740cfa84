import { DaemonError } from '../../errors.ts'
import type { Fleet, Runtime } from '../../ports.ts'

/** Returns the fleet of a runtime that has no nodes but this host. All of its nodes share the folders of data. */
export function createLocalFleet(runtime: Pick<Runtime, 'capacity'>): Fleet {
  return {
    async probe({ endpoint, tls }) {
      if (endpoint === 'local' && !tls) {
        await runtime.capacity()
        return
      }
      throw new DaemonError(
        'bad-request',
        'this daemon runs apps as processes: expected the endpoint local without tls; remote engines need the docker runtime (SERVICE_RUNTIME=docker)',
      )
    },
    refresh: async () => {},
    capacity: () => runtime.capacity(),
    room: () => runtime.capacity(),
    onChange: () => {},
    sharesData: () => true,
    prepare: async () => {},
    keepsData: () => false,
    hasData: async () => false,
    isKnownEmpty: () => false,
    copyData: async () => {},
    snapshotData: async () => {},
    loadData: async () => {},
    dataBytes: async () => 0,
    removeData: async () => {},
  }
}
