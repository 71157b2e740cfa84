import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withTemporaryFolder } from '../harness/folders.ts'
import type { TimedCommand } from './command.ts'

const timeoutMs = 60_000

/** Runs a command in a fresh folder. Returns the milliseconds from spawn to exit. Throws on an unexpected exit code. */
export function timeCommand(command: TimedCommand): Promise<number> {
  return withTemporaryFolder(async (folder) => {
    await command.prepare?.(folder)
    const cwd = join(folder, command.cwd ?? '.')
    const startedAt = performance.now()
    const { status, stdout, stderr } = spawnSync(process.execPath, command.argv, {
      cwd,
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', CI: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: timeoutMs,
    })
    const elapsedMs = performance.now() - startedAt
    if (status !== command.exitCode) {
      const output = `${stdout}${stderr}`.trim().split('\n').slice(-8).join('\n')
      throw new Error(
        `\`${command.title}\` exited with ${status ?? 'a signal'}, expected ${command.exitCode}:\n${output}`,
      )
    }
    await command.verify?.(folder)
    return elapsedMs
  })
}
