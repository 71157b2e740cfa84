import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryPlace } from '../../../test/support/daemon/runtime/apps.ts'
import { describeRuntime } from '../../../test/support/daemon/runtime/contract.ts'

describeRuntime(
  'the process runtime',
  async () => {
    const place = temporaryPlace()
    return {
      async open() {
        const { runtime, logs, exits } = place.open()
        return {
          ...{ runtime, logs, exits },
          async close() {
            runtime.close()
            await logs.close()
          },
        }
      },
      app: async (id, source, changes) => place.app(id, source, changes),
      volume: () => mkdtemp(join(place.folder, 'volume-')),
      remove: place.remove,
    }
  },
  // The tests run without control groups; test/walls has the limits.
  { hasLimits: false },
)
