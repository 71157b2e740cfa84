import * as z from 'zod'
import { DaemonError } from '../errors.ts'
import { readText } from './read-text.ts'

/** A parsed `package.json`. `all` contains every field. */
export interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly hasDependencies: boolean
  readonly hasDevDependencies: boolean
  readonly all: Readonly<Record<string, unknown>>
}

/** An npm lock file. */
export interface Lock {
  readonly name: 'package-lock.json' | 'npm-shrinkwrap.json'
  readonly text: string
  readonly packages: Readonly<Record<string, LockedPackage>>
}

type LockedPackage = z.output<typeof lockedPackage>

/** Reads `package.json`. Returns undefined if it is missing. Throws DaemonError `unprocessable` if it is invalid. */
export async function readManifest(root: string): Promise<Manifest | undefined> {
  const text = await readText(root, 'package.json')
  if (text === undefined) return undefined
  const all = parse('package.json', text, manifest)
  const kinds = [
    all.dependencies,
    all.devDependencies,
    all.optionalDependencies,
    all.peerDependencies,
  ]
  const names = kinds.flatMap((kind) => Object.keys(kind ?? {}))
  return {
    scripts: all.scripts ?? {},
    hasDependencies: names.length > 0 || all.workspaces !== undefined,
    hasDevDependencies: Object.keys(all.devDependencies ?? {}).length > 0,
    all,
  }
}

/** Reads the lock file. As in npm, `npm-shrinkwrap.json` has precedence over `package-lock.json`. */
export async function readLock(root: string): Promise<Lock | undefined> {
  for (const name of ['npm-shrinkwrap.json', 'package-lock.json'] as const) {
    const text = await readText(root, name)
    if (text !== undefined) return { name, text, packages: parse(name, text, lock).packages ?? {} }
  }
  return undefined
}

const texts = z.record(z.string(), z.string())
const manifest = z.looseObject({
  scripts: texts.optional(),
  dependencies: texts.optional(),
  devDependencies: texts.optional(),
  optionalDependencies: texts.optional(),
  peerDependencies: texts.optional(),
  workspaces: z.unknown().optional(),
})

const lockedPackage = z.looseObject({
  link: z.boolean().optional(),
  resolved: z.union([z.string(), z.boolean()]).optional(),
  dev: z.boolean().optional(),
  bin: z.union([z.string(), texts]).optional(),
})
const lock = z.looseObject({ packages: z.record(z.string(), lockedPackage).optional() })

function parse<S extends z.ZodType>(name: string, text: string, schema: S): z.output<S> {
  let document: unknown
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new DaemonError('unprocessable', `${name} is not JSON: ${(error as Error).message}`, {
      cause: error,
    })
  }
  const result = schema.safeParse(document)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = issue?.path.join('.') || 'the file'
  throw new DaemonError(
    'unprocessable',
    `${name}: ${path} is not valid for npm (${issue?.message})`,
  )
}
