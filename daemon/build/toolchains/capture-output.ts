import { runGroup } from '../../spawn/run-group.ts'
import { buildIdVariable } from '../build-steps.ts'
import { commandEnvironment } from '../command-variables.ts'
import type { ToolContext } from './tool-step.ts'

const maxCharacters = 4096

/** Runs a short command in the project's cell and returns the first characters of its output. */
export async function captureOutput(
  context: ToolContext,
  argv: readonly string[],
): Promise<{ readonly output: string; readonly isSuccess: boolean }> {
  const { root, path, home, buildId, cell, limits, signal } = context
  const [command = '', ...args] = argv
  let output = ''
  const end = await runGroup({
    command,
    args,
    cwd: root,
    env: {
      ...commandEnvironment(home.base, {}, home.path),
      PATH: path,
      [buildIdVariable]: buildId,
    },
    within: { cell, group: `build-${buildId}`, limits },
    timeoutMs: 30_000,
    graceMs: 1000,
    signal,
    onOutput: (chunk) => {
      if (output.length < maxCharacters) output += Buffer.from(chunk).toString('utf8')
    },
  })
  signal.throwIfAborted()
  return { output, isSuccess: end.kind === 'exited' && end.code === 0 }
}
