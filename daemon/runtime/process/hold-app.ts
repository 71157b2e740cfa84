import { type LogKey, logKey } from '../../domain/process-names.ts'
import type { Walls } from '../../ports.ts'
import { type AppIdentity, sendSignal } from './app-processes.ts'
import type { AppRegistry } from './app-registry.ts'
import { isAlive } from './proc.ts'

/** Stops all processes of the app with this log for a moment, or continues them. No-op if the app has ended. */
export function holdApp(
  key: LogKey,
  isHeld: boolean,
  { apps, walls }: { apps: AppRegistry; walls: Pick<Walls, 'members'> },
): void {
  const instances = [...apps.list().values()]
  const name = instances.find((each) => logKey(each.environmentId, each.process) === key)?.name
  const app = name === undefined ? undefined : apps.find(name)
  if (!app || !isAlive(app.identity)) return
  signalApp(app.identity, isHeld ? 'SIGSTOP' : 'SIGCONT', walls)
}

/** Signals the leader's process group, and with control groups also detached processes. */
export function signalApp(
  { pid, group }: AppIdentity,
  signal: NodeJS.Signals,
  walls: Pick<Walls, 'members'>,
): void {
  sendSignal(-pid, signal)
  for (const member of walls.members(group) ?? []) sendSignal(member, signal)
}
