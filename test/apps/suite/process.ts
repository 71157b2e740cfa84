import assert from 'node:assert/strict'
import type { BootedApp, Exit, Settings } from '../../support/apps/boot.ts'

/** Starts one application; the launcher owns the store and the folder. */
export interface Launcher {
  /** Starts the application and waits until it is healthy. The caller must stop it. */
  readonly boot: (settings?: Settings) => Promise<BootedApp>
  /** Starts the application and waits until it exits. */
  readonly runToExit: (settings: Settings) => Promise<Exit>
  /** Returns a new DATABASE_URL that outlives a process. */
  readonly freshDatabase: () => Promise<string>
}

/** A rule about the process: the check starts and stops the application itself. */
export interface ProcessCheck {
  readonly title: string
  readonly run: (launcher: Launcher) => Promise<void>
}

/** The ten seconds of the contract, doubled for a busy machine. */
const graceMs = 20_000

/** Waits for the application, calls `use`, and always stops the application. */
export async function withApp<Result>(
  booting: Promise<BootedApp>,
  use: (app: BootedApp) => Promise<Result>,
): Promise<Result> {
  const app = await booting
  try {
    return await use(app)
  } finally {
    await app.stop()
  }
}

/** Throws unless the application exits with 0 in time. SIGTERM was already sent. */
export async function assertExit(app: BootedApp): Promise<void> {
  const exit = await app.exitWithin(graceMs)
  assert.ok(exit !== undefined, `still running ${graceMs} ms after SIGTERM`)
  assert.equal(exit.code, 0, `ended with ${exit.code ?? exit.signal}: ${exit.stderr}`)
}
