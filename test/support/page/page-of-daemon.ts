import type { Browser } from 'playwright-core'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../stratad/daemon.ts'
import { launchBrowser, type Opened, type OpenOptions, openInBrowser } from './browser.ts'

/** A real daemon with a browser. */
export interface PageOfDaemon {
  /** The running daemon: another one after `restart`. */
  readonly daemon: Daemon
  readonly browser: Browser
  /** Opens a path of the page, signed in with the master token unless `token` is given. */
  open(
    path?: string,
    options?: Partial<Omit<OpenOptions, 'browser' | 'origin' | 'path'>>,
  ): Promise<Opened>
  /** Starts a new daemon with the same folder and ports. Stop the previous one first. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts a daemon and a browser. Projects for it: `createProject` and `deploy` of test/support/stratad/project.ts. */
export async function startPageOfDaemon(
  env: Readonly<Record<string, string>> = {},
): Promise<PageOfDaemon> {
  let daemon = await startDaemon({ env })
  const browser = await launchBrowser()
  return {
    get daemon() {
      return daemon
    },
    browser,
    open: (path = '/', options = {}) =>
      openInBrowser({
        browser,
        origin: `http://127.0.0.1:${daemon.port}`,
        path,
        token: masterToken,
        ...options,
      }),
    async restart() {
      daemon = await daemon.restart()
    },
    async stop() {
      await browser.close()
      await daemon.stop()
      cleanUp(daemon.dataDir)
    },
  }
}
