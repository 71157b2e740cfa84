import { randomBytes } from 'node:crypto'
import { delimiter, join } from 'node:path'
import type { BuildPlan } from '../../ports.ts'
import type { StepContext } from '../build-steps.ts'
import { buildIdVariable } from '../build-steps.ts'
import { runCommand } from '../command.ts'
import { commandEnvironment, type Variables } from '../command-variables.ts'
import type { Home } from '../home.ts'

/** The inputs of a build with other tools than npm. */
export interface ToolContext extends StepContext {
  readonly plan: BuildPlan
  /** Download caches of the project, which its user owns. */
  readonly toolCache: string
  /** Home folder of this build. */
  readonly home: Home
  /** The project's variables that a cached install may see. */
  readonly installVariables: Variables
}

/** Runs a command in the folder of the app, with the programs of its packages first on PATH. */
export function runTool(
  context: ToolContext,
  argv: readonly string[],
  options: { env?: Variables; isRemote?: boolean; folder?: string } = {},
): Promise<void> {
  const { root, path, home, variables, buildId } = context
  const env = {
    ...commandEnvironment(home.base, variables, home.path),
    ...options.env,
    PATH: [join(root, '.venv/bin'), join(root, 'node_modules/.bin'), path].join(delimiter),
    [buildIdVariable]: buildId,
  }
  const cwd = options.folder ?? root
  const group = `build-${buildId}`
  return runCommand({ ...context, argv, cwd, env, group, isRemote: options.isRemote ?? false })
}

/**
 * Runs a command of a cached install, with its own home folder: other builds may wait for the install after this build
 * has ended.
 */
export async function runInstall(
  context: ToolContext,
  argv: readonly string[],
  { folder, env, signal }: { folder: string; env: Variables; signal: AbortSignal },
): Promise<void> {
  const id = randomBytes(8).toString('hex')
  const home = await context.openHome(`home-${id}`)
  try {
    await runCommand({
      ...context,
      ...{ argv, signal, cwd: folder, group: `build-${id}`, isRemote: true },
      env: { ...commandEnvironment(home.base, context.installVariables, home.path), ...env },
    })
  } finally {
    await home.remove()
  }
}
