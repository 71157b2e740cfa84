import type { Engine } from '../../engine/engine.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { listContainers } from './inspect.ts'

const graceMs = 5_000

/** Stops the running containers of a data folder. The next daemon reads their last output. */
export async function stopContainers(engine: Engine, ownership: Ownership): Promise<void> {
  const listed = await listContainers(engine, ownership.filter)
  const own = listed.filter(
    ({ name, labels, isRunning }) => isRunning && ownership.read(name, labels)?.role === 'app',
  )
  await Promise.all(
    own.map(({ id }) =>
      engine.call({
        method: 'POST',
        path: `/containers/${id}/stop`,
        query: { t: graceMs / 1000 },
        timeoutMs: 3 * graceMs,
      }),
    ),
  )
}
