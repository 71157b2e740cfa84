import assert from 'node:assert/strict'
import type { BootedApp, Exit, Settings } from '../../support/apps/boot.ts'

/** How to start one application; the store and the folder are the launcher's own. */
export interface Launcher {
  /** Starts it with these settings and waits until it is healthy. Stop it afterwards. */
  readonly boot: (settings?: Settings) => Promise<BootedApp>
  /** Starts it and waits until it ends by itself. */
  readonly runToExit: (settings: Settings) => Promise<Exit>
  /** A DATABASE_URL of its own that outlives a process. */
  readonly freshDatabase: () => Promise<string>
}

/** A rule about the process, not about one answer: it starts and stops the application itself. */
export interface ProcessCheck {
  readonly title: string
  readonly run: (launcher: Launcher) => Promise<void>
}

/** The contract's ten seconds, and as many for a busy machine. */
const graceMs = 20_000

/** Waits for the application, uses it, and stops it whatever came of that. */
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

/** Throws unless it ends with 0 soon after SIGTERM, which was sent already. */
export async function assertExit(app: BootedApp): Promise<void> {
  const exit = await app.exitWithin(graceMs)
  assert.ok(exit !== undefined, `still running ${graceMs} ms after SIGTERM`)
  assert.equal(exit.code, 0, `ended with ${exit.code ?? exit.signal}: ${exit.stderr}`)
}
