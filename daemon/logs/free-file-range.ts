import { spawn } from 'node:child_process'

export type FreeFileRange = (path: string, from: number, to: number) => Promise<boolean>

const pageBytes = 4096

/**
 * Frees the disk space between two offsets of a file that an app still writes to. Punches a hole with `fallocate` of
 * util-linux, which changes no offset. Resolves with false if the host or the file system does not support holes.
 */
export function freeFileRange(path: string, from: number, to: number): Promise<boolean> {
  const start = Math.floor(from / pageBytes) * pageBytes
  const length = Math.floor(to / pageBytes) * pageBytes - start
  if (length <= 0) return Promise.resolve(true)
  return new Promise((resolve) => {
    const child = spawn(
      'fallocate',
      ['--punch-hole', '--offset', String(start), '--length', String(length), path],
      // The daemon's environment contains secrets.
      { stdio: 'ignore', timeout: 10_000, env: { PATH: process.env.PATH ?? '/usr/bin:/bin' } },
    )
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
