import type { Engine } from '../../engine/engine.ts'
import { hasStatus } from '../../engine/engine-error.ts'

const graceMs = 5_000

/** Stops a container, and removes it if asked. No-op if it is absent. */
export async function endContainer(
  engine: Engine,
  id: string,
  fate: 'stop' | 'remove',
): Promise<void> {
  const ignoreAbsent = (error: unknown) => {
    if (!hasStatus(error, 404)) throw error
  }
  const query = { t: graceMs / 1000 }
  const path = `/containers/${id}`
  const timeoutMs = 4 * graceMs
  await engine.call({ method: 'POST', path: `${path}/stop`, query, timeoutMs }).catch(ignoreAbsent)
  if (fate === 'stop') return
  await engine
    .call({ method: 'DELETE', path, query: { force: true, v: true }, timeoutMs })
    .catch(ignoreAbsent)
}
