import type { EnvironmentLog } from './environment-log.ts'
import type { OpenLogs } from './open-logs.ts'
import { openRawOutput, type RawOutput } from './raw-files.ts'
import { startTailer, type TailerDeps } from './tailer.ts'

/** The environments whose apps run: their logs are open, and what they write is read as it comes. */
export interface Attachments {
  /** Files for an app that is about to start. */
  openRaw(environmentId: number): Promise<RawOutput>
  attach(environmentId: number): Promise<void>
  /** The app has ended: all that it wrote is taken. */
  detach(environmentId: number): Promise<void>
  /** The daemon ends; the apps go on. */
  detachAll(): Promise<void>
}

interface Attachment {
  stop(how: 'leave' | 'end'): Promise<void>
}

export function createAttachments(
  logs: OpenLogs,
  deps: Omit<TailerDeps, 'folder' | 'log'>,
): Attachments {
  const attached = new Map<number, Promise<Attachment>>()

  /** `prepare` comes after everything old was read, and before the first look at what is new. */
  async function begin(
    environmentId: number,
    prepare: (environment: EnvironmentLog) => Promise<void>,
  ): Promise<Attachment> {
    const { environment, release } = await logs.acquire(environmentId)
    try {
      await environment.catchUp()
      await prepare(environment)
      const tailer = await startTailer({ ...deps, ...environment })
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

  async function hold(environmentId: number, beginning: Promise<Attachment>): Promise<void> {
    attached.set(environmentId, beginning)
    try {
      await beginning
    } catch (error) {
      if (attached.get(environmentId) === beginning) attached.delete(environmentId)
      throw error
    }
  }

  async function stop(environmentId: number, how: 'leave' | 'end'): Promise<void> {
    const beginning = attached.get(environmentId)
    attached.delete(environmentId)
    const attachment = await beginning?.catch(() => undefined)
    await attachment?.stop(how)
  }

  return {
    async openRaw(environmentId) {
      await stop(environmentId, 'end')
      let output: RawOutput | undefined
      const beginning = begin(environmentId, async ({ folder, log }) => {
        output = await openRawOutput(folder)
        await log.mark({ stdout: 0, stderr: 0 })
      })
      try {
        await hold(environmentId, beginning)
      } catch (error) {
        await output?.close()
        throw error
      }
      if (!output) throw new Error('no raw files were opened')
      return output
    },
    async attach(environmentId) {
      if (attached.has(environmentId)) return
      await hold(
        environmentId,
        begin(environmentId, async () => {}),
      )
    },
    detach: (environmentId) => stop(environmentId, 'end'),
    async detachAll() {
      await Promise.all([...attached.keys()].map((environmentId) => stop(environmentId, 'leave')))
    },
  }
}
