import { sendSignal } from './app-processes.ts'
import type { AppRegistry } from './app-registry.ts'
import { isAlive } from './proc.ts'

/** Stops an app's process group for a moment, or continues it. No-op if the app has ended. */
export function holdApp(apps: AppRegistry, environmentId: number, isHeld: boolean): void {
  const instances = [...apps.list().values()]
  const name = instances.find((each) => each.environmentId === environmentId)?.name
  const app = name === undefined ? undefined : apps.find(name)
  if (!app || !isAlive(app.identity)) return
  sendSignal(-app.identity.pid, isHeld ? 'SIGSTOP' : 'SIGCONT')
}
