import { delimiter, dirname, join } from 'node:path'
import { DaemonError } from '../../errors.ts'
import type { AppSpec } from '../../ports.ts'

/** Name of the mark: an environment variable that all processes of an app inherit. */
export const markName = 'STRATA_INSTANCE'

/**
 * Returns an app's complete environment: the given variables and the few that every program needs, but no others of the
 * daemon. Throws `unprocessable` for an invalid variable; the message omits the value.
 */
export function processVariables(
  app: AppSpec,
  options: { port: number; mark: string; home: string; host: Readonly<NodeJS.ProcessEnv> },
): Record<string, string> {
  const { port, mark, home, host } = options
  const given = Object.entries({ ...app.launch.env, ...app.env }).map(
    ([name, value]) => [name, typeof value === 'string' ? value : value.reveal()] as const,
  )
  for (const [name, value] of given) {
    if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw new DaemonError(
        'unprocessable',
        `the variable ${JSON.stringify(name)} can't be set: expected a non-empty name without "=", and no NUL in name or value`,
      )
    }
  }
  return {
    PATH: [
      // Commands of installed packages come first, as in an npm script.
      join(app.folder, app.launch.root, 'node_modules/.bin'),
      join(app.folder, app.launch.root, '.venv/bin'),
      // Run apps with the daemon's Node version, which also built them.
      dirname(process.execPath),
      host.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    ].join(delimiter),
    HOME: home,
    LANG: host.LANG ?? 'C.UTF-8',
    ...(host.TZ !== undefined && { TZ: host.TZ }),
    NODE_ENV: 'production',
    ...Object.fromEntries(given),
    PORT: String(port),
    [markName]: mark,
  }
}
