import type { JSX } from 'preact'
import { usages } from '../state/usages.ts'
import { bytesText } from '../text/format.ts'

/** The memory of a running environment, with its limit on hover. The room must call `useUsages`. */
export function MemoryUse({ environmentId }: { environmentId: number }): JSX.Element {
  const usage = usages.value.get(environmentId)
  if (!usage) return <span class="muted">–</span>
  const { memory_bytes: bytes, memory_limit_bytes: limit } = usage
  return <span title={`${bytesText(bytes)} of ${bytesText(limit)}`}>{bytesText(bytes)}</span>
}
