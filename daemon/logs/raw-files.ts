import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppStream, Consumed } from './record.ts'

export const appStreams: readonly AppStream[] = ['stdout', 'stderr']

/** File descriptors for an app to write to. `close` gives them up here; the app has its own copies by then. */
export interface RawOutput {
  readonly stdout: number
  readonly stderr: number
  close(): Promise<void>
}

/** Where an app writes; in a folder of its own, which is watched. */
export function rawPath(folder: string, stream: AppStream): string {
  return join(rawFolder(folder), stream)
}

export function rawFolder(folder: string): string {
  return join(folder, 'raw')
}

/** Opens empty files for an app that is about to start. No other one may be writing. */
export async function openRawOutput(folder: string): Promise<RawOutput> {
  await mkdir(rawFolder(folder), { recursive: true, mode: 0o700 })
  const stdout = await openEmpty(rawPath(folder, 'stdout'))
  const stderr = await openEmpty(rawPath(folder, 'stderr')).catch(async (error) => {
    await stdout.close()
    throw error
  })
  return {
    stdout: stdout.fd,
    stderr: stderr.fd,
    async close() {
      await Promise.all([stdout.close(), stderr.close()])
    },
  }
}

/** Appending, so that what was read can be taken away under the app. */
async function openEmpty(path: string): Promise<FileHandle> {
  const handle = await open(path, 'a', 0o600)
  await handle.truncate()
  return handle
}

/** Sizes of the raw files; 0 where there is none. */
export async function rawSizes(folder: string): Promise<Consumed> {
  const [stdout = 0, stderr = 0] = await Promise.all(
    appStreams.map((stream) =>
      stat(rawPath(folder, stream)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return { stdout, stderr }
}
