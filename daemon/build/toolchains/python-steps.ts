import { createHash } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecognizedPython } from '../../domain/recognized-app.ts'
import { DaemonError } from '../../errors.ts'
import { removeTree } from '../../trees.ts'
import { discardPackages } from '../build-trees.ts'
import { printLine } from '../command.ts'
import { captureOutput } from './capture-output.ts'
import { runInstall, runTool, type ToolContext } from './tool-step.ts'
import { relocateVenv } from './venv.ts'

/**
 * Installs the packages of a Python app into `.venv`, and builds. Equal lists of packages share one environment in the
 * cache, of which each release has hard links.
 */
export async function runPythonSteps(
  context: ToolContext,
  app: RecognizedPython,
  requirements: string,
): Promise<void> {
  const { plan, trees, scratchFolder, toolCache } = context
  const env = { PIP_CACHE_DIR: join(toolCache, 'pip'), ...pipSettings }
  const python = await checkPython(context, app)
  await discardPackages(trees, scratchFolder)
  if (app.needsSources) {
    await runTool(context, ['python3', '-m', 'venv', '.venv'])
    const pip = ['.venv/bin/python', '-m', 'pip', ...installOf('requirements.txt')]
    await runTool(context, pip, { env, isRemote: true })
  } else {
    await installCached(context, { requirements, python, env })
  }
  if (plan.build !== null) await runTool(context, plan.build, { env })
}

const pipSettings = {
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  PIP_PROGRESS_BAR: 'off',
  PIP_ROOT_USER_ACTION: 'ignore',
}

function installOf(file: string): string[] {
  return ['install', '-r', file]
}

/** Returns the version of Python. Throws DaemonError `unprocessable` if Python can't create environments. */
async function checkPython(context: ToolContext, app: RecognizedPython): Promise<string> {
  const code = 'import sys; print(sys.version.replace("\\n", " ")); import ensurepip, venv'
  const { output, isSuccess } = await captureOutput(context, ['python3', '-c', code])
  const version = /^\d+\.\d+\.\d+.*$/m.exec(output)?.[0]
  if (version === undefined) {
    throw new DaemonError('unprocessable', `python3 does not run: ${output.slice(0, 300)}`)
  }
  if (!isSuccess) {
    throw new DaemonError(
      'unprocessable',
      'the Python of the host has no venv: install it (apt-get install python3-venv), or run the daemon with SERVICE_RUNTIME=docker',
    )
  }
  const { requiredVersion } = app
  if (requiredVersion !== null && !version.startsWith(`${requiredVersion}.`)) {
    const [number] = version.split(' ')
    printLine(
      context.output,
      `the repository asks for Python ${requiredVersion}, and this host has ${number}: SERVICE_RUNTIME=docker runs the version that it asks for`,
    )
  }
  return version
}

async function installCached(
  context: ToolContext,
  install: { requirements: string; python: string; env: Readonly<Record<string, string>> },
): Promise<void> {
  const { cache, projectId, signal, trees } = context
  const { requirements, python, env } = install
  const inputs = [1, python, requirements, Object.entries(context.installVariables)]
  const key = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 40)
  await cache.withEntry(`${projectId}-${key}-venv`, {
    signal,
    create: async (folder, shared) => {
      const work = join(folder, 'work')
      await mkdir(work, { mode: 0o700 })
      await writeFile(join(work, 'requirements.txt'), requirements)
      await context.cell.own(work)
      const at = { folder: work, env, signal: shared }
      await runInstall(context, ['python3', '-m', 'venv', 'venv'], at)
      const pip = ['venv/bin/python', '-m', 'pip', ...installOf('requirements.txt')]
      await runInstall(context, pip, at)
      await trees.seal(work, shared)
      await relocateVenv(join(work, 'venv'))
      await rename(join(work, 'venv'), join(folder, 'venv'))
      await chmod(join(folder, 'venv'), 0o755)
      await removeTree(work)
    },
    onHit: (how) => printLine(context.output, hitLines[how]),
    use: (entry) => trees.copyIn(join(entry, 'venv'), 'link', signal),
  })
}

const hitLines = {
  cached: 'packages: unchanged, taken from the cache',
  awaited: 'packages: waiting for another build that installs the same packages',
}
