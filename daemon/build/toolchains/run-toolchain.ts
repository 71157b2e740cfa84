import type { BuildPlan } from '../../ports.ts'
import type { StepContext } from '../build-steps.ts'
import { installVariables, type Variables } from '../command-variables.ts'
import { readText } from '../read-text.ts'
import { runGoSteps } from './go-steps.ts'
import { runManagerSteps } from './package-manager-steps.ts'
import { requirePrograms } from './programs.ts'
import { runPythonSteps } from './python-steps.ts'
import { runTool, type ToolContext } from './tool-step.ts'

/** Returns whether a build uses other tools than npm. */
export function usesToolchain({ app }: BuildPlan): boolean {
  return app.kind !== 'node' || app.packageManager.name !== 'npm'
}

/**
 * Builds an app that does not install with npm. Reads all files of the checkout that the build depends on, gives the
 * checkout to the project's user, and runs the commands. Throws DaemonError `unprocessable` if the host lacks a program.
 */
export async function runToolchain(
  step: StepContext & { readonly toolCache: string },
  plan: BuildPlan,
  given: { readonly plain: Variables; readonly all: Variables; readonly goFlags: string },
): Promise<void> {
  const { app } = plan
  const { cell, path, root, checkout } = step
  requirePrograms(app.programs, { path, isOtherUser: cell.user !== null })
  const requirements = app.kind === 'python' ? await requirementsOf(root, app.requirements) : ''
  await cell.own(checkout)
  const home = await step.openHome(`home-${step.buildId}`)
  const context: ToolContext = {
    ...{ ...step, plan, home },
    installVariables: installVariables({ ...given, npmrc: requirements }),
  }
  try {
    if (app.kind === 'python' && app.requirements !== null) {
      await runPythonSteps(context, app, requirements)
    } else if (app.kind === 'go') {
      await runGoSteps(context, given.goFlags)
    } else if (app.kind === 'node') {
      await runManagerSteps(context, app)
    } else if (plan.build !== null) {
      await runTool(context, plan.build)
    }
  } finally {
    await home.remove()
  }
}

async function requirementsOf(
  root: string,
  requirements: Extract<BuildPlan['app'], { kind: 'python' }>['requirements'],
): Promise<string> {
  if (requirements === null) return ''
  if (requirements.from === 'pyproject.toml') return requirements.list.join('\n')
  return (await readText(root, 'requirements.txt')) ?? ''
}
