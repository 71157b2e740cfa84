import type { EnvironmentLog } from './environment-log.ts'
import type { OpenLogs } from './open-logs.ts'
import { openRawOutput, type RawOutput } from './raw-files.ts'
import { startTailer, type TailerDeps } from './tailer.ts'

/** Manages one tailer for each environment whose app runs. A running tailer keeps the environment's log open. */
export interface AppTailers {
  /** Opens empty output files for an app that is about to start, and starts a tailer. */
  openRaw(environmentId: number): Promise<RawOutput>
  /** Starts a tailer for a running app. No-op if the app has a tailer. */
  attach(environmentId: number): Promise<void>
  /** Reads the remaining output of an exited app and stops its tailer. */
  detach(environmentId: number): Promise<void>
  /** Stops all tailers without reading more output. The next daemon continues reading. */
  detachAll(): Promise<void>
}

interface RunningTailer {
  stop(how: 'leave' | 'end'): Promise<void>
}

export function createAppTailers(
  logs: OpenLogs,
  deps: Omit<TailerDeps, 'folder' | 'log' | 'environmentId'>,
): AppTailers {
  const running = new Map<number, Promise<RunningTailer>>()

  /** Starts a tailer. Calls `prepare` between reading the output left by a previous daemon and reading new output. */
  async function startTailing(
    environmentId: number,
    prepare: (environment: EnvironmentLog) => Promise<void>,
  ): Promise<RunningTailer> {
    const { environment, release } = await logs.acquire(environmentId)
    try {
      await environment.catchUp()
      await prepare(environment)
      const tailer = await startTailer({ ...deps, ...environment, environmentId })
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

  async function register(environmentId: number, starting: Promise<RunningTailer>): Promise<void> {
    running.set(environmentId, starting)
    try {
      await starting
    } catch (error) {
      if (running.get(environmentId) === starting) running.delete(environmentId)
      throw error
    }
  }

  async function stop(environmentId: number, how: 'leave' | 'end'): Promise<void> {
    const starting = running.get(environmentId)
    running.delete(environmentId)
    const tailer = await starting?.catch(() => undefined)
    await tailer?.stop(how)
  }

  return {
    async openRaw(environmentId) {
      await stop(environmentId, 'end')
      let output: RawOutput | undefined
      const starting = startTailing(environmentId, async ({ folder, log }) => {
        output = await openRawOutput(folder)
        await log.mark({ stdout: 0, stderr: 0 })
      })
      try {
        await register(environmentId, starting)
      } catch (error) {
        await output?.close()
        throw error
      }
      if (!output) throw new Error('no raw files were opened')
      return output
    },
    async attach(environmentId) {
      if (running.has(environmentId)) return
      await register(
        environmentId,
        startTailing(environmentId, async () => {}),
      )
    },
    detach: (environmentId) => stop(environmentId, 'end'),
    async detachAll() {
      await Promise.all([...running.keys()].map((environmentId) => stop(environmentId, 'leave')))
    },
  }
}
