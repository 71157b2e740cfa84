import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppStream, Consumed } from './record.ts'

export const appStreams: readonly AppStream[] = ['stdout', 'stderr']

/** File descriptors for an app's output. Close them after the spawn; the app keeps its own copies. */
export interface RawOutput {
  readonly stdout: number
  readonly stderr: number
  close(): Promise<void>
}

/** The raw files have their own folder, so that a watcher sees only them. */
export function rawPath(folder: string, stream: AppStream): string {
  return join(rawFolder(folder), stream)
}

export function rawFolder(folder: string): string {
  return join(folder, 'raw')
}

/** Opens empty files for an app that is about to start. No other app may still write to them. */
export async function openRawOutput(folder: string): Promise<RawOutput> {
  await mkdir(rawFolder(folder), { recursive: true, mode: 0o700 })
  const stdout = await openTruncated(rawPath(folder, 'stdout'))
  const stderr = await openTruncated(rawPath(folder, 'stderr')).catch(async (error) => {
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

/** Opens in append mode: after a truncation the app's next write goes to offset 0. */
async function openTruncated(path: string): Promise<FileHandle> {
  const handle = await open(path, 'a', 0o600)
  await handle.truncate()
  return handle
}

/** Returns the sizes of the raw files, 0 for a missing file. */
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
