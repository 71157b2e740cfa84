import { delimiter, dirname, join } from 'node:path'
import { DaemonError } from '../../errors.ts'
import type { AppSpec } from '../../ports.ts'

/** The variable that all processes of an app inherit. */
export const markName = 'STRATA_INSTANCE'

/**
 * All that an app gets to see: what it is given, and the few variables that no program does without. Nothing of the
 * daemon's own settings. Throws `unprocessable` for what no environment can hold, without the value.
 */
export function appEnvironment(
  app: AppSpec,
  { port, mark, host }: { port: number; mark: string; host: Readonly<NodeJS.ProcessEnv> },
): Record<string, string> {
  const given = Object.entries({ ...app.launch.env, ...app.env }).map(
    ([name, value]) => [name, typeof value === 'string' ? value : value.reveal()] as const,
  )
  for (const [name, value] of given) {
    if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw new DaemonError(
        'unprocessable',
        `the variable ${JSON.stringify(name)} can't be set: names have no "=", and neither has a zero byte`,
      )
    }
  }
  return {
    PATH: [
      // As npm has it when it runs a script.
      join(app.folder, app.launch.root, 'node_modules/.bin'),
      // Apps get the Node that runs the daemon, as their builds did.
      dirname(process.execPath),
      host.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    ].join(delimiter),
    HOME: app.folder,
    LANG: host.LANG ?? 'C.UTF-8',
    ...(host.TZ !== undefined && { TZ: host.TZ }),
    NODE_ENV: 'production',
    ...Object.fromEntries(given),
    PORT: String(port),
    [markName]: mark,
  }
}
