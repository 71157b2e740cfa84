import { prepared } from '../prepared.ts'
import { processChecks } from '../process.checks.ts'
import type { Launcher, ProcessCheck } from '../process.ts'
import type { Resource } from '../resource.ts'
import { diskChecks } from './disk.checks.ts'
import { tags } from './resources.ts'
import { secretChecks } from './secrets.checks.ts'

/** The process checks of the blog on any store: the common checks and its own. */
export const blogProcessChecks: readonly ProcessCheck[] = [
  ...preparedProcessChecks(tags, processChecks),
  ...secretChecks,
  ...diskChecks,
]

/** Returns the checks of a resource with a caller who may write. */
export function preparedProcessChecks(
  resource: Resource,
  checksOf: (resource: Resource) => readonly ProcessCheck[],
): readonly ProcessCheck[] {
  return checksOf(resource).map(({ title, run }) => ({
    title,
    run: (launcher) => run(withCaller(launcher, resource)),
  }))
}

function withCaller(launcher: Launcher, resource: Resource): Launcher {
  return {
    ...launcher,
    boot: async (settings) => {
      const booted = await launcher.boot(settings)
      try {
        const { headers = {} } = (await prepared(booted, resource)).app
        return { ...booted, headers }
      } catch (error) {
        await booted.kill()
        throw error
      }
    },
  }
}
