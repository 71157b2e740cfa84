import type { AppTrees } from './ports.ts'
import { type GroupEnd, runGroup } from './spawn/run-group.ts'

/** Removing millions of files takes minutes. */
const removeTimeoutMs = 3_600_000
const sizeTimeoutMs = 10_000

/**
 * Uses the programs `rm` and `du`. An app may put a symbolic link in the place of a folder at any time, and may nest
 * folders deeper than the longest path. Both programs open each folder from its parent; Node's functions use paths.
 */
export const appTrees: AppTrees = {
  async remove(path) {
    const remove = () => run('rm', ['-rf', '--', path], removeTimeoutMs)
    let { end, output } = await remove()
    if (!isSuccess(end) && process.geteuid?.() !== 0) {
      // Without root, a folder that its app has closed must be opened first.
      await run('chmod', ['-R', 'u+rwx', '--', path], removeTimeoutMs)
      ;({ end, output } = await remove())
    }
    if (!isSuccess(end)) throw new Error(`can't remove ${path} (${endText(end)}): ${output}`)
  },

  async sizeOf(path) {
    const { end, output } = await run('du', ['-skx', '--', path], sizeTimeoutMs)
    const kibibytes = /^(\d+)\s/.exec(output)?.[1]
    return isSuccess(end) && kibibytes !== undefined ? Number(kibibytes) * 1024 : undefined
  },
}

async function run(command: string, args: readonly string[], timeoutMs: number) {
  let output = ''
  const end = await runGroup({
    command,
    args,
    cwd: '/',
    // The daemon's environment contains secrets.
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
    timeoutMs,
    graceMs: 1000,
    onOutput: (chunk) => {
      if (output.length < 400) output += Buffer.from(chunk).toString('utf8').slice(0, 400)
    },
  })
  return { end, output: output.trim() }
}

function isSuccess(end: GroupEnd): boolean {
  return end.kind === 'exited' && end.code === 0
}

function endText(end: GroupEnd): string {
  if (end.kind === 'exited') return `exit code ${end.code}`
  return end.kind === 'not-started' ? end.error.message : end.kind
}
