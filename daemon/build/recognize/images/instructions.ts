import { expandWords } from '../../../domain/start-command.ts'
import type { BuildPlan } from '../../../ports.ts'

/** Folder of the app's files in an image. */
export const appFolder = '/app'

/** Port of the app in a container. */
export const containerPort = '8080'

/** User of the app in a container: the first ordinary user of most images. */
export const appUser = '1000:1000'

/** Writes an argv as the exec form of an instruction, which needs no shell. */
export function execForm(argv: readonly string[]): string {
  return `[${argv.map((word) => JSON.stringify(word)).join(', ')}]`
}

/** Returns `RUN` in exec form, with cache mounts on folders of the build. */
export function run(argv: readonly string[], caches: readonly string[] = []): string {
  const mounts = caches.map((path) => `--mount=type=cache,target=${path} `)
  return `RUN ${mounts.join('')}${execForm(argv)}`
}

/** Returns `WORKDIR` for the folder of the app. */
export function workFolder({ launch }: BuildPlan): string {
  return launch.root === '' ? appFolder : `${appFolder}/${launch.root}`
}

/**
 * Returns `ENV` for the plain variables of the commit, for the build and the app. Secrets are not among them: an image
 * shows its variables. NODE_ENV, PATH and HOME have their own values in a build, and a value with a control character
 * can't be written: the runtime sets these at the start.
 */
export function plainVariables({ launch }: BuildPlan): string[] {
  return Object.entries(launch.env).flatMap(([name, value]) =>
    /^(NODE_ENV|PATH|HOME)$/.test(name) || /\p{Cc}/u.test(value)
      ? []
      : [`ENV ${name}=${JSON.stringify(value).replaceAll('$', '\\$')}`],
  )
}

/**
 * Returns the last instructions: the address of the app, its user and its command. The command has the values that are
 * known when the image is built; the runtime replaces it at the start if it has other variables.
 */
export function ending(
  { launch }: BuildPlan,
  env: Readonly<Record<string, string>> = {},
): string[] {
  const variables = { HOST: '0.0.0.0', PORT: containerPort, ...env }
  return [
    ...Object.entries(variables).map(([name, value]) => `ENV ${name}=${value}`),
    `EXPOSE ${containerPort}`,
    `USER ${appUser}`,
    `CMD ${execForm(commandOf(launch, { ...launch.env, ...variables }))}`,
  ]
}

function commandOf(
  { start, startHasVariables }: BuildPlan['launch'],
  variables: Readonly<Record<string, string>>,
): readonly string[] {
  if (!startHasVariables) return start
  const known = start.map((word) => word.replace(/\$\{(\w+)\}/g, `\${$1-}`))
  const expanded = expandWords(known, variables)
  return 'words' in expanded ? expanded.words : start
}
