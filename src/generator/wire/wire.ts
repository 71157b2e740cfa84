import type { Feature } from '../model/model.ts'
import type { Addition, Surroundings, Transform } from './addition.ts'
import { client } from './client.ts'
import { container } from './container.ts'
import { applyEdits, type Edit } from './edit.ts'
import { memory } from './memory.ts'
import { namesFeature } from './names-feature.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { routes } from './routes.ts'
import { parseFile } from './wire-file.ts'

export interface WireRequest extends Surroundings {
  /** One of `wiringPaths`. */
  readonly path: string
  /** The text of the file on disk. */
  readonly text: string
  readonly feature: Feature
}

export type WireResult =
  | { readonly kind: 'edited'; readonly text: string }
  /** The file already contains every addition. */
  | { readonly kind: 'unchanged' }
  /** `missing` is a noun phrase for the code that was not found; `lines` must be added by hand. */
  | { readonly kind: 'not-found'; readonly missing: string; readonly lines: readonly string[] }

/**
 * Adds the missing wiring of a feature to a file that a person may have edited. Finds the places by name
 * and keeps every other byte. If one place is not found, edits nothing. Throws if `path` is not a wiring
 * file.
 */
export function wireFeature({ path, text, feature, ...surroundings }: WireRequest): WireResult {
  const transform = transforms[path]
  if (transform === undefined) throw new Error(`${path} is not a wiring file`)
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : ''
  const result = wire(text.slice(mark.length), transform(feature, surroundings))
  const { adapter } = surroundings
  if (result.kind === 'not-found' && namesFeature(path, text, feature, adapter))
    return { kind: 'unchanged' }
  return result.kind === 'edited' ? { ...result, text: mark + result.text } : result
}

const transforms: Readonly<Record<string, Transform>> = {
  'src/container.ts': container,
  'src/routes.ts': routes,
  'client/index.ts': client,
  'test/support/memory.ts': memory,
}

/** Paths of the files that name every feature, relative to the project. */
export const wiringPaths: readonly string[] = Object.keys(transforms)

/** The byte order mark. Removed before parsing: some calls of the parser drop it from the text, others keep it. */
const byteOrderMark = '\uFEFF'

function wire(text: string, additions: readonly Addition[]): WireResult {
  const file = attempt(() => parseFile(text))
  if (file instanceof PlaceNotFound) return notFound([file], additions)
  const edits = additions.map((addition) => attempt(() => addition.edits(file)))
  const missing = edits.filter((result) => result instanceof PlaceNotFound)
  if (missing.length > 0)
    return notFound(
      missing,
      additions.filter((_, i) => !isDone(edits[i])),
    )
  const all = edits.flatMap((result) => (result instanceof PlaceNotFound ? [] : result))
  return all.length === 0 ? { kind: 'unchanged' } : { kind: 'edited', text: applyEdits(text, all) }
}

type Attempt<Value> = Value | PlaceNotFound

function attempt<Value>(find: () => Value): Attempt<Value> {
  try {
    return find()
  } catch (error) {
    if (error instanceof PlaceNotFound) return error
    throw error
  }
}

function isDone(edits: Attempt<readonly Edit[]> | undefined): boolean {
  return !(edits instanceof PlaceNotFound) && edits?.length === 0
}

function notFound(faults: readonly PlaceNotFound[], additions: readonly Addition[]): WireResult {
  return {
    kind: 'not-found',
    missing: [...new Set(faults.map((fault) => fault.message))].join(' and '),
    lines: additions.flatMap((addition) => addition.lines),
  }
}
