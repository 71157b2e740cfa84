import { createHash } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Variables } from './command-variables.ts'
import { type Lock, type Manifest, readLock, readManifest } from './manifest.ts'
import { installScripts } from './node-app.ts'
import { readText } from './read-text.ts'

/** All inputs of an install. Equal keys mean equal package trees. */
export interface InstallRecipe {
  readonly key: string
  readonly argv: readonly string[]
  /** Files to write into the install folder before npm runs: contents by name. */
  readonly files: ReadonlyMap<string, string>
  readonly env: Variables
  readonly hasDevDependencies: boolean
  /** Install scripts of the project. They require the project's files and therefore run in each checkout. */
  readonly scripts: readonly string[]
}

/** Returns the recipe of an install, or undefined if the install depends on other files of the checkout. */
export async function recipeOf(
  root: string,
  argv: readonly string[],
  envOf: (npmrc: string | undefined) => Variables,
): Promise<InstallRecipe | undefined> {
  const [manifest, lock, npmrc, hasAddon] = await Promise.all([
    readManifest(root),
    readLock(root),
    readText(root, '.npmrc'),
    access(join(root, 'binding.gyp')).then(
      () => true,
      () => false,
    ),
  ])
  if (!manifest || hasAddon || isTiedToCheckout(manifest, lock)) return undefined
  const env = envOf(npmrc)
  const files = new Map([['package.json', JSON.stringify(dependencyFields(manifest.all))]])
  if (lock) files.set(lock.name, lock.text)
  if (npmrc !== undefined) files.set('.npmrc', npmrc)
  const parts = [
    // Version of the install procedure. Increase it if a change affects the package trees.
    1,
    process.version,
    process.versions.modules,
    `${process.platform}-${process.arch}`,
    argv,
    [...files],
    Object.entries(env),
  ]
  return {
    key: createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40),
    argv,
    files,
    env,
    hasDevDependencies: manifest.hasDevDependencies,
    scripts: installScripts.filter((name) => (manifest.scripts[name] ?? '').trim() !== ''),
  }
}

/** Selects the fields of `package.json` that affect an install. Scripts, name and version do not. */
function dependencyFields(all: Manifest['all']): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  )
}

const fields = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bundleDependencies',
  'bundledDependencies',
  'overrides',
  'engines',
  'devEngines',
  'os',
  'cpu',
  'libc',
  'allowScripts',
]

/** Returns whether the project has workspaces or depends on folders of the checkout. */
function isTiedToCheckout({ all }: Manifest, lock: Lock | undefined): boolean {
  if (all.workspaces !== undefined) return true
  if (/"(?:file|link|workspace):|":"(?:\.{0,2}\/|~\/)/.test(JSON.stringify(dependencyFields(all))))
    return true
  return Object.values(lock?.packages ?? {}).some(
    ({ link, resolved }) =>
      link === true || (typeof resolved === 'string' && resolved.startsWith('file:')),
  )
}
