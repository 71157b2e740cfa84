import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import * as z from 'zod'
import { ClientError } from '../errors/client-error.ts'
import { packageInVersion } from './layout.ts'

const manifestSchema = z.object({
  name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]*$/),
  files: z.array(z.string()).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
type Manifest = z.infer<typeof manifestSchema>

/** Entries of the strata package that run. Documents and the manifest come with them. */
const ownEntries = ['bin', 'dist', 'docs', 'package.json', 'LICENSE', 'CHANGELOG.md', 'README.md']

/** A package that the copy places at `place`, relative to the folder of the version. */
interface Placed {
  readonly source: string
  readonly place: string
}

/**
 * Returns the label of the package in a folder: its version and a digest of its programs, for example
 * `0.2.0-1f0c9a3b`. Two builds of one version have different labels. Throws ClientError for another package.
 */
export function labelOf(packageDir: string): string {
  const { name, version } = readManifest(packageDir)
  if (name !== 'stratad' || !existsSync(join(packageDir, 'dist/stratad.cjs'))) {
    throw new ClientError(`${packageDir} does not contain a built strata package`)
  }
  const hash = createHash('sha256')
  for (const top of ['bin', 'dist', 'package.json']) {
    for (const path of filesBelow(join(packageDir, top))) {
      hash.update(`${relative(packageDir, path)}\0`).update(readFileSync(path))
    }
  }
  return `${version}-${hash.digest('hex').slice(0, 8)}`
}

/** Returns the version in a label. */
export function versionIn(label: string): string {
  return label.replace(/-[0-9a-f]{8}$/, '')
}

/**
 * Copies the strata package and the packages that it needs at run time into `target`, in the layout of npm. Development
 * packages stay behind. Needs no registry. Throws ClientError if a package is missing.
 */
export function copyPackage(packageDir: string, target: string): void {
  const own = join(target, packageInVersion)
  mkdirSync(own, { recursive: true })
  for (const entry of ownEntries) {
    const from = join(packageDir, entry)
    if (existsSync(from)) cpSync(from, join(own, entry), { recursive: true, dereference: true })
  }
  for (const { source, place } of placePackages(realpathSync(packageDir))) {
    cpSync(source, join(target, place), {
      recursive: true,
      dereference: true,
      filter: (path) => relative(source, path).split('/')[0] !== 'node_modules',
    })
  }
}

/**
 * Chooses a place for each needed package: the top folder if it is free, otherwise the folder of the package that
 * requires it. This is the rule of npm.
 */
function placePackages(packageDir: string): readonly Placed[] {
  const places = new Map<string, string>()
  const queue: Placed[] = [{ source: packageDir, place: packageInVersion }]
  for (let at = 0; at < queue.length; at += 1) {
    const parent = queue[at] as Placed // `at` is below the length.
    const manifest = readManifest(parent.source)
    const optional = Object.keys(manifest.optionalDependencies ?? {})
    for (const name of new Set([...Object.keys(manifest.dependencies ?? {}), ...optional])) {
      const source = findPackage(parent.source, name)
      if (source === undefined) {
        if (optional.includes(name)) continue
        throw new ClientError(`the package ${name}, which ${manifest.name} needs, is not installed`)
      }
      const visible = visiblePlaces(parent.place, name).find((place) => places.has(place))
      if (visible !== undefined && places.get(visible) === source) continue
      const place =
        visible === undefined
          ? join('node_modules', name)
          : join(parent.place, 'node_modules', name)
      places.set(place, source)
      queue.push({ source, place })
    }
  }
  return queue.slice(1)
}

/** Returns the places in which a package at `place` finds another one, in the order in which Node.js searches. */
function visiblePlaces(place: string, name: string): string[] {
  const above = place === '.' ? [] : visiblePlaces(dirname(place), name)
  return basename(place) === 'node_modules' ? above : [join(place, 'node_modules', name), ...above]
}

/** Returns the folder of a package as Node.js finds it from another package. */
function findPackage(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
    if (folder === dirname(folder)) return undefined
  }
}

export function readManifest(packageDir: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')))
  } catch (cause) {
    throw new ClientError(`${join(packageDir, 'package.json')} is no manifest of a package`, {
      cause,
    })
  }
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}
