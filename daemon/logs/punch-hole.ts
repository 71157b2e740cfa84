import { spawn } from 'node:child_process'

export type PunchHole = (path: string, from: number, to: number) => Promise<boolean>

const pageBytes = 4096

/**
 * Gives the disk back what lies between two offsets of a file that an app still writes to, without changing an offset: the
 * file gets a hole (`fallocate` of util-linux). False where the host or its file system can't.
 */
export function punchHole(path: string, from: number, to: number): Promise<boolean> {
  const start = Math.floor(from / pageBytes) * pageBytes
  const length = Math.floor(to / pageBytes) * pageBytes - start
  if (length <= 0) return Promise.resolve(true)
  return new Promise((resolve) => {
    const child = spawn(
      'fallocate',
      ['--punch-hole', '--offset', String(start), '--length', String(length), path],
      { stdio: 'ignore', timeout: 10_000 },
    )
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
