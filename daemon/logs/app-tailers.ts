import type { LogKey } from '../domain/process-names.ts'
import type { EnvironmentLog } from './environment-log.ts'
import type { OpenLogs } from './open-logs.ts'
import { openRawOutput, type RawOutput } from './raw-files.ts'
import { startTailer, type TailerDeps } from './tailer.ts'

/** Manages one tailer for each environment whose app runs. A running tailer keeps the environment's log open. */
export interface AppTailers {
  /** Opens empty output files for an app that is about to start, and starts a tailer. */
  openRaw(key: LogKey): Promise<RawOutput>
  /** Starts a tailer for a running app. No-op if the app has a tailer. */
  attach(key: LogKey): Promise<void>
  /** Reads the remaining output of an exited app and stops its tailer. */
  detach(key: LogKey): Promise<void>
  /** Stops all tailers without reading more output. The next daemon continues reading. */
  detachAll(): Promise<void>
}

interface RunningTailer {
  stop(how: 'leave' | 'end'): Promise<void>
}

export function createAppTailers(
  logs: OpenLogs,
  deps: Omit<TailerDeps, 'folder' | 'log' | 'key'>,
): AppTailers {
  const running = new Map<LogKey, Promise<RunningTailer>>()

  /** Starts a tailer. Calls `prepare` between reading the output left by a previous daemon and reading new output. */
  async function startTailing(
    key: LogKey,
    prepare: (environment: EnvironmentLog) => Promise<void>,
  ): Promise<RunningTailer> {
    const { environment, release } = await logs.acquire(key)
    try {
      await environment.catchUp()
      await prepare(environment)
      const tailer = await startTailer({ ...deps, ...environment, key })
      return {
        async stop(how) {
          try {
            await tailer.stop(how)
            if (how === 'end') await environment.discardRaw()
          } finally {
            await release()
          }
        },
      }
    } catch (error) {
      await release()
      throw error
    }
  }

  async function register(key: LogKey, starting: Promise<RunningTailer>): Promise<void> {
    running.set(key, starting)
    try {
      await starting
    } catch (error) {
      if (running.get(key) === starting) running.delete(key)
      throw error
    }
  }

  async function stop(key: LogKey, how: 'leave' | 'end'): Promise<void> {
    const starting = running.get(key)
    running.delete(key)
    const tailer = await starting?.catch(() => undefined)
    await tailer?.stop(how)
  }

  return {
    async openRaw(key) {
      await stop(key, 'end')
      let output: RawOutput | undefined
      const starting = startTailing(key, async ({ folder, log }) => {
        output = await openRawOutput(folder)
        await log.mark({ stdout: 0, stderr: 0 })
      })
      try {
        await register(key, starting)
      } catch (error) {
        await output?.close()
        throw error
      }
      if (!output) throw new Error('no raw files were opened')
      return output
    },
    async attach(key) {
      if (running.has(key)) return
      await register(
        key,
        startTailing(key, async () => {}),
      )
    },
    detach: (key) => stop(key, 'end'),
    async detachAll() {
      await Promise.all([...running.keys()].map((key) => stop(key, 'leave')))
    },
  }
}
