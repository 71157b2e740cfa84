import { webProcess } from './process-names.ts'
import type { Environment } from './records.ts'

/** A process of an environment. `reason` is that of a restart. */
export interface ProcessState {
  readonly name: string
  readonly state: 'running' | 'restarting' | 'stopped'
  readonly reason: string | null
}

/** Returns the web process and the processes beside it. Empty before the build. */
export function processesOf({
  state,
  launch,
  hostPort,
  reason,
  processFaults = {},
}: Pick<
  Environment,
  'state' | 'launch' | 'hostPort' | 'reason' | 'processFaults'
>): readonly ProcessState[] {
  if (!launch) return []
  const names = (launch.processes ?? []).map(({ name }) => name)
  const of = (name: string, isUp: boolean, why: string | null): ProcessState => {
    if (state !== 'running') return { name, state: 'stopped', reason: null }
    return isUp
      ? { name, state: 'running', reason: null }
      : { name, state: 'restarting', reason: why }
  }
  return [
    of(webProcess, hostPort !== null, reason),
    ...names.map((name) =>
      of(name, processFaults[name] === undefined, processFaults[name] ?? null),
    ),
  ]
}
